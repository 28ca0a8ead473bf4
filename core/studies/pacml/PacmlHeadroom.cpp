// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What there is to gain over simple rules in `corrected`, by load and law.
#include "base/Parallel.h"
#include "studies/pacml/PacmlStudy.h"

#include <chrono>
#include <cmath>

namespace trainyard::study {

namespace pacml_headroom {

using Kind = DegreeRule::Kind;
constexpr std::size_t arrivals = 1001;
constexpr std::uint64_t validationSeed = 1001; ///< the first of ten
constexpr std::array<double, 4> gaps{1.0, 1.25, 1.5, 2.0};

enum Arm { largest, constant, floorRule, rollout, arms };
constexpr std::array<const char*, arms> armNames{"max", "best constant", "best floor", "rollout"};

/// By gap, arm and law: measured by an independent implementation, 10 seeds, fixed gaps.
constexpr double before[4][arms][4] = {
    {{.468, .463, .470, .467}, {.326, .463, .263, .154}, {.280, .427, .259, .189}, {.266, .381, .243, .135}},
    {{.407, .408, .408, .409}, {.263, .396, .145, .101}, {.203, .340, .158, .076}, {.179, .304, .129, .070}},
    {{.296, .299, .291, .291}, {.241, .299, .079, .031}, {.153, .278, .085, .023}, {.138, .241, .056, .019}},
    {{.128, .135, .122, .122}, {.128, .135, .069, .012}, {.105, .135, .027, .007}, {.089, .107, .021, .007}}};

class Cell {
public:
    Cell(const StudyRequest& request, const GraphPricer& pricer, GraphWorkload workload)
        : m_request(request), m_pricer(pricer), m_workload(std::move(workload)) {}

    /// The degree that blocks least on the validation seeds.
    DegreeRule best(Kind kind) const {
        DegreeRule best;
        double least = 2;
        for (const int degree : m_pricer.degrees()) {
            const DegreeRule rule{kind, degree};
            const double is = meanBlocking(over(rule, validationSeed, 10));
            if (is < least) {
                least = is;
                best = rule;
            }
        }
        return best;
    }

    std::vector<PacmlPlay> over(const DegreeRule& rule, std::uint64_t firstSeed, std::size_t seeds) const {
        return playedOver(m_request, m_pricer, m_workload, arrivals, firstSeed, seeds,
                          [&](std::uint64_t seed) { return chooserOf(rule, seed); });
    }

    std::vector<PacmlPlay> rolledOver(const DegreeRule& base, std::size_t seeds,
                                      const RolloutSettings& settings) const {
        return playedOver(m_request, m_pricer, m_workload, arrivals, 1, seeds, [&](std::uint64_t seed) -> PacmlChooser {
            return [this, base, seed, settings, options = std::vector<GraphOption>()](
                       GraphPricer& pricer, const LossSystem& system, const GraphArrival& job,
                       std::uint32_t numberOfJob) mutable -> std::optional<GraphOption> {
                if (m_request.stop.stop_requested()) return std::nullopt;
                pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options,
                                system.ending());
                RolloutSettings own = settings;
                own.base = base;
                const auto choice =
                    rolledOut(own, pricer, system, m_workload, options, job.seconds, job.beta, seed, numberOfJob);
                return choice.option ? std::optional(options[*choice.option]) : std::nullopt;
            };
        });
    }

private:
    const StudyRequest& m_request;
    const GraphPricer& m_pricer;
    GraphWorkload m_workload;
};

Claim claimOf(std::size_t gap, std::size_t law, int arm, const std::string& rule, const std::vector<PacmlPlay>& plays) {
    std::vector<double> values;
    for (const PacmlPlay& p : plays) values.push_back(p.blocking(true));
    const Estimate measured = estimateMean(values);
    const double expected = before[gap][arm][law], tolerance = arm == rollout ? .02 : .015;
    return {.id =
                "headroom/" + number(gaps[gap]) + "s/" + pacmlLaws[law] + "/" + armNames[static_cast<std::size_t>(arm)],
            .claim = "With an arrival every " + number(gaps[gap]) + " s under law " + std::string(1, pacmlLaws[law]) +
                     ", " + armNames[static_cast<std::size_t>(arm)] +
                     " blocks this share (corrected rules, those in flight at the end counted).",
            .source = "measured before: an independent implementation on the same tables, 10 seeds",
            .unit = "1",
            .expected = expected,
            .measured = measured.mean,
            .interval = intervalOf(measured),
            .n = measured.n,
            .holds = std::abs(measured.mean - expected) <= tolerance,
            .finding = rule + "; within " + number(tolerance) + " of it"};
}

} // namespace pacml_headroom

void pacmlHeadroom(const StudyRequest& request, StudyReport& report) {
    using namespace pacml_headroom;
    const auto laws = pacmlLawTables(request);
    const auto graphs = pacmlGraphs(request, GraphSetting::corrected());
    if (!laws || !graphs) {
        const Problems& wrong = laws ? graphs.problems() : laws.problems();
        report.problems.insert(report.problems.end(), wrong.begin(), wrong.end());
        return;
    }
    const GraphPricer pricer = pacmlPricer(*graphs, GraphSetting::corrected());
    StudyTable table{.name = "pacml-headroom",
                     .columns = {"gap_s", "poisson", "law", "arm", "rule", "blocking", "half_width",
                                 "blocking_without_in_flight", "decision_s"},
                     .rows = {}};
    const std::size_t seeds = request.quick ? 3 : 10;
    std::size_t done = 0;
    for (const bool poisson : {false, true})
        for (std::size_t g = 0; g < gaps.size(); ++g)
            for (std::size_t l = 0; l < laws->size(); ++l) {
                const Cell cell(request, pricer, {graphs->graphs.size(), 201, (*laws)[l], gaps[g], poisson});
                const DegreeRule fixed = cell.best(Kind::constant), least = cell.best(Kind::floor);
                std::array<std::vector<PacmlPlay>, arms> plays{cell.over({Kind::max, 0}, 1, seeds),
                                                               cell.over(fixed, 1, seeds), cell.over(least, 1, seeds)};
                const bool floorIsBetter = meanBlocking(cell.over(least, validationSeed, 10)) <=
                                           meanBlocking(cell.over(fixed, validationSeed, 10));
                const DegreeRule base = floorIsBetter ? least : fixed;
                const auto begin = std::chrono::steady_clock::now();
                plays[rollout] = cell.rolledOver(base, seeds, {});
                const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
                if (request.stop.stop_requested()) {
                    report.stopped = true;
                    return;
                }
                const std::array<std::string, arms> rules{"max", nameOf(fixed), nameOf(least),
                                                          "rollout over " + nameOf(base)};
                for (std::size_t a = 0; a < arms; ++a) {
                    std::vector<double> values;
                    for (const PacmlPlay& p : plays[a]) values.push_back(p.blocking(true));
                    const Estimate estimate = estimateMean(values);
                    table.rows.push_back({number(gaps[g]), poisson ? "1" : "0", std::string(1, pacmlLaws[l]),
                                          armNames[a], rules[a], number(estimate.mean),
                                          number(estimate.halfWidth.value_or(0)), number(meanBlocking(plays[a], false)),
                                          a == rollout ? number(seconds * Parallel(request.threads).threads() /
                                                                static_cast<double>(seeds * arrivals))
                                                       : ""});
                    if (!poisson && graphs->published)
                        report.claims.push_back(claimOf(g, l, static_cast<int>(a), rules[a], plays[a]));
                }
                if (request.progress) request.progress(++done, 2 * gaps.size() * laws->size());
            }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
