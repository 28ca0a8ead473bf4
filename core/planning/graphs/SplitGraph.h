// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A computation graph with its backward pass, each operation split into equal parts. Of n operations v, 0 … n − 1 are the forward ones and
// n + v the backward ones: dependencies of the forward pass, the same reversed in the backward pass, and one from the output to its own
// backward operation. Both have as many parts. Parts of two operations that depend on each other depend each on each, so that dependencies
// are kept by operation, in compressed rows, and those of the parts are implied; the parts of a backward operation besides exchange what
// keeps their parameters equal. Built once for a graph and a degree; the look-ahead and placing read it.
#include "base/Result.h"
#include "model/ComputationGraph.h"
#include "planning/graphs/GraphSetting.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trainyard {

struct SplitEdge {
    std::uint32_t to = 0; ///< operation
    double bytes = 0;     ///< of each dependency between two parts
};

class SplitGraph {
public:
    /// What one look-ahead may hold; larger graphs are refused where they are split.
    static constexpr std::size_t mostParts = 1'000'000, mostDependencies = 8'000'000;

    /// `degree` ≥ 1; the graph has no cycle. Problem "too-large": more parts or dependencies than the above.
    static Result<SplitGraph> make(const ComputationGraph& graph, int degree, const GraphSetting& setting);

    std::size_t forwardOperations() const { return m_parts.size() / 2; }
    std::size_t operations() const { return m_parts.size(); } ///< forward and backward
    bool isBackward(std::size_t operation) const { return operation >= forwardOperations(); }
    int parts(std::size_t operation) const { return m_parts[operation]; }
    double partSeconds(std::size_t operation) const { return m_partSeconds[operation]; }
    double partMemory(std::size_t operation) const { return m_partMemory[operation]; }
    /// Where its parts begin in one numbering of all parts.
    std::size_t firstPart(std::size_t operation) const { return m_firstPart[operation]; }
    std::size_t partCount() const { return m_firstPart.back(); }
    /// Dependencies between parts, exchanges among them.
    std::size_t dependencyCount() const { return m_dependencies; }
    std::span<const SplitEdge> after(std::size_t operation) const {
        return {m_edges.data() + m_rows[operation], m_rows[operation + 1] - m_rows[operation]};
    }
    std::size_t edgeIndex(std::size_t operation) const { return m_rows[operation]; }
    std::size_t edgeCount() const { return m_edges.size(); } ///< between operations
    /// Parts on which each part of the operation waits, exchanges aside.
    std::uint32_t predecessors(std::size_t operation) const { return m_predecessors[operation]; }
    /// Bytes that each part of a backward operation sends to each other one; 0 of forward operations.
    double exchangeBytes(std::size_t operation) const { return m_exchangeBytes[operation]; }
    /// The distinct numbers of parts, descending.
    const std::vector<int>& sizes() const { return m_sizes; }

private:
    SplitGraph() = default;
    std::vector<std::uint16_t> m_parts; ///< these by operation
    std::vector<double> m_partSeconds, m_partMemory, m_exchangeBytes;
    std::vector<std::uint32_t> m_predecessors;
    std::vector<std::size_t> m_firstPart, m_rows; ///< one more
    std::vector<SplitEdge> m_edges;
    std::vector<int> m_sizes;
    std::size_t m_dependencies = 0;
    friend class SplitGraphBuilder;
};

/// Into how many parts an operation is split at most so many ways.
int partsOf(const Operation& operation, int degree, const GraphSetting& setting);

} // namespace trainyard
