// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What re-planning costs the engine at the size of a large cluster: analytic jobs under the rate model, explanations off; the
// plans are made beforehand, so that what is measured is checking them, carrying them out and logging. And what a note and a
// reservation cost.
#include "Bench.h"
#include "engine/Simulation.h"
#include "model/Topologies.h"
#include "record/EventLog.h"

#include <ctime>

namespace trainyard::cli {

namespace bench_replanning {

constexpr int racks = 25, machinesPerRack = 40, coresPerMachine = 16; ///< 16,000 cores
constexpr std::size_t machines = racks * machinesPerRack, jobs = 4'000;
constexpr std::size_t workersPerJob = 3; ///< so that a quarter of the cores is free to move to
constexpr int noted = 1'000'000;

/// At 0: every job gets three cores of one machine. At 1 s, in one plan: each of the first `moved` jobs gives up a core there and
/// takes one of the next machine, of the quarter that is free; at 2 s they all go back, which is measured: ways through the network
/// are found once in a run. Or it notes, or reserves, very often.
class Planned final : public Scheduler {
public:
    enum class Act { nothing, move, note, reserve };
    Planned(Act act, std::size_t moved) : m_act(act), m_moved(moved) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Planned>(*this); }
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        if (context.now.ns == 0 && view.jobsIn(JobPhase::waiting).size() == jobs) {
            decisions.replan(planOf(jobs, false));
            decisions.wakeAt(SimTime::seconds(1));
            decisions.wakeAt(SimTime::seconds(2));
        }
        if (context.now == SimTime::seconds(1) && m_act == Act::move) decisions.replan(planOf(m_moved, true));
        if (context.now != SimTime::seconds(2)) return;
        const JobId job(std::size_t{0});
        if (m_act == Act::move) decisions.replan(planOf(m_moved, false));
        if (m_act == Act::note)
            for (int i = 0; i < noted; ++i) context.note(0, i, static_cast<std::uint32_t>(i), 0, job);
        if (m_act == Act::reserve)
            for (int i = 0; i < noted; ++i) decisions.reserve(job, TaskRole::worker, MachineId(std::size_t{3}), 1, 1);
    }

private:
    static std::vector<Allotment> planOf(std::size_t count, bool moved) {
        std::vector<Allotment> plan;
        for (std::size_t j = 0; j < count; ++j) {
            const MachineId home(j % machines), next((j + 1) % machines);
            Placement placement{.workers = std::vector<MachineId>(workersPerJob, home), .servers = {home}};
            if (moved) placement.workers.back() = next;
            plan.push_back({JobId(j), std::move(placement)});
        }
        return plan;
    }

    Act m_act;
    std::size_t m_moved;
};

std::shared_ptr<const Scenario> scenarioOf() {
    auto scenario = std::make_shared<Scenario>();
    scenario->network = NetworkModel::rate;
    scenario->explanations = WhyLevel::off;
    scenario->cluster = treeCluster(racks, machinesPerRack, 10);
    for (Machine& machine : scenario->cluster.machines) machine.capacity = ResourceVector::of({coresPerMachine, 4, 64});
    scenario->policies.scheduler = {"planned", {}};
    for (std::size_t i = 0; i < jobs; ++i) {
        Job job{.key = "j" + std::to_string(i)};
        job.workerDemand = ResourceVector::of({1, 0, 1});
        job.serverDemand = ResourceVector::of({0, 1, 1});
        job.workers = {1, 8};
        job.stop.iterations = 100'000;
        AnalyticWork work;
        work.parameterBytes = 1e6;
        job.work = work;
        scenario->jobs.push_back(std::move(job));
    }
    return scenario;
}

/// Processor seconds of everything at 2 s, and the events logged by it.
std::pair<double, double> secondsOf(Planned::Act act, std::size_t moved) {
    Registry registry = Registry::builtin();
    SchedulerEntry entry;
    entry.id = "planned";
    entry.make = [=](const ParamValues&) { return std::make_unique<Planned>(act, moved); };
    registry.schedulers.push_back(std::move(entry));
    auto made = Simulation::create(
        {.scenario = scenarioOf(), .registry = std::make_shared<const Registry>(std::move(registry))});
    Simulation& simulation = *made.value();
    const SimTime at = SimTime::seconds(2);
    while (simulation.nextTime() < at) simulation.step();
    const std::size_t before = simulation.log().size();
    const std::clock_t start = std::clock();
    while (simulation.nextTime() == at) simulation.step();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return {seconds, static_cast<double>(simulation.log().size() - before)};
}

} // namespace bench_replanning

void addReplanningBenchmarks(Measures& measures) {
    using namespace bench_replanning;
    addCase(measures, "replan_epoch_s", "s",
            "an epoch that moves 1,600 of 16,000 cores between machines, 1,600 jobs resized",
            [] { return secondsOf(Planned::Act::move, 1'600).first; });
    addCase(measures, "replan_epoch_events_per_core", "1", "events that this logs for each core that moves",
            [] { return secondsOf(Planned::Act::move, 1'600).second / 1'600; });
    addCase(measures, "replan_4000_jobs_s", "s", "one replan that resizes 4,000 jobs",
            [] { return secondsOf(Planned::Act::move, jobs).first; });
    addCase(measures, "note_s", "s", "one note, from the policy to the log",
            [] { return secondsOf(Planned::Act::note, 0).first / noted; });
    addCase(measures, "reservation_s", "s", "one reservation, from the scheduler to the log",
            [] { return secondsOf(Planned::Act::reserve, 0).first / noted; });
}

} // namespace trainyard::cli
