// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The fold behind computeMetrics(): one pass, constant work per event. Kept apart from ClusterState, which
// must stay small enough to copy for every frame. Also used to watch metrics while a run goes on.
#include "record/ClusterState.h"
#include "record/KeyMessageType.h"
#include "record/LossQuality.h"
#include "record/MetricGroup.h"

#include <optional>
#include <span>

namespace trainyard {

class NeededMetrics;

class MetricsFold {
public:
    /// `workload` is borrowed.
    explicit MetricsFold(const Workload& workload);
    void apply(const Event& event);
    /// The metrics if the run ended at `end`; the fold can go on afterwards.
    Metrics at(SimTime end) const;
    /// One of them, as at() has it, of the run or of a job; none where it has no value. Costs a small part of it.
    std::optional<double> valueAt(SimTime end, const std::string& metric, std::optional<std::size_t> job) const;
    LossAccounts lossAccounts(SimTime end) const;

private:
    struct Held {
        std::uint32_t task = 0;
        std::uint64_t readVersion = 0;
    };
    struct WorkerFold {
        SimTime placedAt;
        bool placed = false, computing = false, pushing = false;
        bool begun = false; ///< has had a task since it was placed
        std::uint32_t task = 0;
        double samples = 0;
        std::vector<Held> held; ///< gradients that have arrived and wait for the verdict
    };
    /// Of a keyed job.
    struct KeyedTotals {
        double pulls[3] = {}, messages[keyMessageTypes] = {}, bytes[keyMessageTypes] = {};
        double relocations = 0, staleness = 0, delivery = 0, copyAge = 0, copyRefreshes = 0;
        std::vector<double> sampleDispersion;           ///< by node, the last
        std::vector<double> server, sending, receiving; ///< by node: seconds in use
        std::vector<double> copies;                     ///< by node: copies × seconds
        bool any = false;
    };
    struct JobFold {
        JobPhase phase = JobPhase::future;
        SimTime since, arrival, end;
        double waiting = 0, running = 0; ///< closed stretches, seconds
        WorkerPhases phases;
        std::vector<WorkerFold> workers;
        double stragglerWait = 0, updateWait = 0, idle = 0, placedTime = 0;
        double computing = 0;  ///< seconds of all workers
        bool diverged = false; ///< it failed for that
        double serving = 0;    ///< seconds of servers while a worker reads or sends
        std::size_t transfers = 0, servers = 0;
        SimTime servingSince;
        double stalenessSum = 0, stalenessCount = 0, stalenessMax = 0;
        double assigned = 0, executed = 0, used = 0, discarded = 0;
        std::uint64_t version = 0;
        double updates = 0, iterationTime = 0, lostUpdates = 0, preemptions = 0;
        SimTime lastUpdate;
        KeyedTotals keyed;
        double checkpointBytes = 0, uplinks = 0, cancelledUplinks = 0, downlinks = 0, bytes = 0;
        ResourceVector held;
        double dominant = 0, attained = 0;
        SimTime heldSince;
        std::optional<double> firstLoss;
        double loss = 0, bestLoss = 0, lossIntegral = 0;
        SimTime lossSince;
        std::optional<double> timeToTarget;
        std::vector<double> qualities; ///< last values, by their places among those of the keyed model; NaN: none yet
    };
    struct LinkFold {
        double load = 0, bytes = 0;
        SimTime since;
    };

    void enter(JobFold& job, JobPhase phase, SimTime now);
    void follow(JobFold& job, const Event& event);
    void countTransfers(JobFold& job, int change, SimTime now);
    void place(JobFold& job, const Event& event);
    void applyJobEvent(JobFold& job, const Event& event);
    void applyTaskEvent(JobFold& job, const Event& event);
    static void applyCount(JobFold& job, const Event& event);
    static void keyedMetrics(const JobFold& job, std::map<std::string, double>& out);
    void applyArrival(JobFold& job, WorkerFold& worker, const Event& event);
    void applyLoss(JobFold& job, const Event& event);
    static void applyQuality(JobFold& job, const Event& event);
    void applyClusterEvent(const Event& event);
    void accountResources(SimTime now);
    /// What a job's open stretches add up to if the run ends now; seconds.
    struct Closed {
        double queueing = 0, running = 0, inSystem = 0;
        double wait = 0, updateWait = 0, idle = 0, placed = 0, attained = 0, lossIntegral = 0;
        double computing = 0, serving = 0;
        SimTime until; ///< when it left the system, or the end
    };
    static Closed close(const JobFold& job, SimTime end);
    Metrics at(SimTime end, const NeededMetrics& needed) const;
    std::map<std::string, double> jobMetrics(std::size_t job, const Closed& closed, const NeededMetrics& needed) const;
    void completionMetrics(Metrics& out, const std::vector<Closed>& closed, SimTime end) const;
    void workMetrics(Metrics& out, const std::vector<Closed>& closed, const NeededMetrics& needed) const;
    void fairnessMetric(Metrics& out, const std::vector<Closed>& closed) const;
    void clusterMetrics(Metrics& out, const std::vector<Closed>& closed, SimTime end) const;

    const Workload& m_workload;
    ResourceVector m_total;
    LossQuality m_quality;
    std::vector<std::unique_ptr<MetricReader>> m_readers; ///< of groups that read the log themselves
    std::vector<std::string> m_qualityMetrics;            ///< of any job
    std::vector<JobFold> m_jobs;
    std::vector<LinkFold> m_links;
    std::vector<bool> m_machineUp;
    ResourceVector m_allocated, m_upCapacity;
    std::vector<double> m_allocatedTime, m_capacityTime; ///< amount × seconds, by resource
    SimTime m_resourcesSince;
    std::optional<SimTime> m_firstArrival; ///< from which shares of time count
};

} // namespace trainyard
