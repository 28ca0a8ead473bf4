// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Runs one Scheduler without the engine: jobs are amounts of updates that pass at a speed the test chooses,
// machines fail and come back when it says. Every decision is checked as the engine would and applied to a
// real ClusterState, which refuses to overcommit; what is broken is kept as text.
#include "base/Result.h"
#include "planning/FreeCapacity.h"
#include "planning/TaskPlacer.h"
#include "policy/Registry.h"
#include "policy/Scheduler.h"
#include "record/Events.h"

#include <cmath>
#include <functional>
#include <set>
#include <string>

namespace trainyard::test {

class SchedulerDriver : private SpeedModel {
public:
    std::unique_ptr<Scheduler> policy;
    /// Seconds per update; default: one second divided by the workers.
    std::function<double(JobId, const Placement&)> secondsPer = [](JobId, const Placement& p) {
        return p.workers.empty() ? INFINITY : 1.0 / static_cast<double>(p.workers.size());
    };
    /// What the scheduler is told to expect; null: what happens (secondsPer).
    std::function<double(JobId, const Placement&)> toldSecondsPer;
    /// The same with a batch, for schedulers that ask; null: whatever the batch.
    std::function<double(JobId, const Placement&, int)> secondsWithBatch;
    /// Loss after a number of updates.
    std::function<double(JobId, double)> lossAt = [](JobId, double updates) { return 1 / (1 + updates); };

    /// Whether the state counts the updates, too.
    bool tellsUpdates = false;
    /// Whether the work on an update begins again when workers change.
    bool losesFractions = false;

    std::vector<std::string> broken;
    std::vector<SchedulingDecision> decisions; ///< all so far
    std::vector<double> finished;              ///< seconds, by job; −1 = not (yet)
    std::vector<std::size_t> stopped; ///< jobs that the scheduler has ended, in order; they do not count as finished
    ExplanationArena arena{WhyLevel::full}; ///< replace it by one of another level before the first step
    std::size_t decisionCalls = 0;
    std::vector<Event>* notes = nullptr; ///< where notes go; null: nowhere

    SchedulerDriver(std::unique_ptr<Scheduler> p, Workload workload, std::vector<double> updates)
        : policy(std::move(p)), m_workload(std::make_shared<const Workload>(std::move(workload))), m_state(m_workload),
          m_free(m_workload->cluster), m_left(updates), m_total(std::move(updates)),
          m_histories(m_workload->jobs.size()) {
        finished.assign(m_workload->jobs.size(), -1);
    }

    const ClusterState& state() const { return m_state; }
    SimTime now() const { return m_now; }
    std::size_t workersOf(std::size_t job) const { return m_state.jobs()[job].placement.workers.size(); }

    void failMachine(std::size_t machine) {
        for (std::size_t j = 0; j < m_state.jobs().size();
             ++j) { // the engine sends jobs that lost a task back to waiting
            const auto& p = m_state.jobs()[j].placement;
            const auto here = [&](MachineId m) { return m.valid() && m.index() == machine; };
            if (std::any_of(p.workers.begin(), p.workers.end(), here) ||
                std::any_of(p.servers.begin(), p.servers.end(), here)) {
                clear(JobId(j));
                record({.type = EventType::jobPreempted, .job = std::uint32_t(j), .a = done(j)});
            }
        }
        record({.type = EventType::machineFailed, .a = std::uint32_t(machine)});
        decide();
    }
    void repairMachine(std::size_t machine) {
        record({.type = EventType::machineRepaired, .a = std::uint32_t(machine)});
        decide();
    }

    /// Goes to the next arrival, end or wake-up and lets the scheduler decide; false if there is none.
    bool step() {
        SimTime next = SimTime::never();
        for (std::size_t j = 0; j < m_state.jobs().size(); ++j) {
            const auto& job = m_state.jobs()[j];
            if (job.phase == JobPhase::future) next = std::min(next, m_workload->jobs[j].arrival);
            if (job.phase == JobPhase::running)
                next = std::min(next, m_now + Duration::seconds(m_left[j] * secondsPer(JobId(j), job.placement)));
        }
        if (!m_wakes.empty()) next = std::min(next, *m_wakes.begin());
        if (next == SimTime::never()) return false;
        advance(std::max(next, m_now));
        std::erase_if(m_wakes, [&](SimTime t) { return t <= m_now; });
        for (std::size_t j = 0; j < m_state.jobs().size(); ++j) {
            if (m_state.jobs()[j].phase == JobPhase::running && m_left[j] <= 1e-6) {
                clear(JobId(j));
                record({.type = EventType::jobFinished, .job = std::uint32_t(j)});
                finished[j] = m_now.toSeconds();
            }
            if (m_state.jobs()[j].phase == JobPhase::future && m_workload->jobs[j].arrival <= m_now)
                record({.type = EventType::jobArrived, .job = std::uint32_t(j)});
        }
        decide();
        return true;
    }

    void run(std::size_t steps = 100000) {
        while (steps-- > 0 && broken.empty() && step()) {}
    }

