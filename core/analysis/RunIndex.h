// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The log of one run folded once into what lanes, views and tables read: intervals per worker, updates and
// losses per job, occupancy per machine slot, utilization per resource, marks. Each event is folded when it
// is new. One thread at a time: who owns it updates it, and reads it; what goes on beside it takes copies.
#include "analysis/ColouredJobs.h"
#include "analysis/JobHistory.h"
#include "analysis/Memo.h"
#include "record/EventLog.h"
#include "record/Explanation.h"
#include "record/WorkerPhases.h"
#include "scenario/Scenario.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <queue>
#include <typeindex>

namespace trainyard {

/// Who sat in one slot of a machine, in order of time; a slot holds one task at a time.
struct SlotHistory {
    struct Stay {
        SimTime start, end = SimTime::never(); ///< never(): still there
        std::uint32_t job = 0, index = 0;
        TaskRole role = TaskRole::worker;
    };
    std::vector<Stay> stays;
    /// First stay that ends after t.
    std::size_t firstEndingAfter(SimTime t) const;
};

struct Outage {
    SimTime start, end = SimTime::never();
};

struct MachineHistory {
    std::vector<SlotHistory> slotLanes;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> freeLanes; ///< the lowest first
    std::vector<Outage> outages;
    bool down() const { return !outages.empty() && outages.back().end == SimTime::never(); }
};

/// Something worth a mark on the time axis.
struct RunMark {
    enum class Kind { machineFailed, machineRepaired, linkFailed, linkRepaired, jobRejected, jobFailed, jobFinished };
    SimTime at;
    Kind kind = Kind::machineFailed;
    std::uint32_t id = 0; ///< machine, link or job
};

/// What is known of a run. Shared and immutable but for log and explanations, which grow.
struct RunSource {
    std::shared_ptr<const Scenario> scenario; ///< null: not known
    std::uint64_t seed = 1;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
    std::shared_ptr<const ExplanationLog> explanations; ///< null: not known
    std::filesystem::path resources;                    ///< where the data sets of its jobs lie
};

/// A fold that one view or a few need, in a file of its own: given every event once, in order.
class LogFold {
public:
    virtual ~LogFold() = default;
    virtual void apply(const Event& event, std::size_t position) = 0;
    /// Applies the events from `from` on, before `to`, for about as long as looking at `limit` events and leaving them takes;
    /// returns how far it has come.
    virtual std::size_t carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit);
};

class RunIndex {
public:
    static constexpr std::size_t everything = static_cast<std::size_t>(-1);

    explicit RunIndex(RunSource run);

    const RunSource& source() const { return m_run; }
    const Workload& workload() const { return *m_run.workload; }
    /// Folds at most `limit` further events, and carries on what foldSoFar() was asked for; where events were new, for a quarter of the
    /// time: all is drawn in the same frame. True if something was new.
    bool update(std::size_t limit = everything);
    bool behind() const { return m_position < m_run.log->size() || areFoldsBehind(); }
    /// Of those that foldSoFar() was asked for since the update before the last.
    bool areFoldsBehind() const;
    /// Carries these on, for about as long as looking at `limit` events takes.
    void carryFoldsOn(std::size_t limit) const;
    std::size_t position() const { return m_position; }
    /// What has been folded since that position changed intervals only from this time on; never() if none. Of
    /// long ago it is not known: zero.
    SimTime changedSince(std::size_t position) const;

    SimTime head() const { return m_head; } ///< time of the last event folded
    const std::vector<MachineHistory>& machines() const { return m_machines; }
    const std::vector<JobHistory>& jobs() const { return m_jobs; }
    /// By resource, share of the cluster's capacity that is allocated (0 … 1); resources without capacity
    /// stay empty.
    const std::vector<StepSeries>& utilization() const { return m_utilization; }
    /// By resource, the share that is held by workers that compute and by servers that a worker reads from or sends to:
    /// what is allocated may wait.
    const std::vector<StepSeries>& busy() const { return m_busy; }
    /// Means over the resources, where more are used than can be told apart as curves (mostResourceCurves); else empty.
    const StepSeries& meanUtilization() const { return m_meanUtilization; }
    const StepSeries& meanBusy() const { return m_meanBusy; }
    static constexpr std::size_t mostResourceCurves = 3;
    /// Load of the busiest link direction as a share of its bandwidth; empty if nothing was carried.
    const StepSeries& busiestLink() const { return m_busiest; }
    /// Jobs that wait in the queue, and that run, over time.
    const StepSeries& waitingJobs() const { return m_waitingJobs; }
    const StepSeries& runningJobs() const { return m_runningJobs; }
    const std::vector<RunMark>& marks() const { return m_marks; }
    std::size_t intervals() const { return m_intervals; } ///< of all workers, about

