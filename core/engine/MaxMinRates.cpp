// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/MaxMinRates.h"

#include "base/Result.h"
#include "engine/MaxMinUpkeep.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {
/// Loads within this share of the capacity count as equal.
constexpr double sameLoad = 1e-11;
/// A link is full if its flows would exceed it by more than this share. Rounding alone must not make a link
/// full that is exactly used up by flows held back elsewhere.
constexpr double fullTolerance = 1e-13;
/// Levels within this share of each other are not worth passing on; it bounds the error, since no level is
/// built on an old one.
constexpr double sameLevel = 1e-13;
/// Keeps sums of rates finite whatever a caller passes; NaN and negative capacities mean a link that is down.
double saneCapacity(double c) { return c > 0 ? std::min(c, 1e18) : 0.0; }
} // namespace

MaxMinRates::MaxMinRates(std::vector<double> capacities, FlowSolver solver)
    : m_capacity(std::move(capacities)), m_level(m_capacity.size(), noLevel), m_load(m_capacity.size(), 0.0),
      m_rounded(m_capacity.size(), 0.0), m_reported(m_capacity.size(), 0.0), m_crossings(m_capacity.size()),
      m_touched(m_capacity.size(), 0), m_sole(m_capacity.size()), m_governedOn(m_capacity.size(), 0),
      m_seenIn(m_capacity.size(), 0), m_isDirty(m_capacity.size(), 0), m_solver(solver) {
    for (double& c : m_capacity) c = saneCapacity(c);
}

DirectedLink MaxMinRates::addLink(double bytesPerSecond) {
    m_capacity.push_back(saneCapacity(bytesPerSecond));
    m_level.push_back(noLevel);
    for (auto* loads : {&m_load, &m_rounded, &m_reported}) loads->push_back(0);
    m_crossings.emplace_back();
    m_touched.push_back(0);
    m_sole.emplace_back();
    m_governedOn.push_back(0);
    m_seenIn.push_back(0);
    m_isDirty.push_back(0);
    return static_cast<DirectedLink>(m_capacity.size() - 1);
}

std::uint32_t MaxMinRates::allocateRoute(std::uint32_t length) {
    if (length < m_freeRoutes.size() && !m_freeRoutes[length].empty()) {
        const std::uint32_t at = m_freeRoutes[length].back();
        m_freeRoutes[length].pop_back();
        return at;
    }
    if (length >= m_freeRoutes.size()) m_freeRoutes.resize(length + 1);
    const std::size_t at = m_routeLinks.size();
    m_routeLinks.resize(at + length);
    m_routeSlots.resize(at + length);
    return static_cast<std::uint32_t>(at);
}

FlowId MaxMinRates::add(std::span<const DirectedLink> route) {
    require(!route.empty(), "a flow needs a route of at least one link");
    for (const DirectedLink link : route) require(link < m_capacity.size(), "a route names a link that does not exist");
    FlowId id;
    if (m_freeFlows.empty()) {
        id = static_cast<FlowId>(m_flows.size());
        m_flows.emplace_back();
    } else {
        id = m_freeFlows.back();
        m_freeFlows.pop_back();
    }
    Flow flow;
    flow.length = static_cast<std::uint32_t>(route.size());
    flow.route = allocateRoute(flow.length);
    flow.changed = m_flows[id].changed;
    for (std::uint32_t i = 0; i < flow.length; ++i) {
        auto& crossings = m_crossings[route[i]];
        m_routeLinks[flow.route + i] = route[i];
        m_routeSlots[flow.route + i] = static_cast<std::uint32_t>(crossings.size());
        crossings.push_back({id, flow.route + i});
    }
    flow.own = ownCap(flow);
    leastLevels(flow);
    m_flows[id] = flow;
    markChanged(id);
    if (std::any_of(route.begin(), route.end(), [&](auto l) { return isSole(l); })) m_joining.push_back(id);
    rateMoved(id, 0, none);
    ++m_active;
    m_stale = true;
    return id;
}

void MaxMinRates::remove(FlowId id) {
    require(id < m_flows.size() && m_flows[id].length > 0, "no such flow");
    Flow& flow = m_flows[id];
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
        auto& crossings = m_crossings[m_routeLinks[p]];
        const Crossing last = crossings.back();
        crossings[m_routeSlots[p]] = last;
        m_routeSlots[last.position] = m_routeSlots[p];
        crossings.pop_back();
    }
    if (flow.governed) {
        releaseFlow(id);
    } else {
        const double before = flow.least;
        flow.least = 0;
        rateMoved(id, before, none);
    }
    m_freeRoutes[flow.length].push_back(flow.route);
    flow.length = 0;
    m_freeFlows.push_back(id);
    --m_active;
    m_stale = true;
}

