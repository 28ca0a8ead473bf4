#pragma once
// All lanes of a run on one time axis: ruler, Gantt, straggler strip, loss, utilization, queue, the histories
// that the user added, and the overview of the whole run. Hands the folds of the run shown to the lanes as it
// grows; created by the window, one per window.
#include "plots/LaneFolds.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QScrollArea;
class QSplitter;

namespace trainyard {

class Lane;
class LanePainter;
class LaneSwitches;
class InteractionMonitor;
class Overview;
class RunModel;
class Selection;
class TimeAxis;
class TimeRuler;
struct LaneInput;

/// The painters of the lanes that every run has, from top to bottom.
std::vector<std::unique_ptr<LanePainter>> makeLanePainters();

class LaneStack final : public QWidget {
    Q_OBJECT
public:
    LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, Histories& histories, QWidget* parent = nullptr);
    ~LaneStack() override;

    /// While this is busy, every third frame of the run is shown. Borrowed.
    void giveWayTo(const InteractionMonitor* hand) { m_interaction = hand; }
    const std::vector<Lane*>& lanes() const { return m_lanes; } ///< from top to bottom
    TimeRuler* ruler() const { return m_ruler; }
    Overview* overview() const { return m_overview; }
    /// What every lane is given: the run, the selection, the instant read out. Other charts of the same run follow it.
    LaneInput makeInput() const;
    /// Which lanes are folded away and how high the others are, what they show, and which histories were
    /// added; for the window's settings.
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& layout);

Q_SIGNALS:
    void refreshed(); ///< makeInput() has changed

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showWholeRun();
    void followRun();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct HistoryLane {
        HistorySubject subject;
        Lane* lane;
    };
    Lane* addLane(std::unique_ptr<LanePainter> painter, int share);
    void onFrame();
    void onRunStarted();
    void takeRuns();      ///< current run, ghost or histories are others now
    void takeHistories(); ///< lanes for these, and for no others
    void fitAxis();
    void refresh();        ///< data, range or selection changed
    void refreshReadout(); ///< only the instant read out changed
    SimTime readoutTime() const;
    bool readsWholeRun() const;
    void shareSpace();
    void foldForSpace();
    void fitOverview();
    QList<int> rowsWanted() const;
    void widenLegends();
    void forgetLegends();

    RunModel& m_run;
    TimeAxis& m_axis;
    Selection& m_selection;
    Histories& m_histories;
    LaneFolds m_folds;
    SimTime m_end;      ///< of what the run has done so far
    double m_whole = 1; ///< end of the axis when everything is shown, seconds
    TimeRuler* m_ruler;
    QScrollArea* m_scroll;
    QSplitter* m_splitter;
    Overview* m_overview;
    std::vector<Lane*> m_lanes;
    std::vector<HistoryLane> m_historyLanes; ///< the last of m_lanes
    Lane* m_utilization = nullptr; ///< folded where there is little room, until the user folds or unfolds a lane
    LaneSwitches* m_switches = nullptr;
    QList<int> m_rowsWanted;    ///< when the space was shared last
    bool m_sizedByHand = false; ///< heights are the user's; else they follow the stack's
    bool m_foldedByHand = false, m_folding = false;
    QTimer m_catchUp; ///< a log too long for one frame is folded in pieces
    const InteractionMonitor* m_interaction = nullptr;
    int m_leftOut = 0;   ///< frames, since one was shown
    QString m_jobsNamed; ///< in the legends whose width the lanes have
};

} // namespace trainyard
