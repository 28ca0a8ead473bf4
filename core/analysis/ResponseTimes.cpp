// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/ResponseTimes.h"

#include "analysis/TrainingChoices.h"
#include "engine/SpeedEstimator.h"
#include "planning/OrderStatistics.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace response_times {

constexpr std::size_t mostMachines = 4;
constexpr int mostForReferences = 256; // workers; some of these laws are integrated for each k

double meanResponse(const WorkerResponse& worker, double samples) {
    const StragglerLaw law = worker.straggler ? *worker.straggler : StragglerLaw{};
    double factor = law.factor.expectation();
    if (law.burst) factor *= 1 + law.burst->stationaryShare() * (law.burst->factor - 1);
    return worker.transferSeconds + (law.delay ? law.delay->expectation() : 0) +
           samples * worker.secondsPerSample * factor;
}

bool respondAlike(const WorkerResponse& a, const WorkerResponse& b) {
    return *a.straggler == *b.straggler && a.secondsPerSample == b.secondsPerSample;
}

/// Outlives the responses that it is asked for.
SpeedEstimator estimatorOf(const std::shared_ptr<const Workload>& workload, JobId job, double messageBytes) {
    std::vector<SpeedEstimator::JobFacts> facts(workload->jobs.size());
    facts[job.index()].parameterBytes = facts[job.index()].messageBytes = messageBytes;
    return SpeedEstimator(workload, std::move(facts), nullptr);
}

double samplesOf(const Job& job, std::size_t workers, double load) {
    return std::max(1.0, std::round(job.taskSamples(workers) * load));
}

void addReferences(std::vector<ResponseTimeCurve>& curves, double mean, int n, double load) {
    if (n > mostForReferences || !(mean > 0) || !std::isfinite(mean)) return;
    const std::pair<const char*, Distribution> laws[] = {
        {"constant", {.law = Law::constant, .value = mean}},
        {"exponential", {.law = Law::exponential, .mean = mean}},
        {"Pareto, α = 2", {.law = Law::pareto, .shape = 2, .scale = mean / 2}}};
    for (const auto& [name, law] : laws)
        curves.push_back({ResponseTimeCurve::Kind::reference, name, load,
                          law.law == Law::constant ? std::vector<double>(static_cast<std::size_t>(n), mean)
                                                   : expectedOrder(law, n)});
}

} // namespace response_times

std::vector<ResponseTimeCurve> placedResponseTimes(const std::shared_ptr<const Workload>& workload, JobId job,
                                                   const Placement& held, double messageBytes,
                                                   const std::vector<double>& loads) {
    std::vector<ResponseTimeCurve> curves;
    const Placement placement = held.withoutGaps();
    if (placement.workers.empty()) return curves;
    const SpeedEstimator estimator = response_times::estimatorOf(workload, job, messageBytes);
    const IterationTimes placed(estimator.responses(job, placement));
    for (const double load : loads)
        curves.push_back({ResponseTimeCurve::Kind::placed,
                          {},
                          load,
                          placed.means(response_times::samplesOf(workload->job(job), placement.workers.size(), load))});
    return curves;
}

std::vector<ResponseTimeCurve> responseTimeCurves(const std::shared_ptr<const Workload>& workload, JobId job,
                                                  const Placement& held, double messageBytes,
                                                  const std::vector<double>& loads) {
    using namespace response_times;
    const Placement placement = held.withoutGaps();
    const int n = static_cast<int>(placement.workers.size());
    if (n == 0 || loads.empty()) return {};
    auto curves = placedResponseTimes(workload, job, placement, messageBytes, loads);
    const SpeedEstimator estimator = estimatorOf(workload, job, messageBytes);
    const auto responses = estimator.responses(job, placement);
    const Job& spec = workload->job(job);

    std::vector<std::size_t> kinds; // the first worker of each
    for (std::size_t w = 0; w < responses.size() && kinds.size() <= mostMachines; ++w)
        if (std::none_of(kinds.begin(), kinds.end(),
                         [&](std::size_t k) { return respondAlike(responses[k], responses[w]); }))
            kinds.push_back(w);
    const double samples = samplesOf(spec, placement.workers.size(), loads.front());
    if (kinds.size() > 1)
        for (std::size_t i = 0; i < std::min(kinds.size(), mostMachines); ++i) {
            const Machine& machine = workload->machine(placement.workers[kinds[i]]);
            const IterationTimes alike(std::vector<WorkerResponse>(responses.size(), responses[kinds[i]]));
            curves.push_back({ResponseTimeCurve::Kind::alike, machine.name.empty() ? machine.key : machine.name,
                              loads.front(), alike.means(samples)});
        }
    double mean = 0;
    for (const WorkerResponse& worker : responses) mean += meanResponse(worker, samples) / n;
    addReferences(curves, mean, n, loads.front());
    return curves;
}

const Choice& synchronizationOf(const Scenario& scenario, const Job& job) {
    return job.synchronization.id.empty() ? scenario.policies.synchronization : job.synchronization;
}

int batchOf(const Job& job) { return job.taskSamples(static_cast<std::size_t>(job.workers.maximum)); }

} // namespace trainyard
