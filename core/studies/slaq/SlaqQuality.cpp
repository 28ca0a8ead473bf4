// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/slaq/SlaqQuality.h"

#include "analysis/LossCourse.h"
#include "analysis/LossGroups.h"
#include "analysis/PredictionErrors.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study::slaq_quality {

namespace {

constexpr double epochSeconds = 3; ///< of slaq; shares are looked at as often
const std::vector<const char*> furtherMeasures{highestShare, lowestShare, predictionError, heldError, lastChangeError};

/// Mean absolute errors of predictions of the next epoch's loss, as shares of the job's whole drop.
void addPredictionErrors(const RunIndex& run, std::map<std::string, double>& out) {
    PredictionErrors sum;
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        const LossSeries& losses = run.jobs()[j].losses;
        const auto limit = limitOf(run, JobId(j));
        if (losses.size() == 0 || !limit || losses.loss[0] <= *limit) continue;
        const auto noted = predictedLosses(run, JobId(j), SimTime::never());
        const PredictionErrors errors = predictionErrors(noted, losses, losses.size());
        const double drop = losses.loss[0] - *limit;
        sum.due += errors.due;
        sum.predicted += errors.predicted / drop;
        sum.held += errors.held / drop;
        sum.lastChange += errors.lastChange / drop;
    }
    if (sum.due == 0) return;
    out[predictionError] = sum.predicted / static_cast<double>(sum.due);
    out[heldError] = sum.held / static_cast<double>(sum.due);
    out[lastChangeError] = sum.lastChange / static_cast<double>(sum.due);
}

/// Means over time of the shares of cores that the quarter of active jobs with the highest normalised losses and the half with the
/// lowest hold; errors of predictions, if there are any.
std::map<std::string, double> furtherOf(const std::shared_ptr<const Scenario>& scenario, const RunOutcome& run) {
    RunIndex index(
        {.scenario = scenario, .workload = run.workload, .log = run.log, .explanations = {}, .resources = {}});
    index.update();
    const auto shares = lossGroupShares(index, static_cast<std::size_t>(index.head().toSeconds() / epochSeconds) + 1);
    std::map<std::string, double> out{{highestShare, shares.mean(LossGroup::highestQuarter)},
                                      {lowestShare, shares.mean(LossGroup::lowestHalf)}};
    addPredictionErrors(index, out);
    return out;
}

double sShapedMean(const StudyOutcome& outcome) {
    double sum = 0, count = 0;
    for (std::size_t j = 0; j < outcome.jobs.size(); ++j) {
        const auto it = outcome.jobs[j].find("time_to_90_s");
        if (shapeOf(j) != CurveShape::sShaped || it == outcome.jobs[j].end()) continue;
        sum += it->second;
        ++count;
    }
    return count > 0 ? sum / count : std::nan("");
}

const char* words(const std::pair<double, double>& interval) {
    return interval.second < 0  ? "the whole interval is below zero"
           : interval.first > 0 ? "the whole interval is above zero"
                                : "the interval holds zero";
}

} // namespace

const std::vector<Measure>& measures() {
    static const std::vector<Measure> all{{"mean_active_loss", "mean normalised loss of active jobs"},
                                          {"time_to_90_s", "mean time to 90 % of the drop"},
                                          {"time_to_95_s", "mean time to 95 % of the drop"},
                                          {"time_to_99_s", "mean time to 99 % of the drop"}};
    return all;
}

const Measure& measureOf(const std::string& metric) { return *std::ranges::find(measures(), metric, &Measure::metric); }

StudyTable measuredTable(std::string name) {
    StudyTable table{.name = std::move(name), .columns = {"load", "scheduler", "seed"}, .rows = {}};
    for (const auto& [metric, text] : measures()) table.columns.push_back(metric);
    table.columns.push_back(sShapedTime);
    for (const char* column : furtherMeasures) table.columns.push_back(column);
    return table;
}

