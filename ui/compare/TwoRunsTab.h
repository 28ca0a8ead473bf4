// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Two runs side by side: their clusters, lanes and losses on one transport bar and one time axis, and the first effect
// of a policy in which they differ, with the decisions behind it. A tab of the place Compare.
#include "compare/RunPair.h"
#include "session/Workspace.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTextBrowser;
class QToolButton;

namespace trainyard {

class ClusterPane;
class ElidedLabel;
class PairedLanes;
class Reading;
class SpeedSlider;

class TwoRunsTab final : public QWidget {
    Q_OBJECT
public:
    explicit TwoRunsTab(Workspace& workspace, QWidget* parent = nullptr);
    ~TwoRunsTab() override;

    /// Of any origin; scenarios without a log are run first.
    void show(const RunData& first, const RunData& second);
    /// The run of the lab beside the one before it. If it goes on, it is run to its end first.
    void showPrevious();
    /// Why showPrevious() has nothing to show; empty if it has.
    QString whyNoPrevious() const;
    /// Reads a record beside the window's work and shows it on that side.
    void openRecord(std::size_t side, const QString& directory);

    RunPair& pair() { return m_pair; }
    ClusterPane* pane(std::size_t side) const { return m_sides[side].pane; }
    PairedLanes* lanes() const { return m_lanes; } ///< null before anything is shown
    QString status() const;
    QString why(std::size_t side) const; ///< what stands under the cluster, as plain text

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Side {
        QComboBox* choice = nullptr;
        ClusterPane* pane = nullptr;
        QTextBrowser* why = nullptr;
        std::optional<RunData> run; ///< chosen
        QString html;               ///< in `why`
    };
    QWidget* makeChoices();
    void makeContent();
    QWidget* makeTransport();
    QToolButton* addButton(const char* iconName, const QString& help);
    void listRuns();
    void choose(std::size_t side, int index);
    void showChosen();
    bool isWaiting() const; ///< for a chosen run to end
    void onShown();
    void refreshTransport();
    void refreshInstant();
    void refreshDifference();
    void refreshStatus();

    Workspace& m_workspace;
    RunPair m_pair;
    std::array<Side, RunPair::sides> m_sides;
    std::vector<RunData> m_listed; ///< in both lists, in this order
    QToolButton *m_swap = nullptr, *m_start = nullptr, *m_back = nullptr, *m_play = nullptr, *m_next = nullptr,
                *m_end = nullptr;
    QPushButton *m_goTo = nullptr, *m_cancel = nullptr;
    Reading* m_clock = nullptr;
    ElidedLabel *m_status = nullptr, *m_outcome = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    PairedLanes* m_lanes = nullptr;
    QString m_message;
};

} // namespace trainyard
