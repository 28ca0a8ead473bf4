// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pdors/SlotOptimum.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace trainyard {

namespace {

/// Tasks of each job in a slot, on the machines so far.
struct Division {
    struct OfJob {
        int workers = 0, servers = 0, machines = 0;
        auto operator<=>(const OfJob&) const = default;
    };
    std::vector<OfJob> jobs;
    auto operator<=>(const Division&) const = default;
};

class SlotDivisions {
public:
    SlotDivisions(const SlotCluster& cluster, std::span<const SlotJob> jobs, const std::vector<bool>& present)
        : m_cluster(cluster), m_jobs(jobs), m_present(present) {}

    /// Samples of each job, of all divisions that no other surpasses.
    std::vector<std::vector<double>> samples() {
        std::set<Division> all{{std::vector<Division::OfJob>(m_jobs.size())}};
        for (std::size_t h = 0; h < m_cluster.machines; ++h) {
            std::vector<Division> here;
            Division division{std::vector<Division::OfJob>(m_jobs.size())};
            std::vector<double> free(m_cluster.capacity.begin() + static_cast<std::ptrdiff_t>(h * m_cluster.resources),
                                     m_cluster.capacity.begin() +
                                         static_cast<std::ptrdiff_t>((h + 1) * m_cluster.resources));
            divide(0, free, division, here);
            std::set<Division> next;
            for (const Division& before : all)
                for (const Division& machine : here) {
                    Division sum = before;
                    bool fits = true;
                    for (std::size_t i = 0; i < m_jobs.size() && fits; ++i) {
                        auto& [workers, servers, machines] = sum.jobs[i];
                        workers += machine.jobs[i].workers;
                        servers += machine.jobs[i].servers;
                        machines = std::min(2, machines + machine.jobs[i].machines);
                        fits = workers <= m_jobs[i].batch && servers <= m_jobs[i].serversFor(m_jobs[i].batch);
                    }
                    if (fits) next.insert(std::move(sum));
                }
            all = std::move(next);
        }
        std::vector<std::vector<double>> out;
        for (const Division& division : all) {
            std::vector<double> done(m_jobs.size());
            for (std::size_t i = 0; i < m_jobs.size(); ++i) {
                const auto& [workers, servers, machines] = division.jobs[i];
                const int served = std::min(workers, servers * m_jobs[i].workersPerServer);
                done[i] = served * (machines == 1 ? m_jobs[i].localRate : m_jobs[i].remoteRate);
            }
            keep(out, std::move(done));
        }
        return out;
    }

    /// Adds a point unless one is as good in all; drops those that it surpasses.
    static void keep(std::vector<std::vector<double>>& points, std::vector<double> point) {
        const auto covers = [](const std::vector<double>& a, const std::vector<double>& b) {
            return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x >= y; });
        };
        for (const auto& other : points)
            if (covers(other, point)) return;
        std::erase_if(points, [&](const auto& other) { return covers(point, other); });
        points.push_back(std::move(point));
    }

private:
    void divide(std::size_t job, std::vector<double>& free, Division& division, std::vector<Division>& out) {
        if (job == m_jobs.size()) return out.push_back(division);
        const SlotJob& j = m_jobs[job];
        const int most = m_present[job] ? j.batch : 0, servers = m_present[job] ? j.serversFor(j.batch) : 0;
        for (int w = 0; w <= most; ++w)
            for (int s = 0; s <= servers; ++s) {
                bool fits = true;
                for (std::size_t r = 0; r < free.size(); ++r)
                    fits = fits && w * j.workerDemand[r] + s * j.serverDemand[r] <= free[r] + 1e-9;
                if (!fits) break;
                for (std::size_t r = 0; r < free.size(); ++r) free[r] -= w * j.workerDemand[r] + s * j.serverDemand[r];
                division.jobs[job] = {w, s, w + s > 0};
                divide(job + 1, free, division, out);
                for (std::size_t r = 0; r < free.size(); ++r) free[r] += w * j.workerDemand[r] + s * j.serverDemand[r];
            }
        division.jobs[job] = {};
    }

    const SlotCluster& m_cluster;
    std::span<const SlotJob> m_jobs;
    const std::vector<bool>& m_present;
};

} // namespace

double offlineOptimumByEnumeration(const SlotCluster& cluster, std::span<const SlotJob> jobs) {
    constexpr double ended = std::numeric_limits<double>::infinity();
    // What is done of each job, and last the utility earned so far.
    std::vector<std::vector<double>> states{std::vector<double>(jobs.size() + 1, 0.0)};
    std::map<std::vector<bool>, std::vector<std::vector<double>>> known;
    for (int slot = 0; slot < cluster.horizon; ++slot) {
        std::vector<bool> present(jobs.size());
        for (std::size_t i = 0; i < jobs.size(); ++i) present[i] = jobs[i].arrival <= slot;
        if (!known.contains(present)) known[present] = SlotDivisions(cluster, jobs, present).samples();
        std::set<std::vector<double>> next;
        for (const auto& state : states)
            for (const auto& done : known[present]) {
                std::vector<double> sum = state;
                for (std::size_t i = 0; i < jobs.size(); ++i) {
                    if (state[i] == ended || (sum[i] += done[i]) < jobs[i].samples * (1 - slotTolerance)) continue;
                    sum[i] = ended;
                    sum.back() += jobs[i].utilityAt(slot);
                }
                next.insert(std::move(sum));
            }
        states.clear();
        for (auto it = next.rbegin(); it != next.rend(); ++it) SlotDivisions::keep(states, *it);
    }
    double best = 0;
    for (const auto& state : states) best = std::max(best, state.back());
    return best;
}

