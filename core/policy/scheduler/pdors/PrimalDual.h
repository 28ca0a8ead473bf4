// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Online primal-dual scheduling in slots, what pdors and its kin share: a job is weighed when it arrives, at prices that rise with
// what has been promised, and is promised the schedule that earns the most above its cost, or refused.
#include "policy/Registry.h"
#include "policy/scheduler/pdors/RoundedSlotSolver.h"
#include "policy/scheduler/pdors/SlotPromises.h"

#include <set>

namespace trainyard {

struct PrimalDualParams {
    double slotSeconds = 1;
    int horizon = 20;
    bool rolling = false;
    double margin = 0; ///< share of its work that a job is promised beyond it
    std::string bounds = "hindsight";
    double lowFactor = 1, highFactor = 1; ///< by which L and U are misestimated
    double span = 0;                      ///< ln(U/L) at most; 0: as the theory has it
    double floor = 0;                     ///< L as a multiple of the critical worth, at least; 0: as the theory has it
    std::string solver = "rounding";
    std::string guard = "none";
    double gain = 1, failure = 0.1;
    int draws = 10;
    bool repair = true;
    std::string state = "quanta";
    int quanta = 50;
    bool retry = false;      ///< refused jobs are weighed again when a slot begins
    bool reoptimize = false; ///< what is promised for later is chosen anew when a slot begins
};

class PrimalDual : public Scheduler {
public:
    /// What an entry declares (PolicyInfo::series), in this order.
    enum Note : std::uint16_t {
        candidateUtility,
        candidateCost,
        payoff,
        price,
        lowestPrice,
        highestPrice,
        mended,
        withoutPlacement,
        behind,
        unfinishable,
        repairedPlacements,
        flatPrices,
        coarseSearch
    };
    static std::vector<SeriesInfo> series();

    /// `split`: the first half of the machines is for workers, the rest for servers, and each has prices of its own.
    PrimalDual(std::string id, PrimalDualParams params, bool split = false);
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override;

private:
    const SlotJobShape& shapeOf(const SchedulerView& view, JobId job);
    SlotJob present(const SchedulerView& view, JobId job);
    void makeBounds();
    void learnBounds(const PolicyContext& context, const SchedulerView& view, JobId job);
    SlotPrices pricesNow();
    ScheduleChoice choose(const PolicyContext& context, const SlotPrices& prices, const SlotJob& job);
    bool consider(const PolicyContext& context, const SchedulerView& view, JobId job, SchedulingDecisions& decisions);
    void reoptimize(const PolicyContext& context, const SchedulerView& view);
    /// What came of a job that was weighed.
    void note(const PolicyContext& context, JobId job, const ScheduleChoice& choice) const;
    void notePrices(const PolicyContext& context, const SlotPrices& prices, const SlotSchedule& schedule) const;
    void explain(const PolicyContext& context, const SchedulerView& view, JobId job, const SlotJob& as,
                 const ScheduleChoice& choice);
    bool couldNeverEnd(const SlotJob& as);
    Text refusal(const SchedulerView& view, JobId job, const SlotJob& as, const ScheduleChoice& choice);

    std::string m_id;
    PrimalDualParams m_params;
    SlotPromises m_promises;
    bool m_split;
    std::vector<std::uint8_t> m_kinds;     ///< by machine, where they are split: 0 for workers, 1 for servers
    std::vector<PriceBoundsFold> m_bounds; ///< by kind
    std::vector<std::optional<SlotJobShape>> m_shapes; ///< by job
    std::set<JobId> m_refused;                         ///< that still wait
    double m_low = 0, m_high = 0;                      ///< logarithms of L and U, as noted last
    int m_behind = 0;                                  ///< as noted last
    bool m_flat = false;                               ///< L would be above some U
    int m_unfinishable = 0;                            ///< jobs so far that could not end, not even alone
    RoundingCounts m_counts;                           ///< of the last search
};

/// Why a job cannot be planned on arrival: its work is not known, or it takes nothing that has a price.
std::optional<Text> cannotBePlanned(const Job& job);

} // namespace trainyard
