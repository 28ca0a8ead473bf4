// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Prices of machines' resources that rise exponentially from L to U as they are promised away, in log space: utilities of jobs
// that must end soon fall below the least double.
#include "policy/scheduler/pdors/SlotModel.h"

#include <cstdint>
#include <optional>

namespace trainyard {

/// What the prices lie between.
struct PriceBounds {
    double logLow = 0;           ///< ln L
    std::vector<double> logHigh; ///< ln U, by resource; −infinity: no job wants it
    double mu = 1;               ///< μ, by which L is lowered
    /// Jobs that were left out: they cannot end within the slots, not even alone on all machines.
    std::vector<std::size_t> unfinishable = {};
};

/// U_r = max u(⌈V/(r_local·F)⌉)/(α_r + β_r), L = min u(T−1−a)/(2 μ N), μ = T·ΣC/min N, with N = ⌈V/r_remote⌉·Σ(α + β), over the
/// jobs added that can end (V samples; arXiv 2108.02917 as its brief states it, slots counted from 0).
class PriceBoundsFold {
public:
    /// Whose demands the prices are of. `divisor`: the 2 of L.
    enum class Demands { all, workers, servers };
    explicit PriceBoundsFold(const SlotCluster& cluster, Demands demands = Demands::all, double divisor = 2);
    /// false: the job cannot end within the slots, not even alone, and is left out. `kinds` as in canFinish().
    bool add(const SlotCluster& cluster, const SlotJob& job, std::span<const std::uint8_t> kinds = {});
    /// nullopt: no job can.
    std::optional<PriceBounds> bounds() const;
    /// ln of utility per unit and slot, at best, of the job with which the machines are full if jobs are taken by it, the greatest
    /// first (the critical item of a fractional knapsack); −infinity: all jobs fit. `share`: of the slots, in which jobs like these
    /// come.
    double logCriticalWorth(double share = 1) const;

private:
    struct Work {
        double logWorth = 0;         ///< of a unit in a slot
        std::vector<double> amounts; ///< by resource
    };
    double demandOf(const SlotJob& job, std::size_t resource) const;

    Demands m_demands;
    double m_divisor;
    double m_capacity;              ///< T·ΣC
    std::vector<double> m_room;     ///< T·C by resource
    std::vector<Work> m_work;       ///< of the jobs that can end
    double m_leastWork, m_logLeast; ///< min N, min ln(u/(2N))
    std::vector<double> m_logHigh;  ///< by resource
};

/// Of all the jobs.
std::optional<PriceBounds> priceBounds(const SlotCluster& cluster, std::span<const SlotJob> jobs);

/// Whether the job, alone on the cluster, can process its samples from its arrival on: whole workers and servers in every slot, on one
/// machine or on several. Exact. `kinds`: by machine, 0 for workers alone, 1 for servers alone; empty: both on any.
bool canFinish(const SlotCluster& cluster, const SlotJob& job, std::span<const std::uint8_t> kinds = {});

/// Of each resource of each machine in each slot: ln p = ln L + (used/capacity)·(ln U − ln L).
class SlotPrices {
public:
    SlotPrices(const SlotLedger& ledger, PriceBounds bounds) : m_ledger(&ledger), m_bounds{std::move(bounds)} {}
    /// Of machines of several kinds, each with bounds of its own.
    SlotPrices(const SlotLedger& ledger, std::vector<PriceBounds> bounds, std::vector<std::uint8_t> kinds)
        : m_ledger(&ledger), m_bounds(std::move(bounds)), m_kinds(std::move(kinds)) {}
    const PriceBounds& boundsOf(std::size_t machine) const { return m_bounds[m_kinds.empty() ? 0 : m_kinds[machine]]; }
    double logPrice(int slot, std::size_t machine, std::size_t resource) const;
    /// What a task with the demand costs there.
    double cost(int slot, std::size_t machine, std::span<const double> demand) const;

private:
    const SlotLedger* m_ledger;
    std::vector<PriceBounds> m_bounds;
    std::vector<std::uint8_t> m_kinds; ///< by machine; empty: all are of the first
};

} // namespace trainyard
