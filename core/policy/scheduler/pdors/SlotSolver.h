// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cheapest machines for so many workers of a job, and the servers that go with them, in one slot at the present prices.
#include "policy/scheduler/pdors/SlotPrices.h"

#include <optional>
#include <vector>

namespace trainyard {

/// By more than rounding: of equal costs the first is kept, whatever the unit of the prices.
inline bool isCheaper(double cost, double than) { return cost < than * (1 - 1e-12); }

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

/// Solves the placement on one machine, and the one on several: at least `workers` workers and serversFor(workers) servers within
/// the free capacity, at the least cost, which is an integer program, solved exactly or approximately.
class SlotSolver {
public:
    virtual ~SlotSolver() = default;
    /// `workers` and their servers all on the cheapest machine with room for them; of equally cheap ones the first. nullopt: none
    /// has room.
    virtual std::optional<PricedTasks> cheapestLocal(const SlotOffer& offer, int workers);
    /// For each of the numbers of workers, which ascend from 1 at least; nullopt: there is no placement, or none was found.
    virtual std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, std::span<const int> workers) = 0;
};

/// Exact: a table over machines by numbers of workers and servers placed so far. Takes O(machines · (W·S)²) time for W workers and
/// S servers; the reference for the others.
class ExactSlotSolver : public SlotSolver {
public:
    std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, std::span<const int> workers) override;
};

/// Workers on machines of the first kind, servers on those of the second (kinds by machine, 0 and 1), never together. Exact: the
/// cheapest machines of each kind in turn.
class SplitSlotSolver : public SlotSolver {
public:
    explicit SplitSlotSolver(std::vector<std::uint8_t> kinds) : m_kinds(std::move(kinds)) {}
    std::optional<PricedTasks> cheapestLocal(const SlotOffer&, int) override { return std::nullopt; }
    std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, std::span<const int> workers) override;

private:
    std::vector<std::uint8_t> m_kinds;
};

} // namespace trainyard
