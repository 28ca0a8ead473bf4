// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "Interrupt.h"

#include "Common.h"

#include "base/Format.h"
#include "base/Memory.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <limits>
#include <pthread.h>
#include <unistd.h>

namespace trainyard::cli {

namespace {

/// A second and a tenth, the end of the process included.
constexpr double secondToEnd = .85, part = .08, gigabyte = 1e9;

sigset_t endingSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangUp {}; // nohup has it ignored
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
    return set;
}

/// Other threads may be writing, and go on.
[[noreturn]] void endProcess(int status, const std::string& why) {
    const std::string line = "trainyard-cli: " + why + "; unfinished files were discarded\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
    _exit(status);
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t set = endingSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_waiter = std::jthread([this](const std::stop_token& done) { watch(done); });
}

void Interrupt::watch(const std::stop_token& done) {
    const sigset_t set = endingSignals();
    while (!done.stop_requested()) {
        const timespec wait{0, 10'000'000};
        const int signal = sigtimedwait(&set, nullptr, &wait);
        if (signal > 0 && m_signal == 0) {
            m_signalled = Clock::now();
            m_signal = signal;
            m_source.request_stop();
        }
        endInTime();
    }
}

void Interrupt::hold(const RunLimits& limits) {
    const std::scoped_lock lock(m_limitsMutex);
    m_limits = limits;
}

double Interrupt::secondsLeft() const {
    using Seconds = std::chrono::duration<double>;
    const std::scoped_lock lock(m_limitsMutex);
    double left = std::numeric_limits<double>::infinity();
    if (m_signal > 0) left = secondToEnd - Seconds(Clock::now() - m_signalled.load()).count();
    if (const auto most = m_limits.wallSeconds)
        left = std::min(left, *most + std::max(secondToEnd, part * *most) - Seconds(elapsed()).count());
    return left;
}

void Interrupt::endInTime() {
    if (secondsLeft() <= 0) {
        if (m_signal > 0) endProcess(128 + m_signal, "ended a second after the signal");
        endProcess(exitFailed, "ended beyond the limit of " + formatNumber(*m_limits.wallSeconds) + " s");
    }
    const std::scoped_lock lock(m_limitsMutex);
    if (const auto most = m_limits.memoryGigabytes)
        if (memoryInUse().resident > (1 + part) * *most * gigabyte)
            endProcess(exitFailed, "ended beyond the limit of " + formatNumber(*most) + " GB of memory");
}

Interrupt::~Interrupt() {
    m_waiter.request_stop();
    m_waiter.join();
    const sigset_t set = endingSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace trainyard::cli
