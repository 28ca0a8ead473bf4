// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/BlockLookahead.h"

#include <algorithm>

namespace trainyard {

namespace {

/// Edges whose messages may form one all-reduce.
struct MessageGroup {
    std::vector<std::pair<std::size_t, std::size_t>> edges; ///< source, index
};

class MessageTimes {
public:
    MessageTimes(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
                 const GraphSetting& setting)
        : m_graph(graph), m_placement(placement), m_network(network), m_setting(setting), m_edges(allEdges(graph)) {}

    std::vector<double> seconds() {
        std::vector<double> out;
        std::vector<std::vector<std::size_t>> leaving(m_graph.operations()), reaching(m_graph.operations());
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            out.push_back(oneToOneSeconds(m_network, m_edges[e].bytes));
            leaving[m_edges[e].from].push_back(e);
            reaching[m_edges[e].to].push_back(e);
        }
        const std::size_t n = m_graph.forwardOperations();
        for (std::size_t v = 0; v < n; ++v) {
            if (m_graph.parts(v) == 1) continue;
            for (const std::vector<std::size_t>* group : {&leaving[v], &reaching[n + v]})
                if (const double all = collectiveSeconds(*group); all >= 0)
                    for (const std::size_t e : *group) out[e] = all;
        }
        return out;
    }

private:
    struct FlatEdge {
        std::size_t from, to;
        double bytes;
    };

    static std::vector<FlatEdge> allEdges(const SplitGraph& graph) {
        std::vector<FlatEdge> out;
        for (std::size_t u = 0; u < graph.operations(); ++u)
            for (const SplitEdge& e : graph.after(u)) out.push_back({u, e.to, e.bytes});
        return out;
    }

    std::span<const std::uint8_t> serversOf(std::size_t operation) const {
        return m_placement[operation % m_graph.forwardOperations()];
    }

    /// Negative: it is none. Servers are counted once for each dependency that leaves or reaches them.
    double collectiveSeconds(const std::vector<std::size_t>& group) const {
        std::array<std::int64_t, OpticalNetwork::mostServers> balance{};
        ServerMask servers = 0;
        double bytes = 0;
        for (const std::size_t e : group) {
            const auto from = serversOf(m_edges[e].from), to = serversOf(m_edges[e].to);
            for (const std::uint8_t s : from) {
                balance[s] += static_cast<std::int64_t>(to.size());
                servers |= ServerMask{1} << s;
            }
            for (const std::uint8_t s : to) balance[s] -= static_cast<std::int64_t>(from.size());
            bytes += m_edges[e].bytes * static_cast<double>(from.size()) * static_cast<double>(to.size());
        }
        if (group.empty() || std::any_of(balance.begin(), balance.end(), [](std::int64_t b) { return b != 0; }))
            return -1;
        return allReduceSeconds(m_network, m_setting, spreadOf(m_network, servers), bytes);
    }

    const SplitGraph& m_graph;
    const GraphPlacement& m_placement;
    const OpticalNetwork& m_network;
    const GraphSetting& m_setting;
    std::vector<FlatEdge> m_edges; ///< as numbered
};

} // namespace

std::vector<double> messageSeconds(const SplitGraph& graph, const GraphPlacement& placement,
                                   const OpticalNetwork& network, const GraphSetting& setting) {
    return MessageTimes(graph, placement, network, setting).seconds();
}

} // namespace trainyard
