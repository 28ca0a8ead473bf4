// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What happens to a graph job when it arrives: its partitioner is asked, and, where it is admitted at once, it is placed on the block of the
// option that was chosen, or blocked. Schedulers see the servers of such jobs as machines that are down, and nothing of the jobs.
#include "engine/RunCore.h"

#include "planning/TaskPlacer.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

/// Of a queued job: completion times come from the graph look-ahead under the cluster's links.
class QueuedPartitionView final : public PartitionView {
public:
    QueuedPartitionView(const ClusterState& state, JobId job, std::span<const GraphOption> options)
        : m_state(state), m_job(job), m_options(options) {}
    const ClusterState& state() const override { return m_state; }
    JobId job() const override { return m_job; }
    std::span<const GraphOption> options() const override { return m_options; }
    double deadlineSeconds() const override { return work().deadlineSeconds(); }
    double deadlineFraction() const override { return work().deadlineFraction; }

private:
    const GraphWork& work() const { return std::get<GraphWork>(m_state.workload().job(m_job).work); }
    const ClusterState& m_state;
    JobId m_job;
    std::span<const GraphOption> m_options;
};

/// Of one that is admitted at once.
class ImmediatePartitionView final : public PartitionView {
public:
    ImmediatePartitionView(const ClusterState& state, JobId job, const GraphArrivalOptions& priced,
                           GraphAdmissions& admissions, const LossSystem& system, const GraphWorkload& expected)
        : m_state(state), m_job(job), m_priced(priced), m_admissions(admissions), m_system(system),
          m_expected(expected) {}
    const ClusterState& state() const override { return m_state; }
    JobId job() const override { return m_job; }
    std::span<const GraphOption> options() const override { return m_priced.options; }
    double deadlineSeconds() const override { return m_priced.deadlineSeconds; }
    double deadlineFraction() const override {
        return std::get<GraphWork>(m_state.workload().job(m_job).work).deadlineFraction;
    }
    std::optional<int> freeServers() const override { return m_priced.freeServers; }
    BlockedReason reason() const override { return m_admissions.reasonOf(m_job, m_priced); }
    std::optional<LossOutlook> outlook() const override {
        return LossOutlook{m_admissions.pricer(), m_system, m_expected, m_admissions.graphOf(m_job)};
    }

private:
    const ClusterState& m_state;
    JobId m_job;
    const GraphArrivalOptions& m_priced;
    GraphAdmissions& m_admissions;
    const LossSystem& m_system;
    const GraphWorkload& m_expected;
};

} // namespace

void RunCore::makePartitioners() {
    std::vector<const Choice*> choices;
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        m_partitionerOf.push_back(0);
        if (workload->jobs[j].kind() != JobKind::graph) continue;
        const Choice& own = choiceOf(JobId(j), PolicyFamily::partitioner);
        std::size_t at = 0;
        while (at < choices.size() && choices[at] != &own && !(*choices[at] == own)) ++at;
        if (at == choices.size()) {
            choices.push_back(&own);
            m_partitioners.emplace_back(options.registry->makePartitioner(own, options.files));
        }
        m_partitionerOf.back() = static_cast<std::uint32_t>(at);
    }
}

void RunCore::prepareAdmissions() {
    const ExpectedGraphs expected = expectedGraphs(*options.scenario, *workload);
    m_admissions.emplace(workload, expected.graphs);
    m_expected = expected.workload;
    if (expected.graphs.empty()) m_expected.graphs = m_admissions->pricer().graphs();
    m_servesQueue = m_admissions->jobs() < workload->jobs.size();
    if (!m_servesQueue) return;
    m_seen.emplace(workload);
    m_seenFree = FreeCapacity(workload->cluster);
}

std::optional<int> RunCore::askPartitioner(JobId job, const PartitionView& view) {
    RandomStream random(options.seed, Purpose::policy,
                        entityOf(job.value, static_cast<std::uint32_t>(PolicyFamily::partitioner)), 0);
    std::vector<std::uint32_t> explained;
    std::vector<Event> notes;
    const auto degree = m_partitioners[m_partitionerOf[job.index()]]->degree(
        {m_now, random, &why, &explained, PolicyFamily::partitioner, &notes, &m_parallel}, view);
    logExplanations(explained, PolicyFamily::partitioner);
    for (const Event& note : notes) emit(note);
    return degree;
}

namespace {

/// Null: it is none of them.
const GraphOption* optionOf(int degree, std::span<const GraphOption> options) {
    const auto at = std::ranges::find(options, degree, &GraphOption::degree);
    return at == options.end() ? nullptr : &*at;
}

} // namespace

// --- Queued

std::vector<int> RunCore::possibleDegrees(const Job& spec) const {
    std::int64_t now = 0, idle = 0;
    for (std::size_t m = 0; m < state.machines().size(); ++m) {
        if (!state.machines()[m].up) continue;
        now += spec.workerDemand.copiesIn(state.machines()[m].free, 1 << 20);
        idle += spec.workerDemand.copiesIn(workload->cluster.machines[m].capacity, 1 << 20);
    }
    const std::int64_t room = now >= spec.workers.minimum ? now : idle;
    std::vector<int> degrees;
    for (int d = spec.workers.minimum; d <= spec.workers.maximum && d <= room; ++d) degrees.push_back(d);
    return degrees;
}

