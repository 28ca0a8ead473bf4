// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/TransferTable.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

std::vector<double> directedCapacities(const Cluster& cluster) {
    std::vector<double> out;
    for (const auto& link : cluster.links) out.insert(out.end(), 2, link.bandwidth);
    return out;
}

} // namespace

TransferTable::TransferTable(const Cluster& cluster, NetworkModel model)
    : m_cluster(&cluster), m_model(model),
      m_network(model == NetworkModel::flow ? directedCapacities(cluster) : std::vector<double>{}), m_routes(cluster),
      m_carriedAt(2 * cluster.links.size(), 0) {}

TransferTable::Id TransferTable::add(JobId job, std::uint32_t from, std::uint32_t to, double bytes) {
    Id id;
    if (m_free.empty()) {
        id = static_cast<Id>(m_transfers.size());
        m_transfers.emplace_back();
    } else {
        id = m_free.back();
        m_free.pop_back();
    }
    Transfer& t = m_transfers[id];
    t.live = true;
    t.inFlow = t.blocked = t.isThere = t.inStream = false;
    t.serial = ++m_serial;
    t.job = job;
    t.from = from;
    t.to = to;
    t.bytes = bytes;
    t.before = t.after = none;
    return id;
}

TransferTable::Id TransferTable::addMessage(JobId job, std::uint32_t from, std::uint32_t to, double bytes,
                                            std::uint32_t fromNode, std::uint32_t toNode) {
    const Id id = add(job, from, to, bytes);
    Transfer& t = m_transfers[id];
    t.inStream = true;
    t.fromNode = fromNode;
    t.toNode = toNode;
    Stream& stream = streamOf(t);
    if (stream.last < m_transfers.size() && live(stream.last) && serial(stream.last) == stream.serial)
        t.before = stream.last;
    if (t.before != none) m_transfers[t.before].after = id;
    stream.last = id;
    stream.serial = t.serial;
    return id;
}

TransferTable::OfJob& TransferTable::ofJob(JobId job) {
    if (job.index() >= m_jobs.size()) m_jobs.resize(job.index() + 1);
    return m_jobs[job.index()];
}

TransferTable::Stream& TransferTable::streamOf(const Transfer& t) {
    const auto [low, high] = std::minmax(t.fromNode, t.toNode);
    auto& nodes = ofJob(t.job).streams;
    if (nodes.size() <= low) nodes.resize(low + 1);
    const std::uint64_t key = (std::uint64_t{high} << 1 | (t.fromNode < t.toNode)) + 1;
    for (Stream& stream : nodes[low].first) {
        if (stream.key == 0) stream.key = key;
        if (stream.key == key) return stream;
    }
    auto& more = nodes[low].more;
    auto it =
        std::lower_bound(more.begin(), more.end(), key, [](const Stream& s, std::uint64_t k) { return s.key < k; });
    if (it == more.end() || it->key != key) it = more.insert(it, {.key = key});
    return *it;
}

const std::optional<RouteTable::Route>& TransferTable::routeBetween(std::uint32_t from, std::uint32_t to) {
    const auto [it, fresh] = m_knownRoutes.try_emplace(entityOf(from, to));
    if (fresh) it->second = m_routes.route(from, to);
    return it->second;
}

std::optional<TransferTable::Arrival> TransferTable::depart(Id id, SimTime now) {
    Transfer& t = m_transfers[id];
    if (t.from == t.to) {
        const double bandwidth = m_cluster->localBandwidth;
        return Arrival{id, now + Duration::seconds(bandwidth > 0 ? t.bytes / bandwidth : 0)};
    }
    const auto& route = routeBetween(t.from, t.to);
    t.blocked = !route;
    if (t.blocked) return std::nullopt; // waits for a repair
    if (t.bytes <= 0) return Arrival{id, now + route->latency};
    if (id >= m_flows.size()) m_flows.resize(id + 1);
    Flow& flow = m_flows[id];
    const std::uint64_t tag = (static_cast<std::uint64_t>(t.serial) << 32) | id;
    if (m_model == NetworkModel::rate) {
        for (const DirectedLink link : route->links) carry(t.job, link, t.bytes);
        flow.id = m_network.start(copiesOf(t.job, route->links, now), t.bytes, tag, now);
    } else {
        flow.id = m_network.start(route->links, t.bytes, tag, now);
    }
    flow.latency = route->latency;
    flow.links = route->links;
    t.inFlow = true;
    m_touched = true;
    return std::nullopt;
}

