// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/GraphLookahead.h"

#include "base/Result.h"

#include <algorithm>
#include <limits>

namespace trainyard {

LookaheadDevices lookaheadDevices(const Cluster& cluster, std::span<const MachineId> machines) {
    RouteTable routes(cluster);
    return lookaheadDevices(cluster, machines, routes);
}

LookaheadDevices lookaheadDevices(const Cluster& cluster, std::span<const MachineId> machines, RouteTable& routes) {
    LookaheadDevices out;
    out.bandwidth = std::numeric_limits<double>::infinity();
    std::vector<MachineId> distinct(machines.begin(), machines.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (MachineId m : machines) out.speeds.push_back(cluster.speed(m));
    if (distinct.size() < machines.size() && cluster.localBandwidth > 0) out.bandwidth = cluster.localBandwidth;
    for (MachineId a : distinct)
        for (MachineId b : distinct) {
            if (a == b) continue;
            const auto route = routes.route(routes.vertexOf(a), routes.vertexOf(b));
            out.bandwidth = std::min(out.bandwidth, route ? route->bottleneck : 0.0);
            if (route) out.latencySeconds = std::max(out.latencySeconds, route->latency.toSeconds());
        }
    return out;
}

namespace {

/// Times of one step under construction: when each device is free and when each operation's last part is
/// done.
struct LookaheadRun {
    int degree;
    const LookaheadDevices& devices;
    std::vector<double> deviceFree;

    double transfer(double bytes) const {
        if (degree == 1 || (bytes <= 0 && devices.latencySeconds <= 0)) return 0;
        const double part = bytes > 0 ? bytes * (degree - 1) / degree / devices.bandwidth : 0;
        return devices.latencySeconds + part;
    }
    /// Runs all parts of one operation from `ready` on; returns when the last is done.
    double run(double seconds, double ready) {
        double done = ready;
        for (int p = 0; p < degree; ++p) {
            double& free = deviceFree[static_cast<std::size_t>(p)];
            free = std::max(free, ready) + seconds / (degree * devices.speeds[static_cast<std::size_t>(p)]);
            done = std::max(done, free);
        }
        return done;
    }
};

} // namespace

double stepSeconds(const ComputationGraph& graph, int degree, const LookaheadDevices& devices) {
    require(degree >= 1 && devices.speeds.size() >= static_cast<std::size_t>(degree),
            "a look-ahead needs as many devices as parts");
    const auto order = graph.topologicalOrder();
    require(order.size() == graph.operations.size(), "a computation graph has a cycle");
    LookaheadRun run{degree, devices, std::vector<double>(static_cast<std::size_t>(degree), 0.0)};
    std::vector<std::vector<std::uint32_t>> before(order.size()), after(order.size());
    for (const auto& d : graph.dependencies) {
        before[d.to].push_back(d.from);
        after[d.from].push_back(d.to);
    }
    std::vector<double> forwardDone(order.size(), 0.0), backwardDone(order.size(), 0.0);
    for (auto v : order) {
        double ready = 0;
        for (auto u : before[v])
            ready = std::max(ready, forwardDone[u] + run.transfer(graph.operations[u].activationBytes));
        forwardDone[v] = run.run(graph.operations[v].forwardSeconds, ready);
    }
    double end = 0;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const Operation& op = graph.operations[*it];
        double ready = forwardDone[*it];
        for (auto v : after[*it]) ready = std::max(ready, backwardDone[v] + run.transfer(op.activationBytes));
        backwardDone[*it] = run.run(op.backwardSeconds, ready);
        const double sum = op.parameterBytes > 0 ? 2 * run.transfer(op.parameterBytes) : 0;
        end = std::max({end, backwardDone[*it] + sum, forwardDone[*it]});
    }
    return end;
}

} // namespace trainyard
