// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether the iterations of a job have an expected time at all, where straggler laws have tails so heavy that
// they have no mean.
#include "base/Format.h"
#include "scenario/ScenarioJudge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace tail_judgement {

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

} // namespace tail_judgement

// P(at least r workers take longer than t) falls like t to the minus sum of the r least indices, and has a
// finite integral from 1 on only if that sum is above 1. An update that waits for k of n ends when n − k + 1
// are left: r = n − k + 1.
void ScenarioJudge::judgeTails(const Job& job, const Choice& synchronization, const std::string& pointer) {
    using namespace tail_judgement;
    if (job.kind() == JobKind::graph || endsByTimeout(synchronization)) return;
    struct Heavy {
        double index;
        std::string law;
    };
    const int workers = job.workers.maximum;
    std::vector<Heavy> heavy;
    for (std::size_t m = 0; m < m_scenario.cluster.machines.size(); ++m) {
        const Machine& machine = m_scenario.cluster.machines[m];
        const double factor = indexWithoutMean(machine.straggler.factor);
        const double delay = machine.straggler.delay ? indexWithoutMean(*machine.straggler.delay)
                                                     : std::numeric_limits<double>::infinity();
        if (!std::isfinite(std::min(factor, delay))) continue;
        const Heavy one{std::min(factor, delay), "/cluster/machines/" + std::to_string(m) + "/straggler/" +
                                                     (factor <= delay ? "factor/shape" : "delay_s/shape")};
        const auto copies = job.workerDemand.copiesIn(machine.capacity, workers);
        heavy.insert(heavy.end(), static_cast<std::size_t>(copies), one);
    }
    const IterationShape shape = m_registry.makeSynchronization(synchronization)->shape(workers);
    const int left = shape.launched - std::min(shape.waitFor, shape.launched) + 1;
    if (shape.asynchronous || heavy.size() < static_cast<std::size_t>(left)) return;
    std::stable_sort(heavy.begin(), heavy.end(), [](const Heavy& a, const Heavy& b) { return a.index < b.index; });
    double sum = 0;
    for (int i = 0; i < left; ++i) sum += heavy[static_cast<std::size_t>(i)].index;
    if (sum > 1 || !m_tailsJudged.insert(heavy.front().law).second) return;
    report("no-mean",
           {TRAINYARD_TEXT("a law with this tail index has no mean, nor has the time of an update that waits for "
                           "{0} of {1} workers (job at {2}): single rounds may take arbitrarily long; choose a "
                           "shape above {3}, wait for fewer workers, or set a timeout"),
            {std::to_string(shape.waitFor), std::to_string(shape.launched), pointer, formatNumber(1.0 / left, 3)}},
           heavy.front().law,
           m_scenario.network == NetworkModel::rate && job.kind() == JobKind::analytic ? Severity::error
                                                                                       : Severity::warning);
}

} // namespace trainyard
