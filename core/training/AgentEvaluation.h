// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How much an agent blocks over seeds that it was not trained on, and what simple rules block there. Training judges its candidates by it.
#include "base/Parallel.h"
#include "planning/agents/DegreeScorer.h"
#include "planning/graphs/DegreeRules.h"
#include "scenario/agents/AgentPlan.h"

#include <functional>

namespace trainyard {

/// Chooses among options; the system is advanced to the arrival.
using DegreeChooser =
    std::function<std::optional<std::size_t>(const LossSystem&, const GraphArrival&, std::span<const GraphOption>)>;

/// Share of arrivals that are blocked, by seed; jobs that run when the last one is due count as blocked. `choose` makes one chooser per seed.
std::vector<double> blockingOver(const GraphPricer& pricer, const GraphWorkload& workload, std::size_t arrivals,
                                 SeedRange seeds, const Parallel& parallel,
                                 const std::function<DegreeChooser(GraphPricer&)>& choose);
std::vector<double> blockingOf(const std::shared_ptr<const AfterStates>& states,
                               const std::shared_ptr<const DegreeNet>& net, const GraphPricer& pricer,
                               const GraphWorkload& workload, std::size_t arrivals, SeedRange seeds,
                               const Parallel& parallel);
std::vector<double> blockingOf(const DegreeRule& rule, const GraphPricer& pricer, const GraphWorkload& workload,
                               std::size_t arrivals, SeedRange seeds, const Parallel& parallel);

} // namespace trainyard
