// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What messages between the nodes of a keyed job take: latency of the present route, and transmission at both network interfaces.
#include "base/SimTime.h"
#include "model/Routes.h"

#include <vector>

namespace trainyard {

struct KeyedRoute {
    bool up = false;
    Duration latency;                      ///< at least KeyedRoutes::leastLatency
    double sendingNs = 0, receivingNs = 0; ///< per byte, at the sender's and at the receiver's network interface
    std::vector<DirectedLink> links;
};

class KeyedRoutes {
public:
    static constexpr Duration leastLatency = Duration::nanoseconds(1000);

    explicit KeyedRoutes(std::size_t nodes) : m_nodes(nodes), m_routes(nodes * nodes) {}
    KeyedRoute& between(std::size_t from, std::size_t to) { return m_routes[from * m_nodes + to]; }
    const KeyedRoute& between(std::size_t from, std::size_t to) const { return m_routes[from * m_nodes + to]; }
    std::size_t nodes() const { return m_nodes; }
    /// The least of all routes that are up: how far nodes may run on their own.
    Duration least() const;

private:
    std::size_t m_nodes;
    std::vector<KeyedRoute> m_routes;
};

/// Of so many bytes, at one network interface.
inline Duration transmissionTime(std::uint64_t bytes, double nsPerByte) {
    return Duration::nanoseconds(static_cast<std::int64_t>(static_cast<double>(bytes) * nsPerByte + 0.5));
}

/// A route as the network has it now; null: there is none.
KeyedRoute keyedRoute(const RouteTable::Route* route, const Cluster& cluster);

} // namespace trainyard
