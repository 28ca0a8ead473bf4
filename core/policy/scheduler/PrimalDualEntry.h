#pragma once
// The entries of the PrimalDual schedulers: the parameters that they share, declared once. Used by the files of those policies.
#include "policy/scheduler/PrimalDual.h"

#include <tuple>

namespace trainyard {

/// Member pointers of PrimalDualParams as those of a P that derives from it.
template <class P>
struct PrimalDualFields {
    static auto real(double PrimalDualParams::*member, const char* key, const char* label, Range range,
                     const char* unit, const char* help) {
        return field<P>(static_cast<double P::*>(member), key, label, range, unit, help);
    }
    static auto whole(int PrimalDualParams::*member, const char* key, const char* label, Range range, const char* unit,
                      const char* help) {
        return field<P>(static_cast<int P::*>(member), key, label, range, unit, help);
    }
    static auto oneOf(std::string PrimalDualParams::*member, const char* key, const char* label,
                      std::vector<std::string> choices, const char* help) {
        return choice<P>(static_cast<std::string P::*>(member), key, label, std::move(choices), help);
    }
    static auto yes(bool PrimalDualParams::*member, const char* key, const char* label, const char* help) {
        return flag<P>(static_cast<bool P::*>(member), key, label, help);
    }

    /// Slots, what is known beforehand, how finely work is divided.
    static auto planning() {
        using B = PrimalDualParams;
        return std::tuple(
            real(&B::slotSeconds, "slot_s", "Slot", {1e-3, 1e9}, "s",
                 "Length of a slot: tasks come and go when one begins.")
                .logarithmic(),
            whole(&B::horizon, "horizon", "Horizon", {1, 1000}, "slots", "How many slots are planned.").usual(200),
            yes(&B::rolling, "rolling", "Rolling horizon",
                "Whether the horizon is counted from now, or from the start of the run, after which nothing more is "
                "planned."),
            real(&B::margin, "margin", "Margin", {0, 1}, "",
                 "Share of its work that a job is promised beyond it, for what is lost when its tasks are moved."),
            oneOf(&B::bounds, "bounds", "Price bounds", {"hindsight", "history"},
                  "Whether the prices' bounds L, U and μ are those of all jobs of the run, known beforehand, or of the "
                  "jobs that have arrived."),
            whole(&B::quanta, "quanta", "Quanta", {1, 1000}, "",
                  "Parts that a job's work is divided into; a schedule takes at most slots/quanta more than it needs.")
                .usual(500));
    }

    /// How far prices reach.
    static auto pricing() {
        using B = PrimalDualParams;
        return std::tuple(
            real(&B::lowFactor, "low_factor", "L times", {1e-12, 1e12}, "",
                 "The lowest price is taken to be so many times L.")
                .logarithmic(),
            real(&B::highFactor, "high_factor", "U times", {1e-12, 1e12}, "",
                 "The highest price is taken to be so many times U.")
                .logarithmic(),
            real(&B::span, "span", "Span of prices", {0, 100}, "",
                 "L is raised so that ln(U/L) is at most this; 0: as the theory has it. A tiny L lets in jobs that are "
                 "worth next to nothing while the cluster is empty.")
                .usual(40),
            real(&B::floor, "floor", "Floor of prices", {0, 10}, "",
                 "L is at least so many times what a unit is worth to the job with which the cluster is full, if jobs "
                 "are taken by what a unit is worth to them; 0: as the theory has it.")
                .usual(2));
    }

    /// How tasks are placed on several machines, and what the search over slots counts.
    static auto placing() {
        using B = PrimalDualParams;
        return std::tuple(
            oneOf(&B::solver, "solver", "Inner solver", {"rounding", "exact"},
                  "How tasks are placed on several machines: by a linear program and randomized rounding, or exactly."),
            oneOf(&B::guard, "guard", "Rounding guards", {"none", "capacity", "tasks"},
                  "Whether G is as given, or so that a draw keeps the capacities, or has tasks enough, with "
                  "probability 1 − δ."),
            real(&B::gain, "gain", "G", {0.01, 10}, "",
                 "What the fractions are multiplied by before they are rounded."),
            real(&B::failure, "delta", "δ", {1e-6, 0.999}, "", "Probability with which a guarded draw may fail."),
            whole(&B::draws, "draws", "Draws", {1, 5000}, "", "How often a placement is drawn, at most.").usual(100),
            yes(&B::repair, "repair", "Mend draws",
                "Whether a draw that breaks a constraint is mended, and the cheapest of all is taken; else the first "
                "that breaks none."),
            oneOf(&B::state, "state", "State of the search", {"quanta", "counts"},
                  "Whether the search over slots counts equal parts of the job's work, or worker-slots, which is exact "
                  "and takes longer."));
    }
};

/// Of a Policy made of a P, with the fields given as tuples.
template <class Policy, class P, class... Fields>
SchedulerEntry primalDualEntry(PolicyInfo info, Fields... fields) {
    info.series = PrimalDual::series();
    info.incompatible = [](const Job& job, const ParamValues&) { return cannotBePlanned(job); };
    return std::apply(
        [&info](auto... each) { return policyEntry<Scheduler, Policy, P>(std::move(info), std::move(each)...); },
        std::tuple_cat(std::move(fields)...));
}

} // namespace trainyard
