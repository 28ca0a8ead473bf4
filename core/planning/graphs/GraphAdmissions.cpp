// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/GraphAdmissions.h"

#include "base/Result.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

namespace trainyard {

namespace {

/// On servers of that speed.
std::shared_ptr<const ComputationGraph> atSpeed(std::shared_ptr<const ComputationGraph> graph, double speed) {
    if (speed == 1) return graph;
    ComputationGraph scaled = *graph;
    for (Operation& op : scaled.operations) {
        op.forwardSeconds /= speed;
        op.backwardSeconds /= speed;
    }
    return std::make_shared<const ComputationGraph>(std::move(scaled));
}

int mostDegreeOf(const Workload& workload) {
    int most = 1;
    for (const Job& job : workload.jobs)
        if (workload.admitsAtOnce(job)) most = std::max(most, job.workers.maximum);
    return most;
}

} // namespace

GraphAdmissions::GraphAdmissions(std::shared_ptr<const Workload> workload,
                                 const std::vector<std::shared_ptr<const ComputationGraph>>& first)
    : m_workload(std::move(workload)), m_graphOf(m_workload->jobs.size(), none),
      m_deadlines(m_workload->jobs.size(), 0) {
    const auto& jobs = m_workload->jobs;
    m_jobs = static_cast<std::size_t>(
        std::ranges::count_if(jobs, [&](const Job& job) { return m_workload->admitsAtOnce(job); }));
    if (m_jobs == 0) return;
    const OpticalNetwork& network = *m_workload->cluster.ramp;
    require(network.serverCount() >= 1 &&
                static_cast<std::size_t>(network.serverCount()) <= m_workload->cluster.machines.size(),
            "the servers of an optical network are machines");
    const double speed = m_workload->cluster.speed(MachineId(0));
    m_pricer.emplace(network, GraphSetting::of(network), mostDegreeOf(*m_workload));
    // Jobs of one graph, as many steps and the same bounds share what is computed.
    std::map<std::tuple<const ComputationGraph*, int, int, int>, std::uint32_t> known;
    const auto add = [&](const std::shared_ptr<const ComputationGraph>& graph, const Job& job) {
        const int steps = std::get<GraphWork>(job.work).steps;
        const auto [at, fresh] =
            known.try_emplace({graph.get(), steps, job.workers.minimum, job.workers.maximum}, none);
        if (fresh) at->second = static_cast<std::uint32_t>(m_pricer->add(atSpeed(graph, speed), steps, job.workers));
        return at->second;
    };
    const auto drawsOne = [&](const Job& job) {
        return m_workload->admitsAtOnce(job) &&
               std::ranges::find(first, std::get<GraphWork>(job.work).named) != first.end();
    };
    if (const auto like = std::ranges::find_if(jobs, drawsOne); like != jobs.end())
        for (const auto& graph : first) add(graph, *like);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (!m_workload->admitsAtOnce(jobs[j])) continue;
        const auto& work = std::get<GraphWork>(jobs[j].work);
        // A graph of its own lives as long as the workload, which is held.
        m_graphOf[j] =
            add(work.named ? work.named : std::shared_ptr<const ComputationGraph>(m_workload, &work.graph), jobs[j]);
        m_deadlines[j] = work.deadlineSeconds();
    }
}

std::vector<JobId> GraphAdmissions::endingBy(SimTime now) const {
    std::vector<JobId> out;
    for (const Held& job : m_running)
        if (job.end <= now) out.push_back(job.job);
    return out;
}

LossSystem GraphAdmissions::systemAt(SimTime now, const ClusterState& state) const {
    LossSystem system;
    for (const Held& job : m_running) system.place(job.servers, job.end.toSeconds());
    ServerMask others = 0;
    for (int s = 0; s < m_workload->cluster.ramp->serverCount(); ++s) {
        const MachineId machine(static_cast<std::size_t>(s));
        const MachineState& there = state.machine(machine);
        if (!holds(machine) && !(there.up && there.free == m_workload->machine(machine).capacity))
            others |= ServerMask{1} << s;
    }
    if (others != 0) system.place(others, std::numeric_limits<double>::infinity());
    system.advance(now.toSeconds());
    return system;
}

void GraphAdmissions::price(JobId job, const LossSystem& system, GraphArrivalOptions& out) {
    out.deadlineSeconds = m_deadlines[job.index()];
    out.occupied = system.occupied();
    out.freeServers = m_pricer->blocks().network().serverCount() - std::popcount(system.occupied());
    m_pricer->priceAll(graphOf(job), out.deadlineSeconds, system.occupied(), out.options, system.ending());
}

BlockedReason GraphAdmissions::reasonOf(JobId job, const GraphArrivalOptions& priced) {
    return m_pricer->reasonOf(graphOf(job), priced.deadlineSeconds, priced.options);
}

void GraphAdmissions::place(JobId job, ServerMask servers, SimTime end) {
    require((servers & m_held) == 0 && servers != 0, "a server is given to two jobs");
    const auto at = std::ranges::upper_bound(m_running, end, {}, &Held::end);
    m_running.insert(at, {end, job, servers});
    m_held |= servers;
}

void GraphAdmissions::release(JobId job) {
    const auto at = std::ranges::find(m_running, job, &Held::job);
    if (at == m_running.end()) return;
    m_held &= ~at->servers;
    m_running.erase(at);
}

std::vector<MachineId> GraphAdmissions::machinesOf(ServerMask servers) {
    std::vector<MachineId> out;
    for (; servers != 0; servers &= servers - 1) out.emplace_back(static_cast<std::size_t>(std::countr_zero(servers)));
    return out;
}

ServerMask GraphAdmissions::serversOf(const std::vector<MachineId>& machines) {
    ServerMask out = 0;
    for (const MachineId m : machines)
        if (m.valid() && m.index() < OpticalNetwork::mostServers) out |= ServerMask{1} << m.index();
    return out;
}

} // namespace trainyard
