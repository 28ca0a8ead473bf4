// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/slaq/SlaqWorkload.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::study {

namespace slaq_workload {

constexpr double costDeviation = 0.8; ///< of the logarithm

double between(RandomStream& random, double low, double high) { return low + (high - low) * random.unit(); }

/// A standard normal number (Box and Muller).
double normal(RandomStream& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    return radius * std::cos(2 * std::numbers::pi * random.unit());
}

Job jobOf(const SlaqWorkload& workload, const RecordedCurve& curve, double cost, double arrival) {
    const int cores = workload.machines * workload.coresPerMachine;
    Job job{.key = curve.key, .name = curve.key, .arrival = SimTime::seconds(arrival)};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {1, cores};
    job.servers = {0, 0};
    const auto updates = curve.updates.back();
    const double first = curve.losses.front(), least = *std::min_element(curve.losses.begin(), curve.losses.end());
    job.stop.iterations = static_cast<std::int64_t>(updates);
    job.stop.loss = first - 0.99 * (first - least);
    AnalyticWork work;
    work.samples = cores;
    work.parameterBytes = 0;
    work.batchOf = BatchOf::job;
    work.batch = cores;
    work.law = UpdateLaw{.fixedSeconds = 0, .dividedSeconds = cost / updates, .perWorkerSeconds = 0};
    work.curve = {.family = LossCurve::Family::recorded, .name = curve.key};
    work.evaluation.everyIterations = 1;
    job.work = work;
    return job;
}

} // namespace slaq_workload

CurveShape shapeOf(std::size_t job) {
    static constexpr auto I = CurveShape::sublinear, II = CurveShape::linear, S = CurveShape::sShaped,
                          N = CurveShape::noisy;
    static constexpr CurveShape shapes[] = {I, II, N, I, S, II, I, II, N, I, I, II, S, N, I, II, I, II, N, S};
    return shapes[job % std::size(shapes)];
}

RecordedCurve drawnCurve(CurveShape shape, RandomStream& random) {
    using namespace slaq_workload;
    const int updates = 60 + static_cast<int>(random.below(241));
    const double scale = std::exp(between(random, std::log(0.5), std::log(500))), ground = scale * random.unit();
    const double pace = between(random, 0.05, 0.5), power = between(random, 0.8, 1.5);
    const double left = between(random, std::log(1e-5), std::log(1e-2));
    const double middle = updates * between(random, 0.15, 0.4), width = updates * between(random, 0.03, 0.06);
    RecordedCurve curve;
    for (int k = 0; k <= updates; ++k) {
        double loss = 0;
        switch (shape) {
        case CurveShape::sublinear: loss = std::pow(pace * k + 1, -power); break;
        case CurveShape::linear: loss = std::exp(left * k / updates); break;
        case CurveShape::sShaped: loss = 0.4 * std::exp(-2.0 * k) + 0.6 / (1 + std::exp((k - middle) / width)); break;
        case CurveShape::noisy: loss = std::pow(pace * k + 1, -power) + (k > 0 ? 0.01 * normal(random) : 0); break;
        }
        curve.updates.push_back(k);
        curve.losses.push_back(ground + scale * loss);
    }
    return curve;
}

Scenario slaqScenario(const SlaqWorkload& workload, std::uint64_t seed) {
    using namespace slaq_workload;
    Scenario scenario;
    scenario.title = "SLAQ workload";
    scenario.seed = seed;
    scenario.network = NetworkModel::rate;
    scenario.explanations = WhyLevel::off;
    scenario.cluster.resourceNames = {"cpu"};
    scenario.cluster.switches.push_back({.key = "switch"});
    for (int m = 1; m <= workload.machines; ++m) {
        const std::string key = "m" + std::to_string(m);
        scenario.cluster.machines.push_back(
            {.key = key, .capacity = ResourceVector::of({static_cast<double>(workload.coresPerMachine)})});
        scenario.cluster.links.push_back({.key = key + "--switch", .from = key, .to = "switch", .bandwidth = 1.25e9});
    }
    const double meanCost = workload.load * workload.machines * workload.coresPerMachine * workload.interarrivalSeconds;
    double arrival = 0;
    for (int j = 0; j < workload.jobs; ++j) {
        RandomStream random(seed, Purpose::jobShape, static_cast<std::uint64_t>(j));
        const double cost = meanCost * std::exp(costDeviation * normal(random) - costDeviation * costDeviation / 2);
        RecordedCurve curve = drawnCurve(shapeOf(static_cast<std::size_t>(j)), random);
        curve.key = "j" + std::to_string(j + 1);
        scenario.jobs.push_back(jobOf(workload, curve, cost, arrival));
        scenario.curves.push_back(std::move(curve));
        arrival -= workload.interarrivalSeconds * std::log(1 - random.unit());
    }
    return scenario;
}

} // namespace trainyard::study
