// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// All lanes of a run on one time axis: ruler, Gantt, straggler strip, loss, utilization, queue, the histories
// that the user added, and the overview of the whole run. Hands the folds of the run shown to the lanes as it
// grows; created by the window, one per window.
#include "plots/LaneColumn.h"
#include "plots/LaneFolds.h"

#include <QTimer>

#include <functional>

namespace trainyard {

class LaneSwitches;
class InteractionMonitor;
class RunModel;
struct LaneInput;

/// The painters of the lanes that every run has, from top to bottom.
std::vector<std::unique_ptr<LanePainter>> makeLanePainters();

class LaneStack final : public LaneColumn {
    Q_OBJECT
public:
    /// Makes the painter of what the user has added.
    using MakePainter = std::function<std::unique_ptr<LanePainter>(const HistorySubject&)>;
    LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, Histories& histories, MakePainter makePainter,
              QWidget* parent = nullptr);
    ~LaneStack() override;

    /// While this is busy, every third frame of the run is shown. Borrowed.
    void giveWayTo(const InteractionMonitor* hand) { m_interaction = hand; }
    /// What every lane is given: the run, the selection, the instant read out. Other charts of the same run follow it.
    LaneInput makeInput() const;
    /// Which lanes are folded away and how high the others are, what they show, and which histories were
    /// added; for the window's settings.
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& layout);

Q_SIGNALS:
    void refreshed(); ///< makeInput() has changed

protected:
    void refresh() override;
    bool readsWholeRun() const override;
    bool clearSelection() override;
    void readoutChanged() override { Q_EMIT refreshed(); }
    void laneFolded() override;
    /// On a small screen the rows of Gantt and strip need what the curves of utilization would have; its line still says the
    /// values.
    void heightChanged() override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct HistoryLane {
        HistorySubject subject;
        Lane* lane;
    };
    void onFrame();
    void onRunStarted();
    void takeRuns();      ///< current run, ghost or histories are others now
    void takeHistories(); ///< lanes for these, and for no others
    void takeJobNames();  ///< legends of the same jobs stay as wide as they are

    RunModel& m_run;
    Selection& m_selection;
    Histories& m_histories;
    MakePainter m_makePainter;
    LaneFolds m_folds;
    std::vector<HistoryLane> m_historyLanes; ///< the last of lanes()
    Lane* m_utilization = nullptr; ///< folded where there is little room, until the user folds or unfolds a lane
    LaneSwitches* m_switches = nullptr;
    bool m_foldedByHand = false, m_folding = false;
    QTimer m_catchUp; ///< a log too long for one frame is folded in pieces
    const InteractionMonitor* m_interaction = nullptr;
    int m_leftOut = 0;   ///< frames, since one was shown
    QString m_jobsNamed; ///< in the legends whose width the lanes have
};

} // namespace trainyard
