// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/RoundedSlotSolver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

double gainForCapacity(std::size_t rows, double leastRoom, double failure) {
    const double c = 3 * std::log(3 * static_cast<double>(rows) / failure) / leastRoom;
    return 1 + c / 2 - std::sqrt(c * c / 4 + c);
}

double gainForTasks(std::size_t rows, double leastTasks, double failure) {
    const double c = std::log(3 * static_cast<double>(rows) / failure) / leastTasks;
    return 1 + c + std::sqrt(c * c + 2 * c);
}

RoundingCounts RoundingCounts::operator-(const RoundingCounts& before) const {
    return {programs - before.programs, infeasible - before.infeasible, handedOn - before.handedOn,
            draws - before.draws,       mended - before.mended,         withoutPlacement - before.withoutPlacement,
            repaired - before.repaired};
}

namespace {

/// One draw, on its way to a placement.
class Draw {
public:
    explicit Draw(const SlotOffer& offer) : m_offer(offer) {}

    void add(std::size_t machine, int workers, int servers) {
        if (workers + servers == 0) return;
        m_tasks.on.push_back({machine, workers, servers});
        m_workers += workers;
        m_servers += servers;
    }
    /// Whether there are enough tasks and no machine is too full.
    bool isPlacement(int workers, int servers) const {
        return m_workers >= workers && m_servers >= servers &&
               std::all_of(m_tasks.on.begin(), m_tasks.on.end(), [this](const auto& on) {
                   return m_offer.ledger->fits(m_offer.slot, on.machine, *m_offer.job, on.workers, on.servers);
               });
    }
    /// Machines that are too full give up their dearer kind of task first.
    void unload() {
        for (auto& on : m_tasks.on)
            while (!m_offer.ledger->fits(m_offer.slot, on.machine, *m_offer.job, on.workers, on.servers)) {
                const bool worker = on.servers == 0 || (on.workers > 0 && m_offer.workerCost[on.machine] >=
                                                                              m_offer.serverCost[on.machine]);
                --(worker ? on.workers : on.servers);
                --(worker ? m_workers : m_servers);
            }
    }
    /// Gives up what is not needed, the dearest first.
    void trim(int workers, int servers) {
        drop(&SlotTasks::On::workers, m_workers, workers, m_offer.workerCost);
        drop(&SlotTasks::On::servers, m_servers, servers, m_offer.serverCost);
    }
    /// Puts what is missing where it costs least. false: there is no room.
    bool fill(int workers, int servers, std::span<const std::size_t> byWorkerCost,
              std::span<const std::size_t> byServerCost) {
        put(&SlotTasks::On::servers, m_servers, servers, byServerCost);
        put(&SlotTasks::On::workers, m_workers, workers, byWorkerCost);
        return m_workers >= workers && m_servers >= servers;
    }
    PricedTasks priced() && {
        std::erase_if(m_tasks.on, [](const auto& on) { return on.workers + on.servers == 0; });
        std::sort(m_tasks.on.begin(), m_tasks.on.end(),
                  [](const auto& a, const auto& b) { return a.machine < b.machine; });
        double cost = 0;
        for (const auto& on : m_tasks.on)
            cost += on.workers * m_offer.workerCost[on.machine] + on.servers * m_offer.serverCost[on.machine];
        return {std::move(m_tasks), cost};
    }

private:
    using Kind = int SlotTasks::On::*;

    void drop(Kind kind, int& have, int wanted, const std::vector<double>& cost) {
        while (have > wanted) {
            SlotTasks::On* dearest = nullptr;
            for (auto& on : m_tasks.on)
                if (on.*kind > 0 && (!dearest || cost[on.machine] > cost[dearest->machine])) dearest = &on;
            const int gone = std::min(dearest->*kind, have - wanted);
            dearest->*kind -= gone;
            have -= gone;
        }
    }
    void put(Kind kind, int& have, int wanted, std::span<const std::size_t> byCost) {
        const SlotLedger& ledger = *m_offer.ledger;
        const SlotJob& job = *m_offer.job;
        const bool workers = kind == &SlotTasks::On::workers;
        for (const std::size_t h : byCost) {
            if (have >= wanted) return;
            int room = ledger.room(m_offer.slot, h, workers ? job.workerDemand : job.serverDemand, wanted - have);
            if (room <= 0) continue;
            auto it =
                std::find_if(m_tasks.on.begin(), m_tasks.on.end(), [h](const auto& on) { return on.machine == h; });
            const SlotTasks::On here = it == m_tasks.on.end() ? SlotTasks::On{h, 0, 0} : *it;
            while (room > 0 && !ledger.fits(m_offer.slot, h, job, here.workers + (workers ? room : 0),
                                            here.servers + (workers ? 0 : room)))
                --room;
            if (room == 0) continue;
            if (it == m_tasks.on.end()) it = m_tasks.on.insert(it, here);
            (*it).*kind += room;
            have += room;
        }
    }

