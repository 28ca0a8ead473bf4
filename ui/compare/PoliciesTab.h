// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Policies over seeds: what is compared on the left, charts and a table of what came out on the right. It goes on while other places are
// shown, and never keeps the window waiting.
#include "compare/BackgroundComparison.h"
#include "compare/ComparisonFiles.h"
#include "session/Workspace.h"

#include <QWidget>

class QGridLayout;
class QMenu;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTableView;
class QToolButton;

namespace trainyard {

class ChartCard;
class ComparisonForm;
class ComparisonTable;

class PoliciesTab final : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t manyRuns = 2000; ///< more are estimated first, and begun when that is agreed to

    explicit PoliciesTab(Workspace& workspace, QWidget* parent = nullptr);

    ComparisonForm& form() { return *m_form; }
    const BackgroundComparison& comparison() const { return m_comparison; }
    std::vector<ChartCard*> cards() const { return m_cards; }
    QString status() const;
    /// Begins, goes on, or says why not.
    void run();
    void cancel() { m_comparison.stop(); }
    /// The whole page as one HTML file, or the runs as CSV or JSON, by the ending.
    Problems save(const QString& path);

Q_SIGNALS:
    /// One seed of the baseline and of another arm; both are to be run.
    void sideBySideWanted(const trainyard::RunData& baseline, const trainyard::RunData& arm);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeActions();
    QWidget* makeResults();
    void onChanged();
    void onEnded();
    void refresh();
    void arrange();
    void fitColumns();
    void refreshStatus();
    void showNextChart();
    QString estimate() const;
    bool isShownRequest() const;
    std::vector<TitledChart> charts() const;
    QString scenarioName() const;
    void offer(ChartCard* card);
    void listSides(QMenu* menu);
    std::optional<RunData> armRun(std::size_t arm, std::uint64_t seed) const;
    void saveAs();
    void openKept();
    void begin(ComparisonRequest request);

    Workspace& m_workspace;
    ComparisonForm* m_form;
    QPushButton *m_run, *m_cancel;
    QToolButton *m_beside, *m_export;
    QProgressBar* m_progress;
    QLabel *m_status, *m_hint;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::vector<ChartCard*> m_cards;
    std::vector<TitledChart> m_next; ///< by card, while it runs: one a frame; without a chart: shown
    QTimer m_nextSoon;
    std::shared_ptr<const ComparisonResult> m_drawn; ///< what the charts are of
    ComparisonTable* m_table;
    QTableView* m_view;
    std::optional<ComparisonRequest>
        m_estimated; ///< all of it, while its first seed is measured or agreement is awaited
    bool m_agreed = false, m_measuring = false;
    QString m_message;
    BackgroundComparison m_comparison;
};

} // namespace trainyard
