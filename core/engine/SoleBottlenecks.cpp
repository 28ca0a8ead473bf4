// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sole bottlenecks of MaxMinRates. If the fair share of a link (capacity / flows) is not above that of any other link on
// the routes of its flows, then progressive filling fixes all of them at that share: no other link can be
// full before. So the rate of a thousand pushes to one server is one number. What has to hold meanwhile, for every
// partner (another link on the route of a governed flow): no flow on it is faster than its own fair share; it is then
// slack, whatever the rates below are. Where that ceases to hold, the flows get rates of their own again.
#include "engine/MaxMinUpkeep.h"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {
/// Rates within this share of the fair share count as equal to it.
constexpr double rounding = 1e-12;
} // namespace

/// A flow has joined or left the sole bottleneck.
void MaxMinRates::recount(DirectedLink link) {
    if (m_sole[link].counted) return;
    m_sole[link].counted = true;
    m_recounted.push_back(link);
}

bool MaxMinRates::allBelowShare(DirectedLink link) const {
    const double share = fairShare(link) * (1 + rounding);
    return slack(link) && std::all_of(m_crossings[link].begin(), m_crossings[link].end(),
                                      [&](const Crossing& c) { return rate(c.flow) <= share; });
}

/// The least fair share of the other links on the routes of its flows; negative if one of them is full or could become so, or
/// if a flow crosses the link twice.
double MaxMinRates::leastPartnerShare(DirectedLink link) {
    double least = noLevel;
    ++m_searches; // all flows may share a partner: each is looked at once
    for (const Crossing& c : m_crossings[link]) {
        const Flow& flow = m_flows[c.flow];
        for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
            const DirectedLink partner = m_routeLinks[p];
            if (partner == link) {
                if (p != c.position) return -1;
                continue;
            }
            if (std::exchange(m_seenIn[partner], m_searches) == m_searches) continue;
            if (!allBelowShare(partner)) return -1;
            least = std::min(least, fairShare(partner));
        }
    }
    return least;
}

/// Lets the link (of at least fewFlows flows) govern them if it is a sole bottleneck. A link that is none costs little: after each vain look at its
/// flows the next one waits for twice as many changes of its level.
void MaxMinRates::tryGovern(DirectedLink link) {
    Sole& s = m_sole[link];
    const std::size_t flows = m_crossings[link].size();
    if (isSole(link) || flows == 0 || m_governedOn[link] > 0 || m_level[link] > fairShare(link) * (1 + rounding))
        return;
    if (s.waited++ < s.wait) return;
    s.waited = 0;
    s.wait = std::min(2 * s.wait + 4, 4096u);
    const double partners = leastPartnerShare(link);
    if (partners < fairShare(link)) return;
    s = {.counted = false, .partnerShare = partners, .told = m_level[link]};
    m_isDirty[link] = sole;
    m_level[link] = fairShare(link);
    m_changedLevels.push_back(link);
    for (const Crossing& c : m_crossings[link]) {
        m_flows[c.flow].bottleneck = link;
        join(c.flow);
    }
}

/// From now on the flow goes at the level of `bottleneck`.
void MaxMinRates::join(FlowId id) {
    Flow& flow = m_flows[id];
    flow.governed = true;
    markChanged(id);
    for (const DirectedLink partner : route(id)) {
        if (partner == flow.bottleneck) continue;
        ++m_governedOn[partner];
        touch(partner);
    }
}

/// A governed flow is governed no longer; it keeps no rate.
void MaxMinRates::releaseFlow(FlowId id) {
    Flow& flow = m_flows[id];
    flow.governed = false;
    flow.least = 0;
    markChanged(id);
    recount(flow.bottleneck);
    for (std::uint32_t p = flow.route; p < flow.route + flow.length; ++p) {
        const DirectedLink partner = m_routeLinks[p];
        if (partner == flow.bottleneck) continue;
        touch(partner);
        if (--m_governedOn[partner] > 0) continue;
        refreshLoad(partner);
        if (m_load[partner] > m_capacity[partner]) makeDirty(partner);
    }
}