    /// The fold F of the run, as far as this index has come: made by F(const RunSource&) at the first
    /// question, and carried on by later ones.
    template <class F>
    const F& fold() const {
        Further& further = furtherOf<F>();
        carryOn(further, everything);
        return static_cast<const F&>(*further.fold);
    }
    /// The fold F(const RunSource&, of...), for what is drawn anew with each frame: where it is far behind, it is handed out on
    /// its way, which `late` is told, and update() carries it on as long as it is asked for.
    template <class F, class... Of>
    const F& foldSoFar(const Of&... of) const {
        Further& further = furtherOf<F>(of...);
        further.askedAt = m_updates;
        carryOn(further, mostAtOnce);
        if (m_late && further.position < m_position) m_late();
        return static_cast<const F&>(*further.fold);
    }
    /// For whoever updates the index: there is more to do.
    void onLate(std::function<void()> late) { m_late = std::move(late); }
    /// Results that took long, for whoever asks again; any thread.
    const std::shared_ptr<Memo>& memo() const { return m_memo; }

    bool isColoured(JobId job) const { return m_coloured.has(job); }

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
    void follow(const Event& event);
    void discard(const Event& event);
    void machineDown(const Event& event);
    void linkLoad(const Event& event);
    void jobEvent(const Event& event);
    void learnt(const Event& event, std::size_t position);
    void compute(const Event& event, int sign);
    void serve(const Event& event, int change);
    void setBusy(const Event& event, const ResourceVector& demand, std::int64_t count);
    void allocate(const Event& event, int sign);
    void setMean(StepSeries& series, const Event& event, const std::vector<std::int64_t>& amounts) const;
    void mark(const Event& event, RunMark::Kind kind, std::uint32_t id) { m_marks.push_back({event.time, kind, id}); }

    struct Further {
        std::unique_ptr<LogFold> fold;
        std::size_t position = 0;
        std::optional<std::size_t> askedAt; ///< m_updates then
    };
    static constexpr std::size_t mostAtOnce = 50'000; ///< events, a millisecond or two
    template <class F, class... Of>
    Further& furtherOf(const Of&... of) const {
        Further& further = m_further[{std::type_index(typeid(F)), {foldKey(of)...}}];
        if (!further.fold) further.fold = std::make_unique<F>(m_run, of...);
        return further;
    }
    void carryOn(Further& further, std::size_t limit) const;
    bool isAskedFor(const Further& further) const { return further.askedAt && *further.askedAt + 1 >= m_updates; }
    static std::string foldKey(const std::string& of) { return of; }
    template <class Enum>
    static std::string foldKey(Enum of) {
        return std::to_string(static_cast<int>(of));
    }

    RunSource m_run;
    ColouredJobs m_coloured;
    mutable std::map<std::pair<std::type_index, std::vector<std::string>>, Further> m_further;
    std::function<void()> m_late;
    std::shared_ptr<Memo> m_memo = std::make_shared<Memo>();
    std::size_t m_position = 0, m_intervals = 0, m_updates = 0;
    struct Change {
        std::size_t position = 0;        ///< where an update() began
        SimTime from = SimTime::never(); ///< the earliest interval that it turned into another
    };
    std::deque<Change> m_changes; ///< of the last few updates
    SimTime m_head;
    std::vector<MachineHistory> m_machines;
    std::vector<JobHistory> m_jobs;
    std::vector<WorkerPhases> m_phases;                          ///< by job
    std::vector<std::vector<Seat>> m_workerSeats, m_serverSeats; ///< by job, then task
    std::vector<std::int64_t> m_allocated, m_capacity;           ///< micro-units by resource
    std::vector<StepSeries> m_utilization, m_busy;
    StepSeries m_meanUtilization, m_meanBusy;
    std::vector<std::int64_t> m_computing; ///< micro-units by resource, held by tasks that are busy
    struct Serving {
        int transfers = 0;     ///< workers of the job that read or send now
        std::int64_t busy = 0; ///< servers that count as busy for it
    };
    std::vector<Serving> m_serving;                                 ///< by job
    std::vector<double> m_linkShare;                                ///< by directed link
    std::priority_queue<std::pair<double, std::uint32_t>> m_loaded; ///< outdated entries are skipped when they surface
    StepSeries m_busiest;
    StepSeries m_waitingJobs, m_runningJobs;
    int m_waitingNow = 0, m_runningNow = 0;
    std::vector<RunMark> m_marks;
};

} // namespace trainyard
