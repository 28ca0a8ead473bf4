// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The inside of RunSession: the orders given by other threads, the frames shown to them, and the run thread.
// Included by RunSession.cpp (doors and frames) and RunLoop.cpp (the thread) only.
#include "engine/Executor.h"
#include "run/Keyframes.h"
#include "run/LimitGuard.h"
#include "run/RunSession.h"

#include <chrono>
#include <condition_variable>
#include <optional>
#include <thread>
#include <vector>

namespace trainyard {

struct RunSession::Impl {
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    explicit Impl(RunRequest given);

    // --- Orders: given by any thread, taken by the run thread
    // ----------------------------------------------------------
    struct Orders {
        bool paused = false;
        bool toEnd = false;     ///< as fast as possible until the next pause or change of speed
        bool interrupt = false; ///< ends a step under way
        double speed = 0;
        std::vector<StepKind> steps;
        std::vector<Command> commands;
        std::optional<BreakpointWatch> until; ///< what to pause at; has looked at nothing yet
        int untilNumber = 0;                  ///< of the latest one
    };
    void order(const std::function<void(Orders&)>& change);
    Orders takeOrders();
    bool interrupted();
    /// Until an order comes, stop is requested or `until` has come.
    void sleepUntil(const std::stop_token& stop, std::optional<Clock::time_point> until);

    // --- Frames: made by the run thread, shown to all
    // ------------------------------------------------------------------
    /// What a frame is made of, borrowed from a Simulation or an Executor.
    struct Source {
        const EventLog& log;
        const ClusterState& state;
    };
    bool frameDue() const { return Clock::now() >= nextFrame; }
    void publish(RunStatus status, const Source& source, Problems problems = {});
    /// While there is no state to show.
    void publishBare(RunStatus status, Problems problems);
    void show(std::shared_ptr<const Frame> frame);
    std::shared_ptr<const Frame> latest() const;
    void measureSpeed(Frame& frame, Clock::time_point now);

    // --- The run thread
    // ------------------------------------------------------------------------------------------------
    void runThread(const std::stop_token& stop);
    void simulate(const std::stop_token& stop);
    void execute(const std::stop_token& stop);
    SimulationOptions options() const;
    void prepared(std::shared_ptr<const Workload> newWorkload, std::shared_ptr<const EventLog> newLog,
                  std::shared_ptr<const ExplanationLog> why, Problems notes);
    void loop(const std::stop_token& stop, Simulation& simulation);
    /// One slice of work at the wanted speed, or a sleep until there is some.
    void advance(const std::stop_token& stop, Simulation& simulation, double speed);
    void workSlice(Simulation& simulation, SimTime until);
    /// Takes up the watch of the orders, unless it is the one at work already.
    void watchFor(const Orders& now, const Simulation& simulation);
    void look(const Simulation& simulation);
    /// The time that the watch waits for; never() if it waits for an event, or there is none.
    SimTime watchedTime() const;
    /// What is watched for came about at `at`: pauses.
    void arrive(SimTime at);
    void step(const std::stop_token& stop, Simulation& simulation, StepKind kind);
    void applyCommands(Simulation& simulation, const std::vector<Command>& list);

    const RunRequest request;

    std::mutex ordersMutex;
    std::condition_variable_any wake;
    Orders orders;
    bool ordersChanged = false;

    mutable std::mutex shownMutex; ///< guards from here …
    std::condition_variable shownChanged;
    std::shared_ptr<const Frame> shown;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
    std::unique_ptr<Keyframes> keyframes;
    std::shared_ptr<const ExplanationLog> explanations;
    std::vector<Command> applied;
    std::function<void()> onFrame; ///< … to here

    // Of the run thread alone.
    Problems warnings;
    Clock::time_point nextFrame{}, rateSince{};
    std::size_t rateLogSize = 0;
    SimTime rateTime;
    double rate = 0, ratio = 0;
    SimTime shownTime;      ///< the time axis' head: between two events it moves on with the pace
    std::size_t slice = 16; ///< events in the next one; follows what events cost
    std::optional<LimitGuard> guard;
    std::optional<BreakpointWatch> watch;
    int watchNumber = 0; ///< of the latest watch taken up
    Frame::Reached reached;
    struct Pace {
        double speed = 0; ///< 0: not paced
        Clock::time_point since;
        SimTime from;
    } pace;

    std::jthread thread; ///< last: it uses everything above
};

} // namespace trainyard
