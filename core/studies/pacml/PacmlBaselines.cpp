// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Blocking under simple rules: faithful beside the published figures, corrected over more arrivals.
#include "studies/pacml/PacmlStudy.h"

#include <cmath>

namespace trainyard::study {

namespace pacml_baselines {

using Kind = DegreeRule::Kind;

struct Expected {
    DegreeRule rule;
    std::array<double, 4> before; ///< by law, measured by an independent implementation
    std::array<double, 4> published{std::nan(""), std::nan(""), std::nan(""), std::nan("")}; ///< of the authors' logs
};

/// 1,001 arrivals every 1000 s, five graphs, 20 seeds.
const std::vector<Expected>& expectations() {
    static const std::vector<Expected> all{
        {{Kind::constant, 2}, {.460, .938, .522, .122}},
        {{Kind::constant, 4}, {.220, .461, .123, .113}},
        {{Kind::constant, 16}, {.264, .264, .264, .265}},
        {{Kind::max, 0}, {.264, .264, .264, .265}, {.2624, .2631, .2674, .2631}},
        {{Kind::acceptableJct, 0}, {.308, .387, .297, .141}, {.3087, .3956, .3074, .1419}},
        {{Kind::random, 0}, {.525, .587, .510, .474}, {.5172, .6011, .5055, .4652}},
        {{Kind::floor, 4}, {.235, .350, .128, .113}},
        {{Kind::floor, 6}, {.209, .315, .185, .123}}};
    return all;
}

std::vector<double> blockings(const std::vector<PacmlPlay>& plays, bool inFlight) {
    std::vector<double> out;
    for (const PacmlPlay& p : plays) out.push_back(p.blocking(inFlight));
    return out;
}

double meanShare(const std::vector<PacmlPlay>& plays, BlockedReason reason) {
    double sum = 0;
    for (const PacmlPlay& p : plays) sum += p.share(reason);
    return sum / static_cast<double>(plays.size());
}

StudyTable tableOf(const char* name) {
    return {.name = name,
            .columns = {"law", "rule", "arrivals", "gap_s", "poisson", "blocking", "half_width",
                        "blocking_without_in_flight", "impossible", "no_block", "too_slow", "by_choice", "in_flight",
                        "mean_degree", "mean_speed_up", "published"},
            .rows = {}};
}

void addRow(StudyTable& table, char law, const std::string& rule, const GraphWorkload& workload,
            const std::vector<PacmlPlay>& plays, double published) {
    const Estimate with = estimateMean(blockings(plays, true));
    std::vector<std::string> row{std::string(1, law),
                                 rule,
                                 std::to_string(plays.front().arrived),
                                 number(workload.gapSeconds),
                                 workload.poisson ? "1" : "0",
                                 number(with.mean),
                                 number(with.halfWidth.value_or(0)),
                                 number(meanBlocking(plays, false))};
    for (int r = 0; r < blockedReasons; ++r) row.push_back(number(meanShare(plays, static_cast<BlockedReason>(r))));
    double degrees = 0, speedUps = 0, served = 0;
    for (const PacmlPlay& p : plays) {
        degrees += p.degrees;
        speedUps += p.speedUps;
        served += static_cast<double>(p.served());
    }
    row.push_back(number(degrees / served));
    row.push_back(number(speedUps / served));
    row.push_back(number(published));
    table.rows.push_back(std::move(row));
}

Claim claimOf(char law, const Expected& expected, std::size_t l, const std::vector<PacmlPlay>& plays) {
    constexpr double tolerance = .015;
    const Estimate measured = estimateMean(blockings(plays, true));
    Claim claim{.id = std::string("baselines/") + law + "/" + nameOf(expected.rule),
                .claim = "Under law " + std::string(1, law) + " of deadlines, rule " + nameOf(expected.rule) +
                         " blocks this share of arrivals (faithful rules, 1,001 arrivals every 1000 s).",
                .source = "measured before: an independent implementation on the same tables, 20 seeds",
                .unit = "1",
                .expected = expected.before[l],
                .measured = measured.mean,
                .interval = intervalOf(measured),
                .n = measured.n};
    claim.holds = std::abs(measured.mean - expected.before[l]) <= tolerance;
    claim.finding = "within 0.015 of it";
    if (std::isfinite(expected.published[l]))
        claim.finding +=
            "; the published logs have " + number(expected.published[l]) + " (3 seeds, laws drawn by their own seed)";
    return claim;
}

void faithful(const StudyRequest& request, const std::array<DiscreteLaw, 4>& laws, StudyReport& report) {
    const GraphSetting setting = GraphSetting::faithful();
    const auto graphs = pacmlGraphs(request, setting);
    if (!graphs) {
        report.problems.insert(report.problems.end(), graphs.problems().begin(), graphs.problems().end());
        return;
    }
    const GraphPricer pricer = pacmlPricer(*graphs, setting);
    StudyTable table = tableOf("pacml-baselines-faithful");
    const std::size_t seeds = request.quick ? 5 : 20;
    for (std::size_t l = 0; l < laws.size(); ++l) {
        const GraphWorkload workload{graphs->graphs.size(), 201, laws[l], 1000, false};
        for (const Expected& expected : expectations()) {
            const auto plays = playedOver(request, pricer, workload, 1001, 1, seeds,
                                          [&](std::uint64_t seed) { return chooserOf(expected.rule, seed); });
            if (request.stop.stop_requested()) {
                report.stopped = true;
                return;
            }
            addRow(table, pacmlLaws[l], nameOf(expected.rule), workload, plays, expected.published[l]);
            if (graphs->published) report.claims.push_back(claimOf(pacmlLaws[l], expected, l, plays));
        }
    }
    report.tables.push_back(std::move(table));
}

/// What no degree could have met on an empty cluster.
Claim impossibleClaim(std::size_t l, const std::vector<PacmlPlay>& plays) {
    constexpr std::array<double, 4> before{.020, .048, .001, 0};
    const double share = meanShare(plays, BlockedReason::impossible);
    return {.id = std::string("corrected/") + pacmlLaws[l] + "/impossible",
            .claim = "Under law " + std::string(1, pacmlLaws[l]) +
                     " no degree could meet the deadlines of this share of arrivals even on the "
                     "empty cluster (corrected rules).",
            .source = "measured before: an independent implementation on the same tables",
            .unit = "1",
            .expected = before[l],
            .measured = share,
            .interval = {},
            .n = plays.size(),
            .holds = std::abs(share - before[l]) <= .005,
            .finding = "within 0.005 of it"};
}

void corrected(const StudyRequest& request, const std::array<DiscreteLaw, 4>& laws, StudyReport& report) {
    const GraphSetting setting = GraphSetting::corrected();
    const auto graphs = pacmlGraphs(request, setting);
    if (!graphs || report.stopped) return; // said before
    const GraphPricer pricer = pacmlPricer(*graphs, setting);
    StudyTable table = tableOf("pacml-baselines-corrected");
    const std::size_t seeds = request.quick ? 5 : 20, arrivals = request.quick ? 1001 : 5001;
    for (std::size_t l = 0; l < laws.size(); ++l)
        for (const double gap : {1.0, 1.25, 1.5, 2.0})
            for (const bool poisson : {false, true}) {
                const GraphWorkload workload{graphs->graphs.size(), 1001, laws[l], gap, poisson};
                for (const Expected& e : expectations()) {
                    const auto plays = playedOver(request, pricer, workload, arrivals, 1, seeds,
                                                  [&](std::uint64_t seed) { return chooserOf(e.rule, seed); });
                    if (request.stop.stop_requested()) {
                        report.stopped = true;
                        return;
                    }
                    addRow(table, pacmlLaws[l], nameOf(e.rule), workload, plays, std::nan(""));
                    if (graphs->published && gap == 2 && !poisson && e.rule == DegreeRule{Kind::floor, 4})
                        report.claims.push_back(impossibleClaim(l, plays));
                }
            }
    report.tables.push_back(std::move(table));
}

} // namespace pacml_baselines

void pacmlBaselines(const StudyRequest& request, StudyReport& report) {
    const auto laws = pacmlLawTables(request);
    if (!laws) {
        report.problems.insert(report.problems.end(), laws.problems().begin(), laws.problems().end());
        return;
    }
    pacml_baselines::faithful(request, *laws, report);
    pacml_baselines::corrected(request, *laws, report);
}

} // namespace trainyard::study
