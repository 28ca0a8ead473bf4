// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the rate model can serve an analytic job: its updates must come at one rate, whose mean is known.
#include "scenario/ScenarioJudge.h"

namespace trainyard {

/// Names the machines with bursts on which workers of this demand may be.
void ScenarioJudge::judgeBursts(const ResourceVector& workerDemand) {
    if (m_bursts.empty() || !m_burstsJudged.insert(amountsKey(workerDemand)).second) return;
    std::erase_if(m_bursts, [&](std::size_t m) {
        if (!workerDemand.fitsIn(m_scenario.cluster.machines[m].capacity)) return false;
        report("no-rate",
               {TRAINYARD_TEXT("the rate model has no bursts: an analytic job may have workers here, and its rate "
                               "would change with every burst; use \"network\": \"flow\", or a factor's law instead"),
                {}},
               "/cluster/machines/" + std::to_string(m) + "/straggler/burst");
        return true;
    });
}

void ScenarioJudge::judgeRate(const Job& job, const Choice& synchronization, const std::string& pointer) {
    if (m_scenario.network != NetworkModel::rate || job.kind() != JobKind::analytic) return;
    const bool isCommon = job.synchronization.id.empty(); // named once
    if (auto why = synchronizationOf(synchronization)->hasNoRate(); why && !(isCommon && m_hasNoRate)) {
        m_hasNoRate = m_hasNoRate || isCommon;
        report("no-rate",
               {TRAINYARD_TEXT("the rate model cannot serve \"{0}\": {1}; use \"network\": \"flow\""),
                {synchronization.id, why->english()}},
               isCommon ? "/policies/synchronization" : pointer + "/synchronization");
    }
    judgeBursts(job.workerDemand);
}

} // namespace trainyard
