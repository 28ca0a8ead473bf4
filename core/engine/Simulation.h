// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run in virtual time. Pops the earliest event, lets policies decide at decision points, and appends
// everything that happens to the log, whose fold is state(). Single-threaded apart from gradients
// (base/Parallel.h). Clonable at any event: the clone continues with an equal suffix.
#include "base/Parallel.h"
#include "learning/DataSet.h"
#include "record/ClusterState.h"
#include "record/EventLog.h"
#include "record/Explanation.h"
#include "scenario/Scenario.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace trainyard {

/// An interactive change during a run; logged with its time, so that the run replays.
struct Command {
    SimTime at;
    CommandKind kind = CommandKind::failMachine;
    std::uint32_t a = 0, b = 0;
    double value = 0;
};

class UpdateTimeMemo;
class KeyObserver;
class KeyNode;
struct KeyJob;

struct SimulationOptions {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::uint64_t seed = 1;
    int threads = 0;               ///< for gradients; 0 = all but one core
    std::vector<Command> commands; ///< a recorded run's, applied at their times
    std::stop_token stop;          ///< ends preparing, an event or a decision in the middle: Stopped is thrown
    PolicyFiles files;             ///< filled in by create()
    std::shared_ptr<UpdateTimeMemo> updateTimes; ///< shared with other runs; null: the run has its own
    // For tests of keyed jobs; none of them changes what happens, but for another protocol.
    Duration keyedWindow = Duration::max(); ///< windows of virtual time are no longer
    KeyObserver* keyObserver = nullptr;
    std::function<std::unique_ptr<KeyNode>(std::shared_ptr<const KeyJob>, std::uint32_t)> makeKeyNode = nullptr;
    std::function<Duration(std::uint64_t number)> keyedDelay = nullptr; ///< executed: of a message, besides; any thread
};

class Simulation {
public:
    /// Loads data sets and builds models; may throw Stopped. Problems: a missing data set, a model that cannot use its data, …
    static Result<std::unique_ptr<Simulation>> create(SimulationOptions options);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// May throw InvariantError, and Stopped (base/Stopped.h): then the log ends within an event, and there is no more to be done.
    /// Processes the earliest pending event if it comes no later than `last`; false if none does, or the run has ended.
    bool step(SimTime last = SimTime::never());
    /// Processes events up to and including time t, at most `limit` of them; true while there is more to do
    /// at or before t.
    bool runUntil(SimTime t, std::size_t limit);
    /// Nothing happens before; never() if the run has ended. Of keyed jobs it is not known when they will come to rest: it may be later.
    SimTime nextTime() const;
    bool finished() const;
    bool limited() const; ///< it has ended at the limit of events of the scenario, before its end
    /// Applies a command at its time, at the earliest a nanosecond after the last event; processes what is due before.
    void command(const Command& command);

    const EventLog& log() const;
    std::shared_ptr<const EventLog> sharedLog() const; ///< the same log; it may outlive the simulation
    const ClusterState& state() const;
    const ExplanationArena& explanations() const;
    std::shared_ptr<const Workload> workload() const;
    const std::vector<Command>& commands() const; ///< all applied so far
    std::size_t eventsProcessed() const;

    /// Everything needed to go on from here, on its own.
    std::unique_ptr<Simulation> clone() const;
    /// Current parameters of a running trained job (empty otherwise); for tests and views.
    std::vector<double> parameters(JobId job) const;

private:
    struct Impl;
    explicit Simulation(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
