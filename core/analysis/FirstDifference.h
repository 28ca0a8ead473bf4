// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where two runs part: the first thing that a policy did in one and not in the other, and the decision behind it.
#include <array>
#include <optional>

#include "record/EventLog.h"
#include "record/Explanation.h"

namespace trainyard {

/// The family whose policies bring such an event about; none: it follows from the cluster and the jobs alone.
std::optional<PolicyFamily> decidedBy(const Event& event);

struct PolicyEffect {
    std::size_t position = 0; ///< in the log
    Event event;
    PolicyFamily family = PolicyFamily::scheduler;
    /// The decision that it follows from: of that family about that job, at the same instant or else the last before.
    /// Its number in the run's ExplanationLog; none: no policy told why.
    std::optional<std::uint32_t> explanation;
};

struct FirstDifference {
    SimTime at;            ///< the earlier of the two
    std::size_t alike = 0; ///< effects before it, which both runs have
    /// What each run did there that the other did not; where it did nothing of its own at that instant, what it did next.
    /// None: the run has ended, or has not come further.
    std::array<std::optional<PolicyEffect>, 2> sides;
};

/// What counts as the same: event type, job, task, machine and other indices; of times only the instant. Effects of one
/// instant have no order; of those that differ the
/// scheduler's is told of first, since others may follow from it. `timed` false, for runs on real threads: instants do not count, the order does.
/// None: every effect is alike. Linear in the number of events. Reads no event added after the call.
std::optional<FirstDifference> firstDifference(const EventLog& first, const EventLog& second, bool timed);

/// Why one run (`side`: 0 or 1) did not do what only the other did: the last decision or refused attempt of that family about that job, at the
/// difference or before, decisions about all jobs included. Of a job that was not tried: the last attempt that was refused, of a job that has
/// not started since. Null: nothing was told, or both did something to the same job there.
const Explanation* whyNotTheSame(const FirstDifference& difference, std::size_t side, const ExplanationLog& told);

} // namespace trainyard