Measured measure(const StudyRequest& request, const SlaqWorkload& workload, const std::vector<Arm>& arms,
                 std::size_t seeds, StudyReport& report, StudyTable& table) {
    std::vector<StudyRun> runs;
    for (const Arm& arm : arms)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            Scenario scenario = slaqScenario(workload, seed);
            scenario.policies.scheduler = arm.choice;
            if (arm.endsAreDeclared)
                for (Job& job : scenario.jobs) job.finalLoss = job.stop.loss;
            const auto shared = std::make_shared<const Scenario>(std::move(scenario));
            runs.push_back({shared, seed, [shared](const RunOutcome& run) { return furtherOf(shared, run); }});
        }
    const auto outcomes = simulateAll(request, runs, {}, report);
    Measured out;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::string& arm = arms[i / seeds].name;
        std::vector<std::string> row{number(workload.load), arm, std::to_string(i % seeds + 1)};
        const auto add = [&](const std::string& metric, double value) {
            out[arm][metric].push_back(value);
            row.push_back(number(value));
        };
        const auto metricOf = [&](const std::string& metric) {
            const auto it = outcomes[i].metrics.find(metric);
            return it == outcomes[i].metrics.end() ? std::nan("") : it->second;
        };
        for (const auto& [metric, name] : measures()) add(metric, metricOf(metric));
        add(sShapedTime, sShapedMean(outcomes[i]));
        for (const char* metric : furtherMeasures) add(metric, metricOf(metric));
        table.rows.push_back(std::move(row));
    }
    return out;
}

std::optional<Estimate> change(const Measured& measured, const std::string& arm, const std::string& metric,
                               const std::string& against) {
    const auto &a = measured.at(arm).at(metric), &b = measured.at(against).at(metric);
    std::vector<double> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && std::isfinite(b[i]) && b[i] > 0) out.push_back(a[i] / b[i] - 1);
    if (out.empty()) return std::nullopt;
    return estimateMean(out);
}

double meanOf(const std::vector<double>& values) {
    double sum = 0, count = 0;
    for (const double value : values)
        if (std::isfinite(value)) sum += value, ++count;
    return count > 0 ? sum / count : std::nan("");
}

Claim judged(const Measured& measured, const std::string& where, const Difference& c) {
    using Expected = Difference::Expected;
    const std::string relation = c.expected == Expected::less ? " is less under "
                                 : c.expected == Expected::greater
                                     ? " is greater under "
                                     : " is at most " + number(100 * c.margin) + " % more under ";
    Claim claim{.id = c.id,
                .claim = where + " the " + c.measure.name + relation + c.arm.title + " than under " + c.against.title +
                         " (relative change, same workloads).",
                .source = c.source,
                .unit = "1",
                .expected = {}};
    const auto estimate = change(measured, c.arm.name, c.measure.metric, c.against.name);
    if (!estimate) {
        claim.finding = "nothing could be measured";
        return claim;
    }
    claim.measured = estimate->mean;
    claim.n = estimate->n;
    if (estimate->n < 2) {
        claim.finding = "a single seed decides nothing";
        claim.undecided = true;
        return claim;
    }
    claim.interval = intervalOf(*estimate);
    const auto [low, high] = *claim.interval;
    switch (c.expected) {
    case Expected::less: setVerdict(claim, high < 0, 0 < low); break;
    case Expected::greater: setVerdict(claim, 0 < low, high < 0); break;
    case Expected::aboutNoMore: setVerdict(claim, high < c.margin, low >= c.margin); break;
    }
    claim.finding = words(*claim.interval);
    const auto known = std::ranges::find(measures(), c.measure.metric, &Measure::metric);
    if (known != measures().end() && low > 0) claim.finding += ": " + c.arm.title + " loses to " + c.against.title;
    if (c.before) claim.finding += "; on the other jobs of the measurement before: " + number(*c.before);
    return claim;
}

StudyTable changesTable(std::string name) {
    return {.name = std::move(name),
            .columns = {"load", "scheduler", "against", "metric", "change", "low", "high", "n", "verdict"},
            .rows = {}};
}

void addChanges(const Measured& measured, const std::string& load, const std::vector<Arm>& arms, StudyTable& table) {
    const std::string& against = arms.front().name;
    for (std::size_t a = 1; a < arms.size(); ++a)
        for (const auto& [metric, name] : measures()) {
            const auto estimate = change(measured, arms[a].name, metric, against);
            if (!estimate || estimate->n < 2) continue;
            const auto [low, high] = intervalOf(*estimate);
            table.rows.push_back({load, arms[a].name, against, metric, number(estimate->mean), number(low),
                                  number(high), std::to_string(estimate->n),
                                  high < 0  ? "better"
                                  : low > 0 ? "worse"
                                            : "undecided"});
        }
}

bool areUsable(const std::vector<Arm>& arms, const StudyRequest& request, StudyReport& report) {
    for (const Arm& arm : arms) {
        const Problems problems = request.registry->check(PolicyFamily::scheduler, arm.choice, "/policies/scheduler");
        report.problems.insert(report.problems.end(), problems.begin(), problems.end());
    }
    return report.problems.empty();
}

} // namespace trainyard::study::slaq_quality
