// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The only bridge to a running RunSession. A 16 ms timer looks for a new frame and tells all views at once by
// frame(); signals say that something is new, they carry no data. Owns the current session and the library of
// earlier runs, and knows which of them views compare with (the ghost).
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

    struct StartOptions {
        bool paused = false;
        double speed = 0;                   ///< simulated seconds per real second; 0 = as fast as possible
        std::vector<Command> commands = {}; ///< given during the run that is repeated
        bool keepGhost = false;             ///< the replaced run is forgotten, as between two positions of one slider
    };
    /// Starts a run of the scenario; the previous run becomes the ghost (kept in earlier()). A simulated
    /// ghost that had not ended goes on to its end in the background, so that there is something to compare
    /// with.
    void start(std::shared_ptr<const Scenario> scenario, const QString& label, const StartOptions& options);
    void start(std::shared_ptr<const Scenario> scenario, const QString& label) {
        start(std::move(scenario), label, {});
    }
    /// Shows a recorded run instead of a live one.
    void show(RunData data);

    /// Null session: nothing runs. Commands (pause, step, speed …) go straight to it.
    RunSession* session() const;
    const RunData& current() const;
    /// Earlier runs, newest last.
    const std::vector<RunData>& earlier() const;
    /// Runs opened from records, to compare with.
    const std::vector<RunData>& opened() const { return m_opened; }

    /// before: the newest of the earlier runs, whichever that is by then.
    enum class Ghost { before, none, chosen };
    Ghost ghostChoice() const { return m_ghostChoice; }
    /// The run that views show beside the current one; null: none.
    const RunData* ghost() const;
    void compareWith(Ghost choice);
    void compareWith(RunId run); ///< an earlier or an opened one; it is kept as long as it is chosen
    /// Reads the record beside the window's work and compares with it; recordRefused() if it cannot be read.
    void compareWithRecord(const QString& directory);
    void forgetEarlier();
    void setMostEarlier(std::size_t runs); ///< how many are kept; the oldest go first
    std::shared_ptr<const Frame> latestFrame() const;
    /// The state at an instant already run; null while there is none.
    std::shared_ptr<const ClusterState> stateAt(SimTime t) const;

Q_SIGNALS:
    void runStarted();   ///< current() is another run
    void frame();        ///< the log has grown (also that of earlier().back()), or the status changed
    void runEnded();     ///< finished, failed or stopped; after the last frame()
    void ghostChanged(); ///< ghost() is another run, or none
    void recordRefused(const QString& why);

private:
    void poll();
    bool pollGhost();
    void retireCurrent(bool keepGhost);
    void forgetOldest();
    void addOpened(RunData run);

    std::shared_ptr<const Registry> m_registry;
    ResourcePaths m_resources;
    std::unique_ptr<RunSession> m_session, m_ghostSession;
    RunData m_current;
    std::vector<RunData> m_earlier, m_opened;
    Ghost m_ghostChoice = Ghost::before;
    RunId m_chosenGhost = 0;
    std::shared_ptr<const Frame> m_frame, m_ghostFrame;
    QTimer m_timer;
    RunId m_nextId = 1;
    std::size_t m_mostEarlier = 8;
};

} // namespace trainyard
