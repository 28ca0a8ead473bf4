// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Places a job's tasks on several machines by rounding the linear relaxation at random (Algorithm 4 of arXiv 2108.02917 as its
// brief states it): every variable is scaled by G, then goes up with the probability of its fraction.
#include "base/Random.h"
#include "policy/scheduler/pdors/SlotRelaxation.h"

namespace trainyard {

/// Which rows of the program a G_δ guards: those of capacity, or those that ask for tasks.
enum class RoundingGuard {
    none,     ///< G as given
    capacity, ///< G ≤ 1
    tasks,    ///< G > 1
};

struct RoundingOptions {
    RoundingGuard guard = RoundingGuard::none;
    double gain = 1;      ///< G, without a guard
    double failure = 0.1; ///< δ
    int draws = 10;       ///< at most
    /// Draws are mended: machines that are too full give tasks up, surplus goes, what is missing is put where it costs least; the
    /// cheapest of all draws is taken. Without, the first draw that satisfies all rows.
    bool repair = true;
};

/// G = 1 + c/2 − √(c²/4 + c), c = 3 ln(3m/δ)/W, for m rows of capacity of which each has room for W tasks: with probability
/// 1 − δ none is exceeded. The bound holds where G ≥ 1/2 (Chernoff).
double gainForCapacity(std::size_t rows, double leastRoom, double failure);
/// G = 1 + c + √(c² + 2c), c = ln(3r/δ)/W, for r rows that ask for at least W tasks each.
double gainForTasks(std::size_t rows, double leastTasks, double failure);

/// What has happened since the solver was made.
struct RoundingCounts {
    std::uint64_t programs = 0;   ///< linear programs
    std::uint64_t infeasible = 0; ///< of these
    std::uint64_t handedOn = 0;   ///< to LpSolver, since the decomposition did not end
    std::uint64_t draws = 0, mended = 0;
    std::uint64_t withoutPlacement = 0; ///< programs with a solution of which no draw became one
    std::uint64_t repaired = 0;         ///< programs that failed numerically: tasks were put where they cost least
    RoundingCounts operator-(const RoundingCounts& before) const;
};

class RoundedSlotSolver : public SlotSolver {
public:
    RoundedSlotSolver(const RoundingOptions& options, RandomStream random) : m_options(options), m_random(random) {}
    std::vector<std::optional<PricedTasks>> cheapest(const SlotOffer& offer, std::span<const int> workers) override;
    const RoundingCounts& counts() const { return m_counts; }

private:
    SlotRelaxation::Solution relaxed(SlotRelaxation& relaxation, const SlotOffer& offer, int workers);
    double gainFor(const SlotOffer& offer, int workers) const;
    std::optional<PricedTasks> rounded(const SlotOffer& offer, int workers, const RelaxedTasks& relaxed, bool repair);

    RoundingOptions m_options;
    RandomStream m_random;
    RoundingCounts m_counts;
    std::vector<std::size_t> m_byWorkerCost, m_byServerCost; ///< machines, of the present slot
};

} // namespace trainyard
