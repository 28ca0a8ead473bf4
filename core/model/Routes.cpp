// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/Routes.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace trainyard {

RouteTable::RouteTable(const Cluster& cluster) : m_vertexCount(cluster.machines.size() + cluster.switches.size()) {
    std::unordered_map<std::string_view, std::uint32_t> byKey;
    for (const auto& m : cluster.machines) m_keys.push_back(m.key);
    for (const auto& s : cluster.switches) m_keys.push_back(s.key);
    for (std::uint32_t v = 0; v < m_keys.size(); ++v) byKey.emplace(m_keys[v], v);
    m_neighbours.resize(m_vertexCount);
    for (std::uint32_t l = 0; l < cluster.links.size(); ++l) {
        const auto& link = cluster.links[l];
        m_bandwidth.push_back(link.bandwidth);
        m_latency.push_back(link.latency);
        const auto a = byKey.find(link.from), b = byKey.find(link.to);
        if (a == byKey.end() || b == byKey.end()) continue;
        m_neighbours[a->second].push_back({b->second, 2 * l});
        m_neighbours[b->second].push_back({a->second, 2 * l + 1});
    }
    m_up.assign(cluster.links.size(), true);
    m_trees.resize(m_vertexCount);
}

std::uint32_t RouteTable::vertexOf(std::string_view key) const {
    return static_cast<std::uint32_t>(std::find(m_keys.begin(), m_keys.end(), key) - m_keys.begin());
}

void RouteTable::setLinkUp(LinkId link, bool up) {
    if (m_up[link.index()] == up) return;
    m_up[link.index()] = up;
    for (auto& tree : m_trees) tree = {};
}

// Breadth first from the destination; then each vertex picks among its n neighbours that are one hop nearer. The destination's
// index is read as a number in mixed radix: a vertex uses the digit after those used by the vertices before it on the way
// (divisor = product of their n), as D-mod-k does level by level on a fat tree. Were every vertex to use the lowest digit,
// the second level of switches would send everything over one of its up-links.
const RouteTable::Tree& RouteTable::towards(std::uint32_t destination) {
    Tree& tree = m_trees[destination];
    if (tree.known) return tree;
    constexpr auto far = std::numeric_limits<std::uint32_t>::max();
    tree.hops.assign(m_vertexCount, far);
    tree.next.assign(m_vertexCount, Hop{far, 0});
    std::vector<std::uint32_t> frontier{destination};
    tree.hops[destination] = 0;
    for (std::size_t i = 0; i < frontier.size(); ++i)
        for (const Hop& hop : m_neighbours[frontier[i]])
            if (m_up[hop.link / 2] && tree.hops[hop.to] == far) {
                tree.hops[hop.to] = tree.hops[frontier[i]] + 1;
                frontier.push_back(hop.to);
            }
    std::vector<Hop> nearer;
    std::vector<std::uint64_t> divisor(m_vertexCount, 1);
    for (std::size_t i = frontier.size(); i-- > 1;) { // farthest first
        const std::uint32_t v = frontier[i];
        nearer.clear();
        for (const Hop& hop : m_neighbours[v])
            if (m_up[hop.link / 2] && tree.hops[hop.to] + 1 == tree.hops[v]) nearer.push_back(hop);
        tree.next[v] = nearer[destination / divisor[v] % nearer.size()];
        const std::uint64_t after = std::min<std::uint64_t>(divisor[v] * nearer.size(), far);
        for (const Hop& hop : nearer) divisor[hop.to] = std::max(divisor[hop.to], after);
    }
    tree.known = true;
    return tree;
}

std::optional<RouteTable::Route> RouteTable::route(std::uint32_t from, std::uint32_t to) {
    Route out;
    out.bottleneck = std::numeric_limits<double>::infinity();
    if (from == to) return out;
    const Tree& tree = towards(to);
    if (tree.next[from].to == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    for (std::uint32_t v = from; v != to; v = tree.next[v].to) {
        const auto link = tree.next[v].link;
        out.links.push_back(link);
        out.latency += m_latency[link / 2];
        out.bottleneck = std::min(out.bottleneck, m_bandwidth[link / 2]);
    }
    return out;
}

} // namespace trainyard
