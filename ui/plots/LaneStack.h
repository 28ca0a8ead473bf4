#pragma once
// All lanes of a run on one time axis: ruler, Gantt, straggler strip, loss, utilization, and the overview of
// the whole run. Folds the log of the run shown as it grows and hands it to the lanes; created by the window,
// one per window.
#include "session/RunData.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QSplitter;
class QToolButton;

namespace trainyard {

class Lane;
class Overview;
class RunFold;
class RunModel;
class Selection;
class TimeAxis;
class TimeRuler;
struct LaneInput;

class LaneStack final : public QWidget {
    Q_OBJECT
public:
    LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, QWidget* parent = nullptr);
    ~LaneStack() override;

    const std::vector<Lane*>& lanes() const { return m_lanes; } ///< from top to bottom
    TimeRuler* ruler() const { return m_ruler; }
    Overview* overview() const { return m_overview; }
    /// Which lanes are folded away and how high the others are; for the window's settings.
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& layout);

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showWholeRun();
    void followRun();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void onFrame();
    void onRunStarted();
    void forgetRuns();
    RunFold* foldOf(const RunData& run);
    void fitAxis();
    void refresh();        ///< data, range or selection changed
    void refreshReadout(); ///< only the instant read out changed
    LaneInput makeInput() const;
    SimTime readoutTime() const;
    void shareSpace();

    RunModel& m_run;
    TimeAxis& m_axis;
    Selection& m_selection;
    std::map<RunId, std::unique_ptr<RunFold>> m_folds;
    RunFold* m_current = nullptr;
    RunFold* m_ghost = nullptr;
    SimTime m_end;      ///< of what the run has done so far
    double m_whole = 1; ///< end of the axis when everything is shown, seconds
    TimeRuler* m_ruler;
    QSplitter* m_splitter;
    Overview* m_overview;
    std::vector<Lane*> m_lanes;
    QToolButton* m_logarithmic = nullptr;
    QToolButton* m_byUpdate = nullptr;
    QTimer m_catchUp; ///< a log too long for one frame is folded in pieces
};

} // namespace trainyard
