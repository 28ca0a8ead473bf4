#include "planning/SlotModel.h"

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

SlotLedger::SlotLedger(const SlotCluster& cluster)
    : m_cluster(&cluster),
      m_used(static_cast<std::size_t>(cluster.horizon) * cluster.machines * cluster.resources, 0.0) {}

int SlotLedger::room(int slot, std::size_t machine, std::span<const double> demand, int most) const {
    for (std::size_t r = 0; r < demand.size(); ++r) {
        if (demand[r] <= 0) continue;
        const double slack = slotTolerance * m_cluster->of(machine, r);
        most = std::min(most, static_cast<int>(std::floor(std::max(0.0, free(slot, machine, r) + slack) / demand[r])));
    }
    return most;
}

bool SlotLedger::fits(int slot, std::size_t machine, const SlotJob& job, int workers, int servers) const {
    for (std::size_t r = 0; r < m_cluster->resources; ++r)
        if (workers * job.workerDemand[r] + servers * job.serverDemand[r] >
            free(slot, machine, r) + slotTolerance * m_cluster->of(machine, r))
            return false;
    return true;
}

void SlotLedger::add(const SlotJob& job, const SlotSchedule& schedule, int sign) {
    for (const auto& [slot, tasks] : schedule.bySlot)
        for (const auto& on : tasks.on)
            for (std::size_t r = 0; r < m_cluster->resources; ++r)
                m_used[index(slot, on.machine) + r] +=
                    sign * (on.workers * job.workerDemand[r] + on.servers * job.serverDemand[r]);
}

} // namespace trainyard
