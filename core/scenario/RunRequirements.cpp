// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/RunRequirements.h"

#include "base/Format.h"
#include "base/Memory.h"
#include "base/Stopped.h"
#include "scenario/KeyedModels.h"
#include "scenario/ProblemPlaces.h"
#include "scenario/RunSize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <set>

namespace trainyard {

namespace {

constexpr double numberBytes = sizeof(double), gigabyte = 1e9;

/// Of the rows in memory; a lower bound.
double bytesOf(const DataSet& data) {
    return static_cast<double>(data.rows()) * static_cast<double>(data.features() + 1) * numberBytes;
}

/// Of the parameters, and a gradient for each worker that the job has at least.
double bytesOf(const TrainingProblem& problem, const Job& job) {
    return (static_cast<double>(problem.parameterCount()) +
            static_cast<double>(problem.messageSize()) * job.workers.minimum) *
           numberBytes;
}

/// In GB, three digits or all before the point.
std::string gigabytesText(double bytes) {
    const double size = bytes / gigabyte;
    return size < 1000 ? formatNumber(size, 3) : formatNumber(std::round(size), 15);
}

Problem beyondMemory(const char* pattern, double count, double bytes, double memory, const char* pointer) {
    return {.code = "beyond-memory",
            .message = {pattern, {formatNumber(count, 15), gigabytesText(bytes), gigabytesText(memory)}},
            .pointer = pointer};
}

template <class Info>
bool isUsable(const std::vector<Info>& known, const Choice& choice) {
    const auto it = std::find_if(known.begin(), known.end(), [&](const Info& info) { return info.id == choice.id; });
    return it != known.end() && !hasErrors(it->schema.check(choice.parameters, {}));
}

/// One of each kind for all jobs of a place, and no more than anybody reads; then it says that there may be more.
class Refusals {
public:
    static constexpr std::size_t most = readableProblems;
    bool areEnough() const { return m_problems.size() >= most; }
    void add(Problem problem) {
        if (areEnough() || !m_known.insert({problem.pointer, problem.code}).second) return;
        m_problems.push_back(std::move(problem));
        if (areEnough())
            m_problems.push_back(
                {.code = "more-problems",
                 .message = {TRAINYARD_TEXT("after so many problems, no further jobs are looked at"), {}},
                 .pointer = m_problems.back().pointer});
    }
    Problems take() { return std::move(m_problems); }

private:
    std::set<std::pair<std::string, std::string>> m_known;
    Problems m_problems;
};

/// Makes one after another, and watches what they take together.
class TrainedJobs {
public:
    TrainedJobs(std::uint64_t seed, const ResourcePaths& resources, const RunLimits& limits, std::stop_token stop = {})
        : m_seed(seed), m_resources(resources), m_memory(memoryFor(limits)), m_stop(std::move(stop)) {}

    Result<std::shared_ptr<const TrainingProblem>> make(const Job& job, JobId id) {
        const auto& work = std::get<TrainedWork>(job.work);
        auto made = TrainingProblem::make(work, m_seed, id, m_resources, &m_cache, m_stop);
        if (!made) return made;
        const TrainingProblem& problem = **made;
        if (m_counted.insert(&problem.data()).second) m_kept += bytesOf(problem.data());
        if (m_kept > m_memory)
            return beyondMemory(TRAINYARD_TEXT("with this data set of {0} rows, the scenario's data take {1} GB; the "
                                               "run may take {2} GB of memory"),
                                static_cast<double>(problem.data().rows()), m_kept, m_memory, "/dataset");
        if (auto refused = keep(job, problem.keptBytes())) return *refused;
        if (const double bytes = bytesOf(problem, job); m_kept + bytes > m_memory)
            return beyondMemory(
                TRAINYARD_TEXT("the model has {0} parameters: they, and a gradient for each worker, take "
                               "at least {1} GB; the run may take {2} GB of memory"),
                static_cast<double>(problem.parameterCount()), bytes, m_memory, "/model");
        return made;
    }

