// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A scheduler that asks to be woken while nothing else is to come may wait for a slot of its own, or for nothing. A copy of it is
// asked at once what it would decide at these instants, so that no time passes for what is in vain, in either mode.
#include "engine/RunCore.h"

namespace trainyard {

namespace {
/// In a row at which it decides nothing: more are in vain.
constexpr std::uint32_t mostIdleWakes = 100'000;
} // namespace

void RunCore::foresee() {
    if (!m_decidedNothing || state.jobsIn(JobPhase::waiting).empty() || m_foreseen > m_now) return;
    m_foreseen = nextDecision();
    m_speed.setNow(m_now);
    if (wakesAreIdle()) m_wakes.clear();
}

/// never(): it decides nothing any more.
SimTime RunCore::nextDecision() {
    const auto scheduler = m_scheduler->clone();
    ClusterState ahead = seenState();
    std::set<SimTime> wakes(m_wakes.upper_bound(m_now), m_wakes.end());
    for (std::uint32_t call = 0; call < mostIdleWakes && !wakes.empty(); ++call) {
        Event woken = events::schedulerWoken();
        woken.time = *wakes.begin();
        wakes.erase(wakes.begin());
        ahead.apply(woken);
        m_speed.setNow(woken.time);
        RandomStream random(options.seed, Purpose::policy,
                            entityOf(JobId::none, static_cast<std::uint32_t>(PolicyFamily::scheduler)),
                            m_schedulerCalls + call);
        const PolicyContext context{.now = woken.time, .random = random, .parallel = &m_parallel};
        SchedulingDecisions decisions;
        const FreeCapacity::Scratch planned(seenFree());
        scheduler->decide(context, {ahead, m_speed, m_histories, seenFree()}, {}, decisions);
        if (!decisions.list().empty()) return woken.time;
        for (const SimTime t : decisions.wakes()) {
            if (t <= woken.time) return woken.time; // the run fails there
            wakes.insert(t);
        }
    }
    return SimTime::never();
}

} // namespace trainyard
