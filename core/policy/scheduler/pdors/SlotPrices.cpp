// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotPrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace trainyard {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// ⌈x⌉, where x is a quotient that may be a whole number but for rounding.
double ceiling(double x) { return std::ceil(x - 1e-9); }

/// The most servers beside so many workers, by number of workers from 0; −1: so many workers have no room.
using Rooms = std::vector<int>;

Rooms roomsOf(const SlotLedger& empty, std::size_t machine, const SlotJob& job, int workers, int servers, int kind) {
    Rooms out(static_cast<std::size_t>(workers) + 1, -1);
    int s = kind == 0 ? 0 : servers;
    for (int n = 0; n <= (kind == 1 ? 0 : workers); ++n) {
        while (s >= 0 && !empty.fits(0, machine, job, n, s)) --s;
        out[static_cast<std::size_t>(n)] = s;
    }
    return out;
}

/// Of both together, servers up to a number.
Rooms together(const Rooms& a, const Rooms& b, int servers) {
    Rooms out(a.size(), -1);
    for (std::size_t n = 0; n < a.size(); ++n)
        for (std::size_t m = 0; a[n] >= 0 && n + m < b.size(); ++m)
            if (b[m] >= 0) out[n + m] = std::max(out[n + m], std::min(servers, a[n] + b[m]));
    return out;
}

/// Whether so many workers and their servers have room on all machines together. Those that are alike are counted by doubling.
bool holds(const SlotLedger& empty, const SlotJob& job, int workers, std::span<const std::uint8_t> kinds) {
    const SlotCluster& cluster = empty.cluster();
    const int servers = job.serversFor(workers);
    std::map<std::pair<std::vector<double>, int>, std::pair<std::size_t, int>>
        alike; // capacity, kind: a machine, how many
    for (std::size_t h = 0; h < cluster.machines; ++h) {
        std::vector<double> capacity;
        for (std::size_t r = 0; r < cluster.resources; ++r) capacity.push_back(cluster.of(h, r));
        ++alike.try_emplace({std::move(capacity), kinds.empty() ? -1 : kinds[h]}, h, 0).first->second.second;
    }
    Rooms all(static_cast<std::size_t>(workers) + 1, -1);
    all[0] = 0;
    for (const auto& [machine, first] : alike) {
        Rooms some = roomsOf(empty, first.first, job, workers, servers, machine.second);
        for (int count = first.second; count > 0; count /= 2) {
            if (count % 2 == 1) all = together(all, some, servers);
            if (all.back() >= servers) return true;
            if (count > 1) some = together(some, some, servers);
        }
    }
    return false;
}

} // namespace

bool canFinish(const SlotCluster& cluster, const SlotJob& job, std::span<const std::uint8_t> kinds) {
    SlotCluster oneSlot = cluster;
    oneSlot.horizon = 1;
    const SlotLedger empty(std::move(oneSlot));
    const auto slots = static_cast<double>(cluster.horizon - job.arrival);
    if (slots <= 0) return false;
    const auto needed = [&](double rate) { // workers in every slot
        return std::max<double>(job.fewest, std::ceil(job.samples * (1 - slotTolerance) / (slots * rate)));
    };
    if (const double n = needed(job.localRate); kinds.empty() && n <= job.batch)
        for (std::size_t h = 0; h < cluster.machines; ++h)
            if (empty.fits(0, h, job, static_cast<int>(n), job.serversFor(static_cast<int>(n)))) return true;
    const double n = needed(job.remoteRate);
    return cluster.machines > 1 && n <= job.batch && holds(empty, job, static_cast<int>(n), kinds);
}

PriceBoundsFold::PriceBoundsFold(const SlotCluster& cluster, Demands demands, double divisor)
    : m_demands(demands), m_divisor(divisor), m_capacity(cluster.horizon * cluster.total()), m_leastWork(unbounded),
      m_logLeast(unbounded), m_logHigh(cluster.resources, -unbounded) {
    for (std::size_t r = 0; r < cluster.resources; ++r) {
        double sum = 0;
        for (std::size_t h = 0; h < cluster.machines; ++h) sum += cluster.of(h, r);
        m_room.push_back(cluster.horizon * sum);
    }
}

