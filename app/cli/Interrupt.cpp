// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Interrupt.h"

#include <chrono>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace trainyard::cli {

namespace {

/// timeout(1) signals a process, then its group: signals this close together are one.
constexpr std::chrono::seconds oneSignal{1};

sigset_t endingSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangUp {}; // nohup has it ignored
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
    return set;
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t set = endingSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_waiter = std::jthread([this, set](const std::stop_token& done) {
        std::chrono::steady_clock::time_point first;
        while (!done.stop_requested()) {
            const timespec wait{0, 50'000'000};
            const int signal = sigtimedwait(&set, nullptr, &wait);
            if (signal < 0) continue;
            const auto now = std::chrono::steady_clock::now();
            if (m_source.stop_requested()) {
                if (now - first > oneSignal) _exit(128 + signal);
                continue;
            }
            first = now;
            m_signal = signal;
            m_source.request_stop();
        }
    });
}

Interrupt::~Interrupt() {
    m_waiter.request_stop();
    m_waiter.join();
    const sigset_t set = endingSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace trainyard::cli
