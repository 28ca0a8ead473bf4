// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// pdors: online primal-dual scheduling of workers and parameter servers, with regard to whether they share a machine (arXiv
// 2108.02917; resources/help/pdors.md says what of the paper was available). pdors-plus: the same, but nothing is decided for good
// before it has to be.
#include "policy/Builtin.h"
#include "policy/scheduler/pdors/PrimalDualEntry.h"

namespace trainyard {

namespace {

class PdOrs final : public PrimalDual {
public:
    explicit PdOrs(PrimalDualParams params) : PrimalDual("pdors", std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<PdOrs>(*this); }
};

struct PdOrsPlusParams : PrimalDualParams {
    PdOrsPlusParams() {
        retry = reoptimize = true;
        floor = 0.8;
        bounds = "history";
    }
};

class PdOrsPlus final : public PrimalDual {
public:
    explicit PdOrsPlus(PdOrsPlusParams params) : PrimalDual("pdors-plus", std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<PdOrsPlus>(*this); }
};

} // namespace

SchedulerEntry builtin::pdors() {
    using Fields = PrimalDualFields<PrimalDualParams>;
    return primalDualEntry<PdOrs, PrimalDualParams>(
        {.id = "pdors",
         .label = "PD-ORS: primal-dual, in slots",
         .summary =
             "Reserves for each arriving job the schedule of highest payoff at rising prices, or rejects the job.",
         .source = "arXiv 2108.02917"},
        Fields::planning(), Fields::pricing(), Fields::placing());
}

SchedulerEntry builtin::pdorsPlus() {
    using Fields = PrimalDualFields<PdOrsPlusParams>;
    return primalDualEntry<PdOrsPlus, PdOrsPlusParams>(
        {.id = "pdors-plus",
         .label = "PD-ORS with a price floor and replanning",
         .summary = "As PD-ORS, with higher initial prices; rejected jobs are reconsidered, reservations reoptimized.",
         .source = "arXiv 2108.02917, and this program"},
        Fields::planning(), Fields::pricing(), Fields::placing(),
        std::tuple(Fields::yes(&PrimalDualParams::retry, "retry", "Reconsider",
                               "Whether a rejected job waits and is reconsidered when a slot begins."),
                   Fields::yes(&PrimalDualParams::reoptimize, "reoptimize", "Reoptimize",
                               "Whether the reservations of later slots are optimized again when a slot begins.")));
}

} // namespace trainyard
