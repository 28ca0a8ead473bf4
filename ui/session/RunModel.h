#pragma once
// The only bridge to a running RunSession. A 16 ms timer looks for a new frame and tells all views at once by frame();
// signals say that something is new, they carry no data. Owns the current session and the library of earlier runs (ghosts).
#include "run/RunSession.h"
#include "session/RunData.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace trainyard {

class RunModel final : public QObject {
    Q_OBJECT
public:
    RunModel(std::shared_ptr<const Registry> registry, ResourcePaths resources, QObject* parent = nullptr);
    ~RunModel() override;

    /// Starts a run of the scenario; the previous run becomes the ghost (kept in earlier()).
    void start(std::shared_ptr<const Scenario> scenario, const QString& label, bool paused = false);
    /// Shows a recorded run instead of a live one.
    void show(RunData data);

    /// Null session: nothing runs. Commands (pause, step, speed …) go straight to it.
    RunSession* session() const;
    const RunData& current() const;
    /// Earlier runs, newest last; the last one is the ghost.
    const std::vector<RunData>& earlier() const;
    void forgetEarlier();
    std::shared_ptr<const Frame> latestFrame() const;
    /// State at the time axis' cursor; the latest frame's while following.
    std::shared_ptr<const ClusterState> stateAt(SimTime t) const;
    std::vector<Explanation> explanations() const;

Q_SIGNALS:
    void runStarted(); ///< current() is another run
    void frame();      ///< the log has grown, or the status changed
    void runEnded();   ///< finished, failed or stopped; after the last frame()

private:
    void poll();

    std::shared_ptr<const Registry> m_registry;
    ResourcePaths m_resources;
    std::unique_ptr<RunSession> m_session;
    RunData m_current;
    std::vector<RunData> m_earlier;
    std::shared_ptr<const Frame> m_frame;
    QTimer m_timer;
    RunId m_nextId = 1;
};

} // namespace trainyard
