// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the iterations of a job have an expected time at all, where straggler laws have tails so heavy that
// they have no mean.
#include "base/Format.h"
#include "scenario/ScenarioChecks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace tail_checks {

/// α of P(X > t) ~ t^−α where the law has no mean, else infinite. Of all laws only Pareto's can have none:
/// the others are declared by their mean or bounded (empirical quantiles end at the greatest). It is asked of drafts, too,
/// whose numbers may be missing or out of range.
double indexWithoutMean(const Distribution& law) {
    return law.law == Law::pareto && law.shape <= 1 ? law.shape : std::numeric_limits<double>::infinity();
}

bool endsByTimeout(const Choice& synchronization) {
    const auto it = synchronization.parameters.find("timeout");
    const auto* seconds = it == synchronization.parameters.end() ? nullptr : std::get_if<double>(&it->second);
    return seconds && *seconds > 0;
}

} // namespace tail_checks

void ScenarioChecks::findHeavyTails() {
    using namespace tail_checks;
    for (std::size_t m = 0; m < m_scenario.cluster.machines.size(); ++m) {
        const StragglerLaw& law = m_scenario.cluster.machines[m].straggler;
        const double factor = indexWithoutMean(law.factor);
        const double delay = law.delay ? indexWithoutMean(*law.delay) : std::numeric_limits<double>::infinity();
        if (std::isfinite(std::min(factor, delay)))
            m_heavyTails.push_back({std::min(factor, delay), m, factor <= delay ? "factor/shape" : "delay_s/shape"});
    }
    std::ranges::stable_sort(m_heavyTails, {}, &HeavyTail::index);
}

// P(at least r workers take longer than t) falls like t to the minus sum of the r least indices, and has a
// finite integral from 1 on only if that sum is above 1. An update that waits for k of n ends when n − k + 1
// are left: r = n − k + 1.
void ScenarioChecks::checkTails(const Job& job, const Choice& synchronization, const std::string& pointer) {
    using namespace tail_checks;
    if (m_heavyTails.empty() || job.kind() == JobKind::graph || endsByTimeout(synchronization)) return;
    const int workers = job.workers.maximum;
    const IterationShape shape = synchronizationOf(synchronization)->shape(workers);
    const int left = shape.launched - std::min(shape.waitFor, shape.launched) + 1;
    const Severity severity = m_scenario.network == NetworkModel::rate && job.kind() == JobKind::analytic
                                  ? Severity::error
                                  : Severity::warning;
    if (shape.asynchronous ||
        !m_tailsChecked
             .insert(std::to_string(workers) + "," + std::to_string(left) + "," +
                     std::to_string(static_cast<int>(severity)) + ";" + amountsKey(job.workerDemand))
             .second)
        return;
    const HeavyTail* heaviest = nullptr;
    double sum = 0;
    std::int64_t placed = 0;
    for (const HeavyTail& tail : m_heavyTails) {
        const Machine& machine = m_scenario.cluster.machines[tail.machine];
        const auto copies = std::min<std::int64_t>(left - placed, job.workerDemand.copiesIn(machine.capacity, workers));
        if (copies > 0 && !heaviest) heaviest = &tail;
        placed += copies;
        sum += tail.index * static_cast<double>(copies);
        if (placed == left) break;
    }
    if (placed < left || sum > 1 || !m_tailsNamed.insert({heaviest->machine, severity}).second) return;
    report("no-mean",
           {TRAINYARD_TEXT("a law with this tail index has no mean, nor has the time of an update that waits for "
                           "{0} of {1} workers (job at {2}): single rounds may take arbitrarily long; choose a "
                           "shape above {3}, wait for fewer workers, or set a timeout"),
            {std::to_string(shape.waitFor), std::to_string(shape.launched), pointer, formatNumber(1.0 / left, 3)}},
           "/cluster/machines/" + std::to_string(heaviest->machine) + "/straggler/" + heaviest->member, severity);
}

} // namespace trainyard
