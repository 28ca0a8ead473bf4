// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedRoutes.h"

#include <algorithm>

namespace trainyard {

Duration KeyedRoutes::least() const {
    Duration least = Duration::max();
    for (const KeyedRoute& route : m_routes)
        if (route.up) least = std::min(least, route.latency);
    return least;
}

KeyedRoute keyedRoute(const RouteTable::Route* route, const Cluster& cluster) {
    KeyedRoute out;
    if (!route || route->links.empty()) return out;
    out.up = true;
    out.latency = std::max(route->latency, KeyedRoutes::leastLatency);
    out.sendingNs = 1e9 / cluster.links[route->links.front() / 2].bandwidth;
    out.receivingNs = 1e9 / cluster.links[route->links.back() / 2].bandwidth;
    out.links = route->links;
    return out;
}

} // namespace trainyard
