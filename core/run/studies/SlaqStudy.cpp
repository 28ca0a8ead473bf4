// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Quality of slaq, as in the paper and with safeguards, beside fair on the same random workloads, seed by seed.
#include "run/studies/SlaqStudy.h"

#include "analysis/LossCourse.h"
#include "analysis/LossGroups.h"
#include "analysis/PredictionErrors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::study {

namespace slaq_quality {

struct Arm {
    std::string name;
    Choice choice;
};

const std::vector<Arm>& arms() {
    static const std::vector<Arm> all{
        {"fair", {"fair", {}}},
        {"slaq-faithful", {"slaq", {{"rule", std::string("faithful")}}}},
        {"slaq-safeguarded", {"slaq", {{"rule", std::string("safeguarded")}}}},
        {"slaq-true-curve", {"slaq", {{"rule", std::string("faithful")}, {"curve", std::string("true")}}}},
        {"quality-rate", {"quality-rate", {}}}};
    return all;
}

const std::vector<std::pair<std::string, std::string>> measures{
    {"mean_active_loss", "mean normalised loss of active jobs"},
    {"time_to_90_s", "mean time to 90 % of the drop"},
    {"time_to_95_s", "mean time to 95 % of the drop"},
    {"time_to_99_s", "mean time to 99 % of the drop"}};
const char* const sShapedTime = "s_shaped_time_to_90_s";
const char* const highestShare = "highest_quarter_share";
const char* const lowestShare = "lowest_half_share";
constexpr double epochSeconds = 3; ///< of slaq; shares are looked at as often

const char* const predictionError = "prediction_error";
const char* const heldError = "no_change_error";
const char* const lastChangeError = "last_change_error";
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

/// By arm and metric, by seed; NaN: that run failed.
using Measured = std::map<std::string, std::map<std::string, std::vector<double>>>;

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

Measured measure(const StudyRequest& request, double load, std::size_t seeds, StudyReport& report, StudyTable& table) {
    std::vector<StudyRun> runs;
    for (const Arm& arm : arms())
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            Scenario scenario = slaqScenario({.load = load}, seed);
            scenario.policies.scheduler = arm.choice;
            const auto shared = std::make_shared<const Scenario>(std::move(scenario));
            runs.push_back({shared, seed, [shared](const RunOutcome& run) { return furtherOf(shared, run); }});
        }
    const auto outcomes = simulateAll(request, runs, {}, report);
    Measured out;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::string& arm = arms()[i / seeds].name;
        std::vector<std::string> row{number(load), arm, std::to_string(i % seeds + 1)};
        const auto add = [&](const std::string& metric, double value) {
            out[arm][metric].push_back(value);
            row.push_back(number(value));
        };
        const auto metricOf = [&](const std::string& metric) {
            const auto it = outcomes[i].metrics.find(metric);
            return it == outcomes[i].metrics.end() ? std::nan("") : it->second;
        };
        for (const auto& [metric, name] : measures) add(metric, metricOf(metric));
        add(sShapedTime, sShapedMean(outcomes[i]));
        for (const char* metric : furtherMeasures) add(metric, metricOf(metric));
        table.rows.push_back(std::move(row));
    }
    return out;
}

/// Mean over seeds of (a − b)/b; nothing where no seed has both.
std::optional<Estimate> change(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && std::isfinite(b[i]) && b[i] > 0) out.push_back(a[i] / b[i] - 1);
    if (out.empty()) return std::nullopt;
    return estimateMean(out);
}

std::optional<Estimate> change(const Measured& measured, const std::string& arm, const std::string& metric,
                               const std::string& against = "fair") {
    return change(measured.at(arm).at(metric), measured.at(against).at(metric));
}

struct Comparison {
    double load = 0;
    std::string arm, metric, name;
    bool less = true; ///< what is claimed
    std::string source;
    std::optional<double> before; ///< measured before, on other jobs
};

Claim judged(const Measured& measured, const Comparison& c) {
    Claim claim{.id = "load-" + number(c.load) + "/" + c.metric + "/" + c.arm,
                .claim = "At load " + number(c.load) + " the " + c.name + " is " + (c.less ? "less" : "greater") +
                         " under " + c.arm + " than under fair (relative change, same workloads)",
                .source = c.source,
                .unit = "1",
                .expected = {}};
    const auto estimate = change(measured, c.arm, c.metric);
    if (!estimate) {
        claim.finding = "nothing could be measured";
        return claim;
    }
    claim.measured = estimate->mean;
    claim.interval = intervalOf(*estimate);
    claim.n = estimate->n;
    const bool below = claim.interval->second<0, above = claim.interval->first> 0;
    claim.holds = c.less ? below : above;
    claim.finding = below   ? "the whole interval is below zero"
                    : above ? "the whole interval is above zero"
                            : "the interval holds zero";
    if (c.before) claim.finding += "; on the other jobs of the measurement before: " + number(*c.before);
    return claim;
}

