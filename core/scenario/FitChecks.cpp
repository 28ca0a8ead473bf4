// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether a job can ever run on the empty cluster, and whether its tasks could talk to each other.
#include "planning/TaskPlacer.h"
#include "scenario/Decimal.h"
#include "scenario/ScenarioChecks.h"

#include <algorithm>

namespace trainyard {

namespace {

std::string amountsText(const ResourceVector& amounts, const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t r = 0; r < names.size(); ++r)
        if (amounts.micro(r) > 0)
            out += (out.empty() ? "" : ", ") + names[r] + " " + Decimal::of(amounts.micro(r)).shifted(-6).text();
    return out.empty() ? "nothing" : out;
}

int leastServers(const Job& job, bool drawsWorkers) {
    return drawsWorkers && !job.workersPerServer ? job.servers.minimum
                                                 : job.serversFor(job.workers.minimum, job.workers);
}

bool mayBeApart(const Job& job) { return job.workers.maximum + job.servers.maximum >= 2; }

/// Everything that the check depends on, as a key.
std::string shapeOf(const Job& job, bool drawsWorkers) {
    return std::to_string(drawsWorkers ? 1 : job.workers.minimum) + "," +
           std::to_string(leastServers(job, drawsWorkers)) + "," + std::to_string(mayBeApart(job)) + "," +
           std::to_string(job.servers.maximum > 0) + ";" + amountsKey(job.workerDemand) + ";" +
           amountsKey(job.serverDemand);
}

} // namespace

void ScenarioChecks::checkFit(const Job& job, const std::string& pointer, bool drawsWorkers) {
    if (m_scenario.cluster.resourceNames.empty() && m_scenario.cluster.machines.empty()) {
        report("never-fits", {TRAINYARD_TEXT("the cluster has no machines; the job can never run"), {}}, pointer);
        return;
    }
    const auto [it, fresh] = m_checked.try_emplace(shapeOf(job, drawsWorkers));
    if (fresh) it->second = unfit(job, drawsWorkers);
    if (fresh && !it->second) it->second = unreachable(job);
    if (!it->second) return;
    Problem problem = *it->second;
    problem.pointer = pointer + problem.pointer;
    m_problems.push_back(std::move(problem));
}

bool ScenarioChecks::placeable(const Job& job, int workers, int servers) {
    for (const auto strategy : {PlacingStrategy::pack, PlacingStrategy::spread}) {
        const FreeCapacity::Scratch scratch(m_free);
        if (placeTasks(*m_workload, job, workers, servers, m_free, strategy)) return true;
    }
    return false;
}

std::optional<Problem> ScenarioChecks::unfit(const Job& job, bool drawsWorkers) {
    const Cluster& cluster = m_scenario.cluster;
    if (!m_workload) {
        m_workload = Workload{.cluster = cluster};
        m_free = FreeCapacity(cluster);
    }
    const int workers = drawsWorkers ? 1 : job.workers.minimum, servers = leastServers(job, drawsWorkers);
    const auto room = [&](const ResourceVector& demand, std::int64_t limit) {
        std::int64_t copies = 0;
        for (const auto& [key, group] : m_free.groups())
            copies += demand.copiesIn(key.free, limit) * static_cast<std::int64_t>(group.machines.size());
        return copies;
    };
    const auto problem = [&](Text message, const char* member) {
        return Problem{.code = "never-fits", .message = std::move(message), .pointer = member};
    };
    for (const bool worker : {true, false}) {
        const ResourceVector& demand = worker ? job.workerDemand : job.serverDemand;
        const int count = worker ? workers : servers;
        if (count == 0) continue;
        const std::int64_t copies = room(demand, count);
        if (copies >= count) continue;
        const char* member = worker ? "/worker_demand" : "/server_demand";
        const char* what = worker ? TRAINYARD_TEXT("worker") : TRAINYARD_TEXT("server");
        if (copies == 0)
            return problem(
                {TRAINYARD_TEXT("no machine has room for a {0} of this job, which needs {1}; it can never run"),
                 {what, amountsText(demand, cluster.resourceNames)}},
                member);
        return problem({TRAINYARD_TEXT("the empty cluster has room for only {0} of the {1} {2} tasks that the "
                                       "job needs at least; it can never run"),
                        {std::to_string(copies), std::to_string(count), what}},
                       worker ? "/workers" : "/servers");
    }
    if (placeable(job, workers, servers)) return std::nullopt;
    return problem({TRAINYARD_TEXT("{0} workers ({1} each) and {2} servers ({3} each) do not fit together on "
                                   "the empty cluster; the job can never run"),
                    {std::to_string(workers), amountsText(job.workerDemand, cluster.resourceNames),
                     std::to_string(servers), amountsText(job.serverDemand, cluster.resourceNames)}},
                   "");
}

std::optional<Problem> ScenarioChecks::unreachable(const Job& job) const {
    if (m_isConnected || !mayBeApart(job)) return std::nullopt;
    const auto& machines = m_scenario.cluster.machines;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const bool usable = job.workerDemand.fitsIn(machines[i].capacity) ||
                            (job.servers.maximum > 0 && job.serverDemand.fitsIn(machines[i].capacity));
        if (!usable) continue;
        if (!first)
            first = i;
        else if (m_island[i] != m_island[*first])
            return Problem{.code = "unreachable",
                           .message = {TRAINYARD_TEXT("tasks of this job could be placed on \"{0}\" and "
                                                      "\"{1}\", but no links lead from one to the other"),
                                       {machines[*first].key, machines[i].key}},
                           .pointer = {}};
    }
    return std::nullopt;
}

} // namespace trainyard
