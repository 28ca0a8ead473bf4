// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A new allotment of any number of jobs at one instant, in both modes: checked as a whole, all removals before all
// placements, and only what differs is touched and logged.
#include "engine/RunCore.h"

#include "planning/TaskPlacer.h"

#include <algorithm>

namespace trainyard {

/// What a plan changes of one job.
struct RunCore::Change {
    JobId job;
    Placement before, after;            ///< numbered alike: see keepingNumbers()
    std::vector<std::uint32_t> leaving; ///< numbers of workers
    bool goesOn = false;                ///< its servers stay and its workers come and go while it runs
    int batch = 0;                      ///< another than it has; 0: the same
};

std::optional<RunCore::Change> RunCore::changeOf(const Allotment& allotment) {
    const JobId job = allotment.job;
    require(job.valid() && job.index() < workload->jobs.size(), "a scheduler planned for a job that does not exist");
    const JobPhase now = phase(job);
    if (now != JobPhase::running && now != JobPhase::waiting)
        throw InvariantError("scheduler \"" + options.scenario->policies.scheduler.id + "\" planned for job \"" +
                             workload->job(job).key + "\", which neither waits nor runs");
    Change change{.job = job, .before = state.job(job).placement, .after = {}, .leaving = {}};
    if (!allotment.placement.empty()) {
        checkPlacement(job, allotment.placement);
        change.after = keepingNumbers(change.before, allotment.placement);
        change.batch = otherBatch(allotment);
    }
    if (change.before == change.after && change.batch == 0) return std::nullopt;
    const auto &from = change.before.workers, &to = change.after.workers;
    for (std::size_t w = 0; w < from.size(); ++w)
        if (from[w].valid() && (w >= to.size() || to[w] != from[w]))
            change.leaving.push_back(static_cast<std::uint32_t>(w));
    change.goesOn = mayGoOn(change) && survives(job, change.leaving);
    if (!change.goesOn) change.after = keepingNumbers(change.before, allotment.placement, false); // it begins again
    return change;
}

/// The batch that it gives the job, if it is another than the job has; else 0.
int RunCore::otherBatch(const Allotment& allotment) const {
    const Job& spec = workload->job(allotment.job);
    if (allotment.batch == 0) return 0;
    if (allotment.batch < 1 || allotment.batch > mostBatch || spec.kind() == JobKind::graph)
        throw InvariantError("scheduler \"" + options.scenario->policies.scheduler.id + "\" gave job \"" + spec.key +
                             "\" a batch of " + std::to_string(allotment.batch) +
                             (spec.kind() == JobKind::graph
                                  ? "; a graph job has none"
                                  : "; allowed are 1 to " + std::to_string(mostBatch) + " samples"));
    const int now = state.job(allotment.job).batch;
    return allotment.batch == (now > 0 ? now : spec.declaredBatch()) ? 0 : allotment.batch;
}

/// Whether its workers come and go while it runs, if it outlives those who go.
bool RunCore::mayGoOn(const Change& change) {
    const std::size_t places = placesOf(change.job);
    if (change.before == change.after) return places > 0;
    return places > 0 && !change.after.servers.empty() && change.before.servers == change.after.servers &&
           workload->job(change.job).restartSeconds == 0 && change.after.workers.size() <= places;
}

void RunCore::checkRoom(std::span<const Change> changes) const {
    const FreeCapacity::Scratch scratch(m_free);
    for (const Change& c : changes) giveTasks(workload->job(c.job), c.before, m_free);
    std::vector<MachineId> taken;
    for (const Change& c : changes) {
        takeTasks(workload->job(c.job), c.after, m_free);
        taken.insert(taken.end(), c.after.workers.begin(), c.after.workers.end());
        taken.insert(taken.end(), c.after.servers.begin(), c.after.servers.end());
    }
    for (const MachineId machine : taken)
        if (machine.valid() && m_free.of(machine).anyNegative())
            throw InvariantError("scheduler \"" + options.scenario->policies.scheduler.id +
                                 "\" planned more for machine \"" + workload->machine(machine).key + "\" than it has");
}

/// What goes, goes.
void RunCore::clear(Change& change) {
    if (change.goesOn) {
        if (!change.leaving.empty()) removeWorkers(change.job, change.leaving);
    } else if (change.after.empty()) {
        preempt(change.job, PreemptReason::policy);
    } else if (!change.before.empty()) {
        m_lives[change.job.index()].saved = stop(change.job, true);
        removeTasks(change.job, change.after);
    }
}

/// What comes, comes. In execute mode there may be no room for the threads of a job that grows: it waits then.
void RunCore::settle(const Change& change) {
    const JobId job = change.job;
    if (change.after.empty()) return;
    if (change.batch > 0) {
        emit(events::batchChanged(job, change.batch));
        m_speed.progress(job).batch = change.batch;
    }
    if (change.before.empty()) return startJob(job, change.after);
    if (!hasRoom(job, change.after)) {
        preempt(job, PreemptReason::policy);
        return requestDecision();
    }
    placeTasks(job, change.after);
    emit(events::jobResized(job, change.after));
    if (change.goesOn)
        changeWorkers(job, true);
    else
        begin(job, change.before);
}

void RunCore::replan(std::span<const Allotment> plan) {
    std::vector<Change> changes;
    for (const Allotment& allotment : plan)
        if (auto change = changeOf(allotment)) changes.push_back(std::move(*change));
    std::vector<JobId> named;
    for (const Allotment& allotment : plan) named.push_back(allotment.job);
    std::sort(named.begin(), named.end());
    require(std::adjacent_find(named.begin(), named.end()) == named.end(), "a scheduler planned twice for one job");
    checkRoom(changes);
    for (Change& change : changes) clear(change);
    for (const Change& change : changes) settle(change);
}

} // namespace trainyard
