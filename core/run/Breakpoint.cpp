// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Breakpoint.h"

#include <utility>

namespace trainyard {

std::optional<std::size_t> BreakpointWatch::look(const EventLog& log, std::size_t end) {
    while (m_position < end) {
        const std::size_t at = m_position++;
        if (brings(log[at]) && at >= m_from) return at;
    }
    return std::nullopt;
}

bool BreakpointWatch::brings(const Event& event) {
    const bool ofJob = m_until.job.valid() && event.jobId() == m_until.job;
    switch (m_until.kind) {
    case Breakpoint::Kind::time: return false;
    case Breakpoint::Kind::jobStarted: return ofJob && event.type == EventType::jobStarted;
    case Breakpoint::Kind::jobEnded:
        return ofJob && (event.type == EventType::jobFinished || event.type == EventType::jobFailed ||
                         event.type == EventType::jobRejected);
    case Breakpoint::Kind::lossAtMost:
        if (!ofJob || event.type != EventType::lossEvaluated) return false;
        return !std::exchange(m_below, event.value <= m_until.loss) && m_below;
    case Breakpoint::Kind::jobsWaiting:
        return changesWaiting(event) && m_waiting == m_until.jobs && m_isWaiting[event.job];
    case Breakpoint::Kind::failure:
        return event.type == EventType::machineFailed || event.type == EventType::linkFailed ||
               event.type == EventType::jobFailed;
    case Breakpoint::Kind::decision: return ofJob && event.type == EventType::decision;
    }
    return false;
}

/// True if the number of waiting jobs is another now; the event's job is then the one that came or went.
bool BreakpointWatch::changesWaiting(const Event& event) {
    bool waits = false;
    switch (event.type) {
    case EventType::jobArrived:
    case EventType::jobPreempted: waits = true; break;
    case EventType::jobStarted:
    case EventType::jobRejected:
    case EventType::jobFinished:
    case EventType::jobFailed: break;
    default: return false;
    }
    if (event.job >= m_isWaiting.size()) m_isWaiting.resize(event.job + 1);
    if (m_isWaiting[event.job] == waits) return false;
    m_isWaiting[event.job] = waits;
    m_waiting += waits ? 1 : -1;
    return true;
}

} // namespace trainyard
