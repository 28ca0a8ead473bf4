// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The schedule of one job that earns the most above what its resources cost at the present prices (Algorithms 2 to 4 of arXiv
// 2108.02917 as its brief states them): one table forward over the slots, from which every time of completion is read.
#include "policy/scheduler/pdors/SlotSolver.h"

namespace trainyard {

/// What the table counts.
enum class SearchState {
    quanta, ///< equal parts of the job's samples; what a slot processes is rounded down to whole ones
    counts, ///< worker-slots on one machine and on several: exact, for small jobs; quanta where the table would be too large
};

struct SearchOptions {
    SearchState state = SearchState::quanta;
    /// Parts that the samples are divided into; 0: one for each sample. A slot loses less than one part, so a schedule may use up to
    /// slots/quanta of the samples more than it needs.
    int quanta = 0;
};

/// A time of completion that was weighed.
struct CandidateSchedule {
    int completion = 0;
    double utility = 0, cost = 0;
    double payoff() const { return utility - cost; }
};

struct ScheduleChoice {
    /// Of the greatest payoff, the earliest of equals; nullopt: none ends in time, or none costs less than its utility.
    std::optional<SlotSchedule> schedule;
    CandidateSchedule best;
    std::vector<CandidateSchedule> candidates; ///< all slots in which it could end, ascending
    bool coarse = false;                       ///< quanta were counted although counts were asked for
};

ScheduleChoice chooseSchedule(const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job,
                              SlotSolver& solver, const SearchOptions& options = {});

} // namespace trainyard
