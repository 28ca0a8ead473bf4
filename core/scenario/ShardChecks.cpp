// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether a job's result will lean towards the data of its fast workers: their shares of the data are unlike,
// some of the machines are always slower than others, and the synchronization uses the gradients of the fast
// more often. The fixed point then solves Σ π_i ∇F_i(w) = 0 with π_i the share of worker i in the updates,
// which is not the least loss.
#include "scenario/ScenarioChecks.h"

#include <algorithm>

namespace trainyard {

namespace shard_checks {

/// Whether times on these two machines follow different laws: then one is faster in the long run.
bool differForGood(const Cluster& cluster, std::size_t a, std::size_t b) {
    return cluster.speed(MachineId(a)) != cluster.speed(MachineId(b)) ||
           cluster.machines[a].straggler != cluster.machines[b].straggler;
}

} // namespace shard_checks

std::optional<ScenarioChecks::Pair> ScenarioChecks::unlikeMachines(const ResourceVector& workerDemand) {
    const auto [known, fresh] = m_unlike.try_emplace(amountsKey(workerDemand));
    if (!fresh) return known->second;
    const Cluster& cluster = m_scenario.cluster;
    std::optional<std::size_t> first;
    for (std::size_t m = 0; m < cluster.machines.size() && !known->second; ++m) {
        if (!workerDemand.fitsIn(cluster.machines[m].capacity)) continue;
        if (!first)
            first = m;
        else if (shard_checks::differForGood(cluster, *first, m))
            known->second = Pair{*first, m};
    }
    return known->second;
}

void ScenarioChecks::checkShards(const Job& job, const Choice& synchronization, const std::string& pointer) {
    const auto* work = std::get_if<TrainedWork>(&job.work);
    const int workers = job.workers.maximum;
    if (!work || work->shards != Shards::sorted || workers < 2) return;
    if (synchronizationOf(synchronization)->isUnbiased(workers)) return;
    const auto unlike = unlikeMachines(job.workerDemand);
    if (!unlike) return;
    const auto& machines = m_scenario.cluster.machines;
    report("biased",
           {TRAINYARD_TEXT("data differ between workers, machines always differ in speed (\"{0}\" and \"{1}\"), and "
                           "\"{2}\" uses the gradients of fast workers more often: the result will be biased "
                           "towards their data. Let \"fastest-k\" reweight, let all workers draw from the same rows "
                           "(\"shards\": \"shared\"), or remember the gradients of slow workers (\"dsag\")"),
            {machines[unlike->first].key, machines[unlike->second].key, synchronization.id}},
           pointer + "/shards", Severity::warning);
}

} // namespace trainyard
