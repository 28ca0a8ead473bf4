// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Scenario C1: hitting times of each strategy beside those of an independent simulation of the same problem
// (numpy, ten seeds; three for the asynchronous and local ones), which are given as means with standard
// errors.
#include "studies/stragglers/Stragglers.h"

#include <array>
#include <cmath>

namespace trainyard::study {

namespace straggler_c1 {

constexpr double noiseFloor = 0.5; // of the loss: σ²/2
constexpr std::array targets{100.0, 1.0, 0.1, 0.03};
constexpr double level = 0.01; // of Holm's correction over all comparisons

struct Golden {
    double mean = 0, standardError = 0; ///< mean 0: not given
};
struct GoldenRow {
    const char* variant;
    std::size_t seeds; ///< behind the golden means
    std::array<Golden, 4> seconds;
    const char* horizon; ///< seconds
};

constexpr Golden none{};
constexpr std::array goldenRows{
    GoldenRow{"full-sync", 10, {{{127.6, 1.6}, {270.9, 1.6}, {343.5, 1.9}, {382.1, 1.9}}}, "600"},
    GoldenRow{"fastest-1", 10, {{{4.1, .1}, {8.9, .1}, {11.6, .2}, {16.6, .8}}}, "600"},
    GoldenRow{"fastest-5", 10, {{{10.2, .2}, {22.2, .2}, {28.2, .2}, {31.9, .3}}}, "600"},
    GoldenRow{"fastest-10", 10, {{{15.8, .2}, {34.1, .3}, {43.5, .4}, {48.5, .4}}}, "600"},
    GoldenRow{"fastest-25", 10, {{{32.4, .3}, {69.4, .4}, {88.1, .3}, {98.4, .4}}}, "600"},
    GoldenRow{"fastest-45", 10, {{{74.2, .4}, {158.1, .7}, {200.2, .8}, {222.7, .8}}}, "600"},
    GoldenRow{"fastest-5-load-0.2", 10, {{{5.1, .1}, {11.2, .1}, {14.8, .2}, {21.2, 1.0}}}, "600"},
    GoldenRow{"adaptive-k-bound", 10, {{{4.1, .1}, {8.9, .1}, {11.6, .2}, {16.7, .8}}}, "600"},
    GoldenRow{"adaptive-k-exact", 10, {{{4.1, .1}, {8.9, .1}, {11.6, .2}, {14.4, .2}}}, "600"},
    GoldenRow{"adaptive-load-bound", 10, {{{3.6, .2}, {7.3, .1}, {10.0, .2}, {12.9, .2}}}, "600"},
    GoldenRow{"adaptive-load-exact", 10, {{{2.6, .1}, {5.8, .1}, {8.2, .2}, {10.8, .2}}}, "600"},
    GoldenRow{"k-batch-sync-10", 10, {{{15.6, .2}, {33.7, .3}, {42.7, .3}, {47.7, .3}}}, "600"},
    GoldenRow{"k-async-5", 10, {{{2.7, .1}, {7.6, .1}, {9.4, .1}, {11.1, .2}}}, "600"},
    GoldenRow{"k-async-10", 10, {{{7.1, .1}, {14.3, .1}, {18.1, .2}, {20.2, .2}}}, "600"},
    GoldenRow{"k-batch-async-10", 10, {{{6.1, .1}, {12.0, .1}, {15.0, .1}, {16.8, .2}}}, "600"},
    GoldenRow{"async-rate-0.01", 3, {{{2.4, .1}, {7.2, .1}, {9.5, .2}, {10.8, .3}}}, "600"},
    GoldenRow{"ssp-2", 3, {{{59.0, 1.0}, none, none, none}}, "120"},
    GoldenRow{"ssp-5", 3, {{{46.2, 1.0}, {99.3, 1.5}, none, none}}, "120"},
    GoldenRow{"coding-cyclic-4", 10, {{{257.9, 1.4}, {552.7, 2.5}, none, none}}, "600"},
    GoldenRow{"local-5", 3, {{{51.5, 2.1}, {109.7, 3.3}, {139.3, 3.6}, {151.3, 3.7}}}, "600"},
    GoldenRow{"local-20", 3, {{{32.2, 1.5}, {81.1, 2.4}, {97.4, 2.0}, {97.4, 2.0}}}, "600"}};

constexpr std::string_view asyncRow = "async-rate-0.01"; // not a variant: asynchronous at a fifth of the step

Result<std::shared_ptr<const Scenario>> scenarioOf(const GoldenRow& row, const std::shared_ptr<const Scenario>& c1,
                                                   const Registry& registry) {
    std::vector<std::pair<std::string, std::string>> values{{"/jobs/0/stop/seconds", row.horizon}};
    const bool isAsync = row.variant == asyncRow;
    if (isAsync) values.push_back({"/jobs/0/optimizer/parameters/learning_rate", "0.01"});
    auto changed = withValues(c1, values);
    if (!changed) return changed;
    return withVariant(changed.value(), PolicyFamily::synchronization, isAsync ? "async" : row.variant, registry);
}

} // namespace straggler_c1

void stragglerHittingTimes(const StudyRequest& request, StudyReport& report) {
    using namespace straggler_c1;
    if (report.stopped) return;
    auto c1 = loadScenario(request, "papers/stragglers/c1.json");
    if (!c1) {
        report.problems.insert(report.problems.end(), c1.problems().begin(), c1.problems().end());
        return;
    }
    const std::size_t seeds = request.quick ? 10 : 40;
    std::vector<StudyRun> runs;
    for (const GoldenRow& row : goldenRows) {
        auto scenario = scenarioOf(row, c1.value(), *request.registry);
        if (!scenario) {
            report.problems.insert(report.problems.end(), scenario.problems().begin(), scenario.problems().end());
            return;
        }
        for (std::size_t seed = 1; seed <= seeds; ++seed) runs.push_back({scenario.value(), seed});
    }
    std::vector<double> levels;
    for (const double target : targets) levels.push_back(noiseFloor + target);
    const auto outcomes = simulateAll(request, runs, levels, report);
    if (report.stopped) return;

    StudyTable table{.name = "c1-hitting-times",
                     .columns = {"strategy", "seed", "error", "seconds", "executed_samples", "assigned_samples",
                                 "used_samples", "uplinks"}};
    std::vector<Claim> claims;
    std::vector<double> pValues;
    for (std::size_t r = 0; r < goldenRows.size(); ++r)
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const GoldenRow& row = goldenRows[r];
            std::vector<double> seconds;
            for (std::size_t s = 0; s < seeds; ++s) {
                const StudyOutcome& outcome = outcomes[r * seeds + s];
                if (!outcome.done || !outcome.hits[t]) continue;
                const Hit& hit = *outcome.hits[t];
                seconds.push_back(hit.seconds);
                table.rows.push_back({row.variant, std::to_string(s + 1), number(targets[t]), number(hit.seconds),
                                      number(hit.executedSamples), number(hit.assignedSamples), number(hit.usedSamples),
                                      number(hit.uplinks)});
            }
            const Golden& golden = row.seconds[t];
            if (golden.mean == 0) continue;
            Claim claim{.id = std::string("c1/") + row.variant + "/error-" + number(targets[t]),
                        .claim = std::string("In C1, ") + row.variant + " reaches an excess risk of " +
                                 number(targets[t]) + " when an independent simulation does.",
                        .source = "measured independently, " + std::to_string(row.seeds) +
                                  " seeds: " + number(golden.mean) + " ± " + number(golden.standardError) + " s.e.",
                        .unit = "s",
                        .expected = golden.mean,
                        .n = seconds.size()};
            double p = 0;
            if (seconds.size() == seeds) {
                const Estimate estimate = estimateMean(seconds);
                claim.measured = estimate.mean;
                claim.interval = intervalOf(estimate);
                // The golden means are rounded to a tenth: that much more may lie between them and ours.
                SampleSummary theirs{.n = row.seeds,
                                     .mean = golden.mean,
                                     .standardError = std::hypot(golden.standardError, 0.1 / std::sqrt(12.0))};
                p = welchTest(summarizeSample(seconds), theirs);
                claim.finding =
                    "Welch's test p = " + number(p) + ", judged with all others by Holm's correction at 1 %";
            } else {
                claim.finding = std::to_string(seconds.size()) + " of " + std::to_string(seeds) +
                                " runs reached it within " + row.horizon + " s";
            }
            claims.push_back(std::move(claim));
            pValues.push_back(p);
        }
    std::vector<Claim*> judged;
    for (Claim& claim : claims) judged.push_back(&claim);
    judgeTogether(judged, pValues, level);
    for (Claim& claim : claims) {
        if (!claim.holds && claim.measured)
            claim.finding += "; the difference is " + number(*claim.measured - *claim.expected) + " s";
        report.claims.push_back(std::move(claim));
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
