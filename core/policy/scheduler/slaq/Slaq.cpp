// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq: workers go where the predicted loss falls most. Every epoch a curve is fitted to the losses of each job, and workers are given one
// by one to the job whose normalised loss one more would lower most. After Zhang, Stafman et al., SLAQ: Quality-Driven Scheduling for
// Distributed Machine Learning, SoCC 2017, of which only the opening was at hand: resources/help/slaq.md says what was settled here.
#include "policy/Builtin.h"
#include "policy/scheduler/slaq/QualityFields.h"

#include <algorithm>

namespace trainyard {

namespace {

struct SlaqParams : QualityRules {
    std::string rule = "safeguarded", objective = "total", division = "greedy";
};

/// The faithful rule has no safeguards.
QualityRules rulesOf(const SlaqParams& params) {
    QualityRules out = params;
    if (params.rule != "faithful") return out;
    out.floor = out.minShare = 0;
    out.chargesChanges = false;
    return out;
}

class Slaq final : public QualityScheduler {
public:
    explicit Slaq(const SlaqParams& params)
        : QualityScheduler("slaq", rulesOf(params)), m_worstFirst(params.objective == "max-min"),
          m_exact(params.division == "exact") {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Slaq>(*this); }

private:
    double worth(const QualityJob& job, std::size_t, double updates) const override { return gains(job).gain(updates); }

    /// By how much the worst normalised loss falls, if that is what counts.
    double worthOfAll(const Jobs& jobs, std::span<const double> updates) const override {
        if (!m_worstFirst) return QualityScheduler::worthOfAll(jobs, updates);
        double before = 0, after = 0;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (gains(jobs[j]).isYoung()) continue;
            before = std::max(before, gains(jobs[j]).normalisedLossAfter(0));
            after = std::max(after, gains(jobs[j]).normalisedLossAfter(updates[j]));
        }
        return before - after;
    }

    double priority(const QualityJob& job, std::size_t index, int workers) const override {
        const double gain = marginalGain(job, index, workers);
        if (!m_worstFirst) return gain;
        return gain > 1e-12 ? gains(job).normalisedLossAfter(updatesWith(job, workers)) : 0;
    }

    std::vector<int> divide(const Jobs& jobs, std::span<const AllocationLimits> limits,
                            std::int64_t budget) const override {
        const bool counted = std::all_of(limits.begin(), limits.end(), [](const auto& l) { return l.cost == 1; });
        if (m_exact && counted && !m_worstFirst)
            return exactAllocation(limits, static_cast<int>(budget),
                                   [&](std::size_t j, int workers) { return worthOfWorkers(jobs[j], j, workers); });
        return QualityScheduler::divide(jobs, limits, budget);
    }

    bool m_worstFirst, m_exact;
};

} // namespace

SchedulerEntry builtin::slaq() {
    using namespace quality_fields;
    using P = SlaqParams;
    PolicyInfo info{.id = "slaq",
                    .label = "SLAQ: quality-driven",
                    .summary = "Every epoch, workers go one by one to the job whose predicted normalised loss one more "
                               "lowers most.",
                    .source = "After Zhang, Stafman et al., SoCC 2017"};
    info.series = qualitySeries();
    info.goesByLosses = true;
    return policyEntry<Scheduler, Slaq, P>(
        std::move(info),
        choice(&P::rule, "rule", "Rule", {"faithful", "safeguarded"},
               "Whether gains are as predicted alone, or never below a floor, with a least share of the workers."),
        choice(&P::objective, "objective", "Objective", {"total", "max-min"},
               "Whether the sum of the jobs' normalised losses is lowered most, or the worst of them."),
        choice(&P::division, "division", "Division", {"greedy", "exact"},
               "Whether workers are given one by one, or all at once by dynamic programming: slower, to compare with "
               "(objective total, jobs with equal workers)."),
        curve<P>(), epoch<P>(), decay<P>(), window<P>(),
        field<P, double>(&P::floor, "floor", "Floor of gains", {0, 0.999}, "",
                         "Changes are assumed to fall by this factor per update at worst (safeguarded)."),
        leastShare<P>("Of what an equal division gives, each job gets so much at least (safeguarded)."),
        hysteresis<P>(), placingField<P>(&P::placing));
}

} // namespace trainyard