/// Section 5.4 of the brief: two seeds, recorded curves of real jobs; only the direction is held to.
std::optional<double> before(double load, const std::string& arm, const std::string& metric) {
    static const std::map<std::string, std::map<std::string, std::vector<double>>> known{
        {"1.5", {{"slaq-faithful", {-0.01, 0.02, 0.03, 0.11}}, {"slaq-safeguarded", {-0.21, -0.23, -0.17, 0.14}}}},
        {"3", {{"slaq-faithful", {-0.14, 0.53, 0.25, 0.58}}, {"slaq-safeguarded", {-0.61, -0.83, -0.72, 0.41}}}},
        {"0.8", {{"slaq-safeguarded", {-0.12, -0.08, -0.04, 0.08}}}},
        {"2", {{"slaq-safeguarded", {-0.36, -0.38, -0.25, 0.29}}}},
        {"4", {{"slaq-safeguarded", {-0.64, -0.90, -0.65, 0.42}}}}};
    const auto atLoad = known.find(number(load));
    if (atLoad == known.end() || !atLoad->second.contains(arm)) return std::nullopt;
    for (std::size_t i = 0; i < measures.size(); ++i)
        if (measures[i].first == metric) return atLoad->second.at(arm)[i];
    return std::nullopt;
}

void judgeLoad(const Measured& measured, double load, StudyReport& report) {
    for (const Arm& arm : arms()) {
        if (arm.name != "slaq-faithful" && arm.name != "slaq-safeguarded") continue;
        for (const auto& [metric, name] : measures) {
            const auto earlier = before(load, arm.name, metric);
            report.claims.push_back(
                judged(measured, {.load = load,
                                  .arm = arm.name,
                                  .metric = metric,
                                  .name = name,
                                  .less = !earlier || *earlier < 0,
                                  .source = earlier ? "measured before (section 5.4 of the brief)" : "this program",
                                  .before = earlier}));
        }
    }
    report.claims.push_back(judged(measured, {.load = load,
                                              .arm = "slaq-faithful",
                                              .metric = sShapedTime,
                                              .name = "mean time to 90 % of the drop of S-shaped jobs",
                                              .less = false,
                                              .source = "measured before (section 5.4 of the brief): plateaus starve",
                                              .before = {}}));
    report.claims.push_back(
        judged(measured, {.load = load,
                          .arm = "slaq-safeguarded",
                          .metric = sShapedTime,
                          .name = "mean time to 90 % of the drop of S-shaped jobs",
                          .less = true,
                          .source = "measured before (section 5.4 of the brief): the floor prevents it",
                          .before = {}}));
}

/// Trainyard's own rule against fair and both slaq: less of everything, and than fair no more of the time to 99 %.
void judgeOwnRule(const Measured& measured, double load, StudyReport& report) {
    for (const char* against : {"fair", "slaq-faithful", "slaq-safeguarded"})
        for (const auto& [metric, name] : measures) {
            const bool notMore = metric == "time_to_99_s" && std::string(against) == "fair";
            Claim claim{.id = "load-" + number(load) + "/" + metric + "/quality-rate/" + against,
                        .claim = "At load " + number(load) + " the " + name + " is " + (notMore ? "no more" : "less") +
                                 " under quality-rate than under " + against + " (relative change, same workloads)",
                        .source = "this program",
                        .unit = "1",
                        .expected = {}};
            if (const auto estimate = change(measured, "quality-rate", metric, against)) {
                claim.measured = estimate->mean;
                claim.interval = intervalOf(*estimate);
                claim.n = estimate->n;
                claim.holds = notMore ? claim.interval->first <= 0 : claim.interval->second < 0;
                claim.finding = claim.interval->second < 0  ? "the whole interval is below zero"
                                : claim.interval->first > 0 ? "the whole interval is above zero"
                                                            : "the interval holds zero";
            }
            report.claims.push_back(std::move(claim));
        }
}

/// Knowing each job's curve is no upper bound: the greedy division looks an epoch ahead.
void judgeTrueCurve(const Measured& measured, double load, StudyReport& report) {
    report.claims.push_back(judged(measured, {.load = load,
                                              .arm = "slaq-true-curve",
                                              .metric = "mean_active_loss",
                                              .name = "mean normalised loss of active jobs",
                                              .less = true,
                                              .source = "measured before (section 5.4 of the brief), at load 3",
                                              .before = number(load) == "3" ? std::optional(-0.44) : std::nullopt}));
}

double meanOf(const std::vector<double>& values) {
    double sum = 0, count = 0;
    for (const double value : values)
        if (std::isfinite(value)) sum += value, ++count;
    return count > 0 ? sum / count : std::nan("");
}

