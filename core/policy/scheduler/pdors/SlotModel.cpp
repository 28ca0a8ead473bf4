// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotModel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

double SlotCluster::total() const { return std::accumulate(capacity.begin(), capacity.end(), 0.0); }

int SlotTasks::workers() const {
    return std::accumulate(on.begin(), on.end(), 0, [](int sum, const On& o) { return sum + o.workers; });
}

int SlotTasks::servers() const {
    return std::accumulate(on.begin(), on.end(), 0, [](int sum, const On& o) { return sum + o.servers; });
}

SlotLedger::SlotLedger(SlotCluster cluster)
    : m_cluster(std::move(cluster)), m_used(index(m_cluster.horizon, 0), 0.0), m_up(m_cluster.machines, 1) {}

void SlotLedger::advance(int slots) {
    const std::size_t over = std::min(m_used.size(), index(slots, 0));
    std::move(m_used.begin() + static_cast<std::ptrdiff_t>(over), m_used.end(), m_used.begin());
    std::fill(m_used.end() - static_cast<std::ptrdiff_t>(over), m_used.end(), 0.0);
}

int SlotLedger::room(int slot, std::size_t machine, std::span<const double> demand, int most) const {
    if (!isUp(machine)) return 0;
    for (std::size_t r = 0; r < demand.size(); ++r) {
        if (demand[r] <= 0) continue;
        const double slack = slotTolerance * m_cluster.of(machine, r);
        most = std::min(most, static_cast<int>(std::floor(std::max(0.0, free(slot, machine, r) + slack) / demand[r])));
    }
    return most;
}

bool SlotLedger::fits(int slot, std::size_t machine, const SlotJob& job, int workers, int servers) const {
    if (!isUp(machine)) return workers + servers == 0;
    for (std::size_t r = 0; r < m_cluster.resources; ++r)
        if (workers * job.workerDemand[r] + servers * job.serverDemand[r] >
            free(slot, machine, r) + slotTolerance * m_cluster.of(machine, r))
            return false;
    return true;
}

void SlotLedger::add(const SlotJob& job, const SlotSchedule& schedule, int sign) {
    for (const auto& [slot, tasks] : schedule.bySlot)
        for (const auto& on : tasks.on)
            for (std::size_t r = 0; r < m_cluster.resources; ++r)
                m_used[index(slot, on.machine) + r] +=
                    sign * (on.workers * job.workerDemand[r] + on.servers * job.serverDemand[r]);
}

} // namespace trainyard
