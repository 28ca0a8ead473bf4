// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/RunRequirements.h"

#include "base/Format.h"
#include "base/Memory.h"

#include <algorithm>
#include <cmath>
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

Problem beyondMemory(const char* pattern, double count, double bytes, const char* pointer) {
    return {.code = "beyond-memory",
            .message = {pattern, {formatNumber(count, 15), gigabytesText(bytes), gigabytesText(memoryOfMachine())}},
            .pointer = pointer};
}

template <class Info>
bool isUsable(const std::vector<Info>& known, const Choice& choice) {
    const auto it = std::find_if(known.begin(), known.end(), [&](const Info& info) { return info.id == choice.id; });
    return it != known.end() && !hasErrors(it->schema.check(choice.parameters, {}));
}

/// Makes one after another, and watches what they take together.
class TrainedJobs {
public:
    TrainedJobs(std::uint64_t seed, const ResourcePaths& resources) : m_seed(seed), m_resources(resources) {}

    Result<std::shared_ptr<const TrainingProblem>> make(const Job& job, JobId id) {
        const auto& work = std::get<TrainedWork>(job.work);
        auto made = TrainingProblem::make(work, m_seed, id, m_resources, &m_cache);
        if (!made) return made;
        const TrainingProblem& problem = **made;
        if (m_counted.insert(&problem.data()).second) m_data += bytesOf(problem.data());
        const double memory = memoryOfMachine();
        if (m_data > memory)
            return beyondMemory(TRAINYARD_TEXT("with this data set of {0} rows, the scenario's data take {1} GB; this "
                                               "machine has {2} GB of memory"),
                                static_cast<double>(problem.data().rows()), m_data, "/dataset");
        if (const double bytes = bytesOf(problem, job); m_data + bytes > memory)
            return beyondMemory(
                TRAINYARD_TEXT("the model has {0} parameters: they, and a gradient for each worker, take "
                               "at least {1} GB; this machine has {2} GB of memory"),
                static_cast<double>(problem.parameterCount()), bytes, "/model");
        return made;
    }

private:
    std::uint64_t m_seed;
    const ResourcePaths& m_resources;
    DataSetCache m_cache; ///< jobs on the same data share them
    std::set<const DataSet*> m_counted;
    double m_data = 0; ///< bytes
};

} // namespace

Result<std::vector<std::shared_ptr<const TrainingProblem>>> makeTrainingProblems(const Scenario& scenario,
                                                                                 const Workload& workload,
                                                                                 std::uint64_t seed,
                                                                                 const ResourcePaths& resources) {
    std::vector<std::shared_ptr<const TrainingProblem>> out(workload.jobs.size());
    Problems problems;
    TrainedJobs jobs(seed, resources);
    for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
        if (!std::holds_alternative<TrainedWork>(workload.jobs[j].work)) continue;
        auto made = jobs.make(workload.jobs[j], JobId(j));
        if (made) {
            out[j] = std::move(made).value();
            continue;
        }
        for (Problem p : made.problems()) {
            p.pointer = placeOf(scenario, seed, workload.jobs[j]) + p.pointer;
            if (std::find(problems.begin(), problems.end(), p) == problems.end()) problems.push_back(std::move(p));
        }
    }
    if (hasErrors(problems)) return problems;
    return out;
}

int executionThreads(const Job& job, int tasks) { return job.kind() == JobKind::graph ? 0 : tasks + 2; }

Problems threadProblems(const Scenario& scenario, const Workload& workload, std::uint64_t seed) {
    Problems problems;
    for (const Job& job : workload.jobs) {
        const int threads = executionThreads(job, job.workers.maximum + job.servers.maximum);
        if (threads <= mostExecutionThreads) continue;
        problems.push_back({.code = "too-many-threads",
                            .message = {TRAINYARD_TEXT("job \"{0}\" needs {1} threads to be executed; at most {2} are "
                                                       "allowed. Give it fewer workers, or simulate it"),
                                        {job.key, std::to_string(threads), std::to_string(mostExecutionThreads)}},
                            .pointer = placeOf(scenario, seed, job) + "/workers"});
    }
    return problems;
}

Problems runRefusals(const Scenario& scenario, const ResourcePaths& resources) {
    Workload workload = *expandWorkload(scenario, scenario.seed);
    Problems problems =
        scenario.mode == RunMode::execute ? threadProblems(scenario, workload, scenario.seed) : Problems{};
    std::erase_if(workload.jobs, [](const Job& job) {
        const auto* work = std::get_if<TrainedWork>(&job.work);
        return !work || !isUsable(models(), work->model) || !isUsable(dataSets(), work->dataset) ||
               !isUsable(optimizers(), work->optimizer);
    });
    const auto made = makeTrainingProblems(scenario, workload, scenario.seed, resources);
    if (!made) problems.insert(problems.end(), made.problems().begin(), made.problems().end());
    return problems;
}

} // namespace trainyard
