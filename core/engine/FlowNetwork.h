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

class FlowNetwork {
public:
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

    /// When the next flow ends if nothing changes; never() if none does. Rounded up to the next nanosecond.
    SimTime nextCompletion();
    /// Removes the flows that have ended by `now` and appends their tags in order of (finish time, FlowId).
    void complete(SimTime now, std::vector<std::uint64_t>& tags);

    double rate(FlowId flow);       ///< bytes per second now
    double load(DirectedLink link); ///< bytes per second now
    std::size_t activeFlows() const;
    /// Replaces `links` by those whose load changed since the last call (by more than rounding), ascending.
    void takeChangedLinks(std::vector<DirectedLink>& links);
    /// Solves everything from scratch by progressive filling; for tests and as the bounded fallback.
    std::vector<double> solveFromScratch() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
