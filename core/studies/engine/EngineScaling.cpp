// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Strong scaling: one batch of digits divided among 1, 2, 4 and 8 workers, simulated and executed. An update takes
// t(n) = s + W/n + κ·n: the server's part, the batch's computation divided, and the parameters that cross the server's link for
// each worker, there and back. Nothing is fitted: s, W and κ are the scenario's own numbers.
#include "run/Headless.h"
#include "run/compare/BatchProcesses.h"
#include "studies/engine/Engine.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::study {

namespace engine_scaling {

constexpr double tolerance = 0.05, level = 0.01, target = 0.2;
constexpr int batch = 240;
constexpr double secondsPerSample = 1e-3, serverSeconds = 0.015, bandwidth = 3.4625e6;
constexpr double parameterBytes = (64 + 1) * 10 * 8;       // softmax of 64 pixels and a bias, 10 digits
constexpr double bytesPerWorker = 2 * parameterBytes + 64; // read, written, and asked for
constexpr UpdateLaw law{serverSeconds, batch* secondsPerSample, bytesPerWorker / bandwidth};
constexpr int workerCounts[] = {1, 2, 4, 8};

/// Workers on one machine with a fast link, their server on another behind the slow one.
std::shared_ptr<const Scenario> scenarioOf(int workers) {
    auto scenario = std::make_shared<Scenario>();
    scenario->explanations = WhyLevel::off;
    Cluster& cluster = scenario->cluster;
    cluster.resourceNames = {"worker", "server"};
    cluster.switches.push_back({.key = "s"});
    cluster.machines.push_back({.key = "workers", .capacity = ResourceVector::of({8, 0})});
    cluster.machines.push_back({.key = "server", .capacity = ResourceVector::of({0, 1})});
    cluster.links.push_back({.key = "fast", .from = "workers", .to = "s", .bandwidth = 1000 * bandwidth});
    cluster.links.push_back({.key = "slow", .from = "server", .to = "s", .bandwidth = bandwidth});
    Job job{.key = "digits"};
    job.workerDemand = ResourceVector::of({1, 0});
    job.serverDemand = ResourceVector::of({0, 1});
    job.workers = {workers, workers};
    job.stop.loss = target;
    job.stop.iterations = 400;
    job.work = TrainedWork{.model = {"softmax", {}},
                           .dataset = {"digits", {}},
                           .optimizer = {"sgd", {{"learning_rate", 0.5}}},
                           .shards = Shards::shared,
                           .batch = batch,
                           .batchOf = BatchOf::job,
                           .secondsPerSample = secondsPerSample,
                           .secondsPerUpdate = serverSeconds};
    scenario->jobs.push_back(job);
    return scenario;
}

/// When the update was made whose loss first met the target, and which it was.
struct Reached {
    double seconds = 0, updates = 0;
};

std::optional<Reached> reachedIn(const EventLog& log) {
    std::map<std::uint64_t, double> made;
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].type == EventType::updateApplied) made[log[i].count()] = log[i].time.toSeconds();
        if (log[i].type == EventType::lossEvaluated && log[i].value <= target && made.contains(log[i].count()))
            return Reached{made[log[i].count()], static_cast<double>(log[i].count())};
    }
    return std::nullopt;
}

std::vector<double> secondsOf(const std::vector<Reached>& runs) {
    std::vector<double> out;
    for (const Reached& run : runs) out.push_back(run.seconds);
    return out;
}

std::vector<double> updatesOf(const std::vector<Reached>& runs) {
    std::vector<double> out;
    for (const Reached& run : runs) out.push_back(run.updates);
    return out;
}

std::vector<Reached> simulatedRuns(const StudyRequest& request, int workers, std::size_t seeds, StudyReport& report) {
    const auto scenario = scenarioOf(workers);
    const auto measure = [](const RunOutcome& outcome) -> std::map<std::string, double> {
        const auto reached = reachedIn(*outcome.log);
        if (!reached) return {};
        return {{"reached_s", reached->seconds}, {"reached_updates", reached->updates}};
    };
    std::vector<StudyRun> runs;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) runs.push_back({scenario, seed, measure});
    std::vector<Reached> out;
    for (const StudyOutcome& outcome : simulateAll(request, runs, {}, report))
        if (outcome.metrics.contains("reached_s"))
            out.push_back({outcome.metrics.at("reached_s"), outcome.metrics.at("reached_updates")});
    return out;
}

/// One after the other: each has the machine to itself. Of several processes the first alone does them, of shards none.
std::vector<Reached> executedRuns(const StudyRequest& request, int workers, std::size_t seeds, StudyReport& report) {
    std::vector<Reached> out;
    if ((request.processes && !request.processes->isFirst()) || request.shards > 1) return out;
    for (std::uint64_t seed = 1; seed <= seeds && !report.stopped; ++seed) {
        const auto outcome = executeOnce({.scenario = scenarioOf(workers),
                                          .registry = request.registry,
                                          .resources = request.resources,
                                          .seed = seed,
                                          .threads = 1},
                                         request.stop);
        for (const auto& problem : outcome.problems())
            problem.code == "stopped" ? void(report.stopped = true) : report.problems.push_back(problem);
        if (!outcome) continue;
        if (const auto reached = reachedIn(*outcome.value().log)) out.push_back(*reached);
    }
    return out;
}