    /// Counts what a job keeps in memory for the whole run, in bytes.
    std::optional<Problem> keep(const Job& job, double bytes) {
        m_kept += bytes;
        if (m_kept <= m_memory) return std::nullopt;
        return beyondMemory(TRAINYARD_TEXT("with this job of {0} workers, the order of the rows of all jobs and their "
                                           "data take {1} GB; the run may take {2} GB of memory"),
                            job.workers.minimum, m_kept, m_memory, "/dataset");
    }

private:
    std::uint64_t m_seed;
    const ResourcePaths& m_resources;
    double m_memory; ///< bytes that the run may fill
    std::stop_token m_stop;
    DataSetCache m_cache; ///< jobs on the same data share them
    std::set<const DataSet*> m_counted;
    double m_kept = 0; ///< bytes, of the data and of jobs
};

} // namespace

Result<std::vector<std::shared_ptr<const TrainingProblem>>>
makeTrainingProblems(const Scenario& scenario, const Workload& workload, std::uint64_t seed,
                     const ResourcePaths& resources, const std::stop_token& stop) {
    std::vector<std::shared_ptr<const TrainingProblem>> out(workload.jobs.size());
    Refusals refusals;
    const JobPlaces places(scenario, seed);
    TrainedJobs jobs(seed, resources, scenario.limits, stop);
    for (std::size_t j = 0; j < workload.jobs.size() && !refusals.areEnough(); ++j) {
        throwIfStopped(stop);
        if (!std::holds_alternative<TrainedWork>(workload.jobs[j].work)) continue;
        auto made = jobs.make(workload.jobs[j], JobId(j));
        if (made) {
            out[j] = std::move(made).value();
            continue;
        }
        for (Problem problem : made.problems()) {
            problem.pointer = places.of(workload.jobs[j]) + problem.pointer;
            refusals.add(std::move(problem));
        }
    }
    Problems problems = refusals.take();
    if (hasErrors(problems)) return problems;
    return out;
}

int executionThreads(const Job& job, int tasks, int machines) {
    if (job.kind() == JobKind::graph) return 0;
    return job.keyedAccess() ? tasks + std::min(tasks, machines) + 1 : tasks + 2;
}

Problems threadProblems(const Scenario& scenario, const Workload& workload, std::uint64_t seed) {
    Refusals refusals;
    const JobPlaces places(scenario, seed);
    const auto machines = static_cast<int>(scenario.cluster.machines.size());
    for (const Job& job : workload.jobs) {
        const int threads = executionThreads(job, job.workers.maximum + job.servers.maximum, machines);
        if (threads <= mostExecutionThreads) continue;
        refusals.add({.code = "too-many-threads",
                      .message = {TRAINYARD_TEXT("job \"{0}\" needs {1} threads to be executed; at most {2} are "
                                                 "allowed. Give it fewer workers, or simulate it"),
                                  {job.key, std::to_string(threads), std::to_string(mostExecutionThreads)}},
                      .pointer = places.of(job) + "/workers"});
    }
    return refusals.take();
}

namespace {

/// What makeTrainingProblems() would refuse, without keeping what it makes: jobs of one template are made once for each size.
Problems trainingRefusals(const Scenario& scenario, const Workload& workload, const ResourcePaths& resources) {
    Refusals refusals;
    const JobPlaces places(scenario, scenario.seed);
    TrainedJobs jobs(scenario.seed, resources, scenario.limits);
    std::map<std::pair<std::string, int>, double> known; // by place and workers: the bytes that each such job keeps
    for (std::size_t j = 0; j < workload.jobs.size() && !refusals.areEnough(); ++j) {
        const Job& job = workload.jobs[j];
        const auto* work = std::get_if<TrainedWork>(&job.work);
        if (!work || !isUsable(models(), work->model) || !isUsable(dataSets(), work->dataset) ||
            !isUsable(optimizers(), work->optimizer))
            continue;
        const std::string place = places.of(job);
        const auto [entry, fresh] = known.try_emplace({place, job.workers.minimum}, 0.0);
        Problems problems;
        if (!fresh) {
            if (auto refused = jobs.keep(job, entry->second)) problems = {std::move(*refused)};
        } else if (const auto made = jobs.make(job, JobId(j))) {
            entry->second = (*made)->keptBytes();
        } else {
            problems = made.problems();
        }
        for (Problem& problem : problems) {
            problem.pointer = place + problem.pointer;
            refusals.add(std::move(problem));
        }
    }
    return refusals.take();
}

} // namespace

Problems runRefusals(const Scenario& scenario, const ResourcePaths& resources) {
    if (Problems problems = sizeRefusals(scenario); !problems.empty()) return problems;
    try {
        const auto workload = expandWorkload(scenario, scenario.seed);
        Problems problems =
            scenario.mode == RunMode::execute ? threadProblems(scenario, *workload, scenario.seed) : Problems{};
        for (Problem& problem : trainingRefusals(scenario, *workload, resources))
            problems.push_back(std::move(problem));
        for (Problem& problem : keyedModelRefusals(scenario, *workload)) problems.push_back(std::move(problem));
        return problems;
    } catch (const std::bad_alloc&) {
        return {{.code = "limit",
                 .message = {TRAINYARD_TEXT("the run does not fit into memory, or not into what is left of it"), {}}}};
    }
}

} // namespace trainyard
