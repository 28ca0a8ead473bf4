// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Stops a run that cannot end well before it fills the memory or takes for ever. A thread of its own looks every few milliseconds, so that
// a limit holds within an event, a decision or a generator as well.
#include "base/Problem.h"
#include "scenario/Scenario.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace trainyard {

class LimitGuard {
public:
    using Clock = std::chrono::steady_clock;

    /// Watches from now on; `spent` of the run's time is over already. Without a limit of memory: three quarters of the machine's, and
    /// nine tenths of a limit of the address space (ulimit -v).
    explicit LimitGuard(const RunLimits& limits, std::stop_token stop = {}, Clock::duration spent = {});
    ~LimitGuard();
    LimitGuard(const LimitGuard&) = delete;
    LimitGuard& operator=(const LimitGuard&) = delete;

    /// Requested when `stop` is, and when a limit is reached.
    std::stop_token token() const { return m_source.get_token(); }
    /// The limit that was reached, if one was: a problem "limit". Any thread.
    std::optional<Problem> reached() const;
    /// The run has so many events, and ends if these are too many.
    void count(std::size_t events);
    /// The run ends for its number of events, which the simulation counts exactly.
    void eventsReached();

    /// As long as it lives, no time counts.
    class Pause {
    public:
        explicit Pause(LimitGuard& guard) : m_guard(guard) { guard.setCounting(false); }
        ~Pause() { m_guard.setCounting(true); }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

    private:
        LimitGuard& m_guard;
    };

private:
    void watch(const std::stop_token& done);
    std::optional<Problem> look() const; ///< locked
    void setCounting(bool counts);
    void end(Problem limit);

    const RunLimits m_limits;
    const double m_memory, m_addresses; ///< bytes
    std::stop_source m_source;
    std::stop_callback<std::function<void()>> m_forward;
    mutable std::mutex m_mutex; ///< guards from here …
    std::condition_variable_any m_wake;
    Clock::duration m_spent;
    std::optional<Clock::time_point> m_since; ///< counting since; none: paused
    std::optional<Problem> m_reached;         ///< … to here
    std::jthread m_watcher;                   ///< last: it uses everything above
};

} // namespace trainyard
