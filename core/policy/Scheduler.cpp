#include "policy/Scheduler.h"

namespace trainyard {

std::vector<JobId> SchedulerView::jobsIn(JobPhase phase) const {
    std::vector<JobId> out;
    for (std::size_t i = 0; i < m_state.jobs().size(); ++i)
        if (m_state.jobs()[i].phase == phase) out.emplace_back(i);
    return out;
}

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