/// The flows of a sole bottleneck get rates of their own.
void MaxMinRates::release(DirectedLink link) {
    m_isDirty[link] = 0;
    m_sole[link].wait = 0;
    m_changedLevels.push_back(link);
    for (const Crossing& c : m_crossings[link]) {
        Flow& flow = m_flows[c.flow];
        if (flow.governed) releaseFlow(c.flow);
        const double before = flow.least; // of one that has only just begun, by the level of then
        leastLevels(flow);
        if (flow.least != before) rateMoved(c.flow, before, link);
    }
    touch(link);
    makeDirty(link);
}

/// Releases whatever governs flows on this link.
void MaxMinRates::releasePartners(DirectedLink link) {
    for (std::size_t i = 0; m_governedOn[link] > 0 && i < m_crossings[link].size(); ++i)
        if (const Flow& flow = m_flows[m_crossings[link][i].flow]; flow.governed && flow.bottleneck != link)
            release(flow.bottleneck);
}

void MaxMinRates::releaseAll() {
    for (DirectedLink link = 0; link < m_sole.size(); ++link)
        if (isSole(link)) release(link);
    m_recounted.clear();
    m_joining.clear();
    m_partners.clear();
    for (Sole& sole : m_sole) sole.counted = false;
}

/// A share or a rate on this link, which governed flows cross, has changed.
void MaxMinRates::checkPartner(DirectedLink link) {
    if (m_governedOn[link] == 0) return;
    if (!allBelowShare(link)) {
        releasePartners(link);
        return;
    }
    const double share = fairShare(link);
    for (const Crossing& c : m_crossings[link])
        if (const Flow& flow = m_flows[c.flow]; flow.governed)
            m_sole[flow.bottleneck].partnerShare = std::min(m_sole[flow.bottleneck].partnerShare, share);
}

/// Flows that began on a sole bottleneck go at its level, if it is the only one they cross.
void MaxMinRates::joinPending() {
    for (const FlowId id : m_joining) {
        Flow& flow = m_flows[id];
        if (flow.length == 0 || flow.governed) continue;
        const std::span<const DirectedLink> links = route(id);
        const auto isOne = [&](DirectedLink l) { return isSole(l); };
        if (std::count_if(links.begin(), links.end(), isOne) == 1) {
            flow.bottleneck = *std::find_if(links.begin(), links.end(), isOne);
            join(id);
            for (const DirectedLink link : links)
                if (link != flow.bottleneck) m_partners.push_back(link);
        } else {
            for (const DirectedLink link : links)
                if (isSole(link)) release(link);
        }
    }
    m_joining.clear();
}

/// Brings levels up to date, and releases those links that are sole bottlenecks no longer, until all is settled.
void MaxMinRates::settleSoles() {
    std::vector<DirectedLink> links;
    while (!m_recounted.empty() || !m_joining.empty() || !m_partners.empty()) {
        const std::vector<DirectedLink> recounted = std::exchange(m_recounted, {});
        for (const DirectedLink link : recounted) {
            m_sole[link].counted = false;
            if (!isSole(link)) continue;
            m_changedLevels.push_back(link);
            if (!m_crossings[link].empty()) {
                m_level[link] = fairShare(link);
                continue;
            }
            m_isDirty[link] = 0;
            m_level[link] = noLevel;
            refreshLoad(link);
            touch(link);
        }
        joinPending();
        links.clear();
        links.swap(m_partners);
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        for (const DirectedLink link : links) checkPartner(link);
        for (const DirectedLink link : recounted) {
            Sole& s = m_sole[link];
            if (!isSole(link)) continue;
            if (m_level[link] > s.partnerShare) s.partnerShare = leastPartnerShare(link);
            if (m_level[link] > s.partnerShare) {
                release(link);
            } else if (std::abs(m_level[link] - s.told) > trifleShare * s.partnerShare) {
                s.told = m_level[link];
                for (const Crossing& c : m_crossings[link])
                    for (const DirectedLink partner : route(c.flow)) touch(partner);
            }
        }
    }
}

} // namespace trainyard
