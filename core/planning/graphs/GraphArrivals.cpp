// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/GraphArrivals.h"

#include <cmath>

namespace trainyard {

std::vector<GraphArrival> drawArrivals(const GraphWorkload& workload, std::size_t count, std::uint64_t seed,
                                       std::uint64_t process) {
    RandomStream order(seed, Purpose::jobShape, process), gaps(seed, Purpose::arrival, process);
    std::vector<GraphArrival> pool;
    for (std::size_t r = 0; r < workload.replication; ++r)
        for (std::size_t g = 0; g < workload.graphs; ++g)
            pool.push_back({workload.number(g), 0, workload.beta.quantile(order.unit())});
    std::vector<GraphArrival> out;
    double now = 0;
    for (std::size_t left = 0; out.size() < count;) {
        if (left == 0) left = pool.size();
        const std::size_t drawn = order.below(left--);
        std::swap(pool[drawn], pool[left]);
        out.push_back(pool[left]);
        out.back().seconds = now;
        now = workload.poisson ? now - workload.gapSeconds * std::log(gaps.unit())
                               : static_cast<double>(out.size()) * workload.gapSeconds;
    }
    return out;
}

std::vector<GraphArrival> drawFuture(const GraphWorkload& workload, std::size_t count, double now, std::uint64_t seed,
                                     std::uint32_t item) {
    RandomStream random(seed, Purpose::policy, 0, item);
    std::vector<GraphArrival> out;
    for (std::size_t i = 0; i < count; ++i) {
        now += workload.poisson ? -workload.gapSeconds * std::log(random.unit()) : workload.gapSeconds;
        const std::uint32_t graph = workload.number(random.below(workload.graphs));
        out.push_back({graph, now, workload.beta.quantile(random.unit())});
    }
    return out;
}

} // namespace trainyard
