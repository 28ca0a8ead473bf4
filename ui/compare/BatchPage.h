// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The frame of a page of Compare that runs a batch: its form on the left with progress, Run and Cancel beneath; on the right a line of what
// is shown, with buttons beside it, above the results. Charts of results are saved and copied in the same way everywhere.
#include "compare/BackgroundBatch.h"
#include "compare/ComparisonFiles.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class ChartCard;

class BatchPage : public QWidget {
    Q_OBJECT
public:
    /// What is said beneath the form.
    QString status() const;
    /// Begins, goes on, or says why not.
    virtual void run() = 0;
    /// What files of the results shown are made by; there are some.
    virtual ChartProvenance provenance() const = 0;

protected:
    /// `what`: of the names of its objects, "comparison" for run-comparison. `progress`: for screen readers.
    BatchPage(const char* what, const QString& progress);
    /// After the constructor of the form.
    void setForm(QWidget* form);
    QWidget* side() { return m_side; }
    QVBoxLayout* underForm() { return m_actions; }
    QVBoxLayout* results() { return m_results; }
    QLabel* hint() { return m_hint; }
    void addButton(QWidget* button); ///< beside the hint
    static QToolButton* menuButton(const QString& text);

    /// How many runs are done, and how long the others take.
    static QString runsText(const BackgroundBatch& batch);
    /// For files: "12 of 40", or empty if none is missing.
    static std::string partText(const BackgroundBatch& batch);
    /// What Run does now, how far the batch is (0 … 1), and what is said of it.
    void showProgress(const BackgroundBatch& batch, const QString& runText, bool progress, double share,
                      const QStringList& lines);
    QPushButton* runButton() { return m_run; }
    QPushButton* cancelButton() { return m_cancel; }

    /// Gives the menu of a card: save, copy as LaTeX, copy as CSV.
    void offer(ChartCard* card);
    /// False: no file was chosen.
    bool save(const QString& title, const QString& name, const QString& kinds,
              const std::function<Problems(const QString& path)>& write);
    /// That a file is written, or why not.
    virtual void say(const QString& message) = 0;

private:
    void saveChart(const TitledChart& chart);

    QWidget* m_side;
    QVBoxLayout *m_left, *m_actions, *m_results;
    QHBoxLayout* m_top;
    QLabel *m_hint, *m_status;
    QProgressBar* m_progress;
    QPushButton *m_run, *m_cancel;
};

} // namespace trainyard