    double meanCompletionSeconds() const {
        double sum = 0;
        for (std::size_t j = 0; j < finished.size(); ++j) sum += finished[j] - m_workload->jobs[j].arrival.toSeconds();
        return sum / static_cast<double>(finished.size());
    }

private:
    double secondsPerUpdate(JobId job, const Placement& placement) const override {
        return toldSecondsPer ? toldSecondsPer(job, placement) : secondsPer(job, placement);
    }
    double secondsPerUpdate(JobId job, const Placement& placement, int batch) const override {
        return secondsWithBatch ? secondsWithBatch(job, placement, batch) : secondsPerUpdate(job, placement);
    }
    double updatesDone(JobId job) const override {
        const double exact = m_total[job.index()] - m_left[job.index()];
        return losesFractions ? std::floor(exact + 1e-6) : exact;
    }
    bool keepsFractions(JobId) const override { return !losesFractions; }
    double remainingUpdates(JobId job) const override { return m_left[job.index()]; }

    /// Updates of a job, as it would keep them.
    std::uint32_t done(std::size_t job) const { return static_cast<std::uint32_t>(m_total[job] - m_left[job]); }

    void record(Event event) {
        event.time = m_now;
        m_state.apply(event);
        m_free.apply(event, m_state);
        m_since.push_back(event);
    }

    void advance(SimTime to) {
        for (std::size_t j = 0; j < m_state.jobs().size(); ++j) {
            const auto& job = m_state.jobs()[j];
            if (job.phase != JobPhase::running || to == m_now) continue;
            m_left[j] = std::max(0.0, m_left[j] - (to - m_now).toSeconds() / secondsPer(JobId(j), job.placement));
            const double done = m_total[j] - m_left[j];
            const auto update = static_cast<std::uint64_t>(done + 1e-6);
            m_histories[j].push_back({to, update, lossAt(JobId(j), done)});
            m_since.push_back(events::lossEvaluated(JobId(j), update, m_histories[j].back().loss));
            m_since.back().time = to;
            if (!tellsUpdates) continue;
            Event applied = events::updateApplied(JobId(j), update, 1);
            applied.time = to;
            m_state.apply(applied);
        }
        m_now = to;
    }

    void clear(JobId job) { move(job, {}); }

    /// Removes tasks that go or move, then places those that come or moved.
    void move(JobId job, const Placement& to) {
        const Placement from = m_state.job(job).placement;
        if (losesFractions && !(from == to)) m_left[job.index()] = m_total[job.index()] - updatesDone(job);
        for (const bool placing : {false, true})
            for (const auto role : {TaskRole::worker, TaskRole::server}) {
                const auto& old = role == TaskRole::worker ? from.workers : from.servers;
                const auto& fresh = role == TaskRole::worker ? to.workers : to.servers;
                for (std::size_t i = std::max(old.size(), fresh.size()); i-- > 0;) {
                    const MachineId a = i < old.size() ? old[i] : MachineId{},
                                    b = i < fresh.size() ? fresh[i] : MachineId{};
                    if (a == b) continue;
                    if (!placing && a.valid()) recordTask(EventType::taskRemoved, job, role, i, a);
                    if (placing && b.valid()) recordTask(EventType::taskPlaced, job, role, i, b);
                }
            }
    }

    void recordTask(EventType type, JobId job, TaskRole role, std::size_t index, MachineId machine) {
        record({.type = type,
                .aux = static_cast<std::uint16_t>(role),
                .job = job.value,
                .a = std::uint32_t(index),
                .b = machine.value});
    }

    /// Once, and again at the same instant after a preemption, as the engine does.
    void decide() {
        for (int calls = 0; decideOnce() && broken.empty();)
            if (++calls == 1000) fail("preempts at every call");
    }

    bool decideOnce() {
        RandomStream random(3, Purpose::policy, 0, static_cast<std::uint32_t>(decisionCalls++));
        std::vector<std::uint32_t> explained;
        SchedulingDecisions out;
        const auto since = std::exchange(m_since, {});
        {
            const FreeCapacity::Scratch planned(m_free);
            PolicyContext context{m_now, random, &arena, &explained};
            context.notes = notes;
            policy->decide(context, SchedulerView(m_state, *this, m_histories, m_free), since, out);
        }
        for (auto i : explained)
            if (arena.all()[i].evaluate() != arena.all()[i].chosen)
                fail("an explanation does not give its choice: " + arena.all()[i].summary.english());
        for (const auto& decision : out.list()) {
            if (decision.kind == SchedulingDecision::Kind::replan) {
                replan(decision.plan);
                continue;
            }
            decisions.push_back(decision);
            apply(decision);
        }
        for (SimTime t : out.wakes()) t > m_now ? void(m_wakes.insert(t)) : fail("asked to be woken in the past");
        return std::any_of(out.list().begin(), out.list().end(), [](const auto& d) {
            return d.kind == SchedulingDecision::Kind::preempt || d.kind == SchedulingDecision::Kind::stop;
        });
    }

