// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/ComputationGraph.h"

namespace trainyard {

double ComputationGraph::sequentialSeconds() const {
    double sum = 0;
    for (const auto& op : operations) sum += op.forwardSeconds + op.backwardSeconds;
    return sum;
}

double ComputationGraph::offeredBytes() const {
    double bytes = 0;
    for (const auto& op : operations) bytes += 2 * (op.activationBytes + op.parameterBytes);
    for (const auto& d : dependencies) // each has the activation of its own source, in the backward pass too
        bytes += operations[d.from].activationBytes + operations[d.to].activationBytes;
    if (!operations.empty()) bytes += operations[outputOperation()].activationBytes;
    return bytes;
}

std::uint32_t ComputationGraph::outputOperation() const {
    if (output) return *output;
    std::vector<bool> ends(operations.size(), true);
    for (const auto& d : dependencies) ends[d.from] = false;
    for (std::size_t v = operations.size(); v-- > 0;)
        if (ends[v]) return static_cast<std::uint32_t>(v);
    return 0; // of a graph with a cycle, or without operations
}

std::vector<std::uint32_t> ComputationGraph::topologicalOrder() const {
    std::vector<int> waiting(operations.size(), 0);
    std::vector<std::vector<std::uint32_t>> followers(operations.size());
    for (const auto& d : dependencies) {
        ++waiting[d.to];
        followers[d.from].push_back(d.to);
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < operations.size(); ++v)
        if (waiting[v] == 0) order.push_back(v);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (auto v : followers[order[i]])
            if (--waiting[v] == 0) order.push_back(v);
    return order.size() == operations.size() ? order : std::vector<std::uint32_t>{};
}

} // namespace trainyard
