// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/slaq/QualityJobs.h"

#include "model/KnownLosses.h"

#include <algorithm>

namespace trainyard {

Placement QualityJob::firstTasks(const Job& job, int workers) const {
    Placement out = held;
    out.workers.resize(std::min(out.workers.size(), static_cast<std::size_t>(workers)));
    if (job.workersPerServer)
        out.servers.resize(std::min(out.servers.size(), static_cast<std::size_t>(job.serversFor(
                                                            static_cast<int>(out.workers.size()), bounds))));
    return out;
}

int QualityJob::serversBeside(const Job& job, int workers) const {
    if (job.workersPerServer) return job.serversFor(workers, bounds);
    return runs() ? static_cast<int>(held.servers.size()) : job.servers.minimum;
}

std::vector<QualityJob> QualityJobs::present(const PolicyContext& context, const SchedulerView& view,
                                             FreeCapacity& room, const std::string& policy) {
    const FreeCapacity::Scratch scratch(room);
    m_known.resize(view.state().jobs().size());
    std::vector<QualityJob> out;
    for (const JobId id : view.jobsIn(JobPhase::running)) {
        QualityJob member{id, view.workers(id), {}, false};
        for (const auto role : {&Placement::workers, &Placement::servers})
            for (const MachineId m : view.state().job(id).placement.*role)
                if (m.valid() && room.isUp(m)) (member.held.*role).push_back(m);
        give(view, context.now, id, member.held); // where tasks have been lost
        member.underWay = isUnderWay(view, member);
        const Job& job = view.workload().job(id);
        takeTasks(job, member.firstTasks(job, member.bounds.minimum), room);
        out.push_back(std::move(member));
    }
    const JobSet& waiting = view.jobsIn(JobPhase::waiting);
    std::size_t behind = waiting.size();
    for (const JobId id : waiting) {
        m_known[id.index()].held = {};
        const Job& job = view.workload().job(id);
        const QualityJob member{id, view.workers(id), {}, false};
        const int least = member.bounds.minimum, servers = member.serversBeside(job, least);
        --behind;
        if (placeTasks(view.workload(), job, least, servers, room, m_placing)) {
            out.push_back(member);
            continue;
        }
        FreeCapacity idle = FreeCapacity::whole(view.state());
        const bool blocks = placeTasks(view.workload(), job, least, servers, idle, m_placing).has_value();
        m_refusals.tried(context, view, {id, least, servers, &room, blocks ? behind : 0}, policy);
        if (blocks) break;
    }
    return out;
}

void QualityJobs::give(const SchedulerView& view, SimTime now, JobId job, const Placement& placement) {
    Known& known = m_known[job.index()];
    Placement held = placement; // the engine lists tasks that stay first
    std::sort(held.workers.begin(), held.workers.end());
    std::sort(held.servers.begin(), held.servers.end());
    if (known.held == held) return;
    known.held = std::move(held);
    known.changed = now;
    known.doneBefore = view.speed().updatesDone(job);
    known.timing = false;
}

bool QualityJobs::isUnderWay(const SchedulerView& view, const QualityJob& member) {
    Known& known = m_known[member.id.index()];
    const double done = view.speed().updatesDone(member.id);
    known.doneBefore = std::min(known.doneBefore, done); // after a return to a checkpoint
    return done <= known.doneBefore;
}

double QualityJobs::workingAfterChange(const SchedulerView& view, SimTime now, const QualityJob& member) const {
    if (!member.runs()) return 1;
    const Known& known = m_known[member.id.index()];
    const double restart = view.workload().job(member.id).restartSeconds;
    double lost = restart;
    if (!view.speed().keepsFractions(member.id)) lost += known.law.at(static_cast<int>(member.held.workers.size())) / 2;
    const double had = std::max(m_epochSeconds, (now - known.changed).toSeconds() - restart);
    return had / (had + lost);
}

void QualityJobs::learn(const PolicyContext& context, const SchedulerView& view, const std::vector<QualityJob>& jobs) {
    std::optional<FreeCapacity> idle; // made only where somebody is new
    for (const QualityJob& member : jobs) {
        if (!m_known[member.id.index()].expected.empty()) continue;
        if (!idle) idle = FreeCapacity::whole(view.state());
        expect(view, member, *idle);
    }
    context.forEach(jobs.size(), [&](std::size_t i) {
        const QualityJob& member = jobs[i];
        const Job& job = view.workload().job(member.id);
        Known& now = m_known[member.id.index()];
        time(view.losses(member.id), job, now);
        now.gains.follow(view.losses(member.id), m_rules.of(job), job.finalLoss, knownCurve(job));
        now.law = lawOf(now);
        now.afterChange = workingAfterChange(view, context.now, member);
    });
}

/// Seconds per update by the delay model, for the least number of workers and its doubles, packed on idle machines.
void QualityJobs::expect(const SchedulerView& view, const QualityJob& member, FreeCapacity& idle) {
    const Job& job = view.workload().job(member.id);
    auto& expected = m_known[member.id.index()].expected;
    for (int n = member.bounds.minimum; n <= member.bounds.maximum && expected.size() < 4; n *= 2) {
        const FreeCapacity::Scratch scratch(idle);
        const auto placement = placeTasks(view.workload(), job, n, job.serversFor(n, member.bounds), idle, m_placing);
        if (!placement) break;
        expected.push_back({n, view.speed().secondsPerUpdate(member.id, *placement), 1});
    }
    if (expected.empty()) expected.push_back({member.bounds.minimum, 1, 1});
}

/// Updates since it has had these tasks, from the second loss on: the first may be of the time in which it began again.
void QualityJobs::time(std::span<const LossPoint> losses, const Job& job, Known& known) {
    if (known.held.workers.empty() || losses.empty()) return;
    if (!known.timing) {
        const SimTime since = known.changed + Duration::seconds(job.restartSeconds);
        const auto first = std::upper_bound(losses.begin(), losses.end(), since,
                                            [](SimTime t, const LossPoint& p) { return t < p.time; });
        if (first == losses.end()) return;
        known.timedTo = *first;
        known.timing = true;
    }
    const LossPoint& last = losses.back();
    if (last.time > known.timedTo.time && last.update > known.timedTo.update) {
        Timed& timed = known.timed[static_cast<int>(known.held.workers.size())];
        timed.seconds += (last.time - known.timedTo.time).toSeconds();
        timed.updates += static_cast<double>(last.update - known.timedTo.update);
    }
    known.timedTo = last;
}

UpdateLaw QualityJobs::lawOf(const Known& known) {
    std::vector<ScalingSample> samples;
    for (const auto& [workers, timed] : known.timed)
        samples.push_back({workers, timed.seconds / timed.updates, timed.updates});
    if (samples.size() >= 3) return fitScaling(samples);
    UpdateLaw law = fitScaling(known.expected);
    double took = 0, expected = 0;
    for (const ScalingSample& s : samples) {
        took += s.weight * s.seconds;
        expected += s.weight * law.at(s.workers);
    }
    if (expected > 0) {
        law.fixedSeconds *= took / expected;
        law.dividedSeconds *= took / expected;
        law.perWorkerSeconds *= took / expected;
    }
    return law;
}

} // namespace trainyard
