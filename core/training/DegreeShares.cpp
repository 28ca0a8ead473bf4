// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/DegreeShares.h"

#include <algorithm>
#include <mutex>

namespace trainyard {

namespace {

/// Of one seed. The last count is of those that were not placed.
using Counts = std::vector<std::size_t>;

DegreeShares sharesOver(const GraphPricer& pricer, const GraphWorkload& workload, std::size_t arrivals, SeedRange seeds,
                        const Parallel& parallel, const std::function<DegreeChooser(GraphPricer&)>& choose) {
    const std::vector<int>& degrees = pricer.degrees();
    std::mutex mutex;
    std::vector<std::shared_ptr<Counts>> all; // whole numbers: their sum does not depend on the order
    blockingOver(pricer, workload, arrivals, seeds, parallel, [&](GraphPricer& own) -> DegreeChooser {
        auto counts = std::make_shared<Counts>(degrees.size() + 1);
        {
            const std::scoped_lock lock(mutex);
            all.push_back(counts);
        }
        return [counts, &degrees, chooser = choose(own)](const LossSystem& system, const GraphArrival& job,
                                                         std::span<const GraphOption> options) {
            const auto chosen = chooser(system, job, options);
            const bool placed = chosen && options[*chosen].state == OptionState::inTime;
            const auto at = placed ? std::ranges::lower_bound(degrees, options[*chosen].degree) : degrees.end();
            ++(*counts)[static_cast<std::size_t>(at - degrees.begin())];
            return chosen;
        };
    });
    DegreeShares out{degrees, std::vector<double>(degrees.size()), 0};
    const double each = 1 / static_cast<double>(std::max<std::size_t>(arrivals * seeds.count, 1));
    for (std::size_t d = 0; d <= degrees.size(); ++d) {
        std::size_t sum = 0;
        for (const auto& counts : all) sum += (*counts)[d];
        (d < degrees.size() ? out.served[d] : out.blocked) = static_cast<double>(sum) * each;
    }
    return out;
}

} // namespace

DegreeShares degreeSharesOf(const DegreeRule& rule, const GraphPricer& pricer, const GraphWorkload& workload,
                            std::size_t arrivals, SeedRange seeds, const Parallel& parallel) {
    return sharesOver(pricer, workload, arrivals, seeds, parallel, [&](GraphPricer&) -> DegreeChooser {
        return [&rule, random = RandomStream(0, Purpose::policy)](const LossSystem&, const GraphArrival& job,
                                                                  std::span<const GraphOption> options) mutable {
            return chosenOption(rule, options, job.beta, random);
        };
    });
}

DegreeShares degreeSharesOf(const std::shared_ptr<const AfterStates>& states,
                            const std::shared_ptr<const DegreeNet>& net, const GraphPricer& pricer,
                            const GraphWorkload& workload, std::size_t arrivals, SeedRange seeds,
                            const Parallel& parallel) {
    return sharesOver(pricer, workload, arrivals, seeds, parallel, [&](GraphPricer& own) -> DegreeChooser {
        return [scorer = makeScorer(states, net, own, workload)](const LossSystem& system, const GraphArrival& job,
                                                                 std::span<const GraphOption> options) {
            return scorer->choose({system, job.seconds, job.graph, job.beta, options});
        };
    });
}

} // namespace trainyard
