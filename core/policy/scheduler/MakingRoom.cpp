// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/MakingRoom.h"

#include <algorithm>

namespace trainyard {

namespace {

/// Whether a job fits with a number of workers, asked while room is given: cheap as long as the machines do not hold
/// enough tasks one by one.
class Room {
public:
    Room(const SchedulerView& view, JobId job, int workers, PlacingStrategy strategy)
        : m_view(view), m_free(view.free()), m_job(view.workload().job(job)), m_strategy(strategy), m_workers(workers),
          m_servers(m_job.serversFor(workers, view.workers(job))) {
        for (const auto& [key, group] : m_free.groups()) count(key.free, static_cast<int>(group.machines.size()));
    }

    void release(JobId job) {
        change(job, [&](const Job& spec, const Placement& p) { giveTasks(spec, p, m_free); });
    }
    void keep(JobId job) {
        change(job, [&](const Job& spec, const Placement& p) { takeTasks(spec, p, m_free); });
    }

    bool fits() {
        if (m_workerRoom < m_workers || m_serverRoom < m_servers) return false;
        const FreeCapacity::Scratch scratch(m_free);
        return placeTasks(m_view.workload(), m_job, m_workers, m_servers, m_free, m_strategy).has_value();
    }

private:
    template <class Change>
    void change(JobId job, const Change& carryOut) {
        const Placement& held = m_view.state().job(job).placement;
        std::vector<MachineId> machines = held.workers;
        machines.insert(machines.end(), held.servers.begin(), held.servers.end());
        std::sort(machines.begin(), machines.end());
        machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
        for (const MachineId m : machines)
            if (m.valid()) count(m_free.of(m), -1);
        carryOut(m_view.workload().job(job), held);
        for (const MachineId m : machines)
            if (m.valid()) count(m_free.of(m), 1);
    }

    void count(const ResourceVector& free, int machines) {
        m_workerRoom += machines * m_job.workerDemand.copiesIn(free, m_workers);
        if (m_servers > 0) m_serverRoom += machines * m_job.serverDemand.copiesIn(free, m_servers);
    }

    const SchedulerView& m_view;
    FreeCapacity& m_free;
    const Job& m_job;
    PlacingStrategy m_strategy;
    int m_workers, m_servers;
    std::int64_t m_workerRoom = 0, m_serverRoom = 0; ///< of each kind alone
};

} // namespace

std::vector<std::size_t> makeRoom(const SchedulerView& view, JobId newcomer, int workers, PlacingStrategy strategy,
                                  const Preemptible& preemptible) {
    Room room(view, newcomer, workers, strategy);
    std::vector<JobId> released;
    bool enough = false;
    for (std::size_t i = 0; !enough; ++i) {
        const auto job = preemptible(i);
        if (!job) break;
        room.release(*job);
        released.push_back(*job);
        enough = room.fits();
    }
    std::vector<std::size_t> victims;
    for (std::size_t v = released.size(); v-- > 0;) {
        room.keep(released[v]);
        if (enough && room.fits()) continue;
        if (!enough) continue;
        room.release(released[v]);
        victims.insert(victims.begin(), v);
    }
    return victims;
}

} // namespace trainyard
