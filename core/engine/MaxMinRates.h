#pragma once
// Max-min fair rates of flows over directed links, without any notion of time; FlowNetwork puts bytes and the
// clock on top. A plain value. One level λ per link: a flow's rate is the least level on its route, and the
// level of a link is the water-fill of its capacity over its flows, each capped by its other links (infinite
// while that leaves the link slack). The fixed point is the unique max-min allocation, because every flow is
// largest on the saturated link that caps it.
#include "model/Routes.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace trainyard {

/// Index of an active flow; reused after remove().
using FlowId = std::uint32_t;

enum class FlowSolver {
    incremental, ///< repairs the levels that a change touches
    fromScratch, ///< progressive filling after every change: the slow reference
};

class MaxMinRates {
public:
    MaxMinRates(std::vector<double> capacities, FlowSolver solver);

    /// A route may cross a link more than once; it then counts that often there. The rate is known after
    /// solve().
    FlowId add(std::span<const DirectedLink> route);
    void remove(FlowId flow);
    void setCapacity(DirectedLink link, double bytesPerSecond);

    /// True if something changed since the last solve().
    bool stale() const { return m_stale; }
    /// Brings all rates up to date. changed() is then the flows whose rate may differ from before, in a fixed
    /// order.
    void solve();
    std::span<const FlowId> changed() const { return m_changed; }
    void clearChanged();

    bool active(FlowId flow) const { return m_flows[flow].length > 0; }

    /// The following hold after solve().
    double rate(FlowId flow) const { return m_flows[flow].least; }
    double load(DirectedLink link);
    std::size_t activeFlows() const { return m_active; }
    std::size_t linkCount() const { return m_capacity.size(); }
    /// Links whose load changed by more than rounding since the last call, ascending.
    void takeChangedLinks(std::vector<DirectedLink>& links);
    /// The same rates by progressive filling, indexed by flow; 0 for unused indices.
    std::vector<double> solveFromScratch() const;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr double noLevel = std::numeric_limits<double>::infinity();

    /// The two least levels on a flow's route suffice to know its cap on every link of it.
    struct Flow {
        double least = 0;  ///< the rate
        double second = 0; ///< least over the links other than `bottleneck`
        double own = 0;    ///< least capacity on the route: no rate is above it
        DirectedLink bottleneck = none;
        std::uint32_t route = 0;  ///< first index in m_routeLinks
        std::uint32_t length = 0; ///< 0: unused index
        bool changed = false;
    };
    struct Crossing {
        FlowId flow;
        std::uint32_t position; ///< in m_routeLinks, so that a swap-removal can repair m_routeSlots
    };
    struct Share {
        double share;
        DirectedLink link;
        bool operator>(const Share& o) const { return share != o.share ? share > o.share : link > o.link; }
    };
    /// Working memory of progressive filling.
    struct Filling {
        std::vector<double> left, level, rate;
        std::vector<std::uint32_t> open; ///< crossings of flows not yet fixed
        std::vector<std::uint8_t> fixed;
        std::vector<Share> heap;
    };

    std::uint32_t allocateRoute(std::uint32_t length);
    double ownCap(const Flow& flow) const;
    void leastLevels(Flow& flow) const;
    void touch(DirectedLink link);
    void markChanged(FlowId flow);
    bool slack(DirectedLink link) const { return m_level[link] == noLevel; }
    void makeDirty(DirectedLink link);
    void refreshLoad(DirectedLink link);
    void addLoad(DirectedLink link, double change);
    void rateMoved(FlowId flow, double before, DirectedLink except);
    double waterFill(DirectedLink link);
    void setLevel(DirectedLink link, double level);
    bool repair();
    void fill(Filling& filling) const;
    void refill();

    // By link.
    std::vector<double> m_capacity, m_level;
    std::vector<double> m_load; ///< sum of the rates, while slack; a full link carries its capacity
    std::vector<double>
        m_rounded; ///< sum of what m_load has been since it was summed up: bounds its rounding error
    std::vector<double> m_reported; ///< by takeChangedLinks()
    std::vector<std::vector<Crossing>> m_crossings;
    std::vector<std::uint8_t> m_touched;
    std::vector<DirectedLink> m_touchedLinks;
    // By flow.
    std::vector<Flow> m_flows;
    std::vector<FlowId> m_freeFlows, m_changed;
    // Routes, flat; freed pieces are kept by length.
    std::vector<DirectedLink> m_routeLinks;
    std::vector<std::uint32_t> m_routeSlots; ///< where in m_crossings[link] that crossing stands
    std::vector<std::vector<std::uint32_t>> m_freeRoutes;

    std::vector<Share> m_dirty; ///< a heap by level when it became dirty
    std::vector<std::uint8_t> m_isDirty;
    std::vector<double> m_caps; ///< of the flows of the link being filled
    Filling m_filling;

    FlowSolver m_solver;
    std::size_t m_active = 0;
    bool m_stale = false;
};

} // namespace trainyard
