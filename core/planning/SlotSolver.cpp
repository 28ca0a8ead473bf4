#include "planning/SlotSolver.h"

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

std::optional<PricedTasks> cheapestLocal(const SlotOffer& offer, int workers) {
    const int servers = offer.job->serversFor(workers);
    std::optional<PricedTasks> best;
    for (std::size_t h = 0; h < offer.workerCost.size(); ++h) {
        const double cost = workers * offer.workerCost[h] + servers * offer.serverCost[h];
        if ((best && cost >= best->cost) || !offer.ledger->fits(offer.slot, h, *offer.job, workers, servers)) continue;
        best = PricedTasks{{{{h, workers, servers}}}, cost};
    }
    return best;
}

std::vector<std::optional<PricedTasks>> ExactSlotSolver::cheapest(const SlotOffer& offer, int most) {
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
                        if (const double sum = cost[at(w - n, p - s)] + here; sum < next[at(w, p)]) {
                            next[at(w, p)] = sum;
                            chosen[h][at(w, p)] = {n, s};
                        }
            }
        std::swap(cost, next);
    }
    std::vector<std::optional<PricedTasks>> out(static_cast<std::size_t>(most) + 1);
    for (int workers = 1; workers <= most; ++workers) {
        int w = workers, p = offer.job->serversFor(workers);
        if (cost[at(w, p)] == infinity) continue;
        PricedTasks found{{}, cost[at(w, p)]};
        for (std::size_t h = 0; h < machines; ++h) {
            const auto [n, s] = chosen[h][at(w, p)];
            if (n + s > 0) found.tasks.on.push_back({h, n, s});
            w -= n;
            p -= s;
        }
        out[static_cast<std::size_t>(workers)] = std::move(found);
    }
    return out;
}

} // namespace trainyard
