// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long one decision of slaq takes, against jobs and cores. Wall times of this computer: what is claimed are a bound and how they grow.
#include "studies/slaq/SlaqStudy.h"
#include "studies/slaq/SlaqTimes.h"

#include <cmath>

namespace trainyard::study {

namespace slaq_decisions {

constexpr int coresPerJob = 4;
constexpr double boundSeconds = 0.150; ///< of 4,000 jobs on 16,000 cores, on two threads

struct Size {
    std::size_t jobs = 0;
    int cores = 0;
};

/// The exponent e of time ∝ size^e: the slope of the least squares line through logarithms.
double exponent(const std::vector<std::pair<double, double>>& sizesAndTimes) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [size, time] : sizesAndTimes) {
        const double u = std::log(size), v = std::log(time);
        ++n;
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

Claim exponentClaim(const char* id, const std::string& what, const std::vector<double>& exponents) {
    Claim claim{.id = std::string("decisions/") + id,
                .claim = "The time of one decision of SLAQ grows with " + what +
                         " like their number to the power of at most 1.2.",
                .source = "derived: fits by job, and a heap of jobs for the division: n log n",
                .unit = "1",
                .expected = {}};
    const Estimate estimate = estimateMean(exponents);
    claim.measured = estimate.mean;
    claim.interval = intervalOf(estimate);
    claim.n = estimate.n;
    setVerdict(claim, claim.interval->second < 1.2, claim.interval->first >= 1.2);
    claim.finding = "exponent by least squares of logarithms, over repetitions on this computer";
    return claim;
}

} // namespace slaq_decisions

void slaqDecisions(const StudyRequest& request, StudyReport& report) {
    if (request.quick)
        slaqDecisionsOf(request, {160, 320, 640}, 640, report);
    else
        slaqDecisionsOf(request, {160, 640, 1000, 2000, 4000}, 1000, report);
}

void slaqDecisionsOf(const StudyRequest& request, const std::vector<std::size_t>& jobs, std::size_t many,
                     StudyReport& report) {
    using namespace slaq_decisions;
    constexpr std::size_t repetitions = 3;
    constexpr int threads = 2;
    std::vector<Size> sizes;
    for (const std::size_t n : jobs) sizes.push_back({n, coresPerJob * static_cast<int>(n)});
    for (const int each : {1, 4, 8, 16}) sizes.push_back({many, each * static_cast<int>(many)});
    StudyTable table{.name = "slaq-decisions", .columns = {"jobs", "cores", "repetition", "seconds"}, .rows = {}};
    std::vector<double> byJobs, byCores, largest;
    std::size_t done = 0;
    for (std::size_t r = 0; r < repetitions; ++r) {
        std::vector<std::pair<double, double>> ofJobs, ofCores;
        for (const Size& size : sizes) {
            if (request.stop.stop_requested()) {
                report.stopped = true;
                return;
            }
            const double seconds = slaqDecisionSeconds(size.jobs, size.cores, threads);
            table.rows.push_back(
                {std::to_string(size.jobs), std::to_string(size.cores), std::to_string(r + 1), number(seconds)});
            if (&size - sizes.data() < static_cast<std::ptrdiff_t>(jobs.size()))
                ofJobs.emplace_back(static_cast<double>(size.jobs), seconds);
            else
                ofCores.emplace_back(size.cores, seconds);
            if (size.jobs == 4000) largest.push_back(seconds);
            if (request.progress) request.progress(++done, repetitions * sizes.size());
        }
        byJobs.push_back(exponent(ofJobs));
        byCores.push_back(exponent(ofCores));
    }
    report.claims.push_back(exponentClaim("jobs", "jobs, four cores each,", byJobs));
    report.claims.push_back(exponentClaim("cores", "cores, of as many jobs,", byCores));
    if (!largest.empty()) {
        const Estimate estimate = estimateMean(largest);
        report.claims.push_back(
            {.id = "decisions/4000",
             .claim = "One decision for 4,000 running jobs on 16,000 cores takes at most 0.15 s on two threads, fits "
                      "included.",
             .source = "this program; the bound is its own aim",
             .unit = "s",
             .expected = {},
             .measured = estimate.mean,
             .interval = intervalOf(estimate),
             .n = estimate.n,
             .finding = "wall time, the slowest of six decisions in each repetition"});
        const auto [low, high] = intervalOf(estimate);
        setVerdict(report.claims.back(), high <= boundSeconds, low > boundSeconds);
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
