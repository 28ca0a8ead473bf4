// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Ctrl-C and SIGTERM as a stop token: signals are blocked in every thread and waited for in one, so that no
// handler runs and no state is shared with one. A signal that comes a second or more after the first ends the program at once. One object per
// long-running command, made before any other thread.
#include <atomic>
#include <stop_token>
#include <thread>

namespace trainyard::cli {

class Interrupt {
public:
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

private:
    std::stop_source m_source;
    std::atomic<int> m_signal{0};
    std::jthread m_waiter;
};

} // namespace trainyard::cli
