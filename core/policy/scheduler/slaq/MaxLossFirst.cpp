// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// max-loss-first: workers go to whoever is farthest from its end now, without asking what they would change there. A simple rule, with
// which those that predict are compared.
#include "policy/Builtin.h"
#include "policy/scheduler/slaq/QualityFields.h"

namespace trainyard {

namespace {

struct MaxLossFirstParams : QualityRules {
    MaxLossFirstParams() { minShare = 0; }
};

class MaxLossFirst final : public QualityScheduler {
public:
    explicit MaxLossFirst(const MaxLossFirstParams& params) : QualityScheduler("max-loss-first", params) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<MaxLossFirst>(*this); }

private:
    double priority(const QualityJob& job, std::size_t, int) const override {
        return gains(job).normalisedLossAfter(0);
    }

    /// Updates count by the loss at which they begin.
    double worth(const QualityJob& job, std::size_t, double updates) const override {
        return updates * gains(job).normalisedLossAfter(0);
    }
};

} // namespace

SchedulerEntry builtin::maxLossFirst() {
    using namespace quality_fields;
    using P = MaxLossFirstParams;
    PolicyInfo info{
        .id = "max-loss-first",
        .label = "Highest loss first",
        .summary = "Every epoch, the job whose normalised loss is highest gets all the workers that it can use, then "
                   "the next.",
        .source = "Trainyard, to compare with"};
    info.series = qualitySeries();
    info.goesByLosses = true;
    return policyEntry<Scheduler, MaxLossFirst, P>(
        std::move(info), curve<P>(), epoch<P>(), decay<P>(), window<P>(),
        leastShare<P>("Of what an equal division gives, each job gets so much at least."), hysteresis<P>(),
        placingField<P>(&P::placing));
}

} // namespace trainyard
