// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedWork.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

/// Between the seeds of two workers' generators.
constexpr std::uint64_t seedStep = 7919;
/// Keys drawn ahead for the cache.
constexpr std::uint32_t drawnAhead = 16;
constexpr std::uint64_t noGoal = std::uint64_t{1} << 62;

bool varies(const StragglerLaw& law) { return law.burst || law.factor.law != Law::constant; }

} // namespace

std::shared_ptr<const KeyRanks> makeKeys(const KeyedAccess& access) {
    if (access.ranks) return access.ranks;
    return std::make_shared<const KeyRanks>(static_cast<std::uint32_t>(access.keys), access.exponent,
                                            access.permutationSeed);
}

std::vector<MachineId> keyedMachines(const Placement& placement) {
    std::vector<MachineId> machines;
    for (const MachineId machine : placement.workers)
        if (machine.valid()) machines.push_back(machine);
    std::ranges::sort(machines);
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    return machines;
}

std::shared_ptr<const TaskWork> makeTaskWork(const Job& job, bool relocates, std::uint64_t seed, std::size_t workers) {
    const KeyedAccess& access = *job.keyedAccess();
    if (!access.task) return nullptr;
    require(access.model != nullptr, "a keyed job was begun without its model");
    return std::make_shared<const TaskWork>(access.model, *access.task, relocates, seed,
                                            static_cast<std::uint32_t>(workers),
                                            static_cast<double>(keyedGoal(job).iterations));
}

KeyedWorker makeKeyedWorker(const KeyedAccess& access, std::shared_ptr<const KeyRanks> keys,
                            const std::shared_ptr<const TaskWork>& task, const KeyedSnapshot* saved,
                            std::uint32_t number, std::uint32_t mostAhead) {
    const auto ahead = std::max(static_cast<std::uint32_t>(access.lookAhead), mostAhead) +
                       static_cast<std::uint32_t>(2 * access.localizeEvery) + drawnAhead;
    KeyedWorker worker{.at = SimTime::never(),
                       .step = KeyedWorker::Step::done,
                       .number = number,
                       .keys = KeyCursor(std::move(keys), access.workerSeed + seedStep * number, ahead,
                                         static_cast<std::uint64_t>(access.shiftEvery)),
                       .values = std::vector<float>(static_cast<std::size_t>(access.valuesPerKey))};
    if (task) worker.task.emplace(task, number);
    if (saved && number < saved->workers.size() && (!task || saved->workers.size() == task->shares.size())) {
        worker.keys = saved->workers[number].keys;
        if (task) worker.task = saved->workers[number].task;
        worker.iterations = worker.quota = saved->workers[number].iterations;
    }
    return worker;
}

std::vector<std::uint64_t> evenQuotas(std::vector<std::uint64_t> counts, std::uint64_t more) {
    const auto missing = [&](std::uint64_t level) { // for all to have come to it; more than `more` at most
        std::uint64_t sum = 0;
        for (const std::uint64_t count : counts)
            if (level > count && (sum += level - count) > more) return more + 1;
        return sum;
    };
    std::uint64_t low = *std::ranges::min_element(counts), high = low + more + 1;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (missing(middle) <= more ? low : high) = middle;
    }
    std::uint64_t rest = more - missing(low);
    for (std::uint64_t& count : counts) {
        if (count > low) continue;
        count = low + (rest > 0 ? 1 : 0);
        rest -= rest > 0 ? 1 : 0;
    }
    return counts;
}

std::vector<std::uint64_t> quotasByShare(std::vector<std::uint64_t> counts, std::uint64_t more,
                                         const std::vector<std::size_t>& examples) {
    const double all = static_cast<double>(std::reduce(examples.begin(), examples.end()));
    double before = 0;
    std::uint64_t given = 0;
    for (std::size_t w = 0; w < counts.size(); ++w) {
        before += static_cast<double>(examples[w]);
        const auto until = static_cast<std::uint64_t>(std::llround(static_cast<double>(more) * (before / all)));
        counts[w] += until - given;
        given = until;
    }
    return counts;
}

std::vector<std::uint64_t> quotasOf(const std::vector<const KeyedWorker*>& workers, std::uint64_t more) {
    std::vector<std::uint64_t> counts;
    std::vector<std::size_t> examples;
    for (const KeyedWorker* worker : workers) {
        counts.push_back(worker->iterations);
        if (worker->task) examples.push_back(worker->task->shareSize());
    }
    return examples.empty() ? evenQuotas(std::move(counts), more) : quotasByShare(std::move(counts), more, examples);
}

KeyedGoal keyedGoal(const Job& job) {
    const auto& work = std::get<AnalyticWork>(job.work);
    KeyedGoal goal{.iterations = noGoal, .checkpointEvery = static_cast<std::uint64_t>(job.checkpoint.everyIterations)};
    if (work.keyed->task)
        goal.evaluateEvery =
            static_cast<std::uint64_t>(work.samples) * static_cast<std::uint64_t>(work.keyed->task->evaluateEvery);
    if (job.stop.iterations) goal.iterations = static_cast<std::uint64_t>(*job.stop.iterations);
    if (job.stop.epochs) {
        const double needed = std::ceil(*job.stop.epochs * work.samples / work.batch - 1e-6);
        const auto iterations = static_cast<std::uint64_t>(std::clamp(needed, 1.0, static_cast<double>(noGoal)));
        if (iterations < goal.iterations) goal.iterations = iterations, goal.reason = FinishReason::epochs;
    }
    return goal;
}

std::vector<Duration> keyedComputeTimes(const Workload& workload, JobId job, DelayModel& delays, SimTime now) {
    const auto& work = std::get<AnalyticWork>(workload.job(job).work);
    std::vector<Duration> out;
    for (std::size_t m = 0; m < workload.cluster.machines.size(); ++m) {
        const bool drawn = work.secondsPerSample > 0 && varies(workload.cluster.machines[m].straggler);
        const DelayModel::Task task{job, 0, 1, MachineId(m), work.secondsPerSample};
        out.push_back(drawn ? Duration::nanoseconds(-1)
                            : Duration::seconds(delays.computeSeconds(task, work.batch, now)));
    }
    return out;
}

} // namespace trainyard
