// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Ctrl-C and SIGTERM as a stop token, and an end for what does not end by it: signals are blocked in every thread and waited for in one,
// so that no handler runs and no state is shared with one. What goes on for a second after a signal, or beyond its limits, ends with the
// process: files that are not whole have no name yet (run/files/AtomicFile.h). One object per long-running command, made before any other
// thread.
#include "scenario/Scenario.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <thread>

namespace trainyard::cli {

class Interrupt {
public:
    using Clock = std::chrono::steady_clock;

    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    /// 128 + the signal, as shells count, if there was one; else `status`.
    int exitStatus(int status) const { return m_signal > 0 ? 128 + m_signal : status; }
    /// Stops as a signal does: nobody takes the results.
    void giveUp() const { m_source.request_stop(); }
    /// Since the command began.
    Clock::duration elapsed() const { return Clock::now() - m_begin; }
    /// Until the process ends, as far as is known; infinite: it does not.
    double secondsLeft() const;
    /// From now on the process ends, with status 1, where it takes a second longer than the limit, or a tenth if that is more, or a tenth
    /// more memory: what obeys the limits by itself has that long to keep what it has done. A later call replaces an earlier one.
    void hold(const RunLimits& limits);

private:
    void watch(const std::stop_token& done);
    void endInTime();

    const Clock::time_point m_begin = Clock::now();
    std::stop_source m_source;
    std::atomic<int> m_signal{0};
    std::atomic<Clock::time_point> m_signalled; ///< when, if so
    mutable std::mutex m_limitsMutex;
    RunLimits m_limits;
    std::jthread m_waiter;
};

} // namespace trainyard::cli
