// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/AloneSpeeds.h"

#include <algorithm>

namespace trainyard {

bool AloneSpeeds::follow(const SchedulerView& view, std::span<const Event> since) {
    const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
        return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
    });
    if (!changed && m_known.size() == view.state().jobs().size()) return false;
    m_known.assign(view.state().jobs().size(), {});
    m_idle = FreeCapacity::whole(view.state());
    return true;
}

const AloneSpeeds::Known& AloneSpeeds::known(const SchedulerView& view, JobId job) {
    Known& known = m_known[job.index()];
    if (known.secondsPerUpdate >= 0) return known;
    const FreeCapacity::Scratch scratch(m_idle);
    const auto placement = placeJob(view, job, m_idle, m_strategy, m_size);
    known.secondsPerUpdate = unknownSeconds;
    if (!placement) return known;
    known.secondsPerUpdate = std::min(unknownSeconds, view.speed().secondsPerUpdate(job, *placement));
    known.workers = static_cast<int>(placement->workers.size());
    return known;
}

double AloneSpeeds::remainingSeconds(const SchedulerView& view, JobId job) {
    return std::min(unknownSeconds, view.speed().remainingSeconds(job, known(view, job).secondsPerUpdate));
}

int AloneSpeeds::workers(const SchedulerView& view, JobId job) { return known(view, job).workers; }

} // namespace trainyard
