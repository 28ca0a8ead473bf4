// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Stops runs that cannot end well before they fill the memory or take for ever: looked at between slices of work.
#include "base/Problem.h"
#include "scenario/Scenario.h"

#include <chrono>
#include <optional>

namespace trainyard {

class LimitGuard {
public:
    using Clock = std::chrono::steady_clock;

    /// Without a limit of memory: three quarters of the machine's, and nine tenths of a limit of the address space (ulimit -v).
    explicit LimitGuard(const RunLimits& limits);

    /// The limit that is reached after `worked` of computing, if any: a problem "limit". Memory is measured every 20 ms at most.
    std::optional<Problem> reached(Clock::duration worked);
    /// The same, where all time since the guard was made is computing.
    std::optional<Problem> reached() { return reached(Clock::now() - m_since); }

    /// What is said of a run that came to its limit of events.
    static Problem eventsReached(const RunLimits& limits);

private:
    RunLimits m_limits;
    double m_memory, m_addresses; ///< bytes
    Clock::time_point m_since = Clock::now(), m_nextLook = m_since;
};

} // namespace trainyard