double PriceBoundsFold::demandOf(const SlotJob& job, std::size_t resource) const {
    switch (m_demands) {
    case Demands::workers: return job.workerDemand[resource];
    case Demands::servers: return job.serverDemand[resource];
    case Demands::all: break;
    }
    return job.demandOf(resource);
}

bool PriceBoundsFold::add(const SlotCluster& cluster, const SlotJob& job, std::span<const std::uint8_t> kinds) {
    if (!canFinish(cluster, job, kinds)) return false;
    double demands = 0;
    for (std::size_t r = 0; r < m_logHigh.size(); ++r) demands += demandOf(job, r);
    const double work = ceiling(job.samples / job.remoteRate) * demands;
    if (work <= 0) return true; // it takes part in no price
    m_leastWork = std::min(m_leastWork, work);
    m_logLeast = std::min(m_logLeast, job.utility.logAt(job.latency(cluster.horizon - 1)) - std::log(m_divisor * work));
    const double soonest = ceiling(job.samples / (job.localRate * job.batch));
    Work taken;
    double sum = 0;
    for (std::size_t r = 0; r < m_logHigh.size(); ++r) {
        taken.amounts.push_back(job.samples / job.localRate *
                                (job.workerDemand[r] + job.serverDemand[r] * job.serversFor(job.batch) / job.batch));
        sum += taken.amounts.back();
    }
    taken.logWorth = job.utility.logAt(job.latencyOf(soonest)) - std::log(sum);
    m_work.push_back(std::move(taken));
    for (std::size_t r = 0; r < m_logHigh.size(); ++r)
        if (const double demand = demandOf(job, r); demand > 0)
            m_logHigh[r] = std::max(m_logHigh[r], job.utility.logAt(job.latencyOf(soonest)) - std::log(demand));
    return true;
}

std::optional<PriceBounds> PriceBoundsFold::bounds() const {
    if (m_leastWork == unbounded) return std::nullopt;
    const double mu = m_capacity / m_leastWork;
    return PriceBounds{m_logLeast - std::log(mu), m_logHigh, mu};
}

double PriceBoundsFold::logCriticalWorth(double share) const {
    std::vector<const Work*> order;
    for (const Work& work : m_work) order.push_back(&work);
    std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return a->logWorth > b->logWorth; });
    std::vector<double> left = m_room;
    for (double& room : left) room *= share;
    for (const Work* work : order)
        for (std::size_t r = 0; r < left.size(); ++r)
            if ((left[r] -= work->amounts[r]) < 0) return work->logWorth;
    return -unbounded;
}

std::optional<PriceBounds> priceBounds(const SlotCluster& cluster, std::span<const SlotJob> jobs) {
    PriceBoundsFold fold(cluster);
    std::vector<std::size_t> unfinishable;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (!fold.add(cluster, jobs[i])) unfinishable.push_back(i);
    auto out = fold.bounds();
    if (out) out->unfinishable = std::move(unfinishable);
    return out;
}

double SlotPrices::logPrice(int slot, std::size_t machine, std::size_t resource) const {
    const PriceBounds& bounds = boundsOf(machine);
    const double capacity = m_ledger->cluster().of(machine, resource);
    if (capacity <= 0) return bounds.logHigh[resource];
    return bounds.logLow +
           m_ledger->used(slot, machine, resource) / capacity * (bounds.logHigh[resource] - bounds.logLow);
}

double SlotPrices::cost(int slot, std::size_t machine, std::span<const double> demand) const {
    double sum = 0;
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (demand[r] > 0) sum += demand[r] * std::exp(logPrice(slot, machine, r));
    return sum;
}

} // namespace trainyard