namespace {

/// Most workers and servers of a job on an empty machine: alone, and together with the other.
struct MostTasks {
    int localWorkers = 0, workers = 0, servers = 0;
};

MostTasks mostTasks(const SlotLedger& empty, std::size_t machine, const SlotJob& job) {
    MostTasks out;
    out.workers = empty.room(0, machine, job.workerDemand, job.batch);
    out.servers = empty.room(0, machine, job.serverDemand, job.serversFor(job.batch));
    for (int n = 1; n <= job.batch; ++n)
        if (empty.fits(0, machine, job, n, job.serversFor(n))) out.localWorkers = n;
    return out;
}

} // namespace

LinearProgram offlineProgram(const SlotCluster& cluster, std::span<const SlotJob> jobs) {
    using Column = LinearProgram::Column;
    using Row = LinearProgram::Row;
    LinearProgram out{.maximize = true, .columns = {}, .rows = {}};
    std::vector<Row> capacity(static_cast<std::size_t>(cluster.horizon) * cluster.machines * cluster.resources);
    for (std::size_t i = 0; i < capacity.size(); ++i) capacity[i].upper = cluster.capacity[i % cluster.capacity.size()];
    const SlotLedger empty(cluster);
    for (const SlotJob& job : jobs) {
        const double batch = job.batch, ratio = job.workersPerServer;
        std::vector<MostTasks> most; // tight bounds make the relaxation tight
        for (std::size_t h = 0; h < cluster.machines; ++h) most.push_back(mostTasks(empty, h, job));
        std::vector<std::size_t> completeIn;
        for (int slot = job.arrival; slot < cluster.horizon; ++slot)
            completeIn.push_back(out.add(Column{job.utilityAt(slot), 0, 1, true}));
        Row once{.terms = {}, .upper = 1}, work{.terms = {}, .lower = 0};
        for (const std::size_t complete : completeIn) {
            once.terms.emplace_back(complete, 1);
            work.terms.emplace_back(complete, -job.samples);
        }
        for (int slot = job.arrival; slot < cluster.horizon; ++slot) {
            const std::size_t several = out.add(Column{0, 0, 1, true});
            Row oneMode{.terms = {{several, 1}}, .upper = 1};
            Row spreadWorkers{.terms = {{several, -batch}}, .upper = 0}, spreadServers{.terms = {}, .lower = 0};
            Row notAfter{.terms = {}, .upper = 0}; // no workers once it is complete
            for (std::size_t k = static_cast<std::size_t>(slot - job.arrival); k < completeIn.size(); ++k)
                notAfter.terms.emplace_back(completeIn[k], -batch);
            for (std::size_t h = 0; h < cluster.machines; ++h) {
                const std::size_t here = out.add(Column{0, 0, 1, true});
                const double fit = most[h].localWorkers, room = most[h].workers, roomOfServers = most[h].servers;
                const std::size_t localWorkers = out.add(Column{0, 0, fit, true});
                const std::size_t localServers =
                    out.add(Column{0, 0, static_cast<double>(job.serversFor(most[h].localWorkers)), true});
                const std::size_t workers = out.add(Column{0, 0, room, true}),
                                  serversHere = out.add(Column{0, 0, roomOfServers, true});
                oneMode.terms.emplace_back(here, 1);
                out.add(Row{.terms = {{localWorkers, 1}, {here, -fit}}, .upper = 0});
                out.add(Row{.terms = {{workers, 1}, {several, -room}}, .upper = 0});
                out.add(Row{.terms = {{serversHere, 1}, {several, -roomOfServers}}, .upper = 0});
                out.add(Row{.terms = {{localServers, ratio}, {localWorkers, -1}}, .lower = 0});
                spreadWorkers.terms.emplace_back(workers, 1);
                spreadServers.terms.emplace_back(serversHere, ratio);
                spreadServers.terms.emplace_back(workers, -1);
                notAfter.terms.emplace_back(localWorkers, 1);
                notAfter.terms.emplace_back(workers, 1);
                work.terms.emplace_back(localWorkers, job.localRate);
                work.terms.emplace_back(workers, job.remoteRate);
                for (std::size_t r = 0; r < cluster.resources; ++r) {
                    auto& terms =
                        capacity[(static_cast<std::size_t>(slot) * cluster.machines + h) * cluster.resources + r].terms;
                    for (const auto& [column, demand] : {std::pair(localWorkers, job.workerDemand[r]),
                                                         {workers, job.workerDemand[r]},
                                                         {localServers, job.serverDemand[r]},
                                                         {serversHere, job.serverDemand[r]}})
                        terms.emplace_back(column, demand);
                }
            }
            for (Row* row : {&oneMode, &spreadWorkers, &spreadServers, &notAfter}) out.add(std::move(*row));
        }
        out.add(std::move(once));
        out.add(std::move(work));
    }
    for (Row& row : capacity)
        if (!row.terms.empty()) out.add(std::move(row));
    return out;
}

} // namespace trainyard
