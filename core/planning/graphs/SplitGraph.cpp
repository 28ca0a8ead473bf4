// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/SplitGraph.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

int partsOf(const Operation& operation, int degree, const GraphSetting& setting) {
    if (degree <= 1 || !(operation.forwardSeconds > 0)) return 1;
    // Of a multiple of the quantum the division may be above a whole number by rounding. The published implementation rounds that up.
    const double quanta = operation.forwardSeconds / setting.quantumSeconds;
    const double whole = std::ceil(setting.exactDeadlines ? quanta : quanta * (1 - 1e-12));
    return std::max(1, static_cast<int>(std::min(2 * std::ceil(whole / 2), static_cast<double>(degree))));
}

/// Fills a SplitGraph. Halves: forward operations, then backward ones.
class SplitGraphBuilder {
public:
    SplitGraphBuilder(const ComputationGraph& graph, int degree, const GraphSetting& setting)
        : m_graph(graph), m_setting(setting), m_n(graph.operations.size()) {
        setOperations(degree);
        for (const Dependency& d : graph.dependencies) addEdge(d.from, d.to, d.from);
        if (m_n > 0) addEdge(graph.outputOperation(), m_n + graph.outputOperation(), graph.outputOperation());
        for (const Dependency& d : graph.dependencies) addEdge(m_n + d.to, m_n + d.from, d.from);
    }

    Result<SplitGraph> take() {
        if (m_out.partCount() > SplitGraph::mostParts || m_out.m_dependencies > SplitGraph::mostDependencies)
            return Problem{
                .code = "too-large",
                .message = {
                    TRAINYARD_TEXT("split so, the graph has {0} {0:part|parts} of operations and {1} dependencies; "
                                   "at most {2} and {3} can be looked ahead"),
                    {std::to_string(m_out.partCount()), std::to_string(m_out.m_dependencies),
                     std::to_string(SplitGraph::mostParts), std::to_string(SplitGraph::mostDependencies)}}};
        std::stable_sort(m_edges.begin(), m_edges.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
        m_out.m_rows.assign(2 * m_n + 1, 0);
        for (const Edge& e : m_edges) {
            ++m_out.m_rows[e.from + 1];
            m_out.m_edges.push_back(e.edge);
        }
        for (std::size_t i = 0; i < 2 * m_n; ++i) m_out.m_rows[i + 1] += m_out.m_rows[i];
        return std::move(m_out);
    }

private:
    struct Edge {
        std::size_t from;
        SplitEdge edge;
    };

    const Operation& operation(std::size_t half) const { return m_graph.operations[half % m_n]; }
    double memory(std::size_t half) const { return operation(half).activationBytes + operation(half).parameterBytes; }

    void setOperations(int degree) {
        SplitGraph& out = m_out;
        out.m_firstPart.push_back(0);
        for (std::size_t half = 0; half < 2 * m_n; ++half) {
            const Operation& op = operation(half);
            const bool backward = half >= m_n;
            const int parts = partsOf(op, degree, m_setting);
            out.m_parts.push_back(static_cast<std::uint16_t>(parts));
            out.m_partSeconds.push_back((backward ? op.backwardSeconds : op.forwardSeconds) / parts);
            out.m_partMemory.push_back(memory(half) / parts);
            const double exchanged = m_setting.synchronizesActivations ? memory(half) : op.parameterBytes;
            out.m_exchangeBytes.push_back(backward && parts > 1 ? exchanged / parts : 0);
            out.m_firstPart.push_back(out.m_firstPart.back() + static_cast<std::size_t>(parts));
            if (backward) out.m_dependencies += static_cast<std::size_t>(parts) * static_cast<std::size_t>(parts - 1);
            if (std::find(out.m_sizes.begin(), out.m_sizes.end(), parts) == out.m_sizes.end())
                out.m_sizes.push_back(parts);
        }
        std::sort(out.m_sizes.rbegin(), out.m_sizes.rend());
        out.m_predecessors.assign(2 * m_n, 0);
    }

    /// In the order in which the published implementation splits: by operation, forward before backward.
    std::size_t splitRank(std::size_t half) const { return 2 * (half % m_n) + (half >= m_n ? 1 : 0); }

    /// `carried`: the operation whose activation passes.
    double bytesOf(std::size_t from, std::size_t to, std::size_t carried) const {
        const int a = m_out.parts(from), b = m_out.parts(to);
        if (!m_setting.edgesCarryMemory) return m_graph.operations[carried].activationBytes / a / b;
        const bool byFrom = a > 1 && (b == 1 || splitRank(from) > splitRank(to));
        return memory(byFrom ? to : from) / a / b;
    }

    void addEdge(std::size_t from, std::size_t to, std::size_t carried) {
        m_edges.push_back({from, {static_cast<std::uint32_t>(to), bytesOf(from, to, carried)}});
        m_out.m_dependencies += static_cast<std::size_t>(m_out.parts(from)) * static_cast<std::size_t>(m_out.parts(to));
        m_out.m_predecessors[to] += static_cast<std::uint32_t>(m_out.parts(from));
    }

    const ComputationGraph& m_graph;
    const GraphSetting& m_setting;
    std::size_t m_n;
    SplitGraph m_out;
    std::vector<Edge> m_edges;
};

Result<SplitGraph> SplitGraph::make(const ComputationGraph& graph, int degree, const GraphSetting& setting) {
    require(degree >= 1, "a graph is split at least one way");
    return SplitGraphBuilder(graph, degree, setting).take();
}

} // namespace trainyard
