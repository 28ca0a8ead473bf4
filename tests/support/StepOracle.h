// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One training step of a split graph by the plainest simulation: every part and every dependency between parts has what is left of it, and
// each round subtracts from all that move. Slow; independent of planning/graphs/BlockLookahead but for the splitting and the formula of one
// all-reduce.
#include "planning/graphs/BlockLookahead.h"

#include <algorithm>
#include <limits>
#include <map>

namespace trainyard::test {

struct OracleTimes {
    double seconds = 0, communicationSeconds = 0;
};

class StepOracle {
public:
    StepOracle(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
               const GraphSetting& setting)
        : m_graph(graph), m_placement(placement), m_network(network), m_setting(setting) {
        for (std::size_t v = 0; v < graph.operations(); ++v)
            for (int i = 0; i < graph.parts(v); ++i)
                m_parts.push_back({v, server(v, i), graph.partSeconds(v), 0, 0, false});
        addDependencies();
    }

    OracleTimes run() {
        OracleTimes out;
        for (;;) {
            std::vector<std::size_t> working = chosen();
            std::vector<std::size_t> moving;
            bool still = false;
            for (std::size_t d = 0; d < m_dependencies.size(); ++d)
                if (isReady(m_dependencies[d])) {
                    moving.push_back(d);
                    still = still || !m_dependencies[d].flows;
                }
            if (working.empty() && moving.empty()) return out;
            if (still) {
                for (const std::size_t d : moving)
                    if (!m_dependencies[d].flows) finish(m_dependencies[d]);
                continue;
            }
            const double tick = std::min(leastWork(working), leastTop(moving));
            for (const std::size_t p : working) m_parts[p].left -= tick;
            for (const std::size_t d : moving) m_dependencies[d].left -= tick;
            for (const std::size_t p : working) m_parts[p].done = m_parts[p].left < tiny;
            for (const std::size_t d : moving)
                if (m_dependencies[d].left < tiny) finish(m_dependencies[d]);
            out.seconds += tick;
            if (!moving.empty()) out.communicationSeconds += tick;
        }
    }

private:
    static constexpr double tiny = 1e-13;
    struct Part {
        std::size_t operation;
        int server;
        double left;
        std::uint32_t parents, arrived;
        bool done;
    };
    struct Depends {
        std::size_t from, to, edge; ///< parts; edge: rank among equally long ones
        double bytes, seconds, left;
        bool exchange, flows, done;
    };

    int server(std::size_t operation, int part) const {
        return m_placement[operation % m_graph.forwardOperations()][static_cast<std::size_t>(part)];
    }

    void addDependencies() {
        std::size_t edge = 0;
        for (std::size_t u = 0; u < m_graph.operations(); ++u)
            for (const SplitEdge& e : m_graph.after(u)) {
                for (int i = 0; i < m_graph.parts(u); ++i)
                    for (int j = 0; j < m_graph.parts(e.to); ++j) add(u, i, e.to, j, edge, e.bytes, false);
                ++edge;
            }
        for (std::size_t u = 0; u < m_graph.operations(); ++u) {
            for (int i = 0; i < m_graph.parts(u); ++i)
                for (int j = 0; j < m_graph.parts(u); ++j)
                    if (i != j && m_graph.isBackward(u)) add(u, i, u, j, edge, m_graph.exchangeBytes(u), true);
            ++edge;
        }
        const std::size_t n = m_graph.forwardOperations();
        for (std::size_t v = 0; v < n; ++v) {
            if (m_graph.parts(v) == 1) continue;
            collect([&](const Depends& d) { return !d.exchange && m_parts[d.from].operation == v; });
            collect([&](const Depends& d) { return !d.exchange && m_parts[d.to].operation == n + v; });
        }
        for (Depends& d : m_dependencies) d.left = d.seconds;
    }

    void add(std::size_t u, int i, std::size_t v, int j, std::size_t edge, double bytes, bool exchange) {
        const std::size_t from = m_graph.firstPart(u) + static_cast<std::size_t>(i);
        const std::size_t to = m_graph.firstPart(v) + static_cast<std::size_t>(j);
        if (!exchange) ++m_parts[to].parents;
        const int a = m_parts[from].server, b = m_parts[to].server;
        double seconds = m_network.propagationSeconds + 2 * m_network.ioSeconds +
                         bytes / (m_network.nodeBandwidth / m_network.groups);
        if (exchange)
            seconds = allReduceSeconds(m_network, m_setting,
                                       spreadOf(m_network, ServerMask{1} << a | ServerMask{1} << b), 2 * bytes);
        m_dependencies.push_back({from, to, edge, bytes, seconds, 0, exchange, a != b && bytes > 0, false});
    }

    /// Whether they go from and to the same servers, counted by dependency: then they are one all-reduce.
    template <class Member>
    void collect(Member member) {
        std::vector<int> from, to;
        ServerMask servers = 0;
        double bytes = 0;
        for (const Depends& d : m_dependencies) {
            if (!member(d)) continue;
            from.push_back(m_parts[d.from].server);
            to.push_back(m_parts[d.to].server);
            servers |= ServerMask{1} << from.back();
            bytes += d.bytes;
        }
        std::sort(from.begin(), from.end());
        std::sort(to.begin(), to.end());
        if (from != to || from.empty()) return;
        for (Depends& d : m_dependencies)
            if (member(d)) d.seconds = allReduceSeconds(m_network, m_setting, spreadOf(m_network, servers), bytes);
    }

    bool isReady(const Depends& d) const { return !d.done && m_parts[d.from].done; }

    void finish(Depends& d) {
        d.done = true;
        if (!d.exchange || m_setting.exchangesCountAsPredecessors) ++m_parts[d.to].arrived;
    }

    std::vector<std::size_t> chosen() const {
        std::map<int, std::size_t> best;
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            const Part& part = m_parts[p];
            if (part.done || part.arrived < part.parents) continue;
            const auto [at, first] = best.emplace(part.server, p);
            // The shortest; of equally long ones the later.
            if (!first && m_graph.partSeconds(part.operation) <= m_graph.partSeconds(m_parts[at->second].operation))
                at->second = p;
        }
        std::vector<std::size_t> out;
        for (const auto& [server, p] : best) out.push_back(p);
        return out;
    }

    double leastWork(const std::vector<std::size_t>& working) const {
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t p : working) least = std::min(least, m_parts[p].left);
        return least;
    }

    double leastTop(const std::vector<std::size_t>& moving) const {
        std::map<std::pair<int, int>, const Depends*> top;
        for (const std::size_t d : moving) {
            const Depends& one = m_dependencies[d];
            const Depends*& best = top[{m_parts[one.from].server, m_parts[one.to].server}];
            if (!best || one.seconds < best->seconds || (one.seconds == best->seconds && one.edge >= best->edge))
                best = &one;
        }
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [channel, d] : top) least = std::min(least, d->left);
        return least;
    }

    const SplitGraph& m_graph;
    const GraphPlacement& m_placement;
    const OpticalNetwork& m_network;
    const GraphSetting& m_setting;
    std::vector<Part> m_parts;
    std::vector<Depends> m_dependencies;
};

inline OracleTimes oracleStep(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
                              const GraphSetting& setting) {
    return StepOracle(graph, placement, network, setting).run();
}

} // namespace trainyard::test