    /// What goes first; then each part of the plan is a decision of its own, so that tests read one kind of list.
    void replan(const std::vector<Allotment>& plan) {
        using Kind = SchedulingDecision::Kind;
        std::vector<SchedulingDecision> coming;
        for (const Allotment& a : plan) {
            const JobPhase phase = m_state.job(a.job).phase;
            if (phase != JobPhase::waiting && phase != JobPhase::running)
                return fail("a plan names a job that is over");
            const Placement held = m_state.job(a.job).placement, wanted = keepingNumbers(held, a.placement);
            if (a.batch > 0) record(events::batchChanged(a.job, a.batch));
            if (held == wanted) continue;
            if (a.placement.empty()) {
                decisions.push_back({Kind::preempt, a.job, {}, {}});
                apply(decisions.back());
                continue;
            }
            coming.push_back({held.empty() ? Kind::start : Kind::resize, a.job, wanted, {}});
            if (held.empty()) continue;
            Placement kept = held;
            const auto keep = [](std::vector<MachineId>& old, const std::vector<MachineId>& now) {
                for (std::size_t i = 0; i < old.size(); ++i)
                    if (i >= now.size() || now[i] != old[i]) old[i] = {};
            };
            keep(kept.workers, wanted.workers);
            keep(kept.servers, wanted.servers);
            move(a.job, kept);
        }
        for (const auto& decision : coming) {
            decisions.push_back(decision);
            apply(decision);
        }
    }

    void apply(const SchedulingDecision& d) {
        using Kind = SchedulingDecision::Kind;
        const JobPhase phase = m_state.job(d.job).phase;
        if (phase != (d.kind == Kind::start || d.kind == Kind::reject ? JobPhase::waiting : JobPhase::running))
            return fail("a decision does not fit the phase of its job");
        if (d.kind == Kind::start || d.kind == Kind::resize) checkCounts(d);
        try {
            if (d.kind == Kind::start || d.kind == Kind::resize) move(d.job, d.placement);
            if (d.kind == Kind::preempt || d.kind == Kind::stop) clear(d.job);
            if (d.kind == Kind::stop) stopped.push_back(d.job.index());
            const EventType types[] = {EventType::jobStarted, EventType::jobResized, EventType::jobPreempted,
                                       EventType::jobRejected, EventType::jobFinished};
            Event event{.type = types[static_cast<int>(d.kind)], .job = d.job.value};
            if (d.kind == Kind::start || d.kind == Kind::resize) {
                event.a = static_cast<std::uint32_t>(d.placement.placedWorkers());
                event.b = static_cast<std::uint32_t>(d.placement.servers.size());
            }
            if (d.kind == Kind::preempt) event.a = done(d.job.index());
            record(event);
        } catch (const InvariantError& error) { fail(error.what()); }
    }

    void checkCounts(const SchedulingDecision& d) {
        const Job& job = m_workload->job(d.job);
        const int w = static_cast<int>(d.placement.placedWorkers()), s = static_cast<int>(d.placement.servers.size());
        if (w < job.workers.minimum || w > job.workers.maximum) fail("a number of workers outside its bounds");
        if (s < job.servers.minimum || s > job.servers.maximum) fail("a number of servers outside its bounds");
    }

    void fail(const std::string& what) { broken.push_back(what + " at " + std::to_string(m_now.toSeconds()) + " s"); }

    std::shared_ptr<const Workload> m_workload;
    ClusterState m_state;
    FreeCapacity m_free;
    std::vector<double> m_left, m_total;
    std::vector<std::vector<LossPoint>> m_histories;
    std::set<SimTime> m_wakes;
    std::vector<Event> m_since;
    SimTime m_now;
};

/// A job of identical workers and no servers; demands in the order of the cluster's resources.
inline Job workerJob(std::string key, double arrival, std::initializer_list<double> demand, Bounds workers = {1, 1}) {
    Job job{.key = std::move(key), .arrival = SimTime::seconds(arrival), .workers = workers, .servers = {0, 0}};
    job.workerDemand = ResourceVector::of(demand);
    return job;
}

inline Machine machineWith(std::string key, std::initializer_list<double> capacity, std::string rack = {}) {
    Machine machine{.key = std::move(key), .rack = std::move(rack)};
    machine.capacity = ResourceVector::of(capacity);
    return machine;
}

/// Machines of that many processors.
inline Workload onMachines(const std::vector<double>& cpus, std::vector<Job> jobs) {
    Workload out;
    out.cluster.resourceNames = {"cpu"};
    for (std::size_t m = 0; m < cpus.size(); ++m)
        out.cluster.machines.push_back(machineWith("m" + std::to_string(m), {cpus[m]}));
    out.jobs = std::move(jobs);
    return out;
}

inline std::unique_ptr<Scheduler> makeScheduler(const std::string& id, ParamValues parameters = {}) {
    static const Registry registry = Registry::builtin();
    return registry.makeScheduler({id, std::move(parameters)});
}

inline const char* firstBroken(const SchedulerDriver& driver) {
    return driver.broken.empty() ? "" : driver.broken.front().c_str();
}

} // namespace trainyard::test
