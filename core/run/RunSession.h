// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run on one thread, watched and steered from another. The window's only door to the engine (through
// RunModel), and what the command line runs headless. Everything shown comes from log() and the latest
// frame(); signals carry nothing.
#include "base/Result.h"
#include "engine/Simulation.h"
#include "record/Metrics.h"
#include "run/Breakpoint.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

namespace trainyard {

struct RunRequest {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::uint64_t seed = 1;
    RunMode mode = RunMode::simulate;
    int threads = 0;
    bool paused = false; ///< start paused at time 0
    double speed = 0;    ///< simulated seconds per real second; 0 = as fast as possible
    std::vector<Command> commands;
    std::chrono::steady_clock::duration spent{}; ///< of the limit of computing time, before
};

enum class RunStatus { preparing, running, paused, finished, failed, stopped };

/// The latest immutable state for display.
struct Frame {
    RunStatus status = RunStatus::preparing;
    SimTime now;
    std::size_t logSize = 0; ///< events of the log that this frame has folded
    std::shared_ptr<const ClusterState> state;
    double eventsPerSecond = 0;
    double speedRatio = 0; ///< simulated seconds per real second, measured
    double progress = 0;   ///< 0…1, best guess
    Problems problems;     ///< why it failed, or could not start
    struct Reached {
        int number = 0; ///< of the runUntil() that came about last; 0: none did
        SimTime at;
    } reached;
};

enum class StepKind { event, iteration, decision };

class RunSession {
public:
    explicit RunSession(RunRequest request);
    ~RunSession(); ///< stops and joins
    RunSession(const RunSession&) = delete;
    RunSession& operator=(const RunSession&) = delete;

    void pause();
    void resume();
    void setSpeed(double simulatedPerReal); ///< 0 = as fast as possible
    void step(StepKind kind);               ///< then pauses again
    void runToEnd();
    /// Goes on as fast as possible until it is so, then pauses exactly there; any other order gives it up.
    /// Events of the log before `from` do not count: if it came about between `from` and the run's head, the
    /// run pauses at once. Frame::reached tells by the number returned here (1, 2, …); a run that ends without
    /// it ends as usual. An execution cannot be held: there it is without effect.
    int runUntil(const Breakpoint& until, std::size_t from);
    void stop(); ///< asks; the status becomes stopped within a second
    void command(CommandKind kind, std::uint32_t a, std::uint32_t b = 0, double value = 0);
    void wait();                                  ///< until finished, failed or stopped
    bool waitFor(std::chrono::milliseconds most); ///< the same; false if it has not come to that in time

    std::shared_ptr<const Frame> frame() const;
    /// The log so far; events below size() never change. It may outlive the session; null while preparing.
    std::shared_ptr<const EventLog> log() const;
    std::shared_ptr<const Workload> workload() const; ///< null while preparing
    /// A state at any instant already run: nearest keyframe, then fold. Any thread.
    std::shared_ptr<const ClusterState> stateAt(SimTime t) const;
    std::shared_ptr<const ExplanationLog> explanations() const; ///< grows with the run; null before it begins
    /// Called on the run thread whenever the frame changed (at most 60 times a second, and at the end).
    void onFrame(std::function<void()> callback);
    const RunRequest& request() const;
    std::vector<Command> commands() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
