// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/ElasticPlan.h"

#include <algorithm>

namespace trainyard {

ElasticPlan::ElasticPlan(const SchedulerView& view, PlacingStrategy strategy)
    : m_view(view), m_strategy(strategy), m_room(FreeCapacity::whole(view.state())) {}

int ElasticPlan::serversBeside(const Member& member, int workers) const {
    const Job& spec = job(member);
    if (spec.workersPerServer) return spec.serversFor(workers, member.bounds);
    return member.runs() ? static_cast<int>(member.held.servers.size()) : spec.servers.minimum;
}

ResourceVector ElasticPlan::oneMore(const Member& member, int workers) const {
    const int servers = serversBeside(member, workers + 1) - serversBeside(member, workers);
    return job(member).workerDemand + job(member).serverDemand.times(servers);
}

bool ElasticPlan::couldRun(JobId id) const {
    FreeCapacity idle = FreeCapacity::whole(m_view.state());
    const Job& spec = m_view.workload().job(id);
    const int least = m_view.workers(id).minimum;
    return placeTasks(m_view.workload(), spec, least, spec.serversFor(least, m_view.workers(id)), idle, m_strategy)
        .has_value();
}

/// The first of its workers and all its servers, or those that go with these, where they are.
bool ElasticPlan::takeLeast(Member& member) {
    const Job& spec = job(member);
    Placement first = member.held;
    first.workers.resize(std::min(first.workers.size(), static_cast<std::size_t>(member.bounds.minimum)));
    if (spec.workersPerServer)
        first.servers.resize(std::min(first.servers.size(), static_cast<std::size_t>(serversBeside(
                                                                member, static_cast<int>(first.workers.size())))));
    const auto fits = [&](const std::vector<MachineId>& machines, const ResourceVector& demand) {
        return std::all_of(machines.begin(), machines.end(), [&](MachineId m) {
            if (!demand.fitsIn(m_room.of(m))) return false;
            m_room.take(m, demand);
            return true;
        });
    };
    {
        const FreeCapacity::Scratch trial(m_room);
        if (!fits(first.workers, spec.workerDemand) || !fits(first.servers, spec.serverDemand)) return false;
    }
    takeTasks(spec, first, m_room);
    member.placement = std::move(first);
    return true;
}

bool ElasticPlan::admit(JobId id) {
    Member member{.id = id, .bounds = m_view.workers(id), .held = heldPlacement(m_view, id), .placement = {}};
    if (!member.runs() || !takeLeast(member)) {
        const int least = member.bounds.minimum;
        auto placed =
            placeTasks(m_view.workload(), job(member), least, serversBeside(member, least), m_room, m_strategy);
        if (!placed) return false;
        member.placement = std::move(*placed);
    }
    m_members.push_back(std::move(member));
    return true;
}

/// Of the tasks that it holds, up to `count` workers and the servers that go with them.
void ElasticPlan::keep(Member& member, int count) {
    const Job& spec = job(member);
    const auto take = [&](MachineId machine, const ResourceVector& demand) {
        if (!demand.fitsIn(m_room.of(machine))) return false;
        m_room.take(machine, demand);
        return true;
    };
    const Placement& held = member.held;
    Placement& placement = member.placement;
    for (std::size_t w = placement.workers.size(); w < held.workers.size() && member.workers() < count; ++w) {
        if (!take(held.workers[w], spec.workerDemand)) continue;
        const std::size_t server = placement.servers.size();
        if (static_cast<int>(server) < serversBeside(member, member.workers() + 1)) {
            if (server >= held.servers.size() || !take(held.servers[server], spec.serverDemand)) {
                m_room.give(held.workers[w], spec.workerDemand);
                return;
            }
            placement.servers.push_back(held.servers[server]);
        }
        placement.workers.push_back(held.workers[w]);
    }
}

void ElasticPlan::growOne(Member& member, int count) {
    const Job& spec = job(member);
    const int from = member.workers();
    std::int64_t fit = 0;
    for (const auto& [key, group] : m_room.groups())
        fit += spec.workerDemand.copiesIn(key.free, count) * static_cast<std::int64_t>(group.machines.size());
    for (int n = static_cast<int>(std::min<std::int64_t>(count, from + fit)); n > from; --n) {
        const int servers = std::max(0, serversBeside(member, n) - static_cast<int>(member.placement.servers.size()));
        const auto more = placeTasks(m_view.workload(), spec, n - from, servers, m_room, m_strategy);
        if (!more) continue;
        Placement& all = member.placement;
        all.workers.insert(all.workers.end(), more->workers.begin(), more->workers.end());
        all.servers.insert(all.servers.end(), more->servers.begin(), more->servers.end());
        return;
    }
}

void ElasticPlan::grow(std::span<const int> workers) {
    for (std::size_t j = 0; j < m_members.size(); ++j)
        if (m_members[j].runs()) keep(m_members[j], workers[j]);
    for (const bool running : {false, true})
        for (std::size_t j = 0; j < m_members.size(); ++j)
            if (m_members[j].runs() == running && workers[j] > m_members[j].workers())
                growOne(m_members[j], workers[j]);
}

std::vector<Allotment> ElasticPlan::changes(std::span<const JobId> ending) const {
    std::vector<Allotment> out;
    std::vector<std::uint8_t> named(m_view.state().jobs().size(), 0);
    for (const Member& m : m_members) named[m.id.index()] = 1;
    for (const JobId id : ending) named[id.index()] = 1;
    for (const JobId id : m_view.jobsIn(JobPhase::running))
        if (!named[id.index()]) out.push_back({id, {}});
    for (const Member& m : m_members)
        if (m.workers() >= m.bounds.minimum && !(m.placement == m.held)) out.push_back({m.id, m.placement});
    return out;
}

} // namespace trainyard
