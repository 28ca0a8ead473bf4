// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the rate model can serve an analytic job: its updates must come at one rate, whose mean is known.
#include "scenario/ScenarioChecks.h"

#include <algorithm>

namespace trainyard {

/// Names the machines with bursts on which workers of this demand may be.
void ScenarioChecks::checkBursts(const ResourceVector& workerDemand) {
    if (m_bursts.empty() || !m_burstsChecked.insert(amountsKey(workerDemand)).second) return;
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

void ScenarioChecks::checkRate(const Job& job, const Choice& synchronization, const std::string& pointer) {
    if (m_scenario.network != NetworkModel::rate || job.kind() != JobKind::analytic) return;
    const bool isCommon = job.synchronization.id.empty(); // named once
    if (auto why = synchronizationOf(synchronization)->hasNoRate(); why && !(isCommon && m_hasNoRate)) {
        m_hasNoRate = m_hasNoRate || isCommon;
        report("no-rate",
               {TRAINYARD_TEXT("the rate model cannot serve \"{0}\": {1}; use \"network\": \"flow\""),
                {synchronization.id, why->english()}},
               isCommon ? "/policies/synchronization" : pointer + "/synchronization");
    }
    checkBursts(job.workerDemand);
    checkConstantTimes(job, synchronization, isCommon ? "/policies/synchronization" : pointer + "/synchronization");
}

/// Workers that go on by themselves, at constant times, over links that they share: in which order their transfers meet depends on
/// trifles, and goes on to depend on them.
void ScenarioChecks::checkConstantTimes(const Job& job, const Choice& choice, const std::string& place) {
    const bool isCommon = job.synchronization.id.empty();
    const int workers = job.workers.maximum;
    if ((isCommon && m_isInexact) || workers < 2 || std::get<AnalyticWork>(job.work).parameterBytes <= 0) return;
    const auto synchronization = synchronizationOf(choice);
    if (synchronization->stalenessBound() == 0u && !synchronization->shape(workers).asynchronous) return;
    if (!m_hasConstantTimes)
        m_hasConstantTimes = std::ranges::none_of(m_scenario.cluster.machines, [](const Machine& machine) {
            const StragglerLaw& law = machine.straggler;
            return law.factor.law != Law::constant || (law.delay && law.delay->law != Law::constant);
        });
    if (!*m_hasConstantTimes) return;
    m_isInexact = m_isInexact || isCommon;
    report(
        "rate-inexact",
        {TRAINYARD_TEXT(
             "the rate model is not exact for \"{0}\" here: with constant times it depends on trifles in which order "
             "transfers of one job meet on links; give machines a factor's law, or use \"network\": \"flow\""),
         {choice.id}},
        place, Severity::warning);
}

} // namespace trainyard
