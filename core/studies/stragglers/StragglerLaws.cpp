// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// In C1 the error of a strategy with a fixed batch settles where e = ρe + q does, and the staleness of
// asynchronous gradients has an exact mean whatever the response times are.
#include "studies/stragglers/Stragglers.h"

#include "planning/StepEnvelope.h"

#include <array>
#include <cmath>

namespace trainyard::study {

namespace straggler_laws {

constexpr double learningRate = 0.05, samplesPerWorker = 40, noiseFloor = 0.5;
constexpr int workers = 50;
constexpr double level = 0.01, staleTolerance = 0.005;

struct Settling {
    const char* variant;
    double samples; ///< of an update
    const char* seconds;
};
constexpr std::array settlings{
    Settling{"fastest-1", samplesPerWorker, "100"},          Settling{"fastest-5", 5 * samplesPerWorker, "200"},
    Settling{"fastest-10", 10 * samplesPerWorker, "300"},    Settling{"fastest-25", 25 * samplesPerWorker, "500"},
    Settling{"fastest-5-load-0.2", samplesPerWorker, "150"}, Settling{"k-batch-sync-10", 10 * samplesPerWorker, "300"}};

struct Staleness {
    const char* variant;
    double mean;
    const char* law;
};
constexpr std::array stalenesses{Staleness{"k-batch-async-10", (workers - 1) / 10.0, "(n − 1)/K"},
                                 Staleness{"k-async-5", (workers - 5) / 5.0, "(n − K)/K"},
                                 Staleness{"k-async-10", (workers - 10) / 10.0, "(n − K)/K"},
                                 Staleness{"async", workers - 1.0, "n − 1"}};

/// Runs of C1's variant that end by time alone; empty where the scenario cannot be had (the report says why).
std::vector<StudyOutcome> timedRuns(const StudyRequest& request, const std::string& variant, const std::string& seconds,
                                    const std::string& rate, std::size_t seeds, StudyReport& report) {
    const auto refuse = [&](const Problems& problems) {
        report.problems.insert(report.problems.end(), problems.begin(), problems.end());
        return std::vector<StudyOutcome>();
    };
    auto c1 = loadScenario(request, "papers/stragglers/c1.json");
    if (!c1) return refuse(c1.problems());
    auto timed = withValues(c1.value(), {{"/jobs/0/stop", "{\"seconds\": " + seconds + "}"},
                                         {"/jobs/0/optimizer/parameters/learning_rate", rate}});
    if (!timed) return refuse(timed.problems());
    auto scenario = withVariant(timed.value(), PolicyFamily::synchronization, variant, *request.registry);
    if (!scenario) return refuse(scenario.problems());
    std::vector<StudyRun> runs;
    for (std::size_t seed = 1; seed <= seeds; ++seed) runs.push_back({scenario.value(), seed});
    return simulateAll(request, runs, {}, report);
}

void floors(const StudyRequest& request, StudyReport& report) {
    const std::size_t seeds = request.quick ? 10 : 40;
    const ErrorModel model = exactModel({.noise = 100, .growth = 101}, learningRate);
    std::vector<Claim> claims;
    std::vector<double> pValues;
    for (const Settling& settling : settlings) {
        if (report.stopped) return;
        const auto outcomes =
            timedRuns(request, settling.variant, settling.seconds, number(learningRate), seeds, report);
        std::vector<double> errors;
        for (const StudyOutcome& outcome : outcomes)
            if (outcome.done && std::isfinite(outcome.lateLoss)) errors.push_back(outcome.lateLoss - noiseFloor);
        Claim claim{.id = std::string("floor/") + settling.variant,
                    .claim = std::string("The error of ") + settling.variant + " converges to q/(1 − ρ).",
                    .source = "derived: e ← ρe + q of least squares with isotropic Gaussian features",
                    .unit = "1",
                    .expected = model.floor(settling.samples),
                    .n = errors.size()};
        double p = 0;
        if (errors.size() >= 2) {
            const Estimate estimate = estimateMean(errors);
            claim.measured = estimate.mean;
            claim.interval = intervalOf(estimate);
            p = welchTest(summarizeSample(errors), {.n = errors.size(), .mean = *claim.expected});
            claim.finding = "mean error over the second half of the runs; t test p = " + number(p) +
                            ", judged with the other floors by Holm's correction at 1 %";
        }
        claims.push_back(std::move(claim));
        pValues.push_back(p);
    }
    std::vector<Claim*> judged;
    for (Claim& claim : claims) judged.push_back(&claim);
    judgeTogether(judged, pValues, level);
    for (Claim& claim : claims) report.claims.push_back(std::move(claim));
}

void staleness(const StudyRequest& request, StudyReport& report) {
    const std::size_t seeds = request.quick ? 5 : 20;
    for (const Staleness& wanted : stalenesses) {
        if (report.stopped) return;
        const auto outcomes = timedRuns(request, wanted.variant, "100", "0.001", seeds, report);
        std::vector<double> means;
        for (const StudyOutcome& outcome : outcomes)
            if (outcome.done && std::isfinite(outcome.lateStaleness)) means.push_back(outcome.lateStaleness);
        Claim claim{.id = std::string("staleness/") + wanted.variant,
                    .claim = std::string("Gradients of ") + wanted.variant + " are on average " + wanted.law +
                             " updates old when they are used.",
                    .source = "derived: holds in the long run for any response times",
                    .unit = "updates",
                    .expected = wanted.mean,
                    .n = means.size()};
        if (means.size() >= 2) {
            const Estimate estimate = estimateMean(means);
            claim.measured = estimate.mean;
            claim.interval = intervalOf(estimate);
            claim.holds = std::abs(estimate.mean / wanted.mean - 1) < staleTolerance;
            claim.finding = "over the second half of the runs; it holds within 0.5 %";
        }
        report.claims.push_back(std::move(claim));
    }
}

} // namespace straggler_laws

void stragglerLaws(const StudyRequest& request, StudyReport& report) {
    straggler_laws::floors(request, report);
    straggler_laws::staleness(request, report);
}

} // namespace trainyard::study
