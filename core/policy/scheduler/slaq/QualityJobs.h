// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The jobs among which a scheduler that goes by losses divides workers, and what it has learned of each: what updates are worth by its
// losses, and how long an update takes with so many workers. Used by QualityScheduler.
#include "planning/ScalingLaw.h"
#include "policy/scheduler/JobStart.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/slaq/PredictedGains.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// A job that has workers now, or can have them.
struct QualityJob {
    JobId id;
    Bounds bounds;
    Placement held;        ///< on machines that are up; empty: it waits
    bool underWay = false; ///< of its work since its workers last changed, another change now would keep nothing

    bool runs() const { return !held.workers.empty(); }
    /// Servers beside so many workers; where they do not grow with them, as many as it has, or the least.
    int serversBeside(const Job& job, int workers) const;
    /// Its first so many workers, and the servers that go with them.
    Placement firstTasks(const Job& job, int workers) const;
};

class QualityJobs {
public:
    QualityJobs(PredictedGains::Rules rules, PlacingStrategy placing, double epochSeconds)
        : m_rules(std::move(rules)), m_placing(placing), m_epochSeconds(epochSeconds) {}

    /// Running jobs, then waiting ones in order of arrival, until one has no room for its minimum beside those of the others: nobody
    /// passes it, so that it waits for ends only. Jobs that are too large for all machines that are up are passed. `policy` signs the
    /// explanations of those that wait.
    std::vector<QualityJob> present(const PolicyContext& context, const SchedulerView& view, FreeCapacity& room,
                                    const std::string& policy);
    /// Takes in what is new of their losses and times, perhaps on several threads.
    void learn(const PolicyContext& context, const SchedulerView& view, const std::vector<QualityJob>& jobs);
    /// What a job is given from now on. Without this a change would be seen at the next decision only.
    void give(const SchedulerView& view, SimTime now, JobId job, const Placement& placement);

    const PredictedGains& gains(const QualityJob& job) const { return m_known[job.id.index()].gains; }
    /// Seconds per update: of what was timed, where it was with three numbers of workers; else the expected ones, as much longer or
    /// shorter as was timed.
    const UpdateLaw& law(const QualityJob& job) const { return m_known[job.id.index()].law; }
    /// Share of the time to come in which a job would work if its workers changed now: A/(A + R), where R is its restart_s and half an
    /// update where the one under way is lost, and A is how long it has worked with what it holds, an epoch at least: it is expected
    /// to work as long with the next. 1 for jobs that wait.
    double afterChange(const QualityJob& job) const { return m_known[job.id.index()].afterChange; }

private:
    struct Timed {
        double seconds = 0, updates = 0;
    };
    struct Known {
        PredictedGains gains;
        UpdateLaw law;
        std::vector<ScalingSample> expected; ///< by the delay model, for few workers
        std::map<int, Timed> timed;          ///< in this run, by workers
        Placement held;                      ///< since `changed`; machines ascending
        SimTime changed;
        double doneBefore = 0;  ///< updates done by then
        double afterChange = 1; ///< as below
        LossPoint timedTo;      ///< updates were timed to here, where `timing`
        bool timing = false;    ///< since `changed`
    };

    bool isUnderWay(const SchedulerView& view, const QualityJob& member);
    double workingAfterChange(const SchedulerView& view, SimTime now, const QualityJob& member) const;
    void expect(const SchedulerView& view, const QualityJob& member, FreeCapacity& idle);
    static void time(std::span<const LossPoint> losses, const Job& job, Known& known);
    static UpdateLaw lawOf(const Known& known);

    PredictedGains::Rules m_rules;
    PlacingStrategy m_placing;
    double m_epochSeconds;
    std::vector<Known> m_known; ///< by job
    Refusals m_refusals;
};

} // namespace trainyard