Claim timeClaim(int workers, bool executed, const std::vector<Reached>& runs, double updates) {
    const Estimate measured = estimateMean(secondsOf(runs));
    const double expected = updates * law.at(workers), half = measured.halfWidth.value_or(0);
    const double gap = measured.mean / expected - 1;
    return {.id = "strong-scaling/" + std::string(executed ? "executed" : "simulated") + "/" + std::to_string(workers),
            .claim = std::string(executed ? "Executed" : "Simulated") + ", " + std::to_string(workers) +
                     " worker(s) reach the target loss after as long as the law of an update's time says, within 5 %.",
            .source = "derived: mean number of updates × (s + W/n + κ·n)",
            .unit = "s",
            .expected = expected,
            .measured = measured.mean,
            .interval = intervalOf(measured),
            .n = measured.n,
            .holds = std::abs(gap) - half / expected <= tolerance,
            .finding = number(updates) + " updates of " + number(1e3 * law.at(workers)) + " ms; the gap is " +
                       number(100 * gap) + " %"};
}

/// A batch of independent rows is the same batch, whoever computes its parts.
void addUpdateClaims(const std::vector<std::vector<Reached>>& simulated, StudyReport& report) {
    std::vector<double> pValues;
    const std::size_t before = report.claims.size();
    const SampleSummary alone = summarizeSample(updatesOf(simulated[0]));
    for (std::size_t i = 1; i < simulated.size(); ++i) {
        const auto updates = updatesOf(simulated[i]);
        const Estimate measured = estimateMean(updates);
        pValues.push_back(welchTest(alone, summarizeSample(updates)));
        report.claims.push_back(
            {.id = "strong-scaling/updates/" + std::to_string(workerCounts[i]),
             .claim = std::to_string(workerCounts[i]) + " workers need as many updates to the target loss as one.",
             .source = "derived: the same batch, divided",
             .unit = "1",
             .expected = alone.mean,
             .measured = measured.mean,
             .interval = intervalOf(measured),
             .n = measured.n,
             .finding =
                 "p = " + number(pValues.back()) + " (Welch); rejected below 1 % by Holm's correction over the three"});
    }
    std::vector<Claim*> claims;
    for (std::size_t i = before; i < report.claims.size(); ++i) claims.push_back(&report.claims[i]);
    judgeTogether(claims, pValues, level);
}

} // namespace engine_scaling

void strongScaling(const StudyRequest& request, StudyReport& report) {
    using namespace engine_scaling;
    const std::size_t executions = request.quick ? 3 : 10, simulations = 3 * executions;
    std::vector<std::vector<Reached>> simulated, executed;
    const auto tooFew = [](const std::vector<Reached>& runs) { return runs.size() < 2; };
    for (const int n : workerCounts) simulated.push_back(simulatedRuns(request, n, simulations, report));
    if (report.stopped || std::ranges::any_of(simulated, tooFew)) return;
    for (const int n : workerCounts) executed.push_back(executedRuns(request, n, executions, report));
    if (report.stopped || std::ranges::any_of(executed, tooFew)) return;
    StudyTable table{.name = "strong-scaling",
                     .columns = {"workers", "mode", "seed", "seconds_to_target", "updates", "law_s"},
                     .rows = {}};
    double sum = 0, runs = 0;
    for (const auto& of : simulated)
        for (const Reached& run : of) sum += run.updates, ++runs;
    for (std::size_t i = 0; i < simulated.size(); ++i)
        for (const bool real : {false, true}) {
            const auto& of = real ? executed[i] : simulated[i];
            for (std::size_t r = 0; r < of.size(); ++r)
                table.rows.push_back({std::to_string(workerCounts[i]), real ? "execute" : "simulate",
                                      std::to_string(r + 1), number(of[r].seconds), number(of[r].updates),
                                      number(of[r].updates * law.at(workerCounts[i]))});
            report.claims.push_back(timeClaim(workerCounts[i], real, of, sum / runs));
        }
    addUpdateClaims(simulated, report);
    report.tables.push_back(std::move(table));
}

Study engine() {
    return {"engine",
            "Consistency of the engine",
            "The rate model compared with the flow model, executed runs compared with simulated "
            "ones, and the scaling of a divided batch.",
            {{"rate-against-flow", rateAgainstFlow},
             {"rate-at-random", rateAtRandom},
             {"executed", executedAgainstSimulated},
             {"strong-scaling", strongScaling}}};
}

} // namespace trainyard::study