void MaxMinRates::setCapacity(DirectedLink link, double bytesPerSecond) {
    require(link < m_capacity.size(), "no such link");
    if (isSole(link)) release(link);
    releasePartners(link);
    m_capacity[link] = saneCapacity(bytesPerSecond);
    for (const Crossing& c : m_crossings[link]) {
        Flow& flow = m_flows[c.flow];
        const double before = flow.least;
        flow.own = ownCap(flow);
        leastLevels(flow);
        if (flow.least != before) rateMoved(c.flow, before, none);
    }
    touch(link);
    makeDirty(link);
    m_stale = true;
}

double MaxMinRates::ownCap(const Flow& flow) const {
    double cap = noLevel;
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p)
        cap = std::min(cap, m_capacity[m_routeLinks[p]]);
    return cap;
}

void MaxMinRates::clearChanged() {
    for (const FlowId flow : m_changed) m_flows[flow].changed = false;
    m_changed.clear();
    m_changedLevels.clear();
}

// The level λ with Σ min(cap, λ) = capacity, or none if the link is slack. The sum is concave and piecewise
// linear in λ: after one Newton step the iterates rise towards the solution and reach it when the set of
// capped flows stands still.
double MaxMinRates::waterFill(DirectedLink link) {
    const double capacity = m_capacity[link];
    const auto& crossings = m_crossings[link];
    m_caps.resize(crossings.size());
    double total = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        const Flow& flow = m_flows[crossings[i].flow];
        const double cap = flow.governed             ? m_level[flow.bottleneck]
                           : flow.bottleneck == link ? flow.second
                                                     : flow.least;
        m_caps[i] = cap;
        total += cap;
    }
    if (total <= capacity * (1 + fullTolerance)) {
        m_load[link] = total;
        m_rounded[link] = 0;
        return noLevel;
    }
    const auto flows = static_cast<double>(m_caps.size());
    double level = slack(link) ? capacity / flows : m_level[link];
    // The first step may come from above; from then on fewer and fewer flows are held by this link, or
    // rounding speaks.
    for (std::size_t before = m_caps.size() + 1, step = 0;; ++step) {
        double capped = 0;
        std::size_t open = 0;
        for (const double cap : m_caps) {
            capped += cap <= level ? cap : 0;
            open += cap > level;
        }
        if (step > 0 && open >= before) return level;
        if (open == 0) {
            if (step > 0) return level;
            level = capacity / flows;
            continue;
        }
        level = std::max(0.0, capacity - capped) / static_cast<double>(open);
        if (step > 0) before = open;
    }
}

void MaxMinRates::setLevel(DirectedLink link, double level) {
    const double old = m_level[link];
    if (slack(link) || level == noLevel) touch(link);
    m_level[link] = level;
    if (level != noLevel && m_crossings[link].size() >= fewFlows) m_candidates.push_back(link);
    for (const Crossing& c : m_crossings[link]) {
        Flow& flow = m_flows[c.flow];
        const double before = flow.least;
        if (flow.bottleneck == link) {
            if (level <= flow.second && level < flow.own)
                flow.least = level;
            else
                leastLevels(flow);
        } else {
            if (old > flow.second && level >= flow.second) continue;
            leastLevels(flow);
        }
        if (flow.least != before) rateMoved(c.flow, before, link);
    }
}

// False if it gave up; levels and rates then stand for nothing.
bool MaxMinRates::repair() {
    std::size_t budget = 2 * m_capacity.size() + 64;
    while (!m_dirty.empty()) {
        std::pop_heap(m_dirty.begin(), m_dirty.end(), std::greater<>{});
        const DirectedLink link = m_dirty.back().link;
        m_dirty.pop_back();
        m_isDirty[link] = 0;
        if (m_governedOn[link] > 0) { // slack, or settleSole() releases what crosses it
            m_partners.push_back(link);
            continue;
        }
        if (budget-- == 0) return false;
        const double old = m_level[link], level = waterFill(link);
        if (level == old) continue;
        const double scale = m_capacity[link] / static_cast<double>(m_crossings[link].size());
        if (level != noLevel && old != noLevel && std::abs(level - old) <= sameLevel * std::max(level, 0.1 * scale))
            continue;
        setLevel(link, level);
    }
    return true;
}

