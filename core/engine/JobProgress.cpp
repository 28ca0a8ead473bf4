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
        m_core.m_queue.push(m_core.m_now + time, static_cast<std::uint16_t>(Kind::stepDone),
                            static_cast<std::uint16_t>(step), m_run.id.value,
                            entityOf(m_run.generation, tag));
    }
    void applyUpdate() override {
        m_core.m_speed.setProgress(m_run.id, static_cast<double>(m_run.updates), m_run.samplesUsed);
        if (!m_run.problem) return;
        m_run.store.apply(m_run.aggregate, m_run.problem->optimizer(), m_run.updates);
        m_run.parametersChanged();
    }
    void takeCheckpoint() override { m_core.takeCheckpoint(m_run); }
    void evaluate() override { m_core.evaluate(m_run); }
    void finish(FinishReason reason) override {
        if (m_run.lastLossUpdate != m_run.updates) evaluate();
        if (goesOn()) m_core.finishJob(m_run.id, reason);
    }

private:
    SimulationCore& m_core;
    JobRun& m_run;
};

// --- Beginning and ending
// -----------------------------------------------------------------------------------------------

void SimulationCore::createRun(JobId job, const Placement& placement, bool restored) {
    auto run = std::make_unique<JobRun>();
    run->generation = ++m_generation;
    run->placement = placement;
    JobLife& life = m_lives[job.index()];
    run->nodes = setUpJob(
        *run, {.job = job,
               .spec = workload->job(job),
               .placement = placement,
               .seed = options.seed,
               .problem = problems[job.index()],
               .synchronization =
                   options.registry->makeSynchronization(choiceOf(job, PolicyFamily::synchronization)),
               .parameters = options.registry->makeParameters(choiceOf(job, PolicyFamily::parameters)),
               .responses = m_speed.responses(job, placement),
               .saved = std::exchange(life.saved, std::nullopt),
               .lastTask = life.lastTask});
    for (const MachineId machine : placement.workers) {
        WorkerRun& worker = run->tasks.emplace_back();
        worker.machine = machine;
        worker.task = life.lastTask;
    }
    m_runs[job.index()].reset(run.release());
    prepareTransfers(*m_runs[job.index()], restored);
    if (m_runs[job.index()]->transfersMissing == 0) beginRun(*m_runs[job.index()]);
}

void SimulationCore::beginRun(JobRun& run) {
    if (options.scenario->network == NetworkModel::rate)
        m_transfers.setShares(run.id, m_speed.bandwidthShares(run.placement));
    if (run.updates > 0) emit(events::jobRestored(run.id, run.updates, 0));
    if (run.spec->stop.seconds) {
        const double left = std::max(0.0, *run.spec->stop.seconds - m_speed.progress(run.id).ranSeconds);
        m_queue.push(m_now + Duration::seconds(left), static_cast<std::uint16_t>(Kind::secondsLimit), 0,
                     run.id.value, entityOf(run.generation));
    }
    Effects effects(*this, run);
    run.begin(effects);
}

void SimulationCore::endJobRun(JobId job) {
    JobRun* run = runOf(job);
    if (!run) return;
    std::uint32_t& lastTask = m_lives[job.index()].lastTask;
    for (std::uint32_t w = 0; w < run->tasks.size(); ++w) {
        if (run->tasks[w].busy()) cancelTask(*run, w);
        lastTask = std::max(lastTask, run->tasks[w].task);
    }
    cancelTransfers(job);
    m_transfers.forget(job);
    logCarried();
    m_speed.setProgress(job, static_cast<double>(run->updates), run->samplesUsed);
    m_retired.push_back(std::move(m_runs[job.index()])); // callers up the stack may still hold a reference
}

void SimulationCore::stopClocks(JobId job) {
    settle(job);
    stopClock(job);
}

void SimulationCore::finishJob(JobId job, FinishReason reason) {
    std::uint64_t updates = state.job(job).updates;
    endJobRun(job);
    m_rates[job.index()].reset();
    m_speed.progress(job).path.reset();
    removeTasks(job);
    emit(events::jobFinished(job, updates, state.job(job).lastLoss, reason));
    requestDecision();
}

void SimulationCore::failJob(JobId job, FailReason reason) {
    endJobRun(job);
    settle(job);
    removeTasks(job);
    emit(events::jobFailed(job, reason));
    requestDecision();
}

// --- The coordinator
// ------------------------------------------------------------------------------------------------------

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
    run.gradientArrived(worker, run.problem ? run.tasks[worker].message : std::vector<double>{}, effects);
}

void SimulationCore::removeWorkers(JobRun& run, MachineId machine) {
    Effects effects(*this, run);
    for (std::uint32_t w = 0; w < run.workers.size(); ++w) {
        if (!run.workers[w].present || run.tasks[w].machine != machine) continue;
        run.removeWorker(w, effects);
        emit(events::taskRemoved(run.id, TaskRole::worker, w, machine));
    }
    run.notify({JobRun::Notice::Kind::membership}, effects);
}

} // namespace trainyard
