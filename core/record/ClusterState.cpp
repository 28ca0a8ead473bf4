// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/ClusterState.h"

#include "base/Result.h"

namespace trainyard {

ClusterState::ClusterState(std::shared_ptr<const Workload> workload) : m_workload(std::move(workload)) {
    for (const auto& machine : m_workload->cluster.machines) m_machines.push_back({machine.capacity, true});
    m_jobs.resize(m_workload->jobs.size());
    m_jobsIn.fill(JobSet(m_jobs.size()));
    for (std::size_t j = 0; j < m_jobs.size(); ++j) m_jobsIn[0].insert(JobId(j));
    m_linkLoads.assign(2 * m_workload->cluster.links.size(), 0.0);
    m_linksUp.assign(m_workload->cluster.links.size(), true);
}

bool operator==(const ClusterState& a, const ClusterState& b) {
    return a.m_now == b.m_now && a.m_machines == b.m_machines && a.m_jobs == b.m_jobs &&
           a.m_linkLoads == b.m_linkLoads && a.m_linksUp == b.m_linksUp;
}

bool ClusterState::allJobsOver() const {
    return jobsIn(JobPhase::finished).size() + jobsIn(JobPhase::failed).size() + jobsIn(JobPhase::rejected).size() ==
           m_jobs.size();
}

double JobState::attainedUntil(SimTime now) const {
    const bool running = phase == JobPhase::running;
    return attainedSeconds + (running ? (now - attainedSince).toSeconds() * placedWorkers : 0);
}

void ClusterState::attain(JobState& job) const {
    job.attainedSeconds = job.attainedUntil(m_now);
    job.attainedSince = m_now;
}

void ClusterState::enter(JobId id, JobPhase phase) {
    JobState& job = m_jobs[id.index()];
    attain(job);
    job.ranSeconds = job.ranUntil(m_now);
    job.waitedSeconds = job.waitedUntil(m_now);
    m_jobsIn[static_cast<std::size_t>(job.phase)].erase(id);
    m_jobsIn[static_cast<std::size_t>(phase)].insert(id);
    job.phase = phase;
    job.since = m_now;
    if (phase != JobPhase::finished && phase != JobPhase::rejected && phase != JobPhase::failed) return;
    job.placement.workers.shrink_to_fit(); // most jobs of a long run are over: they keep no spare memory
    job.placement.servers.shrink_to_fit();
    job.workers.shrink_to_fit();
}

static constexpr std::uint32_t mostTasks = 1'000'000; // of a job; more than any scenario allows

void ClusterState::placeTask(const Event& event, bool place) {
    require(event.job < m_jobs.size() && event.b < m_machines.size(), "a task event names an unknown job or machine");
    JobState& job = m_jobs[event.job];
    const Job& spec = m_workload->jobs[event.job];
    MachineState& machine = m_machines[event.b];
    const bool isWorker = event.aux == static_cast<std::uint16_t>(TaskRole::worker);
    const ResourceVector& demand = isWorker ? spec.workerDemand : spec.serverDemand;
    auto& tasks = isWorker ? job.placement.workers : job.placement.servers;
    if (isWorker) attain(job);
    if (place) {
        require(machine.up, "a task was placed on a machine that is down");
        require(demand.fitsIn(machine.free), "a task was placed on a machine without room for it");
        require(event.a < mostTasks, "a task event names a task that no job has");
        if (tasks.size() <= event.a) tasks.resize(event.a + 1);
        require(!tasks[event.a].valid(), "a task was placed twice");
        machine.free -= demand;
        tasks[event.a] = MachineId(event.b);
        if (isWorker && job.workers.size() <= event.a) job.workers.resize(event.a + 1);
        if (isWorker) job.workers[event.a] = {WorkerPhase::idle, event.time, 0};
        job.placedWorkers += isWorker;
    } else {
        require(event.a < tasks.size() && tasks[event.a] == MachineId(event.b),
                "a task was removed that was not there");
        machine.free += demand;
        tasks[event.a] = {};
        while (!tasks.empty() && !tasks.back().valid()) tasks.pop_back();
        if (isWorker) job.workers.resize(tasks.size());
        job.placedWorkers -= isWorker;
    }
}

void ClusterState::applyWorkerEvent(const Event& event) {
    JobState& job = m_jobs[event.job];
    require(event.a < job.workers.size(), "an event names a worker that is not placed");
    WorkerState& worker = job.workers[event.a];
    if (const auto next = nextState(worker, event)) worker = *next;
}

void ClusterState::apply(const Event& event) {
    require(event.time >= m_now, "events must come in order of time");
    if (event.job != JobId::none) require(event.job < m_jobs.size(), "an event names an unknown job");
    m_now = event.time;
    const auto job = [&]() -> JobState& {
        require(event.job != JobId::none, "an event of a job names none");
        return m_jobs[event.job];
    };
    const auto enterPhase = [&](JobPhase phase) {
        job();
        enter(event.jobId(), phase);
    };
    const auto known = [](std::uint32_t id, std::size_t count) {
        require(id < count, "an event names an unknown machine or link");
        return id;
    };
    switch (event.type) {
    case EventType::jobArrived: enterPhase(JobPhase::waiting); break;
    case EventType::taskPlaced: placeTask(event, true); break;
    case EventType::taskRemoved: placeTask(event, false); break;
    case EventType::jobStarted: enterPhase(JobPhase::running); break;
    case EventType::jobPreempted:
        enterPhase(JobPhase::waiting);
        job().updates = event.a;
        job().samplesUsed -= event.value;
        break;
    case EventType::jobRejected: enterPhase(JobPhase::rejected); break;
    case EventType::jobFinished: enterPhase(JobPhase::finished); break;
    case EventType::jobFailed: enterPhase(JobPhase::failed); break;
    case EventType::pullStarted:
    case EventType::computeStarted:
    case EventType::pushStarted:
    case EventType::gradientArrived:
    case EventType::taskCancelled:
    case EventType::workerBlocked:
        job();
        applyWorkerEvent(event);
        break;
    case EventType::updateApplied:
        job().updates = event.count();
        job().samplesUsed += event.value;
        break;
    case EventType::lossEvaluated:
        job().lastLoss = event.value;
        job().lastLossUpdate = event.count();
        job().hasLoss = true;
        break;
    case EventType::jobPartitioned: job().degree = static_cast<int>(event.a); break;
    case EventType::noiseMeasured: job().noiseScale = event.value; break;
    case EventType::batchChanged: job().batch = static_cast<int>(event.a); break;
    case EventType::linkLoad: m_linkLoads[known(event.a, m_linkLoads.size())] = event.value; break;
    case EventType::reserved:
        job();
        known(event.a, m_machines.size());
        require(event.value >= 0 && event.value <= mostTasks,
                "a reservation is of no number of tasks that a job can have");
        break;
    case EventType::machineFailed: m_machines[known(event.a, m_machines.size())].up = false; break;
    case EventType::machineRepaired: m_machines[known(event.a, m_machines.size())].up = true; break;
    case EventType::linkFailed: m_linksUp[known(event.a, m_linksUp.size())] = false; break;
    case EventType::linkRepaired: m_linksUp[known(event.a, m_linksUp.size())] = true; break;
    default: break;
    }
}

std::size_t ClusterState::bytes() const {
    std::size_t bytes = sizeof *this + m_machines.capacity() * sizeof(MachineState) +
                        m_jobs.capacity() * sizeof(JobState) + m_linkLoads.capacity() * sizeof(double) +
                        m_linksUp.capacity() / 8;
    for (const JobState& job : m_jobs)
        bytes += job.workers.capacity() * sizeof(WorkerState) +
                 (job.placement.workers.capacity() + job.placement.servers.capacity()) * sizeof(MachineId);
    return bytes;
}

} // namespace trainyard
