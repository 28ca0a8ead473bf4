// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What PAC-ML's agents see of an arrival (Parsonson et al., 2023; read in their environment): the job's graph with its backward pass as nodes
// and edges, numbers of job and cluster, and which degrees are allowed by count. Nothing tells which servers are free, or for how long.
// Unlike there, a node says whether it takes longest (there the number is always 0).
#include "learning/nets/DuelingGraphNet.h"
#include "planning/graphs/GraphArrivals.h"

namespace trainyard {

/// The graphs of a pricer as inputs. Immutable, shared.
class JobGraphs {
public:
    static constexpr std::size_t nodeNumbers = 5, edgeNumbers = 2;
    explicit JobGraphs(const GraphPricer& pricer);

    std::size_t count() const { return m_graphs.size(); }
    /// Nodes: seconds, whether they are the most, memory, whether that is the most, depth, as shares of the graph's most. Edges: bytes, likewise.
    const nets::NetGraph<float>& graph(std::size_t graph) const { return m_graphs[graph]; }

    /// Of a graph with its backward pass, not split.
    enum Number {
        operations,
        dependencies,
        sequential, ///< seconds of all steps
        memory,
        bytes, ///< of all dependencies
        meanSeconds,
        medianSeconds,
        meanMemory,
        medianMemory,
        meanBytes,
        medianBytes,
        numbers
    };
    double number(std::size_t graph, Number which) const { return m_numbers[graph][which]; }
    int servers() const { return m_servers; } ///< of the network

private:
    std::vector<nets::NetGraph<float>> m_graphs;
    std::vector<std::array<double, numbers>> m_numbers;
    int m_servers;
};

/// Observations of the arrivals of one workload, whose ranges they are relative to. Immutable.
class JobObservation {
public:
    static constexpr int mostDegree = 16;
    static constexpr std::size_t actions = mostDegree + 1; ///< number of parts; 0 refuses
    static constexpr std::size_t jobNumbers = 17, size = jobNumbers + actions;

    JobObservation(std::shared_ptr<const JobGraphs> graphs, const GraphWorkload& workload);
    const JobGraphs& graphs() const { return *m_graphs; }
    /// `size` numbers of a job at its arrival, to which the system is advanced; the last `actions` of them are 1 where it is allowed.
    void write(std::uint32_t graph, double beta, const LossSystem& system, std::span<const GraphOption> options,
               std::span<float> out) const;
    /// The widths of a network for it.
    static nets::DuelingGraphNet<float>::Widths widths(const std::vector<std::size_t>& hidden) {
        return {JobGraphs::nodeNumbers, JobGraphs::edgeNumbers, size, actions, hidden};
    }

private:
    struct Range {
        double least = 0, most = 0;
        float place(double x) const { return most > least ? static_cast<float>((x - least) / (most - least)) : 0.0F; }
        float share(double x) const { return most > 0 ? static_cast<float>(x / most) : 0.0F; }
    };
    std::shared_ptr<const JobGraphs> m_graphs;
    std::array<Range, JobGraphs::numbers> m_ranges;
    Range m_beta, m_acceptable;
};

} // namespace trainyard
