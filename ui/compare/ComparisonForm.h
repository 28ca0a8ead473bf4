// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is to be compared: policies (arms), baseline, seeds or how narrow the interval is to be, mode, metrics, kind of chart. Knows the
// open scenario for its policies and variants; says what cannot run and why before anything runs.
#include "compare/MetricBox.h"
#include "run/compare/ComparisonCharts.h"
#include "session/Workspace.h"

#include <QScrollArea>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class ComparisonForm final : public QScrollArea {
    Q_OBJECT
public:
    static constexpr std::size_t mostArms = 8;

    explicit ComparisonForm(Workspace& workspace, QWidget* parent = nullptr);

    /// What the form says now; its kept results, stop and callbacks are the caller's. Problems: what is missing or wrong.
    Result<ComparisonRequest> request() const;
    /// Shows another request, of a file or of last time.
    void set(const ComparisonRequest& request);
    /// An arm as the command line writes it: "synchronization=async", "scenario". False: it is unknown, there already, or one too many.
    bool addArm(const std::string& text);
    void setArms(std::vector<ComparisonArm> arms);
    const std::vector<ComparisonArm>& arms() const { return m_arms; }

    /// Chosen by the user, or by default those that tell most of the result.
    std::vector<std::string> metrics(const ComparisonResult* result) const;
    ComparisonChartKind kind() const;
    void setKind(ComparisonChartKind kind);
    bool wantsLosses() const;

    /// While one runs, only how results are shown can be changed.
    void setRunning(bool running);
    /// Says beneath the policies what cannot run, and what nobody would notice. `asked`: also that there are none yet.
    void check(bool asked = false);

Q_SIGNALS:
    void changed();       ///< what is to be compared
    void lookChanged();   ///< how results are shown
    void titlesChanged(); ///< what arms are called

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeArms(QVBoxLayout* column);
    void makeAmount(QVBoxLayout* column);
    void makeLook(QVBoxLayout* column);
    void fillMenu(QMenu* menu, bool combine);
    void combine(const std::string& text);
    bool isAboutLosses() const; ///< of some arm's scheduler
    void showArms();
    void showTitles();
    void rename(int row, const QString& title);
    void showControls();
    void reset();
    void propose();

    Workspace& m_workspace;
    std::vector<ComparisonArm> m_arms;
    QListWidget* m_list;
    QToolButton *m_add, *m_combine;
    QPushButton *m_rename, *m_remove;
    QComboBox *m_baseline, *m_amount, *m_mode, *m_kind;
    MetricBox* m_untilMetric;
    QLineEdit* m_seeds;
    QDoubleSpinBox* m_halfWidth;
    QCheckBox *m_everyJob, *m_losses;
    QListWidget* m_metrics;
    QLabel* m_problem;
    QTimer m_checkSoon;
    bool m_proposes = false; ///< once it is seen: to look for policies takes as long as to check them
    std::map<QWidget*, QString> m_tips;
    std::vector<QWidget*> m_input; ///< what is not to be changed while it runs
};

} // namespace trainyard