void MaxMinRates::solve() {
    if (!m_stale) return;
    const auto refillAll = [&] {
        releaseAll();
        for (const Share& dirty : m_dirty) m_isDirty[dirty.link] = 0;
        m_dirty.clear();
        refill();
    };
    if (m_solver == FlowSolver::fromScratch) {
        refillAll();
    } else {
        for (settleSoles(); !m_dirty.empty(); settleSoles()) {
            // Where much has changed at once, filling everything is cheaper than repairing.
            const bool much = m_dirty.size() > 64 && 4 * m_dirty.size() > m_capacity.size();
            if (much || !repair()) refillAll();
        }
        for (const DirectedLink link : m_candidates) tryGovern(link);
    }
    m_candidates.clear();
    m_stale = false;
}

void MaxMinRates::fill(Filling& f) const {
    const std::size_t links = m_capacity.size();
    f.left = m_capacity;
    f.level.assign(links, noLevel);
    f.rate.assign(m_flows.size(), 0.0);
    f.fixed.assign(m_flows.size(), 0);
    f.open.resize(links);
    f.heap.clear();
    for (DirectedLink l = 0; l < links; ++l) {
        f.open[l] = static_cast<std::uint32_t>(m_crossings[l].size());
        if (f.open[l] > 0) f.heap.push_back({m_capacity[l] / f.open[l], l});
    }
    std::make_heap(f.heap.begin(), f.heap.end(), std::greater<>{});
    while (!f.heap.empty()) {
        std::pop_heap(f.heap.begin(), f.heap.end(), std::greater<>{});
        const auto [share, link] = f.heap.back();
        f.heap.pop_back();
        if (f.open[link] == 0) continue;
        // Fixing flows elsewhere only raises the share of a link, so an entry is at worst too early.
        const double now = std::max(f.left[link], 0.0) / f.open[link];
        if (now > share) {
            f.heap.push_back({now, link});
            std::push_heap(f.heap.begin(), f.heap.end(), std::greater<>{});
            continue;
        }
        f.level[link] = share;
        for (const Crossing& c : m_crossings[link]) {
            if (f.fixed[c.flow]) continue;
            f.fixed[c.flow] = 1;
            f.rate[c.flow] = share;
            const Flow& flow = m_flows[c.flow];
            for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
                f.left[m_routeLinks[p]] -= share;
                --f.open[m_routeLinks[p]];
            }
        }
    }
}

void MaxMinRates::refill() {
    Filling& filling = m_filling;
    fill(filling);
    for (DirectedLink l = 0; l < m_level.size(); ++l) {
        if (filling.level[l] != m_level[l]) touch(l);
        m_level[l] = filling.level[l];
        if (!slack(l) && m_crossings[l].size() >= fewFlows) m_candidates.push_back(l);
    }
    for (FlowId id = 0; id < m_flows.size(); ++id) {
        Flow& flow = m_flows[id];
        if (flow.length == 0) continue;
        const double before = flow.least;
        leastLevels(flow);
        if (flow.least == before) continue;
        markChanged(id);
        for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) touch(m_routeLinks[p]);
    }
    for (DirectedLink l = 0; l < m_level.size(); ++l)
        if (slack(l)) refreshLoad(l);
}

void MaxMinRates::refreshLoad(DirectedLink link) {
    m_load[link] = 0;
    for (const Crossing& c : m_crossings[link]) m_load[link] += rate(c.flow);
    m_rounded[link] = 0;
}

double MaxMinRates::load(DirectedLink link) {
    if (!slack(link)) return m_capacity[link];
    if (m_governedOn[link] > 0 ||
        m_rounded[link] * std::numeric_limits<double>::epsilon() > 0.1 * sameLoad * std::abs(m_load[link]))
        refreshLoad(link);
    return m_load[link];
}

void MaxMinRates::takeChangedLinks(std::vector<DirectedLink>& links) {
    links.clear();
    for (const DirectedLink l : m_touchedLinks) {
        m_touched[l] = 0;
        const double now = load(l);
        if (std::abs(now - m_reported[l]) <= sameLoad * std::max(now, m_reported[l])) continue;
        m_reported[l] = now;
        links.push_back(l);
    }
    m_touchedLinks.clear();
    std::sort(links.begin(), links.end());
}

std::vector<double> MaxMinRates::solveFromScratch() const {
    Filling filling;
    fill(filling);
    return filling.rate;
}

} // namespace trainyard
