// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/AdmissionCourse.h"

#include <algorithm>
#include <bit>

namespace trainyard {

bool hasAdmissions(const Workload& workload) {
    return workload.cluster.ramp &&
           std::ranges::any_of(workload.jobs, [&](const Job& job) { return workload.admitsAtOnce(job); });
}

AdmissionCourse::AdmissionCourse(const RunSource& run)
    : m_workload(run.workload), m_admissions(run.workload), m_state(run.workload),
      m_expected(run.workload->jobs.size(), 0), m_arrivalOf(run.workload->jobs.size(), 0xffffffffu) {
    if (!m_admissions.empty()) countFree(0);
}

/// Jobs that ended at an earlier instant hold nothing any more; those that end at an arrival's still count for it.
void AdmissionCourse::forgetEnded(SimTime now) {
    std::erase_if(m_ended, [&](const auto& ended) {
        if (ended.second >= now) return false;
        m_admissions.release(ended.first);
        return true;
    });
}

void AdmissionCourse::apply(const Event& event, std::size_t) {
    if (m_admissions.empty()) return;
    const double seconds = event.time.toSeconds();
    const JobId job = event.jobId();
    const bool own = event.job != JobId::none && m_admissions.has(job);
    forgetEnded(event.time);
    if (own && event.type == EventType::jobArrived) {
        Arrival& arrival = m_arrivals.emplace_back();
        m_arrivalOf[event.job] = static_cast<std::uint32_t>(m_arrivals.size() - 1);
        arrival.job = job;
        arrival.at = event.time;
        m_admissions.price(job, m_admissions.systemAt(event.time, m_state), arrival.priced);
        forgetEnded(SimTime::never());
    }
    m_state.apply(event);
    if (own && event.type == EventType::jobPartitioned) m_expected[event.job] = event.value;
    if (own && event.type == EventType::jobStarted) {
        m_admissions.place(job, GraphAdmissions::serversOf(m_state.job(job).placement.workers),
                           event.time + Duration::seconds(m_expected[event.job]));
        m_arrivals[m_arrivalOf[event.job]].degree = m_state.job(job).degree;
        m_accepted.set(seconds, m_accepted.at(seconds) + 1);
    }
    if (own && event.type == EventType::jobRejected && event.aux < m_blocked.size()) {
        m_arrivals[m_arrivalOf[event.job]].rejected = static_cast<RejectReason>(event.aux);
        StepSeries& series = m_blocked[event.aux];
        series.set(seconds, series.at(seconds) + 1);
    }
    if (own && event.type == EventType::jobFinished) m_ended.emplace_back(job, event.time);
    if (own && event.type == EventType::jobFailed) m_admissions.release(job);
    if (event.type == EventType::taskPlaced || event.type == EventType::taskRemoved ||
        event.type == EventType::machineFailed || event.type == EventType::machineRepaired)
        countFree(seconds);
}

void AdmissionCourse::countFree(double seconds) {
    ServerMask occupied = 0;
    const ServerBlocks& blocks = m_admissions.pricer().blocks();
    const int servers = blocks.network().serverCount();
    for (int s = 0; s < servers; ++s) {
        const MachineId machine(static_cast<std::size_t>(s));
        const MachineState& there = m_state.machine(machine);
        if (!there.up || !(there.free == m_workload->machine(machine).capacity)) occupied |= ServerMask{1} << s;
    }
    for (std::size_t i = 0; i < blockSizes.size(); ++i)
        m_freeBlocks[i].set(seconds, blocks.countFree(blockSizes[i], occupied));
    m_freeServers.set(seconds, servers - std::popcount(occupied));
}

const AdmissionCourse::Arrival* AdmissionCourse::arrivalOf(JobId job, SimTime until) const {
    if (job.valid() && job.index() < m_arrivalOf.size() && m_arrivalOf[job.index()] < m_arrivals.size())
        return &m_arrivals[m_arrivalOf[job.index()]];
    const auto after = std::ranges::upper_bound(m_arrivals, until, {}, &Arrival::at);
    return after == m_arrivals.begin() ? nullptr : &*std::prev(after);
}

} // namespace trainyard
