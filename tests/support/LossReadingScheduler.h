// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: every epoch it reads each job's losses and gives more workers to those
// that still improve (in the spirit of SLAQ, Zhang et al., SoCC 2017). Stretches the view: loss histories,
// wakeAt, frequent resizes.
#include "policy/Registry.h"
#include "policy/scheduler/fair/ProgressiveFilling.h"

#include <map>

namespace trainyard::test {

struct LossReadingParams {
    double epochSeconds = 0.5;
};

class LossReadingScheduler final : public Scheduler {
public:
    explicit LossReadingScheduler(LossReadingParams params) : m_params(params) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<LossReadingScheduler>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        if (context.now >= m_nextEpoch) readLosses(view);
        const auto share = [&](JobId job, int workers, int) {
            const auto it = m_gains.find(job);
            return workers / (0.1 + (it == m_gains.end() ? 1.0 : it->second.gain));
        };
        m_filling.decide(context, view, since, share, "test-loss-reading", decisions);
        const bool active = !view.jobsIn(JobPhase::running).empty() || !view.jobsIn(JobPhase::waiting).empty();
        if (active && context.now >= m_nextEpoch) {
            m_nextEpoch = context.now + Duration::seconds(m_params.epochSeconds);
            decisions.wakeAt(m_nextEpoch);
        }
    }

    static SchedulerEntry entry() {
        using P = LossReadingParams;
        return policyEntry<Scheduler, LossReadingScheduler, P>(
            {.id = "test-loss-reading",
             .label = "Loss reader",
             .summary = "Workers go to jobs that still improve.",
             .goesByLosses = true},
            field(&P::epochSeconds, "epoch", "Epoch", {0.01, 1e6}, "s", "How often losses are read."));
    }

private:
    struct Gain {
        double gain = 1; ///< share of the greatest drop in one epoch so far
        double last = 0, greatest = 0;
        bool known = false;
    };

    void readLosses(const SchedulerView& view) {
        for (JobId job : view.jobsIn(JobPhase::running)) {
            const auto losses = view.losses(job);
            if (losses.empty()) continue;
            Gain& g = m_gains[job];
            const double now = losses.back().loss, drop = g.known ? std::max(0.0, g.last - now) : 0;
            if (g.known && drop > 0) {
                g.greatest = std::max(g.greatest, drop);
                g.gain = drop / g.greatest;
            } else if (g.known) {
                g.gain = 0;
            }
            g.last = now;
            g.known = true;
        }
    }

    LossReadingParams m_params;
    ProgressiveFilling m_filling{PlacingStrategy::pack};
    SimTime m_nextEpoch;
    std::map<JobId, Gain> m_gains;
};

} // namespace trainyard::test
