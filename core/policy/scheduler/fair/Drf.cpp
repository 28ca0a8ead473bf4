// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// drf: dominant resource fairness. A job's dominant share is the greatest share it has of any resource of the
// cluster; the job with the least (weighted) dominant share gets the next worker. Ghodsi et al., Dominant
// resource fairness, NSDI 2011, Algorithm 1; weights as in its section 4.3.
#include "policy/Builtin.h"
#include "policy/scheduler/fair/ProgressiveFilling.h"

#include <algorithm>

namespace trainyard {

namespace {

struct DrfParams {
    std::string onMisfit = "skip";
    bool weighted = true;
    std::string placing = "pack";
};

class Drf final : public Scheduler {
public:
    explicit Drf(DrfParams params)
        : m_params(std::move(params)), m_filling(placingStrategy(m_params.placing), m_params.onMisfit == "stop") {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Drf>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type == EventType::machineFailed || event.type == EventType::machineRepaired;
        });
        if (changed || m_total.size() == 0) m_total = FreeCapacity::whole(view.state()).total();
        const ResourceVector& total = m_total;
        const auto share = [&](JobId id, int workers, int servers) {
            const Job& job = view.workload().job(id);
            const double weight = m_params.weighted && job.weight > 0 ? job.weight : 1;
            double most = 0; // dominantShare() of the workers and servers together
            for (std::size_t r = 0; r < total.size(); ++r)
                if (total.micro(r) > 0)
                    most = std::max(most, static_cast<double>(job.workerDemand.micro(r) * workers +
                                                              job.serverDemand.micro(r) * servers) /
                                              static_cast<double>(total.micro(r)));
            return most / weight;
        };
        m_filling.decide(context, view, since, share, "drf", decisions);
    }

private:
    DrfParams m_params;
    ProgressiveFilling m_filling;
    ResourceVector m_total; ///< capacity of the machines that are up
};

} // namespace

SchedulerEntry builtin::drf() {
    using P = DrfParams;
    return policyEntry<Scheduler, Drf, P>(
        {.id = "drf",
         .label = "Dominant resource fairness",
         .summary = "The job with the least dominant share gets the next worker; running jobs grow and shrink.",
         .source = "Ghodsi et al., NSDI 2011"},
        choice(
            &P::onMisfit, "on_misfit", "When the next worker does not fit", {"skip", "stop"},
            "Go on with the job of the next greater share, or stop as in the paper's algorithm; minima are given first."),
        flag(&P::weighted, "weighted", "Use job weights", "Whether a job of weight 2 is due twice the share."),
        placingField(&P::placing));
}

} // namespace trainyard
