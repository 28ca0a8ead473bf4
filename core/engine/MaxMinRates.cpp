#include "engine/MaxMinRates.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {
constexpr double noLevel = std::numeric_limits<double>::infinity();
/// Loads within this share of the capacity count as equal.
constexpr double sameLoad = 1e-12;
/// Keeps sums of rates finite whatever a caller passes; NaN and negative capacities mean a link that is down.
double saneCapacity(double c) {
    return c > 0 ? std::min(c, 1e18) : 0.0;
}
} // namespace

/// Progressive filling: all rates rise together until a link is full; its flows are then fixed, and the rest
/// goes on.
struct MaxMinRates::Filling {
    struct Share {
        double share;
        DirectedLink link;
        bool operator>(const Share& o) const { return share != o.share ? share > o.share : link > o.link; }
    };
    std::vector<double> left, level, rate;
    std::vector<std::uint32_t> open; ///< crossings of flows not yet fixed
    std::vector<std::uint8_t> fixed;
    std::vector<Share> heap;
};

MaxMinRates::MaxMinRates(std::vector<double> capacities, FlowSolver solver)
    : m_capacity(std::move(capacities)), m_level(m_capacity.size(), noLevel), m_load(m_capacity.size(), 0.0),
      m_reported(m_capacity.size(), 0.0), m_crossings(m_capacity.size()), m_touched(m_capacity.size(), 0),
      m_solver(solver) {
    for (double& c : m_capacity) c = saneCapacity(c);
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
    for (const DirectedLink link : route)
        require(link < m_capacity.size(), "a route names a link that does not exist");
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
    m_flows[id] = flow;
    markChanged(id);
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
        touch(m_routeLinks[p]);
    }
    m_freeRoutes[flow.length].push_back(flow.route);
    flow.length = 0;
    flow.least = 0;
    m_freeFlows.push_back(id);
    --m_active;
    m_stale = true;
}

void MaxMinRates::setCapacity(DirectedLink link, double bytesPerSecond) {
    require(link < m_capacity.size(), "no such link");
    m_capacity[link] = saneCapacity(bytesPerSecond);
    for (const Crossing& c : m_crossings[link]) m_flows[c.flow].own = ownCap(m_flows[c.flow]);
    touch(link);
    m_stale = true;
}

double MaxMinRates::ownCap(const Flow& flow) const {
    double cap = noLevel;
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p)
        cap = std::min(cap, m_capacity[m_routeLinks[p]]);
    return cap;
}

void MaxMinRates::leastLevels(Flow& flow) const {
    flow.least = flow.second = flow.own;
    flow.bottleneck = none;
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
        const DirectedLink link = m_routeLinks[p];
        const double level = m_level[link];
        if (level < flow.least) {
            flow.second = flow.least;
            flow.least = level;
            flow.bottleneck = link;
        } else if (level < flow.second && link != flow.bottleneck) {
            flow.second = level;
        }
    }
}

double MaxMinRates::sumOfRates(DirectedLink link) const {
    double sum = 0;
    for (const Crossing& c : m_crossings[link]) sum += m_flows[c.flow].least;
    return sum;
}

void MaxMinRates::touch(DirectedLink link) {
    if (m_touched[link]) return;
    m_touched[link] = 1;
    m_touchedLinks.push_back(link);
}

void MaxMinRates::markChanged(FlowId flow) {
    if (m_flows[flow].changed) return;
    m_flows[flow].changed = true;
    m_changed.push_back(flow);
}

void MaxMinRates::clearChanged() {
    for (const FlowId flow : m_changed) m_flows[flow].changed = false;
    m_changed.clear();
}

void MaxMinRates::solve() {
    if (!m_stale) return;
    refill();
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
    Filling filling;
    fill(filling);
    for (DirectedLink l = 0; l < m_level.size(); ++l) {
        if (filling.level[l] != m_level[l]) touch(l);
        m_level[l] = filling.level[l];
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
        if (m_level[l] == noLevel) m_load[l] = sumOfRates(l);
}

double MaxMinRates::load(DirectedLink link) const {
    return m_level[link] == noLevel ? m_load[link] : m_capacity[link];
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
