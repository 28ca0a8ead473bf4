// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a job begins and ends in virtual time, and what its coordinator causes: tasks (TaskProgress.cpp),
// updates of the store, evaluations, ends.
#include "engine/SimulationCore.h"

#include <algorithm>

namespace trainyard {

// What the coordinator causes in virtual time. Lives for one call. A job that ends on the way is moved to
// m_retired; `run` stays valid until the end of the step.
class SimulationCore::Effects final : public CoordinatorEffects {
public:
    Effects(SimulationCore& core, JobRun& run) : m_core(core), m_run(run) {}
    SimTime now() const override { return m_core.m_now; }
    bool goesOn() const override { return m_core.runOf(m_run.id) == &m_run; }
    void log(const Event& event) override { m_core.emit(event); }
    void explain(const std::function<void(ExplanationArena&, std::vector<std::uint32_t>&)>& tell) override {
        std::vector<std::uint32_t> explained;
        tell(m_core.why, explained);
        m_core.logExplanations(explained, PolicyFamily::synchronization);
    }
    void beginTask(std::uint32_t worker, const Assignment& assignment, bool reads) override {
        m_core.assign(m_run, worker, assignment, reads);
    }
    void cancelTask(std::uint32_t worker) override { m_core.cancelTask(m_run, worker); }
    void after(Duration time, Coordinator::Step step, std::uint32_t tag) override {
        m_core.push(m_core.m_now + time, Kind::stepDone, m_run.id.value, entityOf(m_run.generation, tag),
                    static_cast<std::uint16_t>(step));
    }
    void applyUpdate() override {
        m_core.m_speed.setProgress(m_run.id, static_cast<double>(m_run.updates), m_run.samplesUsed, m_run.ahead);
        m_run.store.apply(m_run.aggregate, m_run.problem.get(), m_run.updates);
        m_run.parametersChanged();
    }
    void send(const std::vector<ParameterTransfer>& transfers) override { m_core.send(m_run, transfers); }
    std::optional<std::uint32_t> storage() const override { return m_core.m_storage; }
    void evaluate() override { m_core.evaluate(m_run); }
    void finish(FinishReason reason) override {
        if (!m_run.begun || m_run.lastLossUpdate != m_run.updates) evaluate();
        if (goesOn()) m_core.finishJob(m_run.id, reason);
    }

private:
    SimulationCore& m_core;
    JobRun& m_run;
};

// --- Beginning and ending

void SimulationCore::launch(JobId job, Restoring restoring) {
    if (workload->job(job).keyedAccess()) return startKeyed(job, restoring);
    if (advancesByRate(job)) return startRate(job, restoring);
    JobRun& run = *(m_runs[job.index()] = std::make_shared<JobRun>());
    run.generation = ++m_generation;
    JobNodes made = setUpJob(run, setupOf(job, std::move(restoring)));
    run.parameterPolicy = std::move(made.policy);
    for (auto& node : made.nodes) run.nodes.emplace_back(std::move(node));
    for (const MachineId machine : run.placement.workers) {
        WorkerRun& worker = run.tasks.emplace_back();
        worker.machine = machine;
        worker.task = m_lives[job.index()].lastTask;
    }
    Effects effects(*this, run);
    run.start(effects);
}

std::optional<JobSnapshot> SimulationCore::halt(JobId job, bool goesOn) {
    if (m_keyed[job.index()] || m_keyedStarts[job.index()]) return haltKeyed(job);
    JobRun* run = runOf(job);
    if (!run) return haltRate(job, goesOn);
    JobLife& life = m_lives[job.index()];
    for (std::uint32_t w = 0; w < run->tasks.size(); ++w) {
        if (run->tasks[w].busy()) cancelTask(*run, w);
        life.lastTask = std::max(life.lastTask, run->tasks[w].task);
    }
    Effects effects(*this, *run);
    run->loseHeld(effects);
    if (run->checkpoint) life.checkpoint = std::move(run->checkpoint);
    life.policyCalls = run->policyCalls;
    cancelTransfers(job);
    m_transfers.forget(job);
    logCarried();
    m_speed.setProgress(job, static_cast<double>(run->updates), run->samplesUsed, run->ahead);
    m_retired.push_back(std::move(m_runs[job.index()])); // callers up the stack may still hold a reference
    return run->snapshot();
}

bool SimulationCore::survives(JobId job, std::span<const std::uint32_t> leaving) {
    const JobRun* run = runOf(job);
    const auto isLost = [&](NodeIndex n) { return contains(leaving, n); };
    const auto isHome = [&](NodeIndex n) { return !run->nodes[n]->initialKeys().empty(); };
    return run && parametersSurvive(run->store, isLost, isHome);
}

std::size_t SimulationCore::placesOf(JobId job) {
    const JobRun* run = runOf(job);
    return run ? run->layout().workers : 0;
}

void SimulationCore::removeWorkers(JobId job, std::span<const std::uint32_t> leaving) {
    JobRun& run = *runOf(job);
    Effects effects(*this, run);
    for (const auto w : leaving) run.removeWorker(w, effects);
}

void SimulationCore::changeWorkers(JobId job, bool resized) {
    JobRun& run = *runOf(job);
    const Placement& now = state.job(job).placement;
    run.tasks.resize(std::max(run.tasks.size(), now.workers.size()));
    for (std::uint32_t w = 0; w < now.workers.size(); ++w) {
        const bool comes = now.workers[w].valid() && (w >= run.workers.size() || !run.workers[w].present);
        if (!comes) continue;
        run.tasks[w] = {.machine = now.workers[w],
                        .task = w < run.workers.size() ? run.workers[w].task : run.firstTask};
        run.nodes[w] = run.parameterPolicy->makeNode(run.store.sharedLayout(), w);
    }
    Effects effects(*this, run);
    run.changeWorkers({now, state.job(job).batch, m_speed.responses(job, now)}, resized, effects);
}

// --- The coordinator

void SimulationCore::proceed(JobRun& run, Coordinator::Step step, std::uint32_t tag) {
    Effects effects(*this, run);
    run.proceed(step, tag, effects);
}

// May end the job: its target is met, or its loss is no longer a number.
void SimulationCore::evaluate(JobRun& run) {
    Effects effects(*this, run);
    const auto verdict = run.evaluated(run.currentLoss(), run.updates, run.gradientNorm(), effects);
    if (verdict.diverged)
        failJob(run.id, FailReason::diverged);
    else if (verdict.targetMet)
        finishJob(run.id, FinishReason::loss);
}

void SimulationCore::gradientArrived(JobRun& run, std::uint32_t worker) {
    Effects effects(*this, run);
    const WorkerRun& task = run.tasks[worker];
    run.gradientArrived(worker, task.readVersion, run.problem ? task.message : std::vector<double>{}, effects);
}

void SimulationCore::partArrived(JobRun& run) {
    Effects effects(*this, run);
    run.partArrived(effects);
}

} // namespace trainyard
