// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the times of a job hang on the order in which its workers happened to begin: where all times are constant and workers
// that do not wait for each other share links, they keep that order for ever, and share the links by it. Any jitter lets them
// spread, and moves the mean time of an update by up to the share of links in it (measured: a jitter of 1e-4 by 1 to 15 % where
// four alike workers send for 1 to 160 % of the time that they compute).
#include "base/Format.h"
#include "scenario/ScenarioChecks.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace order_checks {

constexpr int fewest = 3;              ///< workers; two find the order that they would find anyway
constexpr double worthAWarning = 0.02; ///< seconds on the links, of all workers, by seconds of computing

bool isConstant(const StragglerLaw& law) {
    return law.factor.law == Law::constant && !law.burst && (!law.delay || law.delay->law == Law::constant);
}

} // namespace order_checks

void ScenarioChecks::checkOrder(const Job& job, const Choice& synchronization, const std::string& pointer) {
    using namespace order_checks;
    const auto* work = std::get_if<AnalyticWork>(&job.work);
    const auto& cluster = m_scenario.cluster;
    const int workers = job.workers.maximum;
    if (!work || m_scenario.network != NetworkModel::flow || workers < fewest || cluster.links.empty()) return;
    if (work->law || work->rates || synchronizationOf(synchronization)->stalenessBound() == 0u) return;
    if (!m_constantTimes)
        m_constantTimes = std::all_of(cluster.machines.begin(), cluster.machines.end(),
                                      [](const Machine& m) { return isConstant(m.straggler); });
    if (!*m_constantTimes) return;
    if (!m_narrowest) {
        m_narrowest = std::numeric_limits<double>::infinity();
        for (const Link& link : cluster.links) m_narrowest = std::min(*m_narrowest, link.bandwidth);
    }
    const double computing = work->secondsPerSample * work->batch,
                 sending = workers * work->parameterBytes / *m_narrowest;
    const double share = sending / computing; // saturated links hang on the order even where workers are unlike
    if (!(share >= (unlikeMachines(job.workerDemand) ? 1 : worthAWarning))) return;
    const std::string place =
        job.synchronization.id.empty() ? "/policies/synchronization" : pointer + "/synchronization";
    if (!m_ordersChecked.insert(place).second) return;
    report("constant-times",
           {TRAINYARD_TEXT(
                "all times are constant, and workers that do not wait for each other (\"{0}\") share links "
                "(job \"{1}\": {2} s of sending for {3} s of computing): they keep the order in which they began, and "
                "the least jitter changes times by per cents, as in executed runs; give machines a law of "
                "times (\"factor\")"),
            {synchronization.id, job.key, formatNumber(sending, 3), formatNumber(computing, 3)}},
           place, Severity::warning);
}

} // namespace trainyard
