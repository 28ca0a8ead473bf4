// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq, faithful and safeguarded, and Trainyard's own quality-rate beside fair, over loads; each with the same knowledge of jobs, too.
#include "studies/slaq/SlaqQuality.h"
#include "studies/slaq/SlaqStudy.h"

namespace trainyard::study {

namespace slaq_loads {

using namespace slaq_quality;
using Expected = Difference::Expected;

Choice slaqChoice(const char* rule, const char* curve = "better") {
    return {"slaq", {{"rule", std::string(rule)}, {"curve", std::string(curve)}}};
}

const Arm fair{"fair", "Fair share of cores", {"fair", {}}};
const Arm faithful{"slaq-faithful", "SLAQ without safeguards", slaqChoice("faithful")};
const Arm safeguarded{"slaq-safeguarded", "SLAQ with safeguards", slaqChoice("safeguarded")};
const Arm trueCurve{"slaq-true-curve", "SLAQ without safeguards that knows each curve", slaqChoice("faithful", "true")};
const Arm faithfulTold{"slaq-faithful-told", "SLAQ without safeguards that is told each final loss",
                       slaqChoice("faithful"), true};
const Arm safeguardedTold{"slaq-safeguarded-told", "SLAQ with safeguards that is told each final loss",
                          slaqChoice("safeguarded"), true};
const Arm own{"quality-rate", "Most quality per work ahead", {"quality-rate", {}}};
/// As much as slaq that is told final losses.
const Arm ownTargets{"quality-rate-targets",
                     "Most quality per work ahead without limits of iterations",
                     {"quality-rate", {{"believe_limits", false}}}};
/// As much as slaq.
const Arm ownBlind{"quality-rate-blind",
                   "Most quality per work ahead without limits and targets",
                   {"quality-rate", {{"believe_limits", false}, {"believe_targets", false}}}};

const std::vector<Arm>& arms() {
    static const std::vector<Arm> all{fair, faithful,   safeguarded, trueCurve, faithfulTold, safeguardedTold,
                                      own,  ownTargets, ownBlind};
    return all;
}

const char* const earlier =
    "measured before by an independent model of the rules, on recorded losses of real jobs (two seeds)";

/// That measurement; only its direction is held to.
std::optional<double> before(double load, const std::string& arm, const std::string& metric) {
    static const std::map<std::string, std::map<std::string, std::vector<double>>> known{
        {"1.5", {{"slaq-faithful", {-0.01, 0.02, 0.03, 0.11}}, {"slaq-safeguarded", {-0.21, -0.23, -0.17, 0.14}}}},
        {"3", {{"slaq-faithful", {-0.14, 0.53, 0.25, 0.58}}, {"slaq-safeguarded", {-0.61, -0.83, -0.72, 0.41}}}},
        {"0.8", {{"slaq-safeguarded", {-0.12, -0.08, -0.04, 0.08}}}},
        {"2", {{"slaq-safeguarded", {-0.36, -0.38, -0.25, 0.29}}}},
        {"4", {{"slaq-safeguarded", {-0.64, -0.90, -0.65, 0.42}}}}};
    const auto atLoad = known.find(number(load));
    if (atLoad == known.end() || !atLoad->second.contains(arm)) return std::nullopt;
    for (std::size_t i = 0; i < measures().size(); ++i)
        if (measures()[i].metric == metric) return atLoad->second.at(arm)[i];
    return std::nullopt;
}

/// The claims about one load, in the order in which they are told.
class LoadClaims {
public:
    LoadClaims(const Measured& measured, double load, StudyReport& report)
        : m_measured(measured), m_load(load), m_report(report) {}

    void judgeAll() {
        for (const Arm& arm : {faithful, safeguarded})
            for (const Measure& m : measures()) {
                const auto known = before(m_load, arm.name, m.metric);
                add({.id = id(m.metric, arm.name),
                     .arm = arm,
                     .against = fair,
                     .measure = m,
                     .expected = !known || *known < 0 ? Expected::less : Expected::greater,
                     .source = known ? earlier : "this program",
                     .before = known});
            }
        judgePlateaus();
        for (const Arm& rule : {own, ownBlind})
            for (const Arm& against : {fair, faithful, safeguarded}) beats(rule, against);
        for (const Arm& against : {faithfulTold, safeguardedTold}) beats(ownTargets, against);
        add({.id = id("mean_active_loss", trueCurve.name),
             .arm = trueCurve,
             .against = fair,
             .measure = measureOf("mean_active_loss"),
             .source = std::string(earlier) + ", at load 3",
             .before = number(m_load) == "3" ? std::optional(-0.44) : std::nullopt});
        judgeShares();
        judgePredictions();
    }

private:
    std::string id(const std::string& metric, const std::string& arm) const {
        return "load-" + number(m_load) + "/" + metric + "/" + arm;
    }
    std::string where() const { return "At load " + number(m_load); }
    Claim& add(const Difference& difference) {
        return m_report.claims.emplace_back(judged(m_measured, where(), difference));
    }

    void judgePlateaus() {
        const Measure time{sShapedTime, "mean time to 90 % of the drop of S-shaped jobs"};
        add({.id = id(sShapedTime, faithful.name),
             .arm = faithful,
             .against = fair,
             .measure = time,
             .expected = Expected::greater,
             .source = std::string(earlier) + ": plateaus starve"});
        add({.id = id(sShapedTime, safeguarded.name),
             .arm = safeguarded,
             .against = fair,
             .measure = time,
             .source = std::string(earlier) + ": the floor prevents it"});
    }