bool TransferTable::mayArrive(Id id) {
    m_transfers[id].isThere = true;
    return m_transfers[id].before == none;
}

std::optional<TransferTable::Id> TransferTable::release(Id id, SimTime now) {
    Transfer& t = m_transfers[id];
    if (t.inFlow) {
        m_network.cancel(m_flows[id].id, now);
        m_touched = true;
    }
    t.live = t.inFlow = t.blocked = false;
    m_free.push_back(id);
    if (!t.inStream) return std::nullopt;
    if (t.before != none) m_transfers[t.before].after = t.after;
    if (t.after != none) {
        m_transfers[t.after].before = t.before;
    } else if (t.before != none) {
        Stream& stream = streamOf(t);
        stream.last = t.before;
        stream.serial = serial(t.before);
    }
    const bool frees = t.after != none && t.before == none && m_transfers[t.after].isThere;
    return frees ? std::optional(t.after) : std::nullopt;
}

void TransferTable::setLink(LinkId link, bool up, SimTime now, std::vector<Arrival>& arrivals) {
    m_routes.setLinkUp(link, up);
    m_knownRoutes.clear();
    for (const DirectedLink d : {2 * link.value, 2 * link.value + 1})
        if (m_model == NetworkModel::flow)
            m_network.setCapacity(d, up ? m_cluster->links[link.index()].bandwidth : 0, now);
    m_touched = true;
    for (Id id = 0; id < m_transfers.size(); ++id) {
        Transfer& t = m_transfers[id];
        if (!t.live) continue;
        const auto crosses = [&](const Flow& flow) {
            return std::any_of(flow.links.begin(), flow.links.end(), [&](auto l) { return l / 2 == link.value; });
        };
        if (!up && t.inFlow && crosses(m_flows[id])) {
            t.bytes = m_network.cancel(m_flows[id].id, now);
            t.inFlow = false;
        } else if (!up || !t.blocked) {
            continue;
        }
        if (const auto arrival = depart(id, now)) arrivals.push_back(*arrival);
    }
}

void TransferTable::complete(SimTime now, std::vector<Arrival>& arrivals) {
    std::vector<std::uint64_t> tags;
    m_network.complete(now, tags);
    m_touched = true;
    for (const auto tag : tags) {
        const auto id = static_cast<Id>(tag);
        Transfer& t = m_transfers[id];
        if (!t.live || t.serial != tag >> 32) continue;
        t.inFlow = false;
        arrivals.push_back({id, now + m_flows[id].latency});
    }
}

std::vector<DirectedLink> TransferTable::copiesOf(JobId job, std::span<const DirectedLink> links, SimTime now) {
    auto& own = ofJob(job).links;
    std::vector<DirectedLink> out;
    for (const DirectedLink link : links) {
        auto it = std::lower_bound(own.begin(), own.end(), std::pair(link, DirectedLink{0}));
        if (it == own.end() || it->first != link) {
            const double bandwidth = m_cluster->links[link / 2].bandwidth;
            DirectedLink copy;
            if (m_freeLinks.empty()) {
                copy = m_network.addLink(bandwidth);
            } else {
                copy = m_freeLinks.back();
                m_freeLinks.pop_back();
                m_network.setCapacity(copy, bandwidth, now);
            }
            it = own.insert(it, {link, copy});
        }
        out.push_back(it->second);
    }
    return out;
}

void TransferTable::takeLoads(std::vector<LinkReport>& loads) {
    m_network.takeLinkReports(loads);
    if (m_model == NetworkModel::rate) loads.clear();
}

void TransferTable::forget(JobId job) {
    if (job.index() >= m_jobs.size()) return;
    for (const auto& [link, copy] : m_jobs[job.index()].links) m_freeLinks.push_back(copy);
    m_jobs[job.index()] = {};
}

void TransferTable::carry(JobId job, DirectedLink link, double bytes) {
    std::uint32_t& at = m_carriedAt[link];
    if (at >= m_carried.size() || m_carried[at].link != link || m_carried[at].job != job) {
        at = static_cast<std::uint32_t>(m_carried.size());
        m_carried.push_back({job, link, 0});
    }
    m_carried[at].bytes += bytes;
}

} // namespace trainyard
