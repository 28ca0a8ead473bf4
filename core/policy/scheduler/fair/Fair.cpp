// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// fair: every job gets the same number of workers, as far as its bounds and the machines allow (max-min fair,
// water filling). Bertsekas and Gallager, Data Networks, 1992, section 6.5.2 (max-min fairness).
#include "policy/Builtin.h"
#include "policy/scheduler/fair/ProgressiveFilling.h"

namespace trainyard {

namespace {

struct FairParams {
    bool weighted = false;
    std::string placing = "pack";
};

class Fair final : public Scheduler {
public:
    explicit Fair(FairParams params) : m_params(std::move(params)), m_filling(placingStrategy(m_params.placing)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Fair>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const auto share = [&](JobId id, int workers, int) {
            const double weight = view.workload().job(id).weight;
            return workers / (m_params.weighted && weight > 0 ? weight : 1.0);
        };
        m_filling.decide(context, view, since, share, "fair", decisions);
    }

private:
    FairParams m_params;
    ProgressiveFilling m_filling;
};

} // namespace

SchedulerEntry builtin::fair() {
    using P = FairParams;
    return policyEntry<Scheduler, Fair, P>(
        {.id = "fair",
         .label = "Fair share of workers",
         .summary = "All jobs get the same number of workers within their bounds; running jobs grow and shrink.",
         .source = "Max-min fairness: Bertsekas and Gallager, Data Networks, 1992"},
        flag(&P::weighted, "weighted", "Use job weights", "Whether a job of weight 2 is due twice the workers."),
        placingField(&P::placing));
}

} // namespace trainyard