    /// Less of everything; of the time to 99 % about no more than fair, which slaq does not reach.
    void beats(const Arm& rule, const Arm& against) {
        for (const Measure& m : measures())
            add({.id = id(m.metric, rule.name + "/" + against.name),
                 .arm = rule,
                 .against = against,
                 .measure = m,
                 .expected =
                     m.metric == "time_to_99_s" && against.name == fair.name ? Expected::aboutNoMore : Expected::less});
    }

    /// Who has the cores: what slaq does, whether or not it helps.
    void judgeShares() {
        for (const Arm& arm : {faithful, safeguarded})
            for (const bool highest : {true, false}) {
                const char* metric = highest ? highestShare : lowestShare;
                Claim& claim =
                    add({.id = id(metric, arm.name),
                         .arm = arm,
                         .against = fair,
                         .measure = {metric, highest ? "share of cores of the quarter of active jobs with the highest "
                                                       "normalised losses"
                                                     : "share of cores of the half of active jobs with the lowest "
                                                       "normalised losses"},
                         .expected = highest ? Expected::greater : Expected::less});
                if (claim.measured)
                    claim.finding += "; share " + number(meanOf(m_measured.at(arm.name).at(metric))) + ", under " +
                                     fair.title + " " + number(meanOf(m_measured.at(fair.name).at(metric)));
            }
    }

    void judgePredictions() {
        for (const Arm& arm : {faithful, safeguarded})
            for (const char* simple : {heldError, lastChangeError}) {
                const auto& runs = m_measured.at(arm.name);
                // As if predicting simply were another scheduler.
                const Measured paired{{arm.name, {{predictionError, runs.at(predictionError)}}},
                                      {simple, {{predictionError, runs.at(simple)}}}};
                const Arm against{simple,
                                  simple == heldError ? "predicting no change"
                                                      : "predicting that the last change goes on",
                                  {}};
                Claim claim =
                    judged(paired, where(),
                           {.id = id(predictionError, arm.name + "/" + simple),
                            .arm = arm,
                            .against = against,
                            .measure = {predictionError, "mean error of losses predicted for the next epoch"}});
                claim.claim = where() + " the losses that " + arm.title +
                              " predicts for the next epoch are nearer than those of " + against.title +
                              " (relative change of the mean error).";
                if (claim.measured)
                    claim.finding = "mean error " + number(meanOf(runs.at(predictionError))) +
                                    " of the drop, against " + number(meanOf(runs.at(simple)));
                m_report.claims.push_back(std::move(claim));
            }
    }

    const Measured& m_measured;
    double m_load;
    StudyReport& m_report;
};

/// "Up to": at the load where it gains most. Chosen afterwards, which favours it; the finding says at which load.
void judgePublished(const std::map<double, Measured>& all, const char* id, const char* what, const std::string& metric,
                    double expected, StudyReport& report) {
    Claim claim{
        .id = std::string("published/") + id,
        .claim =
            std::string("SLAQ improves ") + what + " by up to " + number(-100 * expected) +
            " % against fair shares: SLAQ without safeguards, which is this program's reading of the paper, over the loads "
            "measured.",
        .source =
            "Zhang, Stafman et al., SLAQ, SoCC 2017, abstract: the number; what it is measured by and on which jobs is "
            "read here",
        .unit = "1",
        .expected = expected};
    for (const auto& [load, measured] : all) {
        const auto estimate = change(measured, faithful.name, metric, fair.name);
        if (!estimate || estimate->n < 2 || (claim.measured && *claim.measured <= estimate->mean)) continue;
        claim.measured = estimate->mean;
        claim.interval = intervalOf(*estimate);
        claim.n = estimate->n;
        claim.finding = "most at load " + number(load) + ", chosen afterwards; other jobs than the paper's";
    }
    claim.holds = claim.interval && claim.interval->first <= expected;
    report.claims.push_back(std::move(claim));
}

} // namespace slaq_loads

void slaqQuality(const StudyRequest& request, StudyReport& report) {
    using namespace slaq_loads;
    if (!areUsable(arms(), request, report)) return;
    const std::size_t seeds = request.quick ? 3 : 10;
    const std::vector<double> loads = request.quick ? std::vector{1.5, 3.0} : std::vector{0.8, 1.5, 2.0, 3.0, 4.0};
    StudyTable table = measuredTable("slaq-quality"), changes = changesTable("slaq-changes");
    std::map<double, Measured> all;
    for (const double load : loads) {
        all[load] = measure(request, {.load = load}, arms(), seeds, report, table);
        if (report.stopped) return;
        LoadClaims(all[load], load, report).judgeAll();
        addChanges(all[load], number(load), arms(), changes);
    }
    judgePublished(all, "quality", "the mean normalised loss of active jobs", "mean_active_loss", -0.73, report);
    judgePublished(all, "delay", "the mean time to 90 % of the drop", "time_to_90_s", -0.44, report);
    report.tables.push_back(std::move(table));
    report.tables.push_back(std::move(changes));
}

} // namespace trainyard::study
