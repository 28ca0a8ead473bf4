// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasContent.h"

#include "analysis/LoggedTasks.h"

#include <algorithm>

namespace trainyard {

Detail detailAt(double zoom) {
    if (zoom >= 0.6) return Detail::full;
    if (zoom >= 0.3) return Detail::shapes;
    return zoom >= 0.12 ? Detail::blocks : Detail::cells;
}

void CanvasContent::setCluster(const Cluster& newCluster) {
    const bool planned = LayoutPlan::isShared(cluster, newCluster);
    cluster = newCluster;
    if (!planned) {
        plan = LayoutPlan(cluster);
        machineLabels = ClusterLayout::machineLabels(cluster);
        m_liftedLinks.clear();
    }
    layout = plan.place(cluster);
    if (!isAnyLifted()) ++groundRevision;
    setState(state);
}

void CanvasContent::lift(const std::set<std::string, std::less<>>& keys) {
    if (keys.empty() && !isAnyLifted()) return;
    ++groundRevision;
    m_liftedLinks.clear();
    if (keys.empty()) return;
    m_liftedRacks.assign(cluster.racks.size(), false);
    const auto liftRackOf = [&](const auto& entity) {
        if (entity.rack.empty() || !keys.contains(entity.key)) return;
        for (std::size_t r = 0; r < cluster.racks.size(); ++r)
            if (cluster.racks[r].key == entity.rack) m_liftedRacks[r] = true;
    };
    for (const Machine& machine : cluster.machines) liftRackOf(machine);
    for (const Switch& each : cluster.switches) liftRackOf(each);
    for (const Link& link : cluster.links) m_liftedLinks.push_back(keys.contains(link.from) || keys.contains(link.to));
}

void CanvasContent::setState(std::shared_ptr<const ClusterState> newState) {
    // The run on show may be of a cluster that has been edited since.
    if (newState && (newState->machines().size() != cluster.machines.size() ||
                     newState->linkLoads().size() != 2 * cluster.links.size()))
        newState.reset();
    state = std::move(newState);
    slots.resize(cluster.machines.size());
    for (auto& list : slots) list.clear();
    m_exchanging.clear();
    if (!state) return;
    if (m_colouredOf != state->sharedWorkload()) {
        m_colouredOf = state->sharedWorkload();
        m_coloured = ColouredJobs(*m_colouredOf);
    }
    for (std::size_t j = 0; j < state->jobs().size(); ++j) {
        const JobState& job = state->jobs()[j];
        const bool logged = logsTasks(state->workload(), JobId(j));
        for (std::size_t i = 0; i < job.placement.workers.size(); ++i)
            if (const MachineId m = job.placement.workers[i]; m.valid())
                slots[m.index()].push_back({JobId(j), TaskRole::worker, static_cast<std::uint32_t>(i),
                                            i < job.workers.size() ? job.workers[i].phase : WorkerPhase::idle, logged});
        for (std::size_t i = 0; i < job.placement.servers.size(); ++i)
            if (const MachineId m = job.placement.servers[i]; m.valid())
                slots[m.index()].push_back({JobId(j), TaskRole::server, static_cast<std::uint32_t>(i)});
    }
    findKeyTraffic();
}

void CanvasContent::findKeyTraffic() {
    m_exchanging.clear();
    for (std::size_t j = 0; j < state->jobs().size(); ++j) {
        const JobState& job = state->jobs()[j];
        if (job.phase != JobPhase::running || !state->workload().jobs[j].keyedAccess()) continue;
        std::set<std::size_t> machines;
        for (const MachineId m : job.placement.workers)
            if (m.valid()) machines.insert(m.index());
        if (machines.size() < 2) continue;
        for (const std::size_t m : machines) m_exchanging.insert(cluster.machines[m].key);
    }
}

const std::string& CanvasContent::keyOf(ClusterLayout::Hit hit) const {
    static const std::string none;
    switch (hit.kind) {
    case ClusterLayout::Kind::machine: return cluster.machines[hit.index].key;
    case ClusterLayout::Kind::switchNode: return cluster.switches[hit.index].key;
    case ClusterLayout::Kind::rack: return cluster.racks[hit.index].key;
    case ClusterLayout::Kind::link: return cluster.links[hit.index].key;
    case ClusterLayout::Kind::nothing: break;
    }
    return none;
}

QString CanvasContent::nameOf(ClusterLayout::Hit hit) const {
    const auto shown = [](const auto& entity) {
        return QString::fromStdString(entity.name.empty() ? entity.key : entity.name);
    };
    switch (hit.kind) {
    case ClusterLayout::Kind::machine: return shown(cluster.machines[hit.index]);
    case ClusterLayout::Kind::switchNode: return shown(cluster.switches[hit.index]);
    case ClusterLayout::Kind::rack: return shown(cluster.racks[hit.index]);
    case ClusterLayout::Kind::link:
        return QString::fromStdString(cluster.links[hit.index].from + " – " + cluster.links[hit.index].to);
    case ClusterLayout::Kind::nothing: break;
    }
    return {};
}

QString CanvasContent::labelOf(ClusterLayout::Hit hit) const {
    if (hit.kind == ClusterLayout::Kind::machine) return machineLabels[hit.index];
    if (hit.kind == ClusterLayout::Kind::switchNode)
        return ClusterLayout::labelOf(cluster, cluster.switches[hit.index].name, cluster.switches[hit.index].key,
                                      cluster.switches[hit.index].rack);
    return nameOf(hit);
}

double CanvasContent::usedShare(MachineId id, std::size_t resource) const {
    const double capacity = cluster.machines[id.index()].capacity.amount(resource);
    if (capacity <= 0) return -1;
    return state ? std::clamp(1 - state->machine(id).free.amount(resource) / capacity, 0.0, 1.0) : 0;
}

double CanvasContent::busiestShare(MachineId id) const {
    double most = 0;
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r) most = std::max(most, usedShare(id, r));
    return most;
}

double CanvasContent::linkShare(std::size_t link) const {
    if (!state || cluster.links[link].bandwidth <= 0) return 0;
    return std::max(state->linkLoads()[2 * link], state->linkLoads()[2 * link + 1]) / cluster.links[link].bandwidth;
}

bool CanvasContent::carriesKeys(std::size_t link) const {
    return m_exchanging.contains(cluster.links[link].from) || m_exchanging.contains(cluster.links[link].to);
}

bool CanvasContent::holdsSelectedJob(MachineId id) const {
    const auto& list = slots[id.index()];
    return std::any_of(list.begin(), list.end(), [this](const TaskSlot& s) { return s.job == selectedJob; });
}

} // namespace trainyard
