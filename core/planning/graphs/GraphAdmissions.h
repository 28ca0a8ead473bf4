// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Graph jobs that are admitted at once, within a run: what each can be given when it arrives, and which of them hold which servers. The
// engine asks it at every arrival; views go through a log with one of their own. A value; a copy goes on by itself. Not for several threads
// at once.
#include "model/Workload.h"
#include "planning/graphs/GraphArrivals.h"
#include "record/ClusterState.h"

#include <memory>
#include <vector>

namespace trainyard {

/// Everything that is known of an arrival.
struct GraphArrivalOptions {
    std::vector<GraphOption> options; ///< by degree, ascending: those that the job's bounds allow
    double deadlineSeconds = 0;       ///< from the arrival
    ServerMask occupied = 0;          ///< by other jobs, or down
    int freeServers = 0;
};

class GraphAdmissions {
public:
    /// `first`: graphs that come first in the numbering of pricer(), as an expected workload counts them.
    explicit GraphAdmissions(std::shared_ptr<const Workload> workload,
                             const std::vector<std::shared_ptr<const ComputationGraph>>& first = {});

    bool has(JobId job) const { return m_graphOf[job.index()] != none; }
    bool empty() const { return m_jobs == 0; }
    std::size_t jobs() const { return m_jobs; } ///< how many there are in the workload

    /// Of jobs that run, those that end by then, in order of their ends.
    std::vector<JobId> endingBy(SimTime now) const;
    /// At an instant, jobs that end at it no longer counted: servers that other tasks hold, or that are down, never become free there.
    LossSystem systemAt(SimTime now, const ClusterState& state) const;
    /// What the job could be given in that system.
    void price(JobId job, const LossSystem& system, GraphArrivalOptions& out);
    /// Why it is not served, if it is not.
    BlockedReason reasonOf(JobId job, const GraphArrivalOptions& priced);

    void place(JobId job, ServerMask servers, SimTime end);
    void release(JobId job); ///< nothing, if it holds none
    ServerMask held() const { return m_held; }
    bool holds(MachineId machine) const {
        return machine.index() < OpticalNetwork::mostServers && (m_held >> machine.index() & 1) != 0;
    }
    /// Servers of a mask as machines, ascending.
    static std::vector<MachineId> machinesOf(ServerMask servers);
    /// Servers that machines of a placement are.
    static ServerMask serversOf(const std::vector<MachineId>& machines);

    GraphPricer& pricer() { return *m_pricer; }
    std::uint32_t graphOf(JobId job) const { return m_graphOf[job.index()]; }

private:
    struct Held {
        SimTime end;
        JobId job;
        ServerMask servers = 0;
    };
    static constexpr std::uint32_t none = 0xffffffffu;
    std::shared_ptr<const Workload> m_workload;
    std::size_t m_jobs = 0;
    std::optional<GraphPricer> m_pricer;  ///< nothing, where no job is admitted at once
    std::vector<std::uint32_t> m_graphOf; ///< by job: its graph in the pricer
    std::vector<double> m_deadlines;      ///< by job
    std::vector<Held> m_running;          ///< first end first
    ServerMask m_held = 0;
};

} // namespace trainyard
