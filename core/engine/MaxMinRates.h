// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Max-min fair rates of flows over directed links, without any notion of time; FlowNetwork puts bytes and the
// clock on top. A plain value. One level λ per link: a flow's rate is the least level on its route, and the
// level of a link is the water-fill of its capacity over its flows, each capped by its other links (infinite
// while that leaves the link slack). The fixed point is the unique max-min allocation, because every flow is
// largest on the saturated link that caps it.
//
// A sole bottleneck is a link that alone holds back every flow on it, because its fair share (capacity / flows) is
// the least of all links on their routes. Its flows have no rates of their own: all go at its level, so that one more or
// less of a thousand costs no more than one of ten (SoleBottlenecks.cpp).
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
    /// One more link, numbered after the others.
    DirectedLink addLink(double bytesPerSecond);

    /// True if something changed since the last solve().
    bool stale() const { return m_stale; }
    /// Brings all rates up to date. changed() is then the flows whose rate may differ from before, in a fixed
    /// order.
    void solve();
    std::span<const FlowId> changed() const { return m_changed; }
    /// Links that are or were sole bottlenecks and whose level has changed; their flows are not in changed() for that.
    std::span<const DirectedLink> changedLevels() const { return m_changedLevels; }
    void clearChanged();

    bool active(FlowId flow) const { return m_flows[flow].length > 0; }
    std::span<const DirectedLink> route(FlowId flow) const {
        return {m_routeLinks.data() + m_flows[flow].route, m_flows[flow].length};
    }
    double capacity(DirectedLink link) const { return m_capacity[link]; }
    /// Whether flows of a sole bottleneck elsewhere cross the link.
    bool hasGoverned(DirectedLink link) const { return m_governedOn[link] > 0; }
    std::size_t flowsOn(DirectedLink link) const { return m_crossings[link].size(); }

    /// The following hold after solve().
    double rate(FlowId flow) const {
        const Flow& f = m_flows[flow];
        return f.governed ? m_level[f.bottleneck] : f.least;
    }
    /// The sole bottleneck that the flow crosses; noLink: none.
    DirectedLink soleBottleneck(FlowId flow) const {
        return m_flows[flow].governed ? m_flows[flow].bottleneck : noLink;
    }
    /// Bytes per second that a sole bottleneck gives each of its flows; 0 of other links.
    double soleLevel(DirectedLink link) const { return isSole(link) ? m_level[link] : 0; }
    double load(DirectedLink link);
    std::size_t activeFlows() const { return m_active; }
    std::size_t linkCount() const { return m_capacity.size(); }
    /// Links whose load changed by more than rounding since the last call, ascending. Of links that flows of a sole
    /// bottleneck cross, those whose load has changed by more than trifleShare of their capacity, or whose flows have.
    void takeChangedLinks(std::vector<DirectedLink>& links);
    static constexpr double trifleShare = 0.01;
    static constexpr DirectedLink noLink = ~DirectedLink{0};
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
        bool governed = false; ///< `bottleneck` is a sole one: its level is the rate; least and second are stale
    };
    struct Sole {
        bool counted = false;               ///< in m_recounted
        double partnerShare = 0;            ///< no other link on the routes of its flows has a smaller fair share
        double told = 0;                    ///< level when those links were last touched
        std::uint32_t wait = 0, waited = 0; ///< before it is tried again whether the link is one
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
    // SoleBottlenecks.cpp
    static constexpr std::size_t fewFlows = 16; ///< with fewer on a link there is nothing to gain
    double fairShare(DirectedLink link) const {
        return m_capacity[link] / static_cast<double>(m_crossings[link].size());
    }
    bool isSole(DirectedLink link) const { return m_isDirty[link] == sole; }
    void recount(DirectedLink link);
    void tryGovern(DirectedLink link);
    bool allBelowShare(DirectedLink link) const;
    double leastPartnerShare(DirectedLink link);
    void join(FlowId flow);
    void releaseFlow(FlowId flow);
    void release(DirectedLink link);
    void releasePartners(DirectedLink link);
    void releaseAll();
    void checkPartner(DirectedLink link);
    void joinPending();
    void settleSoles();

    // By link.
    std::vector<double> m_capacity, m_level;
    std::vector<double> m_load;     ///< sum of the rates, while slack; a full link carries its capacity
    std::vector<double> m_rounded;  ///< sum of what m_load has been since it was summed up: bounds its rounding error
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

    // Sole bottlenecks, by link, and what has changed about them since the last solve().
    std::vector<Sole> m_sole;
    std::vector<std::uint32_t> m_governedOn; ///< crossings by flows that another link governs
    std::vector<std::uint32_t> m_seenIn;     ///< by link: the number of the search that has met it last
    std::uint32_t m_searches = 0;
    std::vector<DirectedLink> m_recounted;  ///< sole bottlenecks that flows have joined or left
    std::vector<FlowId> m_joining;          ///< flows that began on one
    std::vector<DirectedLink> m_partners;   ///< with governed flows, where a share or a rate has changed
    std::vector<DirectedLink> m_candidates; ///< whose level was set: may have become sole bottlenecks
    std::vector<DirectedLink> m_changedLevels;

    std::vector<Share> m_dirty;             ///< a heap by level when it became dirty
    static constexpr std::uint8_t sole = 2; ///< in m_isDirty: a sole bottleneck is never filled
    std::vector<std::uint8_t> m_isDirty;
    std::vector<double> m_caps; ///< of the flows of the link being filled
    Filling m_filling;

    FlowSolver m_solver;
    std::size_t m_active = 0;
    bool m_stale = false;
};

} // namespace trainyard