/// Who has the cores: what slaq does, whether or not it helps.
void judgeShares(const Measured& measured, double load, StudyReport& report) {
    for (const char* arm : {"slaq-faithful", "slaq-safeguarded"})
        for (const bool highest : {true, false}) {
            const std::string metric = highest ? highestShare : lowestShare;
            Claim claim = judged(measured, {.load = load,
                                            .arm = arm,
                                            .metric = metric,
                                            .name = highest ? "share of cores of the quarter of active jobs with the "
                                                              "highest normalised losses"
                                                            : "share of cores of the half of active jobs with the "
                                                              "lowest normalised losses",
                                            .less = !highest,
                                            .source = "this program",
                                            .before = {}});
            if (claim.measured)
                claim.finding += "; share " + number(meanOf(measured.at(arm).at(metric))) + ", under fair " +
                                 number(meanOf(measured.at("fair").at(metric)));
            report.claims.push_back(std::move(claim));
        }
}

void judgePredictions(const Measured& measured, double load, StudyReport& report) {
    for (const char* arm : {"slaq-faithful", "slaq-safeguarded"})
        for (const char* simple : {heldError, lastChangeError}) {
            const auto& runs = measured.at(arm);
            const auto estimate = change(runs.at(predictionError), runs.at(simple));
            Claim claim{.id = "load-" + number(load) + "/" + predictionError + "/" + arm + "/" + simple,
                        .claim = "At load " + number(load) + " the losses that " + arm +
                                 " predicts for the next epoch are nearer than those of predicting " +
                                 (simple == heldError ? "no change" : "that the last change goes on") +
                                 " (relative change of the mean error)",
                        .source = "this program",
                        .unit = "1",
                        .expected = {}};
            if (estimate) {
                claim.measured = estimate->mean;
                claim.interval = intervalOf(*estimate);
                claim.n = estimate->n;
                claim.holds = claim.interval->second < 0;
                claim.finding = "mean error " + number(meanOf(runs.at(predictionError))) + " of the drop, against " +
                                number(meanOf(runs.at(simple)));
            }
            report.claims.push_back(std::move(claim));
        }
}

/// "Up to": at the load where it gains most. Chosen afterwards, which favours it; the finding says at which load.
void judgePublished(const std::map<double, Measured>& all, const char* id, const char* what, const std::string& metric,
                    double expected, StudyReport& report) {
    Claim claim{.id = std::string("published/") + id,
                .claim = std::string("slaq as published improves ") + what + " by up to " + number(-100 * expected) +
                         " % against fair, over the loads measured",
                .source = "Zhang, Stafman et al., SLAQ, SoCC 2017, abstract",
                .unit = "1",
                .expected = expected};
    for (const auto& [load, measured] : all) {
        const auto estimate = change(measured, "slaq-faithful", metric);
        if (!estimate || (claim.measured && *claim.measured <= estimate->mean)) continue;
        claim.measured = estimate->mean;
        claim.interval = intervalOf(*estimate);
        claim.n = estimate->n;
        claim.finding = "most at load " + number(load) + ", chosen afterwards; other jobs than the paper's";
    }
    claim.holds = claim.interval && claim.interval->first <= expected;
    report.claims.push_back(std::move(claim));
}

} // namespace slaq_quality

void slaqQuality(const StudyRequest& request, StudyReport& report) {
    using namespace slaq_quality;
    for (const Arm& arm : arms())
        if (Problems problems = request.registry->check(PolicyFamily::scheduler, arm.choice, "/policies/scheduler");
            !problems.empty()) {
            report.problems.insert(report.problems.end(), problems.begin(), problems.end());
            return;
        }
    const std::size_t seeds = request.quick ? 3 : 10;
    const std::vector<double> loads = request.quick ? std::vector{1.5, 3.0} : std::vector{0.8, 1.5, 2.0, 3.0, 4.0};
    StudyTable table{.name = "slaq-quality", .columns = {"load", "scheduler", "seed"}, .rows = {}};
    for (const auto& [metric, name] : measures) table.columns.push_back(metric);
    table.columns.push_back(sShapedTime);
    for (const char* column : furtherMeasures) table.columns.push_back(column);
    std::map<double, Measured> all;
    for (const double load : loads) {
        all[load] = measure(request, load, seeds, report, table);
        if (report.stopped) return;
        judgeLoad(all[load], load, report);
        judgeOwnRule(all[load], load, report);
        judgeTrueCurve(all[load], load, report);
        judgeShares(all[load], load, report);
        judgePredictions(all[load], load, report);
    }
    judgePublished(all, "quality", "the mean normalised loss of active jobs", "mean_active_loss", -0.73, report);
    judgePublished(all, "delay", "the mean time to 90 % of the drop", "time_to_90_s", -0.44, report);
    report.tables.push_back(std::move(table));
}

Study slaq() {
    return {
        "slaq",
        "SLAQ",
        "Quality-driven scheduling: losses of active jobs and times to most of their drop, against fair shares, with recorded "
        "losses and with jobs that really train, simulated and executed.",
        {{"quality", slaqQuality}, {"executed", slaqExecuted}}};
}

} // namespace trainyard::study
