// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One running job in real time, with threads of its own. Made, watched and joined by Executor's thread. Two kinds: JobExecution runs task
// by task, KeyedExecution runs keyed jobs.
#include "engine/JobLife.h"
#include "engine/JobRun.h"
#include "engine/RealNetwork.h"
#include "engine/Simulation.h"

#include <span>

namespace trainyard {

class Execution {
public:
    /// What all executions of a run share; outlives them.
    struct Shared {
        const SimulationOptions& options;
        const Workload& workload;
        const RealClock& clock;
        RealNetwork& network;
        PendingWork& work;
        std::optional<std::uint32_t> storage; ///< vertex
        WakeUp& ended;                        ///< called when a job has ended
    };
    virtual ~Execution() = default; ///< stops and joins

    virtual bool ended() const = 0;
    /// Stops and joins all threads; what is under way is cancelled, or for keyed jobs delivered.
    virtual void stop() = 0;
    /// Events since the last call, in no order; any time.
    virtual void takeEvents(std::vector<Event>& out) = 0;

    // After stop():
    /// Why it ended by itself; nullopt: it was stopped. Rethrows an error of one of its threads.
    virtual std::optional<FinishReason> finishReason() const = 0;
    virtual bool diverged() const { return false; }
    virtual std::optional<JobSnapshot> snapshot() const = 0;
    virtual const std::optional<JobSnapshot>& checkpoint() const = 0;
    /// What the job's next start needs besides.
    virtual void leaveTo(JobLife&) const {}

    /// Of a policy of this job, by its number in an event.
    virtual Explanation explanation(std::uint32_t) const { return {}; }
    /// Whether the parameters outlive these workers: it may go on without them.
    virtual bool survives(std::span<const std::uint32_t>) { return false; }
    /// Numbers of workers that may come and go are below.
    virtual std::size_t places() const { return 0; }
    /// These are no more: their tasks are cancelled, their threads joined. Only where it survives that.
    virtual void removeWorkers(std::span<const std::uint32_t>) {}
    /// See Coordinator::changeWorkers().
    virtual void changeWorkers(const JobAllotment&, bool /*resized*/) {}
    /// Links have failed or come back.
    virtual void rerouted() {}
};

} // namespace trainyard
