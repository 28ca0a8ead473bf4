// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/AgentEvaluation.h"

#include <algorithm>

namespace trainyard {

namespace {

double blockedShare(GraphPricer& pricer, const std::vector<GraphArrival>& arrivals, double end,
                    const DegreeChooser& choose) {
    LossSystem system;
    std::vector<GraphOption> options;
    std::size_t served = 0;
    for (const GraphArrival& job : arrivals) {
        system.advance(job.seconds);
        pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options,
                        system.ending());
        const auto chosen = choose(system, job, options);
        if (!chosen || options[*chosen].state != OptionState::inTime) continue;
        const double until = job.seconds + options[*chosen].seconds;
        system.place(options[*chosen].servers, until);
        if (until <= end) ++served;
    }
    return 1 - static_cast<double>(served) / static_cast<double>(arrivals.size());
}

} // namespace

std::vector<double> blockingOver(const GraphPricer& pricer, const GraphWorkload& workload, std::size_t arrivals,
                                 SeedRange seeds, const Parallel& parallel,
                                 const std::function<DegreeChooser(GraphPricer&)>& choose) {
    std::vector<double> out(seeds.count);
    parallel.forEach(seeds.count, [&](std::size_t i) {
        GraphPricer own = pricer;
        own.forget();
        const DegreeChooser chooser = choose(own);
        own.forget();
        const auto drawn = drawArrivals(workload, arrivals, seeds.first + i);
        out[i] = blockedShare(own, drawn,
                              std::max(drawn.back().seconds, static_cast<double>(arrivals - 1) * workload.gapSeconds),
                              chooser);
    });
    return out;
}

std::vector<double> blockingOf(const std::shared_ptr<const AfterStates>& states,
                               const std::shared_ptr<const DegreeNet>& net, const GraphPricer& pricer,
                               const GraphWorkload& workload, std::size_t arrivals, SeedRange seeds,
                               const Parallel& parallel) {
    return blockingOver(pricer, workload, arrivals, seeds, parallel, [&](GraphPricer& own) -> DegreeChooser {
        return [scorer = makeScorer(states, net, own, workload)](const LossSystem& system, const GraphArrival& job,
                                                                 std::span<const GraphOption> options) {
            return scorer->choose({system, job.seconds, job.graph, job.beta, options});
        };
    });
}

std::vector<double> blockingOf(const DegreeRule& rule, const GraphPricer& pricer, const GraphWorkload& workload,
                               std::size_t arrivals, SeedRange seeds, const Parallel& parallel) {
    return blockingOver(pricer, workload, arrivals, seeds, parallel, [&](GraphPricer&) -> DegreeChooser {
        return [&rule, random = RandomStream(0, Purpose::policy)](const LossSystem&, const GraphArrival& job,
                                                                  std::span<const GraphOption> options) mutable {
            return chosenOption(rule, options, job.beta, random);
        };
    });
}

} // namespace trainyard
