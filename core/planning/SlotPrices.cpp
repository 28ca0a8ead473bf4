// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/SlotPrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// ⌈x⌉, where x is a quotient that may be a whole number but for rounding.
double ceiling(double x) { return std::ceil(x - 1e-9); }

} // namespace

bool canFinish(const SlotCluster& cluster, const SlotJob& job) {
    SlotCluster oneSlot = cluster;
    oneSlot.horizon = 1;
    const SlotLedger empty(std::move(oneSlot));
    int local = 0;
    double workers = 0, servers = 0;
    for (std::size_t h = 0; h < cluster.machines; ++h) {
        int n = std::min(job.batch, empty.room(0, h, job.workerDemand, job.batch));
        while (n > 0 && !empty.fits(0, h, job, n, job.serversFor(n))) --n;
        local = std::max(local, n);
        workers += empty.room(0, h, job.workerDemand, job.batch);
        servers += empty.room(0, h, job.serverDemand, job.batch);
    }
    // For several machines an upper bound: a job that is kept wrongly only widens the bounds.
    double remote = std::min<double>(job.batch, workers);
    if (job.servers.empty()) remote = std::min(remote, servers * job.workersPerServer);
    const double perSlot = std::max(local >= job.fewest ? local * job.localRate : 0.0,
                                    cluster.machines > 1 && remote >= job.fewest ? remote * job.remoteRate : 0.0);
    return perSlot * (cluster.horizon - job.arrival) >= job.samples * (1 - slotTolerance);
}

PriceBoundsFold::PriceBoundsFold(const SlotCluster& cluster, Demands demands, double divisor)
    : m_demands(demands), m_divisor(divisor), m_capacity(cluster.horizon * cluster.total()), m_leastWork(endless),
      m_logLeast(endless), m_logHigh(cluster.resources, -endless) {
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

bool PriceBoundsFold::add(const SlotCluster& cluster, const SlotJob& job) {
    if (!canFinish(cluster, job)) return false;
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
    if (m_leastWork == endless) return std::nullopt;
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
    return -endless;
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
