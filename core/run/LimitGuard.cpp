// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/LimitGuard.h"

#include "base/Format.h"
#include "base/Memory.h"

namespace trainyard {

namespace {

constexpr double gigabyte = 1e9;
constexpr std::chrono::milliseconds between{20};

Problem stoppedAt(Text what) { return {.code = "limit", .message = std::move(what)}; }

} // namespace

LimitGuard::LimitGuard(const RunLimits& limits)
    : m_limits(limits), m_memory(limits.memoryGigabytes ? *limits.memoryGigabytes * gigabyte : .75 * memoryOfMachine()),
      m_addresses(.9 * addressLimit()) {}

std::optional<Problem> LimitGuard::reached(Clock::duration worked) {
    if (m_limits.wallSeconds && std::chrono::duration<double>(worked).count() >= *m_limits.wallSeconds)
        return stoppedAt({TRAINYARD_TEXT("stopped: the run reached its limit of {0} s of computing"),
                          {formatNumber(*m_limits.wallSeconds)}});
    const auto now = Clock::now();
    if (now < m_nextLook) return std::nullopt;
    m_nextLook = now + between;
    const MemoryInUse used = memoryInUse();
    if (used.resident < m_memory && used.addresses < m_addresses) return std::nullopt;
    const double most = used.resident < m_memory ? m_addresses : m_memory;
    return stoppedAt({TRAINYARD_TEXT("stopped: the program reached the limit of {0} GB of memory"),
                      {formatNumber(most / gigabyte, 3)}});
}

Problem LimitGuard::eventsReached(const RunLimits& limits) {
    return stoppedAt({TRAINYARD_TEXT("stopped: the run reached its limit of {0} events"),
                      {formatNumber(static_cast<double>(limits.events.value_or(0)), 15)}});
}

} // namespace trainyard
