// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Arrivals of graph jobs: graphs from a pool without replacement, deadlines by a discrete law, at fixed intervals or as a Poisson process.
#include "base/DiscreteLaw.h"
#include "base/Random.h"
#include "planning/graphs/LossSystem.h"

namespace trainyard {

struct GraphWorkload {
    std::size_t graphs = 1; ///< equally frequent in the pool
    std::size_t replication =
        1; ///< of each graph in the pool; it is filled again when it is empty, with the same deadlines
    DiscreteLaw beta;
    double gapSeconds = 1; ///< between arrivals, or their mean
    bool poisson = false;
    std::vector<std::uint32_t> numbers = {}; ///< of the graphs in a pricer; empty: 0, 1, …

    std::uint32_t number(std::size_t graph) const {
        return numbers.empty() ? static_cast<std::uint32_t>(graph) : numbers[graph];
    }
};

/// The first at 0. The same seed and number of the process give the same.
std::vector<GraphArrival> drawArrivals(const GraphWorkload& workload, std::size_t count, std::uint64_t seed,
                                       std::uint64_t process = 0);

/// One after another, each graph equally likely: what is expected of the future where the rest of the pool is not known. `item` tells
/// several futures from each other.
std::vector<GraphArrival> drawFuture(const GraphWorkload& workload, std::size_t count, double now, std::uint64_t seed,
                                     std::uint32_t item);

} // namespace trainyard
