// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The order in which `las` serves jobs, kept from call to call: the service that each job has attained (executed time ×
// processors), the queue or the Gittins index that follows from it, and its place among the others. Follows the events of a
// run; Las decides by it who runs.
#include "policy/scheduler/WaitingJobs.h"

#include <set>
#include <vector>

namespace trainyard {

class ServiceQueues {
public:
    using Entry = WaitingJobs::Entry; ///< of the least rank first
    struct Rules {
        bool gittins = false;       ///< by index, in one queue
        std::vector<double> limits; ///< rising, processor-seconds: of all queues but the last
        double knob = 0;            ///< a job that has waited so many times what it has executed begins anew; 0: never
        double window = 3250;       ///< Δ of the Gittins index, processor-seconds
        bool faithful = false;      ///< next change and index as in the public simulator
    };
    explicit ServiceQueues(Rules rules) : m_rules(std::move(rules)) {}

    /// Takes in what has happened. false: nothing but what the last decisions brought about, and no change is due.
    bool follow(const SchedulerView& view, std::span<const Event> since, SimTime now);
    /// Moves jobs whose service has reached a limit, or who have waited long enough.
    void requeue(const SchedulerView& view, SimTime now);
    WaitingJobs& waiting() { return m_waiting; }
    /// By rank, comparable with those of waiting jobs.
    const std::set<Entry>& running() const { return m_running; }

    struct Started {
        Entry entry; ///< as the walk over the waiting jobs met it
        std::size_t workers = 0;
    };
    /// A running job gives way: it is no longer among running(). Those who get room after all are among the started.
    void displace(Entry job);
    bool isDisplaced(JobId job) const { return m_displaced.count(job) > 0; }
    /// Ends the decisions of a call, after the walk. Returns who gives way for good, in order of their ids.
    std::vector<JobId> settle(const SchedulerView& view, std::vector<Started> started, SimTime now);
    /// When requeue() will next change anything that matters, if all is carried out; never: at no time.
    SimTime nextChange() const { return m_nextChange; }

    int queue(JobId job) const { return m_jobs[job.index()].queue; }
    double index(JobId job) const { return m_jobs[job.index()].index; }
    /// Processor-seconds, since it last entered the first queue.
    double attained(JobId job, SimTime now) const { return attainedBy(m_jobs[job.index()], now) / 1e9; }

private:
    struct Known {
        double perWorker = 0;       ///< processors; 0: not seen yet
        double processors = 0;      ///< that it has; 0: it does not run
        SimTime since;              ///< of running with them, or of waiting
        double attained = 0;        ///< processor-nanoseconds before that: whole numbers stay exact
        double reached = 0;         ///< when its service reached the last of the limits up to which it was noted; ns
        Duration executed, pending; ///< before that, since it last entered the first queue
        double total = 0;           ///< processor-nanoseconds in all, before that
        int queue = 0, level = -1;  ///< level: whole windows attained; −1: not counted yet
        double index = 0;           ///< Gittins
        double waitingRank = 0, runningRank = 0;
        bool waits = false;
    };
    struct Demoted {
        double at = 0; ///< nanoseconds: when its service reached the limit
        JobId job;
        friend auto operator<=>(const Demoted&, const Demoted&) = default;
    };

    static double attainedBy(const Known& job, SimTime now) {
        return job.attained + (job.processors > 0 ? static_cast<double>((now - job.since).ns) * job.processors : 0);
    }
    void join(const SchedulerView& view, SimTime now);
    /// Whether it is something else than what the last decisions brought about.
    bool take(const Event& event);
    void pause(Known& job, SimTime now);
    void noteLimits(Known& job, SimTime now) const;
    void run(JobId job, double workers, SimTime now);
    void toTail(Known& job);
    void setRunningRank(JobId job, double rank);
    void demote(SimTime now);
    void promote(const SchedulerView& view, SimTime now);
    void rankByIndex(const SchedulerView& view, SimTime now);
    double limitOf(const Known& job) const { return limitOf(job, job.queue); }
    double limitOf(const Known& job, int queue) const;
    /// When a running job's service reaches its limit, in nanoseconds; at most a little earlier. Infinite in the last queue.
    double reachOf(const Known& job) const;
    /// Until a job that has, or will have, so many processors may change its queue.
    double secondsToChange(const Known& job, double processors, SimTime now) const;
    void findNextChange(const SchedulerView& view, const std::vector<Started>& started, std::size_t leaving,
                        SimTime now);

    Rules m_rules;
    std::vector<Known> m_jobs;
    WaitingJobs m_waiting;
    std::set<Entry> m_running;
    std::map<JobId, Entry> m_displaced;
    std::set<JobId> m_late; ///< running jobs that have just come to their queue, behind those who wait there
    double m_front = 0, m_back = 0,
           m_lastRun = 0;      ///< the last places given: before and behind all who wait, behind all who run
    double m_nextDemotion = 0; ///< nanoseconds: before that demote() has nothing to do
    SimTime m_nextChange = SimTime::never();
    std::vector<double> m_sizes; ///< of jobs that have ended, ascending; a part of m_ended
    std::vector<double> m_ended; ///< processor-seconds
};

} // namespace trainyard
