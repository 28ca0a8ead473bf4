// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The entries of the PrimalDual schedulers: the parameters that they share, declared once. Used by the files of those policies.
#include "policy/scheduler/pdors/PrimalDual.h"

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
                 "Length of a slot: tasks start and stop at the beginning of a slot.")
                .logarithmic(),
            whole(&B::horizon, "horizon", "Horizon", {1, 1000}, "slots", "How many slots are planned.").usual(200),
            yes(&B::rolling, "rolling", "Rolling horizon",
                "Whether the horizon is counted from now, or from the start of the run, so that nothing "
                "is planned after it."),
            real(&B::margin, "margin", "Margin", {0, 1}, "",
                 "Extra share of its work that is reserved for a job, for work lost when its tasks are moved."),
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
            real(&B::lowFactor, "low_factor", "L times", {1e-12, 1e12}, "", "The lowest price is this multiple of L.")
                .logarithmic(),
            real(&B::highFactor, "high_factor", "U times", {1e-12, 1e12}, "",
                 "The highest price is this multiple of U.")
                .logarithmic(),
            real(&B::span, "span", "Price span", {0, 100}, "",
                 "L is raised so that ln(U/L) is at most this; 0: as in the paper's bound. With a tiny L "
                 "an empty cluster accepts jobs of almost no utility.")
                .usual(40),
            real(&B::floor, "floor", "Price floor", {0, 10}, "",
                 "L is at least this multiple of the critical utility per unit: that of the job that "
                 "fills the cluster if jobs are taken by utility per unit; 0: as in the paper's bound.")
                .usual(2));
    }

    /// How tasks are placed on several machines, and what the search over slots counts.
    static auto placing() {
        using B = PrimalDualParams;
        return std::tuple(
            oneOf(&B::solver, "solver", "Inner solver", {"rounding", "exact"},
                  "How tasks are placed on several machines: by a linear program and randomized rounding, or exactly."),
            oneOf(&B::guard, "guard", "Rounding guards", {"none", "capacity", "tasks"},
                  "Whether G is as given, or is chosen so that with probability 1 − δ a draw keeps the "
                  "capacities, or has enough tasks."),
            real(&B::gain, "gain", "G", {0.01, 10}, "",
                 "Factor that fractions are multiplied by before they are rounded."),
            real(&B::failure, "delta", "δ", {1e-6, 0.999}, "", "Probability with which a guarded draw may fail."),
            whole(&B::draws, "draws", "Draws", {1, 5000}, "", "Maximum number of draws of a placement.").usual(100),
            yes(&B::repair, "repair", "Repair draws",
                "Whether draws that violate a constraint are repaired and the cheapest draw is used; "
                "else the first that violates none."),
            oneOf(&B::state, "state", "Search state", {"quanta", "counts"},
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
