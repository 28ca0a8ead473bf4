// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotSolver.h"

#include <algorithm>
#include <limits>

namespace trainyard {

SlotOffer slotOffer(const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job, int slot) {
    SlotOffer out{&ledger, &job, slot, {}, {}};
    for (std::size_t h = 0; h < ledger.cluster().machines; ++h) {
        out.workerCost.push_back(prices.cost(slot, h, job.workerDemand));
        out.serverCost.push_back(prices.cost(slot, h, job.serverDemand));
    }
    return out;
}

std::optional<PricedTasks> SlotSolver::cheapestLocal(const SlotOffer& offer, int workers) {
    const int servers = offer.job->serversFor(workers);
    std::optional<PricedTasks> best;
    for (std::size_t h = 0; h < offer.workerCost.size(); ++h) {
        const double cost = workers * offer.workerCost[h] + servers * offer.serverCost[h];
        if ((best && !isCheaper(cost, best->cost)) || !offer.ledger->fits(offer.slot, h, *offer.job, workers, servers))
            continue;
        best = PricedTasks{{{{h, workers, servers}}}, cost};
    }
    return best;
}

std::vector<std::optional<PricedTasks>> ExactSlotSolver::cheapest(const SlotOffer& offer, std::span<const int> counts) {
    if (counts.empty()) return {};
    const int most = counts.back();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t machines = offer.workerCost.size();
    const int mostServers = offer.job->serversFor(most);
    const std::size_t columns = static_cast<std::size_t>(mostServers) + 1,
                      size = (static_cast<std::size_t>(most) + 1) * columns;
    const auto at = [columns](int workers, int servers) {
        return static_cast<std::size_t>(workers) * columns + static_cast<std::size_t>(servers);
    };
    struct Chosen {
        int workers = 0, servers = 0;
    };
    std::vector<double> cost(size, infinity), next(size);
    std::vector<std::vector<Chosen>> chosen(machines, std::vector<Chosen>(size));
    cost[0] = 0;
    for (std::size_t h = machines; h-- > 0;) { // of equal cost: as few as possible on the first
        std::fill(next.begin(), next.end(), infinity);
        for (int n = 0; n <= offer.ledger->room(offer.slot, h, offer.job->workerDemand, most); ++n)
            for (int s = 0; s <= mostServers && offer.ledger->fits(offer.slot, h, *offer.job, n, s); ++s) {
                const double here = n * offer.workerCost[h] + s * offer.serverCost[h];
                for (int w = n; w <= most; ++w)
                    for (int p = s; p <= mostServers; ++p)
                        if (const double sum = cost[at(w - n, p - s)] + here; isCheaper(sum, next[at(w, p)])) {
                            next[at(w, p)] = sum;
                            chosen[h][at(w, p)] = {n, s};
                        }
            }
        std::swap(cost, next);
    }
    std::vector<std::optional<PricedTasks>> out;
    for (const int workers : counts) {
        int w = workers, p = offer.job->serversFor(workers);
        auto& priced = out.emplace_back();
        if (cost[at(w, p)] == infinity) continue;
        PricedTasks found{{}, cost[at(w, p)]};
        for (std::size_t h = 0; h < machines; ++h) {
            const auto [n, s] = chosen[h][at(w, p)];
            if (n + s > 0) found.tasks.on.push_back({h, n, s});
            w -= n;
            p -= s;
        }
        priced = std::move(found);
    }
    return out;
}

std::vector<std::optional<PricedTasks>> SplitSlotSolver::cheapest(const SlotOffer& offer, std::span<const int> counts) {
    std::vector<std::size_t> order[2];
    for (std::size_t h = 0; h < m_kinds.size(); ++h) order[m_kinds[h]].push_back(h);
    for (const int kind : {0, 1}) {
        const auto& cost = kind == 0 ? offer.workerCost : offer.serverCost;
        std::stable_sort(order[kind].begin(), order[kind].end(),
                         [&cost](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
    }
    std::vector<std::optional<PricedTasks>> out;
    for (const int workers : counts) {
        PricedTasks found;
        int left[2] = {workers, offer.job->serversFor(workers)};
        for (const int kind : {0, 1})
            for (const std::size_t h : order[kind]) {
                const auto& demand = kind == 0 ? offer.job->workerDemand : offer.job->serverDemand;
                const int here = offer.ledger->room(offer.slot, h, demand, left[kind]);
                if (here == 0) continue;
                left[kind] -= here;
                found.tasks.on.push_back({h, kind == 0 ? here : 0, kind == 0 ? 0 : here});
                found.cost += here * (kind == 0 ? offer.workerCost : offer.serverCost)[h];
            }
        auto& priced = out.emplace_back();
        if (left[0] > 0 || left[1] > 0) continue;
        std::sort(found.tasks.on.begin(), found.tasks.on.end(),
                  [](const auto& a, const auto& b) { return a.machine < b.machine; });
        priced = std::move(found);
    }
    return out;
}

} // namespace trainyard
