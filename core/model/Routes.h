// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which directed links a transfer between two machines crosses. Shortest by hops; among equals the route is spread by
// destination (D-mod-k: a node's choice is the next digit of the destination's index, in mixed radix by the numbers of equal
// next hops on the way), so that fat trees behave as in the literature. Failed links are avoided; the table forgets its trees when one changes.
#include "model/Cluster.h"

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard {

/// 2·link for from → to, 2·link + 1 for to → from.
using DirectedLink = std::uint32_t;

class RouteTable {
public:
    explicit RouteTable(const Cluster& cluster);

    /// Vertices are machines, then switches, in the cluster's order.
    std::size_t vertexCount() const { return m_vertexCount; }
    std::uint32_t vertexOf(MachineId id) const { return id.value; }
    /// Of a machine or switch key; vertexCount() if there is none.
    std::uint32_t vertexOf(std::string_view key) const;

    struct Route {
        std::vector<DirectedLink> links; ///< empty if both ends are one vertex
        Duration latency{};
        double bottleneck = 0; ///< least bandwidth on the way, bytes/s; infinity if links is empty
    };
    /// nullopt if `to` cannot be reached.
    std::optional<Route> route(std::uint32_t from, std::uint32_t to);
    void setLinkUp(LinkId link, bool up);

private:
    struct Hop {
        std::uint32_t to;
        DirectedLink link;
    };
    struct Tree {
        std::vector<std::uint32_t> hops;
        std::vector<Hop> next;
        bool known = false;
    };
    const Tree& towards(std::uint32_t destination);

    std::vector<std::string> m_keys;
    std::vector<double> m_bandwidth;
    std::vector<Duration> m_latency;
    std::vector<bool> m_up;
    std::vector<std::vector<Hop>> m_neighbours;
    std::vector<Tree> m_trees;
    std::size_t m_vertexCount = 0;
};

} // namespace trainyard
