// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/slaq/SlaqTimes.h"

#include "engine/Simulation.h"
#include "planning/TaskPlacer.h"
#include "policy/Registry.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

namespace trainyard::study {

namespace slaq_times {

constexpr int machineCores = 32, epochsBefore = 50, epochsTimed = 6;
constexpr double epochSeconds = 3, coreSecondsPerUpdate = 2;

std::shared_ptr<const Workload> workloadOf(std::size_t jobs, int cores) {
    Workload out;
    out.cluster.resourceNames = {"cpu"};
    for (int left = cores; left > 0; left -= machineCores) {
        Machine machine{.key = "m" + std::to_string(out.cluster.machines.size())};
        machine.capacity = ResourceVector::of({static_cast<double>(std::min(left, machineCores))});
        out.cluster.machines.push_back(std::move(machine));
    }
    for (std::size_t j = 0; j < jobs; ++j) {
        Job job{.key = "j" + std::to_string(j), .workers = {1, machineCores}, .servers = {0, 0}};
        job.workerDemand = ResourceVector::of({1});
        out.jobs.push_back(std::move(job));
    }
    return std::make_shared<const Workload>(std::move(out));
}

/// The jobs, without the engine: an update takes 2 s divided by the workers, and is lost where they change.
class RunningJobs final : public SpeedModel {
public:
    explicit RunningJobs(std::shared_ptr<const Workload> workload)
        : m_state(std::move(workload)), m_free(m_state.workload().cluster), m_histories(m_state.jobs().size()),
          m_done(m_state.jobs().size(), 0.0) {
        for (std::size_t j = 0; j < m_done.size(); ++j) record(events::jobArrived(JobId(j)));
    }

    double secondsPerUpdate(JobId, const Placement& placement) const override {
        return coreSecondsPerUpdate / static_cast<double>(placement.placedWorkers());
    }
    double secondsPerUpdate(JobId job, const Placement& placement, int) const override {
        return secondsPerUpdate(job, placement);
    }
    double updatesDone(JobId job) const override { return std::floor(m_done[job.index()]); }
    bool keepsFractions(JobId) const override { return false; }
    double remainingUpdates(JobId) const override { return 1e6; }

    /// An epoch passes: each job that runs tells a loss.
    void advance() {
        m_now = m_now + Duration::seconds(epochSeconds);
        for (const JobId job : m_state.jobsIn(JobPhase::running)) {
            double& done = m_done[job.index()];
            done += epochSeconds / secondsPerUpdate(job, m_state.job(job).placement);
            const auto update = static_cast<std::uint64_t>(done);
            const double pace = 0.1 + 1e-4 * static_cast<double>(job.index());
            m_histories[job.index()].push_back({m_now, update, 1 + 9 / (1 + pace * static_cast<double>(update))});
            record(events::lossEvaluated(job, update, m_histories[job.index()].back().loss));
        }
    }

    std::size_t running() const { return m_state.jobsIn(JobPhase::running).size(); }

    /// Seconds that the decision took; it is carried out.
    double decide(Scheduler& scheduler, const Parallel& parallel) {
        SchedulingDecisions decisions;
        const double seconds = timedDecision(scheduler, parallel, decisions);
        for (const SchedulingDecision& decision : decisions.list()) carryOut(decision.plan);
        return seconds;
    }

private:
    double timedDecision(Scheduler& scheduler, const Parallel& parallel, SchedulingDecisions& decisions) {
        RandomStream random(1, Purpose::policy);
        PolicyContext context{.now = m_now, .random = random};
        context.parallel = &parallel;
        const FreeCapacity::Scratch planned(m_free);
        const auto start = std::chrono::steady_clock::now();
        scheduler.decide(context, SchedulerView(m_state, *this, m_histories, m_free), m_since, decisions);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        m_since.clear();
        return took.count();
    }

    /// All that go before all that come.
    void carryOut(const std::vector<Allotment>& plan) {
        for (const bool coming : {false, true})
            for (const Allotment& allotment : plan) {
                const Placement& wanted = allotment.placement;
                if (!coming)
                    clear(allotment.job);
                else if (!wanted.empty())
                    place(allotment.job, wanted);
                else
                    record(events::jobPreempted(allotment.job, 0, 0, 0, {}));
            }
    }

    /// The job begins the update under way again.
    void clear(JobId job) {
        m_done[job.index()] = updatesDone(job);
        const std::vector<MachineId> held = m_state.job(job).placement.workers;
        for (std::size_t w = held.size(); w-- > 0;) record(events::taskRemoved(job, TaskRole::worker, w, held[w]));
    }

    void place(JobId job, const Placement& wanted) {
        const bool runs = m_state.job(job).phase == JobPhase::running;
        for (std::size_t w = 0; w < wanted.workers.size(); ++w)
            record(events::taskPlaced(job, TaskRole::worker, w, wanted.workers[w]));
        record(runs ? events::jobResized(job, wanted) : events::jobStarted(job, wanted, m_now.toSeconds()));
    }

    void record(Event event) {
        event.time = m_now;
        m_state.apply(event);
        m_free.apply(event, m_state);
        m_since.push_back(event);
    }

    ClusterState m_state;
    FreeCapacity m_free;
    std::vector<std::vector<LossPoint>> m_histories; ///< by job, as the next two
    std::vector<double> m_done;
    std::vector<Event> m_since; ///< the last decision
    SimTime m_now;
};

} // namespace slaq_times

double slaqDecisionSeconds(std::size_t jobs, int cores, int threads) {
    using namespace slaq_times;
    require(jobs > 0 && cores > 0, "a decision is timed for one job and one core at least");
    const auto scheduler = Registry::builtin().makeScheduler({"slaq", {}});
    const Parallel parallel(threads);
    RunningJobs simulated(workloadOf(jobs, cores));
    double slowest = 0;
    for (int epoch = 0; epoch < epochsBefore + epochsTimed; ++epoch) {
        const double seconds = simulated.decide(*scheduler, parallel);
        if (epoch >= epochsBefore) slowest = std::max(slowest, seconds);
        require(simulated.running() == std::min(jobs, static_cast<std::size_t>(cores)),
                "a job has no core though one is free");
        simulated.advance();
    }
    return slowest;
}

Result<double> traceJobsPerSecond(const std::filesystem::path& trace, const TraceOptions& options, int runs) {
    require(runs > 0, "a trace is simulated once at least");
    auto imported = importTrace(TraceFormat::tiresias, trace, options);
    if (!imported) return imported.problems();
    Scenario scenario = std::move(imported).value();
    scenario.policies.scheduler = {"las", {{"faithful", true}}};
    const auto jobs = static_cast<double>(scenario.jobs.size());
    const SimulationOptions simulated{.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                                      .registry = std::make_shared<const Registry>(Registry::builtin()),
                                      .threads = 1};
    std::clock_t least = std::numeric_limits<std::clock_t>::max();
    for (int i = 0; i < runs; ++i) {
        auto simulation = Simulation::create(simulated);
        if (!simulation) return simulation.problems();
        const std::clock_t start = std::clock();
        (*simulation)->runUntil(SimTime::never(), std::numeric_limits<std::size_t>::max());
        least = std::min(least, std::clock() - start);
    }
    return jobs * CLOCKS_PER_SEC / static_cast<double>(std::max<std::clock_t>(1, least));
}

} // namespace trainyard::study
