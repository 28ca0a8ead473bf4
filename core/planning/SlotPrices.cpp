#include "planning/SlotPrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

/// ⌈x⌉, where x is a quotient that may be a whole number but for rounding.
double ceiling(double x) { return std::ceil(x - 1e-9); }

double sumOfDemands(const SlotJob& job) {
    double sum = 0;
    for (std::size_t r = 0; r < job.workerDemand.size(); ++r) sum += job.demandOf(r);
    return sum;
}

} // namespace

bool canFinish(const SlotCluster& cluster, const SlotJob& job) {
    const SlotLedger empty(cluster);
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
    const double remote = std::min<double>(job.batch, std::min(workers, servers * job.workersPerServer));
    const double perSlot = std::max(local * job.localRate, cluster.machines > 1 ? remote * job.remoteRate : 0.0);
    return perSlot * (cluster.horizon - job.arrival) >= job.samples * (1 - slotTolerance);
}

std::optional<PriceBounds> priceBounds(const SlotCluster& cluster, std::span<const SlotJob> jobs) {
    PriceBounds out;
    out.logHigh.assign(cluster.resources, -std::numeric_limits<double>::infinity());
    out.logLow = std::numeric_limits<double>::infinity();
    double leastWork = std::numeric_limits<double>::infinity();
    std::vector<const SlotJob*> counted;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (canFinish(cluster, jobs[i]))
            counted.push_back(&jobs[i]);
        else
            out.unfinishable.push_back(i);
    }
    if (counted.empty()) return std::nullopt;
    const auto work = [](const SlotJob& job) { return ceiling(job.samples / job.remoteRate) * sumOfDemands(job); };
    for (const SlotJob* job : counted) leastWork = std::min(leastWork, work(*job));
    out.mu = cluster.horizon * cluster.total() / leastWork;
    for (const SlotJob* job : counted) {
        const double soonest = ceiling(job->samples / (job->localRate * job->batch));
        for (std::size_t r = 0; r < cluster.resources; ++r)
            if (const double demand = job->demandOf(r); demand > 0)
                out.logHigh[r] = std::max(out.logHigh[r], job->utility.logAt(soonest) - std::log(demand));
        out.logLow = std::min(out.logLow, job->utility.logAt(cluster.horizon - 1 - job->arrival) -
                                              std::log(2 * out.mu * work(*job)));
    }
    return out;
}

SlotPrices::SlotPrices(const SlotLedger& ledger, PriceBounds bounds) : m_ledger(&ledger), m_bounds(std::move(bounds)) {}

double SlotPrices::logPrice(int slot, std::size_t machine, std::size_t resource) const {
    const double capacity = m_ledger->cluster().of(machine, resource);
    if (capacity <= 0) return m_bounds.logHigh[resource];
    return m_bounds.logLow +
           m_ledger->used(slot, machine, resource) / capacity * (m_bounds.logHigh[resource] - m_bounds.logLow);
}

double SlotPrices::cost(int slot, std::size_t machine, std::span<const double> demand) const {
    double sum = 0;
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (demand[r] > 0) sum += demand[r] * std::exp(logPrice(slot, machine, r));
    return sum;
}

} // namespace trainyard
