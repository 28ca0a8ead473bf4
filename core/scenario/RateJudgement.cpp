// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the rate model can serve an analytic job: its updates must come at one rate, whose mean is known.
#include "scenario/ScenarioJudge.h"

namespace trainyard {

void ScenarioJudge::judgeRate(const Job& job, const Choice& synchronization, const std::string& pointer) {
    if (m_scenario.network != NetworkModel::rate || job.kind() != JobKind::analytic) return;
    if (auto why = m_registry.makeSynchronization(synchronization)->hasNoRate())
        report("no-rate",
               {TRAINYARD_TEXT("the rate model cannot serve \"{0}\": {1}; use \"network\": \"flow\""),
                {synchronization.id, why->english()}},
               job.synchronization.id.empty() ? "/policies/synchronization" : pointer + "/synchronization");
    for (std::size_t m = 0; m < m_scenario.cluster.machines.size(); ++m) {
        const Machine& machine = m_scenario.cluster.machines[m];
        const std::string place = "/cluster/machines/" + std::to_string(m) + "/straggler/burst";
        if (!machine.straggler.burst || !job.workerDemand.fitsIn(machine.capacity)) continue;
        if (!m_ratesJudged.insert(place).second) continue;
        report("no-rate",
               {TRAINYARD_TEXT("the rate model has no bursts: an analytic job may have workers here, and its rate "
                               "would change with every burst; use \"network\": \"flow\", or a factor's law instead"),
                {}},
               place);
    }
}

} // namespace trainyard
