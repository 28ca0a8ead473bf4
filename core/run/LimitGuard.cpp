// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/LimitGuard.h"

#include "base/Format.h"
#include "base/Memory.h"

namespace trainyard {

namespace {

constexpr double gigabyte = 1e9;
constexpr std::chrono::milliseconds between{10};

Problem stoppedAt(Text what) { return {.code = "limit", .message = std::move(what)}; }

} // namespace

LimitGuard::LimitGuard(const RunLimits& limits, std::stop_token stop, Clock::duration spent)
    : m_limits(limits), m_memory(limits.memoryGigabytes ? *limits.memoryGigabytes * gigabyte : .75 * memoryOfMachine()),
      m_addresses(.9 * addressLimit()), m_forward(std::move(stop), [this] { m_source.request_stop(); }), m_spent(spent),
      m_since(Clock::now()), m_watcher([this](const std::stop_token& done) { watch(done); }) {}

LimitGuard::~LimitGuard() = default;

void LimitGuard::watch(const std::stop_token& done) {
    std::unique_lock lock(m_mutex);
    while (!done.stop_requested() && !m_reached) {
        if (auto limit = look()) {
            lock.unlock();
            return end(std::move(*limit));
        }
        m_wake.wait_for(lock, done, between, [] { return false; });
    }
}

std::optional<Problem> LimitGuard::look() const {
    const auto spent = m_since ? m_spent + (Clock::now() - *m_since) : m_spent;
    if (m_limits.wallSeconds && std::chrono::duration<double>(spent).count() >= *m_limits.wallSeconds)
        return stoppedAt({TRAINYARD_TEXT("stopped: the run reached its limit of {0} s of computing"),
                          {formatNumber(*m_limits.wallSeconds)}});
    const MemoryInUse used = memoryInUse();
    if (used.resident < m_memory && used.addresses < m_addresses) return std::nullopt;
    const double most = used.resident < m_memory ? m_addresses : m_memory;
    return stoppedAt({TRAINYARD_TEXT("stopped: the program reached the limit of {0} GB of memory"),
                      {formatNumber(most / gigabyte, 3)}});
}

std::optional<Problem> LimitGuard::reached() const {
    const std::scoped_lock lock(m_mutex);
    return m_reached;
}

void LimitGuard::count(std::size_t events) {
    if (m_limits.events && events >= static_cast<std::size_t>(*m_limits.events)) eventsReached();
}

void LimitGuard::eventsReached() {
    end(stoppedAt({TRAINYARD_TEXT("stopped: the run reached its limit of {0} events"),
                   {formatNumber(static_cast<double>(m_limits.events.value_or(0)), 15)}}));
}

void LimitGuard::end(Problem limit) {
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_reached) m_reached = std::move(limit);
    }
    m_source.request_stop();
}

void LimitGuard::setCounting(bool counts) {
    const std::scoped_lock lock(m_mutex);
    if (m_since) m_spent += Clock::now() - *m_since;
    m_since = counts ? std::optional(Clock::now()) : std::nullopt;
}

} // namespace trainyard
