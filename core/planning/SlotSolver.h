#pragma once
// The cheapest machines for so many workers of a job, and the servers that go with them, in one slot at the present prices.
#include "planning/SlotPrices.h"

#include <optional>
#include <vector>

namespace trainyard {

/// One slot as one job meets it.
struct SlotOffer {
    const SlotLedger* ledger = nullptr;
    const SlotJob* job = nullptr;
    int slot = 0;
    std::vector<double> workerCost, serverCost; ///< of one task, by machine
};
SlotOffer slotOffer(const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job, int slot);

struct PricedTasks {
    SlotTasks tasks;
    double cost = 0;
};

/// `workers` and their servers all on the cheapest machine with room for them; of equally cheap ones the first. nullopt: none has
/// room.
std::optional<PricedTasks> cheapestLocal(const SlotOffer& offer, int workers);

/// Solves the placement on several machines: at least `workers` workers and serversFor(workers) servers within the free capacity,
/// at the least cost. An integer program, exactly or approximately.
class SlotSolver {
public:
    virtual ~SlotSolver() = default;
    /// By number of workers, from 1 to `most`; nullopt: there is no placement, or none was found.
    virtual std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, int most) = 0;
};

/// Exact: a table over machines by numbers of workers and servers placed so far. Takes O(machines · (W·S)²) time for W workers and
/// S servers; the reference for the others.
class ExactSlotSolver : public SlotSolver {
public:
    std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, int most) override;
};

} // namespace trainyard