bool RunCore::partition(JobId job) {
    const double deadline = std::get<GraphWork>(workload->job(job).work).deadlineSeconds();
    std::vector<GraphOption> priced;
    for (const int degree : possibleDegrees(workload->job(job))) {
        const double seconds = expectedGraphSeconds(job, degree);
        priced.push_back({.degree = degree,
                          .state = seconds <= deadline ? OptionState::inTime : OptionState::late,
                          .allowed = true,
                          .seconds = seconds});
    }
    const auto degree = askPartitioner(job, QueuedPartitionView(state, job, priced));
    if (!degree) return false;
    const GraphOption* chosen = optionOf(*degree, priced);
    require(chosen, "a partitioner chose a degree that was not offered");
    emit(events::jobPartitioned(job, *degree, chosen->seconds));
    return true;
}

double RunCore::graphSeconds(JobId job, std::span<const MachineId> machines) const {
    const auto& work = std::get<GraphWork>(workload->job(job).work);
    return work.steps * m_speed.secondsPerUpdate(job, {.workers = {machines.begin(), machines.end()}, .servers = {}});
}

double RunCore::expectedGraphSeconds(JobId job, int degree) const {
    const Job& spec = workload->job(job);
    const auto place = [&](FreeCapacity& free) {
        const FreeCapacity::Scratch trial(free);
        return trainyard::placeTasks(*workload, spec, degree, spec.servers.minimum, free, PlacingStrategy::pack);
    };
    auto placement = place(m_free);
    if (!placement) {
        auto empty = FreeCapacity::whole(state);
        placement = place(empty);
    }
    return placement ? graphSeconds(job, placement->workers) : std::numeric_limits<double>::infinity();
}

// --- Admitted at once

// Jobs that end at this instant have ended before anybody arrives at it.
void RunCore::admit(JobId job) {
    const LossSystem system = m_admissions->systemAt(m_now, state);
    for (const JobId ended : m_admissions->endingBy(m_now)) finishJob(ended, FinishReason::steps);
    emit(events::jobArrived(job));
    m_admissions->price(job, system, m_priced);
    const auto degree =
        askPartitioner(job, ImmediatePartitionView(state, job, m_priced, *m_admissions, system, m_expected));
    const GraphOption* chosen = degree ? optionOf(*degree, m_priced.options) : nullptr;
    require(chosen || !degree, "a partitioner chose a degree that was not offered");
    if (!chosen || chosen->state != OptionState::inTime) {
        emit(events::jobRejected(job, rejectReasonOf(m_admissions->reasonOf(job, m_priced))));
        return;
    }
    const SimTime end = m_now + Duration::seconds(chosen->seconds);
    m_admissions->place(job, chosen->servers, end);
    emit(events::jobPartitioned(job, chosen->degree, chosen->seconds));
    const Placement placement{.workers = GraphAdmissions::machinesOf(chosen->servers), .servers = {}};
    placeTasks(job, placement);
    emit(events::jobStarted(job, placement, 0));
    m_lives[job.index()].startedAt = m_now;
    m_lives[job.index()].hasRun = true;
    const int steps = std::get<GraphWork>(workload->job(job).work).steps;
    auto& progress = m_speed.progress(job);
    progress.since = m_now;
    progress.path = RatePath(m_now, 0, steps, std::numeric_limits<double>::infinity(), {chosen->seconds / steps},
                             options.seed, job);
    scheduleGraphEnd(job, end);
    if (m_servesQueue) requestDecision();
}

bool RunCore::isAdmittedAtOnce(JobId job) const { return m_admissions && job.valid() && m_admissions->has(job); }

/// Folds an event of the run into what schedulers see; true: they are told of it.
bool RunCore::see(const Event& event) {
    const auto follow = [&](EventType type, std::uint32_t machine) {
        Event shown = type == EventType::machineFailed ? events::machineFailed(MachineId(machine))
                                                       : events::machineRepaired(MachineId(machine));
        shown.time = event.time;
        m_seen->apply(shown);
        m_seenFree.apply(shown, *m_seen);
        m_since.push_back(shown);
    };
    const auto update = [&](std::uint32_t machine, bool taken) {
        const bool up = state.machines()[machine].up && !taken;
        if (up != m_seen->machines()[machine].up)
            follow(up ? EventType::machineRepaired : EventType::machineFailed, machine);
    };
    JobId job;
    job.value = event.job;
    if (isAdmittedAtOnce(job)) {
        if (event.type == EventType::taskPlaced || event.type == EventType::taskRemoved)
            update(event.b, event.type == EventType::taskPlaced);
        return false;
    }
    if (event.type == EventType::machineFailed || event.type == EventType::machineRepaired) {
        update(event.a, m_admissions->holds(MachineId(event.a)));
        return false;
    }
    m_seen->apply(event);
    m_seenFree.apply(event, *m_seen);
    return true;
}

} // namespace trainyard
