// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/WorkerPhases.h"

#include "model/Placement.h"

#include <algorithm>
#include <utility>

namespace trainyard {

static constexpr std::uint32_t mostWorkers = 1 << 20; // a log read from a file is data: more are not believed

std::optional<WorkerState> nextState(const WorkerState& now, const Event& event) {
    const auto at = [&](WorkerPhase phase) { return WorkerState{phase, event.time, event.b}; };
    switch (event.type) {
    case EventType::pullStarted: return at(WorkerPhase::pulling);
    case EventType::computeStarted: return at(WorkerPhase::computing);
    case EventType::pushStarted:
        if (now.task <= event.b) return at(WorkerPhase::pushing);
        return std::nullopt;
    case EventType::gradientArrived:
        if (now.task == event.b) return at(WorkerPhase::waiting);
        return std::nullopt;
    case EventType::taskCancelled:
        if (now.task <= event.b) return at(WorkerPhase::waiting);
        return std::nullopt;
    case EventType::workerBlocked:
        if (now.phase != WorkerPhase::blocked) return WorkerState{WorkerPhase::blocked, event.time, now.task};
        return std::nullopt;
    default: return std::nullopt;
    }
}

void WorkerPhases::enter(std::uint32_t worker, const WorkerState& after) {
    WorkerState& state = m_workers[worker].state;
    m_changes.push_back({worker, state, after});
    state = after;
}

/// Until now it may have waited for something else than it seemed.
void WorkerPhases::leave(std::uint32_t worker, const Event& event, const WorkerState& after) {
    const WorkerState now = m_workers[worker].state;
    if (isWaiting(now.phase) && m_isFreed && m_lastNeeded && *m_lastNeeded < event.time)
        enter(worker, {WorkerPhase::updating, std::max(now.since, *m_lastNeeded), now.task});
    enter(worker, after);
}

std::span<const WorkerPhases::Change> WorkerPhases::apply(const Event& event) {
    m_changes.clear();
    switch (event.type) {
    case EventType::taskPlaced:
    case EventType::taskRemoved: {
        if (event.aux != static_cast<std::uint16_t>(TaskRole::worker) || event.a >= mostWorkers) break;
        const bool comes = event.type == EventType::taskPlaced;
        if ((of(event.a).phase == WorkerPhase::absent) != comes) break;
        if (m_workers.size() <= event.a) m_workers.resize(event.a + 1);
        leave(event.a, event, {comes ? WorkerPhase::idle : WorkerPhase::absent, event.time, 0});
        break;
    }
    case EventType::jobResized: m_replanned = event.time; break;
    case EventType::jobRestored:
    case EventType::updateApplied:
    case EventType::lossEvaluated: settle(event); break;
    case EventType::gradientArrived:
    case EventType::gradientUsed:
    case EventType::gradientDropped:
    case EventType::pullStarted:
    case EventType::computeStarted:
    case EventType::pushStarted:
    case EventType::taskCancelled:
    case EventType::workerBlocked: {
        if (event.a >= m_workers.size()) break;
        Worker& worker = m_workers[event.a];
        if (event.type == EventType::gradientArrived) {
            worker.arrived.push_back({event.b, event.time});
            m_isFreed = false;
        } else if (event.type == EventType::gradientUsed || event.type == EventType::gradientDropped) {
            const auto it = std::ranges::find(worker.arrived, event.b, &Arrival::task);
            if (it == worker.arrived.end()) break;
            if (event.type == EventType::gradientUsed) m_needed = std::max(m_needed.value_or(it->at), it->at);
            worker.arrived.erase(it);
        }
        if (worker.state.phase == WorkerPhase::absent) break;
        if (const auto after = nextState(worker.state, event)) leave(event.a, event, *after);
        break;
    }
    default: break;
    }
    return m_changes;
}

/// Servers are done with something.
void WorkerPhases::settle(const Event& event) {
    if (event.type == EventType::updateApplied) m_lastNeeded = std::exchange(m_needed, std::nullopt);
    m_isFreed = event.type != EventType::jobRestored;
    if (m_isFreed) return;
    for (std::uint32_t w = 0; w < m_workers.size(); ++w)
        if (const WorkerState now = m_workers[w].state; isWaiting(now.phase))
            enter(w, {WorkerPhase::idle, std::max(now.since, m_replanned), 0});
}

} // namespace trainyard
