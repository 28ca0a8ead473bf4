// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/Scheduler.h"

namespace trainyard {

Bounds SchedulerView::workers(JobId job) const {
    const int degree = m_state.job(job).degree;
    return degree > 0 ? Bounds{degree, degree} : workload().job(job).workers;
}

std::vector<ResourceVector> SchedulerView::freeCapacity() const {
    std::vector<ResourceVector> out;
    for (const auto& machine : m_state.machines()) out.push_back(machine.up ? machine.free : ResourceVector{});
    return out;
}

} // namespace trainyard
