#pragma once
// The log of one run folded into what the lanes draw: intervals per worker, occupancy per machine slot,
// losses per job, utilization per resource, marks. Each event is folded once, when it is new. Owned by
// LaneStack (per run) and by the figure export; painters only read it.
#include "plots/JobLane.h"
#include "session/RunData.h"

#include <deque>
#include <queue>

namespace trainyard {

/// Who sat in one slot of a machine, in order of time; a slot holds one task at a time.
struct SlotLane {
    struct Stay {
        SimTime start, end = SimTime::never(); ///< never(): still there
        std::uint32_t job = 0, index = 0;
        TaskRole role = TaskRole::worker;
    };
    std::vector<Stay> stays;
    bool taken = false;
    /// First stay that ends after t.
    std::size_t firstEndingAfter(SimTime t) const;
};

struct Outage {
    SimTime start, end = SimTime::never();
};

struct MachineLane {
    std::vector<SlotLane> slotLanes;
    std::vector<Outage> outages;
    bool down() const { return !outages.empty() && outages.back().end == SimTime::never(); }
};

/// Something worth a mark on the time axis.
struct RunMark {
    enum class Kind {
        machineFailed,
        machineRepaired,
        linkFailed,
        linkRepaired,
        jobRejected,
        jobFailed,
        jobFinished
    };
    SimTime at;
    Kind kind = Kind::machineFailed;
    std::uint32_t id = 0; ///< machine, link or job
};

class RunFold {
public:
    explicit RunFold(RunData run);

    const RunData& run() const { return m_run; }
    const Workload& workload() const { return *m_run.workload; }
    /// Folds at most `limit` further events; true if something was new.
    bool update(std::size_t limit = static_cast<std::size_t>(-1));
    bool behind() const { return m_position < m_run.log->size(); }
    std::size_t position() const { return m_position; }
    /// What has been folded since that position changed intervals only from this time on; never() if none. Of
    /// long ago it is not known: zero.
    SimTime changedSince(std::size_t position) const;

    SimTime head() const { return m_head; } ///< time of the last event folded
    const std::vector<MachineLane>& machines() const { return m_machines; }
    const std::vector<JobLane>& jobs() const { return m_jobs; }
    /// By resource, share of the cluster's capacity that is allocated (0 … 1); resources without capacity
    /// stay empty.
    const std::vector<StepSeries>& utilization() const { return m_utilization; }
    /// Load of the busiest link direction as a share of its bandwidth; empty if nothing was carried.
    const StepSeries& busiestLink() const { return m_busiest; }
    /// Jobs that wait in the queue, and that run, over time.
    const StepSeries& waitingJobs() const { return m_waitingJobs; }
    const StepSeries& runningJobs() const { return m_runningJobs; }
    const std::vector<RunMark>& marks() const { return m_marks; }
    std::size_t intervals() const { return m_intervals; } ///< of all workers, about

    std::string jobName(JobId id) const;
    std::string machineName(MachineId id) const;
    /// The selected job if it has workers, else the first that has; invalid if none has.
    JobId jobWithWorkers(JobId preferred) const;

private:
    struct Seat {
        MachineId machine;
        std::uint32_t slot = 0;
    };
    void apply(const Event& event, std::size_t position);
    void place(const Event& event);
    void remove(const Event& event);
    void workerEvent(const Event& event);
    void machineDown(const Event& event);
    void linkLoad(const Event& event);
    void jobEvent(const Event& event);
    void learnt(const Event& event, std::size_t position);
    void allocate(const Event& event, int sign);
    void discard(IntervalTrack& track, std::uint32_t task);
    void mark(const Event& event, RunMark::Kind kind, std::uint32_t id) {
        m_marks.push_back({event.time, kind, id});
    }

    RunData m_run;
    std::size_t m_position = 0, m_intervals = 0;
    struct Change {
        std::size_t position = 0;        ///< where an update() began
        SimTime from = SimTime::never(); ///< the earliest interval that it turned into another
    };
    std::deque<Change> m_changes; ///< of the last few updates
    SimTime m_head;
    std::vector<MachineLane> m_machines;
    std::vector<JobLane> m_jobs;
    std::vector<std::vector<Seat>> m_workerSeats, m_serverSeats; ///< by job, then task
    std::vector<std::int64_t> m_allocated, m_capacity;           ///< micro-units by resource
    std::vector<StepSeries> m_utilization;
    std::vector<double> m_linkShare; ///< by directed link
    std::priority_queue<std::pair<double, std::uint32_t>>
        m_loaded; ///< outdated entries are skipped when they surface
    StepSeries m_busiest;
    StepSeries m_waitingJobs, m_runningJobs;
    int m_waitingNow = 0, m_runningNow = 0;
    std::vector<RunMark> m_marks;
};

} // namespace trainyard
