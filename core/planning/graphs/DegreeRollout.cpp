// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/DegreeRollout.h"

namespace trainyard {

namespace {

int jobsInTime(const DegreeRule& base, GraphPricer& pricer, LossSystem system, const std::vector<GraphArrival>& future,
               RandomStream random) {
    int served = 0;
    for (const GraphArrival& job : future) {
        system.advance(job.seconds);
        const auto chosen = chosenOption(base, pricer, system, job.graph, job.beta, random);
        if (!chosen || chosen->state != OptionState::inTime) continue;
        system.place(chosen->servers, job.seconds + chosen->seconds);
        ++served;
    }
    return served;
}

} // namespace

RolloutChoice rolledOut(const RolloutSettings& settings, GraphPricer& pricer, const LossSystem& system,
                        const GraphWorkload& workload, std::span<const GraphOption> options, double now, double beta,
                        std::uint64_t seed, std::uint32_t decision) {
    RolloutChoice out;
    out.values.assign(options.size(), -1);
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].state == OptionState::inTime) candidates.push_back(i);
    if (candidates.empty()) return out;
    out.option = candidates.front();
    if (candidates.size() == 1 && !settings.mayRefuse) return out; // nothing to compare
    RandomStream own(seed, Purpose::policy, 1, decision);
    std::vector<double> sums(options.size(), 0);
    double refusing = 0;
    for (int f = 0; f < settings.futures; ++f) {
        const auto future =
            drawFuture(workload, static_cast<std::size_t>(settings.arrivals), now, seed,
                       decision * static_cast<std::uint32_t>(settings.futures) + static_cast<std::uint32_t>(f));
        const RandomStream random(seed, Purpose::policy, 2, static_cast<std::uint32_t>(f));
        if (settings.mayRefuse) refusing += jobsInTime(settings.base, pricer, system, future, random);
        for (const std::size_t i : candidates) {
            LossSystem after = system;
            after.place(options[i].servers, now + options[i].seconds);
            sums[i] += 1 + jobsInTime(settings.base, pricer, after, future, random);
        }
    }
    // Of equal ones the base rule's own, else the smallest.
    const auto usual = chosenOption(settings.base, options, beta, own);
    if (usual && options[*usual].state == OptionState::inTime) out.option = usual;
    for (const std::size_t i : candidates) {
        out.values[i] = sums[i] / settings.futures;
        if (sums[i] > sums[*out.option]) out.option = i;
    }
    if (!settings.mayRefuse) return out;
    out.refusing = refusing / settings.futures;
    if (refusing > sums[*out.option]) out.option.reset();
    return out;
}

} // namespace trainyard
