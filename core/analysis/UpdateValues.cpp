// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/UpdateValues.h"

#include "base/Format.h"

#include <algorithm>
#include <map>

namespace trainyard {

namespace update_values {

const Registry& policies() {
    static const Registry all = Registry::builtin();
    return all;
}

const UpdateLog& updatesOf(const RunIndex& run, JobId job) { return run.jobs()[job.index()].updates; }

/// Of each job, the placement until its first gradient was sent, and the bytes of that.
class FirstPushes final : public LogFold {
public:
    explicit FirstPushes(const RunSource& run) : m_jobs(run.workload->jobs.size()) {}
    void apply(const Event& e, std::size_t) override {
        if (e.job >= m_jobs.size() || m_jobs[e.job].messageBytes > 0) return;
        if (e.type == EventType::pushStarted) m_jobs[e.job].messageBytes = e.value;
        if (e.type != EventType::taskPlaced || e.a >= (1u << 20)) return;
        Placement& placement = m_jobs[e.job].placement;
        const bool worker = e.aux == static_cast<std::uint16_t>(TaskRole::worker);
        auto& machines = worker ? placement.workers : placement.servers;
        if (machines.size() <= e.a) machines.resize(e.a + 1);
        machines[e.a] = MachineId(e.b);
    }
    const ResponseInputs& of(JobId job) const { return m_jobs[job.index()]; }

private:
    std::vector<ResponseInputs> m_jobs;
};

} // namespace update_values

using namespace update_values;

std::size_t updatesUntil(const RunIndex& run, JobId job, SimTime at) {
    return updatesOf(run, job).before(std::min(run.source().log->positionAfter(at), run.position()));
}

SimTime timeOfUpdate(const RunIndex& run, JobId job, std::size_t update) {
    return (*run.source().log)[updatesOf(run, job).position(update)].time;
}

double loadOfUpdate(const RunIndex& run, JobId job, std::size_t update) {
    const UpdateLog& updates = updatesOf(run, job);
    const auto gradients = static_cast<double>(updates.gradientsOf(update));
    return gradients > 0 ? updates.samples(update) / (gradients * batchOf(run.workload().job(job))) : 0;
}

ChoiceNow choiceAt(const RunIndex& run, JobId job, SimTime at) {
    ChoiceNow now;
    const UpdateLog& updates = updatesOf(run, job);
    const std::size_t position = std::min(run.source().log->positionAfter(at), run.position());
    const RateChoices::Made* made = run.fold<RateChoices>().before(job, position);
    if (!made) return now;
    now.choice = made->choice;
    const std::size_t since = updates.before(position) - made->updates;
    now.updatesSince = since - (made->inRound && since > 0 ? 1 : 0);
    now.error = now.choice->errorAfter(now.updatesSince);
    return now;
}

bool choosesByRates(const RunIndex& run, JobId job) {
    const auto policy = synchronizationPolicyOf(run, job);
    return policy && policy->rateRule();
}

Text whyNoRates(const RunIndex& run, JobId job, SimTime at) {
    if (choiceAt(run, job, at).choice) return {};
    if (!choosesByRates(run, job)) {
        const Choice* choice = synchronizationOf(run, job);
        const PolicyInfo* info = choice ? policies().find(PolicyFamily::synchronization, choice->id) : nullptr;
        return {TRAINYARD_TEXT("This job's synchronization ({0}) does not choose by rates. Choose an "
                               "adaptive one under Policies "
                               "→ Synchronization, or open the scenario papers/stragglers/c1.json."),
                {info     ? info->label
                 : choice ? choice->id
                          : "?"}};
    }
    if (run.fold<RateChoices>().of(job).empty())
        return {TRAINYARD_TEXT("No choice by rates has been made. The first comes when the gradients have given the "
                               "estimates that the plan needs. Rules based on a test (Pflug, distance) make none."),
                {}};
    return {TRAINYARD_TEXT("At this instant nothing had been chosen yet: move to a later time."), {}};
}

std::string optionName(const RateOption& option) {
    return "k = " + std::to_string(option.waitFor) + ", β = " + formatNumber(option.load, 3);
}

void addUsedByWorker(std::vector<std::size_t>& counts, const RunIndex& run, JobId job, std::size_t from,
                     std::size_t to) {
    const UpdateLog& updates = updatesOf(run, job);
    counts.resize(run.jobs()[job.index()].workers.size(), 0);
    for (std::size_t i = updates.usedBefore(from); i < updates.usedBefore(to); ++i)
        if (const std::uint32_t worker = updates.gradients()[i].worker; worker < counts.size()) ++counts[worker];
}

StalenessCounts stalenessOf(const RunIndex& run, JobId job, std::size_t from, std::size_t to) {
    const UpdateLog& updates = updatesOf(run, job);
    StalenessCounts out;
    for (std::size_t i = updates.usedBefore(from); i < updates.usedBefore(to); ++i) {
        const std::size_t staleness = std::min<std::size_t>(updates.gradients()[i].staleness, 1 << 20);
        if (out.gradients.size() <= staleness) out.gradients.resize(staleness + 1, 0);
        ++out.gradients[staleness];
        ++out.total;
        out.mean += static_cast<double>(staleness);
    }
    if (out.total > 0) out.mean /= static_cast<double>(out.total);
    return out;
}

ResponseInputs responseInputs(const RunIndex& run, JobId job) {
    ResponseInputs out = run.fold<FirstPushes>().of(job);
    for (auto* machines : {&out.placement.workers, &out.placement.servers})
        std::erase_if(*machines,
                      [&](MachineId m) { return !m.valid() || m.index() >= run.workload().cluster.machines.size(); });
    return out;
}

std::vector<MeanTime> meanTimes(const RunIndex& run, JobId job, std::size_t until) {
    const UpdateLog& updates = updatesOf(run, job);
    std::map<std::pair<std::size_t, double>, MeanTime> means;
    const auto& steps = updates.steps();
    for (std::size_t i = 0; i < steps.size() && steps[i].update < until; ++i) {
        const std::size_t first = std::max<std::size_t>(steps[i].update, 1); // the first has no update before it
        const std::size_t last = std::min(until, i + 1 < steps.size() ? steps[i + 1].update : updates.size());
        if (last <= first || steps[i].gradients == 0) continue;
        MeanTime& mean = means[{steps[i].gradients, steps[i].samplesOfEach}];
        mean.k = steps[i].gradients;
        mean.load = loadOfUpdate(run, job, steps[i].update);
        mean.updates += last - first;
        mean.seconds += (timeOfUpdate(run, job, last - 1) - timeOfUpdate(run, job, first - 1)).toSeconds();
    }
    const bool stale = std::any_of(
        updates.gradients().begin(),
        updates.gradients().begin() + static_cast<std::ptrdiff_t>(updates.usedBefore(std::min<std::size_t>(until, 64))),
        [](const UsedGradient& g) { return g.staleness > 0; });
    std::vector<MeanTime> out;
    if (stale) return out;
    for (auto& [key, mean] : means) {
        mean.seconds /= static_cast<double>(mean.updates);
        out.push_back(mean);
    }
    return out;
}

std::string workerName(const RunIndex& run, JobId job, std::uint32_t worker) {
    const std::string number = "w" + std::to_string(worker + 1);
    const auto& workers = run.jobs()[job.index()].workers;
    if (worker >= workers.size() || !workers[worker].machine.valid()) return number;
    return run.machineName(workers[worker].machine) + " · " + number;
}

const Choice* synchronizationOf(const RunIndex& run, JobId job) {
    const auto& scenario = run.source().scenario;
    return scenario ? &synchronizationOf(*scenario, run.workload().job(job)) : nullptr;
}

std::unique_ptr<Synchronization> synchronizationPolicyOf(const RunIndex& run, JobId job) {
    const Choice* choice = synchronizationOf(run, job);
    if (!choice || !policies().find(PolicyFamily::synchronization, choice->id)) return nullptr;
    return policies().makeSynchronization(*choice);
}

} // namespace trainyard
