// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/OrderStatistics.h"
#include "planning/StepEnvelope.h"
#include "studies/stragglers/Stragglers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::study {

namespace straggler_formulas {

/// E[Z_(k:n)] of Exp(rate a) + Exp(rate b): by quadrature in multiple precision, independently of this
/// program.
struct GoldenMean {
    int n;
    double a, b;
    int k;
    double mean;
};
constexpr std::array goldenMeans{GoldenMean{5, 1, 2, 1, 0.5063492063},    GoldenMean{5, 1, 2, 2, 0.8853174603},
                                 GoldenMean{5, 1, 2, 4, 1.8734126984},    GoldenMean{5, 1, 2, 5, 2.9289682540},
                                 GoldenMean{50, 1, 1, 1, 0.1908625408},   GoldenMean{50, 1, 1, 10, 0.8108448189},
                                 GoldenMean{50, 1, 1, 25, 1.6569187235},  GoldenMean{50, 1, 1, 50, 6.4959453646},
                                 GoldenMean{50, 1, 2, 1, 0.1356451290},   GoldenMean{50, 1, 2, 10, 0.5832366307},
                                 GoldenMean{50, 1, 2, 25, 1.2124746866},  GoldenMean{50, 1, 2, 49, 4.1823270126},
                                 GoldenMean{50, 1, 2, 50, 5.1873775176},  GoldenMean{50, 1, 10, 1, 0.0643360731},
                                 GoldenMean{50, 1, 10, 10, 0.3190907157}, GoldenMean{50, 1, 10, 25, 0.7884452704},
                                 GoldenMean{50, 1, 10, 49, 3.6045658540}, GoldenMean{50, 1, 10, 50, 4.6045658540},
                                 GoldenMean{50, 5, 1, 1, 0.0878613203},   GoldenMean{50, 5, 1, 10, 0.4002047741},
                                 GoldenMean{50, 5, 1, 25, 0.9000038388},  GoldenMean{50, 5, 1, 49, 3.7223475943},
                                 GoldenMean{50, 5, 1, 50, 4.7223486306}};

Claim orderStatistics(StudyReport& report) {
    Claim claim{.id = "order-statistics",
                .claim = "The expected k-th smallest of n response times, each a sum of two exponentials, is computed "
                         "to eight digits for every k, also where the alternating sums of textbooks fail.",
                .source = "computed independently in multiple precision",
                .unit = "1",
                .expected = 0,
                .n = goldenMeans.size()};
    StudyTable table{.name = "order-statistics", .columns = {"n", "rate_a", "rate_b", "k", "expected", "computed"}};
    double worst = 0;
    for (const GoldenMean& golden : goldenMeans) {
        const ResponseLaw law({.law = Law::exponential, .mean = 1 / golden.a},
                              {.law = Law::exponential, .mean = 1 / golden.b});
        const double mean = orderStatisticMean(law, golden.n, golden.k);
        worst = std::max(worst, std::abs(mean / golden.mean - 1));
        table.rows.push_back({std::to_string(golden.n), number(golden.a), number(golden.b), std::to_string(golden.k),
                              std::to_string(golden.mean), std::to_string(mean)});
    }
    report.tables.push_back(std::move(table));
    claim.measured = worst;
    claim.holds = worst < 1e-8;
    claim.finding = "maximum relative difference; it holds below 1e-8";
    return claim;
}

/// Five workers, Exp(rate 5), η = 0.001, L = 2, c = 1, s = 10, σ² = 10, e₀ = 100.
void switching(StudyReport& report) {
    const ResponseLaw law({.law = Law::constant, .value = 0}, {.law = Law::exponential, .mean = 0.2});
    const std::vector<double> means = orderStatisticMeans(law, 5);
    const auto switches = switchingTimes(means, {.smoothness = 2, .convexity = 1, .noise = 10}, 0.001, 10, 100);
    constexpr std::array times{496.919622, 621.623721, 793.653574, 1102.518725};
    constexpr std::array errors{0.0014, 0.000725, 0.00046388889, 0.00031416667};
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::string from = std::to_string(i + 1), to = std::to_string(i + 2);
        const bool there = i < switches.size();
        Claim time{.id = "switching/" + from + "-to-" + to + "/time",
                   .claim = "Adaptive k goes from " + from + " to " + to +
                            " workers at the time that the formula of Kas Hanna et al. (as recalled, and derived "
                            "again) gives for five workers.",
                   .source = "derived; two forms of the formula agree to all digits",
                   .unit = "s",
                   .expected = times[i]};
        Claim error{.id = "switching/" + from + "-to-" + to + "/error",
                    .claim = "The bound's error where adaptive k goes from " + from + " to " + to + " of five workers.",
                    .source = time.source,
                    .unit = "1",
                    .expected = errors[i]};
        if (there) {
            time.measured = switches[i].time;
            error.measured = switches[i].error;
            time.holds = std::abs(switches[i].time - times[i]) < 5e-7 * 2;
            error.holds = std::abs(switches[i].error / errors[i] - 1) < 5e-8;
        }
        time.finding = "to the six decimals printed";
        error.finding = "to the digits printed";
        report.claims.push_back(std::move(time));
        report.claims.push_back(std::move(error));
    }
}

} // namespace straggler_formulas

void stragglerFormulas(const StudyRequest&, StudyReport& report) {
    report.claims.push_back(straggler_formulas::orderStatistics(report));
    straggler_formulas::switching(report);
}

} // namespace trainyard::study
