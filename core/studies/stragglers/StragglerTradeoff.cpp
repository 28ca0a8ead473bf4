// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the abstract of Egger et al., ISIT 2023, claims: faster, significantly less computation, slightly more
// communication than adapting k alone. Measured on C1 at three shares of communication; the paper's own
// settings and numbers are not known here. And what same-rate comparisons hide: with a rate tuned for the
// target the gain in time vanishes.
#include "studies/stragglers/Stragglers.h"

#include <array>
#include <cmath>
#include <functional>

namespace trainyard::study {

namespace straggler_tradeoff {

constexpr double noiseFloor = 0.5;
constexpr std::array shares{0.1, 1.0, 10.0}; // mean communication / mean computation of a whole batch; together 1 s
constexpr double boundFloor = 0.0625;        // A = ηLσ²/(2cs): where the bound for k = 1 and the whole batch settles
constexpr std::array targets{1.0, 0.1 * boundFloor, 0.03 * boundFloor};
constexpr std::array rates{0.05, 0.2, 0.5, 0.9};
constexpr double significantly = 0.8, slightly = 1.25; // what these words are taken to mean, as ratios
constexpr const char* abstractSource = "Egger et al., ISIT 2023, abstract (direction only)";

using Values = std::vector<std::pair<std::string, std::string>>;
using Scenarios = std::vector<std::shared_ptr<const Scenario>>;

/// Two variants of C1 with values set; empty where that fails (the report says why).
Scenarios pairOf(const StudyRequest& request, const Values& values, const char* first, const char* second,
                 StudyReport& report) {
    Scenarios out;
    auto changed = loadScenario(request, "papers/stragglers/c1.json");
    if (changed) changed = withValues(changed.value(), values);
    for (const char* name : {first, second}) {
        auto variant =
            changed ? withVariant(changed.value(), PolicyFamily::synchronization, name, *request.registry) : changed;
        if (!variant) {
            report.problems.insert(report.problems.end(), variant.problems().begin(), variant.problems().end());
            return {};
        }
        out.push_back(variant.value());
    }
    return out;
}

std::vector<StudyOutcome> runPair(const StudyRequest& request, const Scenarios& pair, std::size_t seeds,
                                  const std::vector<double>& levels, StudyReport& report) {
    std::vector<StudyRun> runs;
    for (const auto& scenario : pair)
        for (std::size_t seed = 1; seed <= seeds; ++seed) runs.push_back({scenario, seed});
    return simulateAll(request, runs, levels, report);
}

/// Geometric mean and interval of second/first over the seeds in which both got there; paired by seed.
struct Ratio {
    std::size_t n = 0;
    double mean = 0, low = 0, high = 0;
};
Ratio ratioOf(const std::vector<StudyOutcome>& outcomes, std::size_t seeds, std::size_t target,
              const std::function<double(const Hit&)>& what) {
    std::vector<double> logs;
    for (std::size_t s = 0; s < seeds; ++s) {
        const auto &first = outcomes[s].hits, &second = outcomes[seeds + s].hits;
        if (target < first.size() && target < second.size() && first[target] && second[target])
            logs.push_back(std::log(what(*second[target]) / what(*first[target])));
    }
    if (logs.size() < 2) return {};
    const Estimate estimate = estimateMean(logs);
    return {logs.size(), std::exp(estimate.mean), std::exp(estimate.mean - *estimate.halfWidth),
            std::exp(estimate.mean + *estimate.halfWidth)};
}

Claim ratioClaim(std::string id, std::string text, const Ratio& ratio) {
    Claim claim{.id = std::move(id), .claim = std::move(text), .source = abstractSource, .unit = "1", .n = ratio.n};
    if (ratio.n >= 2) {
        claim.measured = ratio.mean;
        claim.interval = std::pair(ratio.low, ratio.high);
    }
    return claim;
}

void directions(const StudyRequest& request, StudyReport& report) {
    const std::size_t seeds = request.quick ? 10 : 40;
    std::vector<double> levels;
    for (const double target : targets) levels.push_back(noiseFloor + target);
    for (const double share : shares) {
        if (report.stopped) return;
        const std::string least = number(noiseFloor + targets.back());
        const Values values{{"/jobs/0/stop", "{\"loss\": " + least + ", \"seconds\": 2000}"},
                            {"/cluster/machines/0/straggler/delay_s/mean", number(share / (1 + share))},
                            {"/jobs/0/seconds_per_sample", number(1 / (1 + share) / 40)}};
        const Scenarios pair = pairOf(request, values, "adaptive-k-bound", "adaptive-load-bound", report);
        if (pair.empty()) return;
        const auto outcomes = runPair(request, pair, seeds, levels, report);
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const std::string where = "share-" + number(share) + "/error-" + number(targets[t]);
            const std::string at = " at an error of " + number(targets[t]) + " where communication takes " +
                                   number(share) + " of the computation's time";
            const Ratio time = ratioOf(outcomes, seeds, t, [](const Hit& h) { return h.seconds; });
            Claim faster = ratioClaim("tradeoff/" + where + "/time",
                                      "Adapting the load, too, is faster than adapting k alone" + at + ".", time);
            setVerdict(faster, time.n >= 2 && time.high < 1, time.n >= 2 && time.low >= 1);
            faster.finding = "ratio of the times, paired by seed; it holds if the interval lies below 1";
            const Ratio work = ratioOf(outcomes, seeds, t, [](const Hit& h) { return h.executedSamples; });
            Claim less = ratioClaim(
                "tradeoff/" + where + "/computation",
                "Adapting the load, too, computes significantly less than adapting k alone" + at + ".", work);
            setVerdict(less, work.n >= 2 && work.high < significantly, work.n >= 2 && work.low >= significantly);
            less.finding = "ratio of the samples executed (cancelled tasks count for their completed share); "
                           "significantly is taken as at least a fifth less";
            const Ratio sent = ratioOf(outcomes, seeds, t, [](const Hit& h) { return h.uplinks; });
            Claim more =
                ratioClaim("tradeoff/" + where + "/communication",
                           "Adapting the load, too, communicates slightly more than adapting k alone" + at + ".", sent);
            setVerdict(more, sent.n >= 2 && sent.low > 1 && sent.high < slightly,
                       sent.n >= 2 && (sent.high <= 1 || sent.low >= slightly));
            more.finding = "ratio of the gradients sent to the servers; slightly is taken as more than none "
                           "and at most a "
                           "quarter";
            if (!more.holds && sent.n >= 2)
                more.finding += sent.low <= 1 ? "; here it is not surely more"
                                              : "; here it is more: while one gradient at a time is enough, smaller "
                                                "loads need more of them";
            if (faster.undecided && time.n >= 2) faster.finding += "; the interval holds 1";
            if (!faster.holds && !faster.undecided)
                faster.finding += "; here no time is saved: a round hardly gets shorter with the load where most of it "
                                  "is communication";
            for (Claim* claim : {&faster, &less, &more}) report.claims.push_back(std::move(*claim));
        }
    }
}

/// With larger common rates large batches are needed at once, and the load has nothing left to adapt.
void tunedRates(const StudyRequest& request, StudyReport& report) {
    const std::size_t seeds = request.quick ? 10 : 40;
    StudyTable table{.name = "c1-learning-rates",
                     .columns = {"learning_rate", "adaptive_k_s", "adaptive_load_s", "time_ratio", "ratio_low",
                                 "ratio_high", "executed_ratio"}};
    for (const double rate : rates) {
        if (report.stopped) return;
        const Scenarios pair = pairOf(request, {{"/jobs/0/optimizer/parameters/learning_rate", number(rate)}},
                                      "adaptive-k-exact", "adaptive-load-exact", report);
        if (pair.empty()) return;
        const auto outcomes = runPair(request, pair, seeds, {noiseFloor + 0.03}, report);
        const Ratio time = ratioOf(outcomes, seeds, 0, [](const Hit& h) { return h.seconds; });
        const Ratio work = ratioOf(outcomes, seeds, 0, [](const Hit& h) { return h.executedSamples; });
        const auto meanTime = [&](std::size_t arm) {
            double sum = 0, count = 0;
            for (std::size_t s = 0; s < seeds; ++s)
                if (const auto& hits = outcomes[arm * seeds + s].hits; !hits.empty() && hits[0])
                    sum += hits[0]->seconds, ++count;
            return count > 0 ? number(sum / count) : std::string();
        };
        table.rows.push_back({number(rate), meanTime(0), meanTime(1), number(time.mean), number(time.low),
                              number(time.high), number(work.mean)});
        const bool small = rate < 0.1;
        Claim claim = ratioClaim("rates/" + number(rate),
                                 small ? "At the small common rate of C1 adapting the load saves time."
                                       : "At the common rate " + number(rate) +
                                             ", nearer to the best, adapting the load saves next to no time.",
                                 time);
        claim.source = "derived: the model's times to 0.03 are 13.9 and 10.8 s at 0.05, and equal from 0.2 on";
        claim.expected = small ? 10.8 / 13.9 : 1;
        setVerdict(claim, time.n >= 2 && (small ? time.high < 1 : time.low > 0.9),
                   time.n >= 2 && (small ? time.low >= 1 : time.high <= 0.9));
        claim.finding = small ? "ratio of the times to an error of 0.03; it holds if the interval lies below 1"
                              : "ratio of the times to an error of 0.03; it holds if less than a tenth is saved";
        report.claims.push_back(std::move(claim));
    }
    report.tables.push_back(std::move(table));
}

} // namespace straggler_tradeoff

void stragglerTradeoff(const StudyRequest& request, StudyReport& report) {
    straggler_tradeoff::directions(request, report);
    straggler_tradeoff::tunedRates(request, report);
}

} // namespace trainyard::study
