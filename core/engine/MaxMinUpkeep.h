// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What MaxMinRates does at every change of a flow: small and hot, so that the compiler inlines it. For MaxMinRates.cpp and
// SoleBottlenecks.cpp.
#include "engine/MaxMinRates.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace trainyard {

inline void MaxMinRates::touch(DirectedLink link) {
    if (m_touched[link]) return;
    m_touched[link] = 1;
    m_touchedLinks.push_back(link);
}

inline void MaxMinRates::markChanged(FlowId flow) {
    if (m_flows[flow].changed) return;
    m_flows[flow].changed = true;
    m_changed.push_back(flow);
}

inline void MaxMinRates::makeDirty(DirectedLink link) {
    if (m_isDirty[link]) {
        if (m_isDirty[link] == sole) recount(link);
        return;
    }
    m_isDirty[link] = 1;
    m_dirty.push_back({m_level[link], link});
    std::push_heap(m_dirty.begin(), m_dirty.end(), std::greater<>{});
}

// A slack link is filled again only when its load says that it is slack no more.
inline void MaxMinRates::addLoad(DirectedLink link, double change) {
    if (m_governedOn[link] > 0) { // slack as long as no flow exceeds the fair share; its load is not kept
        m_partners.push_back(link);
        touch(link);
        return;
    }
    m_load[link] += change;
    m_rounded[link] += std::abs(m_load[link]);
    touch(link);
    if ((change > 0 && m_load[link] > m_capacity[link]) || m_rounded[link] > 1e4 * m_capacity[link]) makeDirty(link);
}

// What a flow takes from a link is its rate, on every link of its route. `except` has been filled with the
// new rate already.
inline void MaxMinRates::rateMoved(FlowId id, double before, DirectedLink except) {
    const Flow& flow = m_flows[id];
    const double change = flow.least - before;
    markChanged(id);
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
        const DirectedLink link = m_routeLinks[p];
        if (link == except) continue;
        if (slack(link))
            addLoad(link, change);
        else
            makeDirty(link);
    }
}

inline void MaxMinRates::leastLevels(Flow& flow) const {
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

} // namespace trainyard
