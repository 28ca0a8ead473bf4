// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Transfers that share directed links max-min fairly (flow-level model). Rates are re-solved incrementally
// when a flow starts, ends or a capacity changes. A plain value: copied when a simulation is cloned. Oracles:
// tests/core/tst_FlowNetwork.
#include "base/SimTime.h"
#include "engine/MaxMinRates.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace trainyard {

/// A load worth telling of.
struct LinkReport {
    DirectedLink link;
    double load; ///< bytes per second from now on
    /// Once the link has fallen idle: bytes that it carried since it was last idle, less what the reported loads
    /// add up to. Otherwise 0.
    double unreportedBytes = 0;
};

class FlowNetwork {
public:
    /// A load is reported when it differs from the last reported one by more than this share of the link's
    /// capacity, and whenever a link falls idle or begins to carry. With thousands of flows on one link each one that comes
    /// or goes moves the rates of all others by a trifle; what these trifles add up to is in unreportedBytes.
    static constexpr double reportedShare = 0.01;

    /// capacities: bytes per second of each directed link (2·link, 2·link + 1).
    explicit FlowNetwork(std::vector<double> capacities, FlowSolver solver = FlowSolver::incremental);
    FlowNetwork(const FlowNetwork&);
    FlowNetwork& operator=(const FlowNetwork&);
    FlowNetwork(FlowNetwork&&) noexcept;
    FlowNetwork& operator=(FlowNetwork&&) noexcept;
    ~FlowNetwork();

    /// Starts a transfer of `bytes` > 0 over a non-empty route at time `now` (never earlier than the last
    /// call's). `tag` is returned on completion. Several starts at one time are solved together, at the next
    /// nextCompletion()/advance().
    FlowId start(std::span<const DirectedLink> route, double bytes, std::uint64_t tag, SimTime now);
    /// Abandons a flow; returns the bytes it had left.
    double cancel(FlowId flow, SimTime now);
    /// 0 = the link is down: flows over it stand still.
    void setCapacity(DirectedLink link, double bytesPerSecond, SimTime now);
    /// One more link, numbered after the others.
    DirectedLink addLink(double bytesPerSecond);

    /// When the next flow ends if nothing changes; never() if none does. Rounded up to the next nanosecond.
    SimTime nextCompletion();
    /// Removes the flows that have ended by `now` and appends their tags in order of (finish time, FlowId).
    void complete(SimTime now, std::vector<std::uint64_t>& tags);

    double rate(FlowId flow);       ///< bytes per second now
    double load(DirectedLink link); ///< bytes per second now
    std::size_t activeFlows() const;
    /// Replaces `reports` by the links whose load has changed since the last call (see reportedShare), ascending.
    void takeLinkReports(std::vector<LinkReport>& reports);
    /// Solves everything from scratch by progressive filling; for tests and as the bounded fallback.
    std::vector<double> solveFromScratch() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