    const SlotOffer& m_offer;
    SlotTasks m_tasks;
    int m_workers = 0, m_servers = 0;
};

std::vector<std::size_t> ascending(const std::vector<double>& cost) {
    std::vector<std::size_t> order(cost.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&cost](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
    return order;
}

} // namespace

std::vector<std::optional<PricedTasks>> RoundedSlotSolver::cheapest(const SlotOffer& offer,
                                                                    std::span<const int> workers) {
    std::vector<std::optional<PricedTasks>> out(workers.size());
    if (workers.empty()) return out;
    SlotRelaxation relaxation(offer, workers.back());
    m_byWorkerCost = ascending(offer.workerCost);
    m_byServerCost = ascending(offer.serverCost);
    for (std::size_t i = 0; i < workers.size(); ++i) {
        using Status = SlotRelaxation::Status;
        const auto solution = relaxed(relaxation, offer, workers[i]);
        if (solution.status == Status::infeasible) break; // there is no room for more either
        out[i] = rounded(offer, workers[i], solution.tasks, m_options.repair || solution.status == Status::failed);
    }
    return out;
}

/// Infeasible: so many tasks do not fit, not even in fractions. Failed: no tasks, all are to be put where they cost least.
SlotRelaxation::Solution RoundedSlotSolver::relaxed(SlotRelaxation& relaxation, const SlotOffer& offer, int workers) {
    using Status = SlotRelaxation::Status;
    ++m_counts.programs;
    auto solution = relaxation.solve(workers, offer.job->serversFor(workers));
    if (solution.status == Status::failed) {
        ++m_counts.handedOn;
        LpSolver solver(relaxedProgram(offer, workers));
        const LpSolution reference = solver.solve();
        solution = {};
        if (reference.status == LpSolution::Status::infeasible) solution.status = Status::infeasible;
        if (reference.status == LpSolution::Status::optimal) {
            solution = {Status::optimal, {{}, reference.value}};
            const std::size_t machines = offer.workerCost.size();
            for (std::size_t h = 0; h < machines; ++h)
                if (reference.x[h] + reference.x[machines + h] > 1e-9)
                    solution.tasks.on.push_back({h, reference.x[h], reference.x[machines + h]});
        }
    }
    m_counts.infeasible += solution.status == Status::infeasible;
    m_counts.repaired += solution.status == Status::failed;
    return solution;
}

double RoundedSlotSolver::gainFor(const SlotOffer& offer, int workers) const {
    const SlotJob& job = *offer.job;
    const SlotLedger& ledger = *offer.ledger;
    if (m_options.guard == RoundingGuard::none) return m_options.gain;
    if (m_options.guard == RoundingGuard::tasks) {
        const int servers = job.serversFor(workers); // a job without servers has no row for them
        return gainForTasks(1, servers > 0 ? std::min(workers, servers) : workers, m_options.failure);
    }
    double least = job.batch;
    std::size_t rows = 1;
    for (std::size_t h = 0; h < offer.workerCost.size(); ++h)
        for (std::size_t r = 0; r < ledger.cluster().resources; ++r) {
            const double demand = std::max(job.workerDemand[r], job.serverDemand[r]);
            if (demand <= 0 || !ledger.isUp(h) || ledger.free(offer.slot, h, r) < demand) continue;
            least = std::min(least, ledger.free(offer.slot, h, r) / demand);
            ++rows;
        }
    return gainForCapacity(rows, least, m_options.failure);
}

std::optional<PricedTasks> RoundedSlotSolver::rounded(const SlotOffer& offer, int workers, const RelaxedTasks& relaxed,
                                                      bool repair) {
    const int servers = offer.job->serversFor(workers);
    const double gain = gainFor(offer, workers);
    bool fractional = false;
    const auto draw = [&](double x) {
        const double scaled = gain * x, nearest = std::round(scaled);
        if (std::abs(scaled - nearest) <= 1e-9 * std::max(1.0, scaled)) return static_cast<int>(nearest);
        fractional = true;
        return static_cast<int>(std::floor(scaled)) + (m_random.unit() < scaled - std::floor(scaled) ? 1 : 0);
    };
    std::optional<PricedTasks> best;
    for (int i = 0; i < m_options.draws && (i == 0 || fractional); ++i) {
        ++m_counts.draws;
        Draw drawn(offer);
        for (const auto& on : relaxed.on) {
            const int w = draw(on.workers);
            drawn.add(on.machine, w, draw(on.servers));
        }
        const bool isPlacement = drawn.isPlacement(workers, servers);
        if (!isPlacement && !repair) continue;
        if (!isPlacement) {
            ++m_counts.mended;
            drawn.unload();
        }
        drawn.trim(workers, servers);
        if (!isPlacement && !drawn.fill(workers, servers, m_byWorkerCost, m_byServerCost)) continue;
        auto priced = std::move(drawn).priced();
        if (!best || isCheaper(priced.cost, best->cost)) best = std::move(priced);
        if (!repair) break;
    }
    if (!best) ++m_counts.withoutPlacement;
    return best;
}

} // namespace trainyard
