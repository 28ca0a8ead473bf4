// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Rollout: each degree that is placeable and in time is tried, the same drawn futures are played on with a base rule after each, and the
// degree with most jobs in time over all of them is taken, or none where refusing leaves more (Bertsekas, Tsitsiklis and Wu, 1997). One step of policy improvement; not a bound.
#include "planning/graphs/DegreeRules.h"
#include "planning/graphs/GraphArrivals.h"

namespace trainyard {

struct RolloutSettings {
    DegreeRule base;
    int futures = 48;  ///< fewer hurt
    int arrivals = 50; ///< of each future
    /// A job may be refused though an option is in time, where more jobs of the futures are in time without it.
    bool mayRefuse = true;
};

/// Jobs in time per future, the one at hand included, by option: negative where it is not in time, or there was nothing to compare.
struct RolloutChoice {
    std::optional<std::size_t> option; ///< none: none is in time, or it is refused
    std::vector<double> values;
    double refusing = -1; ///< likewise, without the one at hand
};

/// `options`: those of a job that arrives at `now` in `system`, which is advanced to it. `seed` and `decision` name the futures.
RolloutChoice rolledOut(const RolloutSettings& settings, GraphPricer& pricer, const LossSystem& system,
                        const GraphWorkload& workload, std::span<const GraphOption> options, double now, double beta,
                        std::uint64_t seed, std::uint32_t decision);

} // namespace trainyard
