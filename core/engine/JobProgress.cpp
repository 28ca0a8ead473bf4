// How a job begins, moves on and ends: its coordinator is told of starts, arrivals, membership and timers one
// at a time, its synchronization answers with actions, and the actions become tasks (TaskProgress.cpp) and
// updates.
#include "engine/SimulationCore.h"
#include "engine/Words.h"
#include "record/GradientNorm.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

// --- Beginning and ending
// -----------------------------------------------------------------------------------------------

void SimulationCore::createRun(JobId job, const Placement& placement, bool restored) {
    const auto policy = options.registry->makeParameters(choiceOf(job, PolicyFamily::parameters));
    auto run = std::make_unique<JobRun>();
    run->id = job;
    run->generation = ++m_generation;
    run->placement = placement;
    run->problem = problems[job.index()];
    run->synchronization =
        options.registry->makeSynchronization(choiceOf(job, PolicyFamily::synchronization));
    auto setup = setUpJob(workload->job(job), placement, *policy, run->problem.get(),
                          std::exchange(m_saved[job.index()], std::nullopt));
    run->layout = std::move(setup.layout);
    run->nodes = std::move(setup.nodes);
    run->responses = m_speed.responses(job, placement);
    run->updates = setup.snapshot.updates;
    run->samplesUsed = setup.snapshot.samplesUsed;
    for (Key key = 0; key < run->layout.keys(); ++key) run->allKeys.push_back(key);
    run->findKeys();
    if (run->problem) run->initialParameters = run->problem->initialParameters();
    refreshParameters(*run); // now: it may be resized or preempted again before its transfers are done
    for (const MachineId machine : placement.workers) {
        WorkerRun& worker = run->workers.emplace_back();
        worker.machine = machine;
        worker.present = true;
        // Task numbers go on after a restart, so that no noise and no batch is met twice.
        worker.task = m_taskNumbers[job.index()];
    }
    m_runs[job.index()] = std::move(run);
    prepareTransfers(*m_runs[job.index()], restored);
    if (m_runs[job.index()]->transfersMissing == 0) beginRun(*m_runs[job.index()]);
}

void SimulationCore::beginRun(JobRun& run) {
    const Job& spec = workload->job(run.id);
    run.bandwidthShare = m_speed.bandwidthShares(run.placement);
    if (run.updates > 0) emit(EventType::jobRestored, run.id, lowWord(run.updates), highWord(run.updates));
    if (spec.stop.seconds) {
        const double left = std::max(0.0, *spec.stop.seconds - m_speed.progress(run.id).ranSeconds);
        m_queue.push(m_now + Duration::seconds(left), static_cast<std::uint16_t>(Kind::secondsLimit), 0,
                     run.id.value, entityOf(run.generation));
    }
    const auto generation = run.generation;
    const JobId id = run.id;
    evaluate(run);
    if (!runOf(id, generation)) return; // diverged at once, or the target is met already
    if (reachedEnd(run)) return;        // it was moved while its last loss was being evaluated
    notify(run, {JobRun::Notice::Kind::start});
}

void SimulationCore::endJobRun(JobId job) {
    JobRun* run = runOf(job);
    if (!run) return;
    for (std::uint32_t w = 0; w < run->workers.size(); ++w) {
        if (run->workers[w].busy()) cancelTask(*run, w);
        m_taskNumbers[job.index()] = std::max(m_taskNumbers[job.index()], run->workers[w].task);
    }
    cancelSlots(job);
    logCarried();
    m_speed.setProgress(job, static_cast<double>(run->updates), run->samplesUsed);
    m_retired.push_back(std::move(m_runs[job.index()])); // callers up the stack may still hold a reference
}

void SimulationCore::stopClocks(JobId job) {
    settle(job);
    auto& progress = m_speed.progress(job);
    progress.ranSeconds += (m_now - m_startedAt[job.index()]).toSeconds();
    progress.since.reset();
}

void SimulationCore::finishJob(JobId job, FinishReason reason) {
    std::uint64_t updates = state.job(job).updates;
    endJobRun(job);
    m_rates[job.index()].reset();
    m_speed.progress(job).path.reset();
    removeTasks(job);
    emit(EventType::jobFinished, job, lowWord(updates), highWord(updates), state.job(job).lastLoss,
         static_cast<std::uint16_t>(reason));
    requestDecision();
}

void SimulationCore::failJob(JobId job, FailReason reason) {
    endJobRun(job);
    settle(job);
    removeTasks(job);
    emit(EventType::jobFailed, job, 0, 0, 0, static_cast<std::uint16_t>(reason));
    requestDecision();
}

// --- The coordinator
// ------------------------------------------------------------------------------------------------------

void SimulationCore::notify(JobRun& run, JobRun::Notice notice) {
    run.notices.push_back(notice);
    advance(run);
}

// Carries out pending actions, then tells the policy the next notice, until the servers are busy or nothing
// is left. A job that ends on the way is moved to m_retired; `run` stays valid until the end of the step.
void SimulationCore::advance(JobRun& run) {
    if (run.advancing) return;
    run.advancing = true;
    while (runOf(run.id) == &run && !run.updating) {
        if (run.hasAction()) {
            const auto action = run.takeAction();
            applyAction(run, action);
        } else if (!run.notices.empty()) {
            const auto notice = run.notices.front();
            run.notices.pop_front();
            callSynchronization(run, notice);
        } else {
            break;
        }
    }
    run.advancing = false;
}

void SimulationCore::callSynchronization(JobRun& run, const JobRun::Notice& notice) {
    std::vector<std::uint32_t> explained;
    const auto& workers = run.workerViews();
    run.consult(notice, {workload->job(run.id), options.seed, m_now, why, explained}, workers,
                run.busyWorkers());
    logExplanations(explained, PolicyFamily::synchronization);
}

void SimulationCore::applyAction(JobRun& run, const SyncActions::Action& action) {
    const auto worker = [&](std::uint32_t index) -> WorkerRun& {
        require(index < run.workers.size(), "a synchronization policy named a worker that does not exist");
        return run.workers[index];
    };
    if (const auto* assignment = std::get_if<SyncActions::Assign>(&action)) {
        WorkerRun& w = worker(assignment->worker);
        if (!w.present) return; // left between the decision and now
        require(!w.busy(), "a synchronization policy assigned a task to a busy worker");
        assign(run, assignment->worker, assignment->assignment);
    } else if (const auto* update = std::get_if<SyncActions::Update>(&action)) {
        beginUpdate(run, *update);
    } else if (const auto* drop = std::get_if<SyncActions::Drop>(&action)) {
        const HeldMessage dropped = run.takeHeld(
            drop->worker, drop->task, "a synchronization policy dropped a gradient that is not held");
        emit(EventType::gradientDropped, run.id, drop->worker, drop->task, dropped.samples);
    } else if (const auto* cancel = std::get_if<SyncActions::Cancel>(&action)) {
        if (worker(cancel->worker).busy()) cancelTask(run, cancel->worker);
    } else if (const auto* block = std::get_if<SyncActions::Block>(&action)) {
        if (worker(block->worker).present) emit(EventType::workerBlocked, run.id, block->worker);
    } else if (const auto* timer = std::get_if<SyncActions::Timer>(&action)) {
        m_queue.push(m_now + timer->after, static_cast<std::uint16_t>(Kind::syncTimer), 0, run.id.value,
                     entityOf(run.generation, timer->tag));
    }
}

// --- Updates
// --------------------------------------------------------------------------------------------------------------

void SimulationCore::beginUpdate(JobRun& run, const SyncActions::Update& update) {
    run.gather(update, [&](const WeightedGradient& g) {
        emit(EventType::gradientUsed, run.id, g.worker, g.task, g.weight);
    });
    run.updating = true;
    const double seconds = secondsPerUpdate(workload->job(run.id));
    if (seconds > 0)
        m_queue.push(m_now + Duration::seconds(seconds), static_cast<std::uint16_t>(Kind::updateDone), 0,
                     run.id.value, entityOf(run.generation));
    else
        finishUpdate(run);
}

void SimulationCore::applyAggregate(JobRun& run) {
    std::shared_ptr<const std::vector<double>> message;
    for (const Key key : run.allKeys) {
        if (const NodeIndex home = run.keyHome[key]; home != JobRun::nowhere) {
            updateStoreValue(run.layout, key, run.nodes[home].store.value(key), run.aggregate,
                             run.problem->optimizer(), run.updates);
            continue;
        }
        if (!message) message = std::make_shared<const std::vector<double>>(run.aggregate);
        run.lateUpdates[key].emplace_back(run.updates, message);
    }
    refreshParameters(run);
}

void SimulationCore::finishUpdate(JobRun& run) {
    const Job& spec = workload->job(run.id);
    run.countUpdate();
    m_speed.setProgress(run.id, static_cast<double>(run.updates), run.samplesUsed);
    if (run.problem) applyAggregate(run);
    emit(EventType::updateApplied, run.id, lowWord(run.updates), highWord(run.updates), run.aggregateSamples);
    if (spec.checkpoint.everyIterations > 0 &&
        run.updates % static_cast<std::uint64_t>(spec.checkpoint.everyIterations) == 0)
        takeCheckpoint(run);
    const bool due = run.evaluationDue(spec);
    if (due && evaluationRule(spec).costsTime) {
        const double seconds = secondsPerSample(spec) * std::max(1.0, dataRows(spec, run.problem.get()));
        m_queue.push(m_now + Duration::seconds(seconds), static_cast<std::uint16_t>(Kind::evaluationDone), 0,
                     run.id.value, entityOf(run.generation));
        return; // still updating: the servers are busy evaluating
    }
    if (due) evaluate(run);
    if (runOf(run.id) != &run || reachedEnd(run)) return;
    run.updating = false;
    advance(run);
}

void SimulationCore::refreshParameters(JobRun& run) {
    if (!run.problem) return;
    run.parametersChanged();
    run.parameters.resize(run.layout.keyStart.back());
    for (const Key key : run.allKeys)
        if (const NodeIndex home = run.keyHome[key]; home != JobRun::nowhere)
            std::copy_n(run.nodes[home].store.value(key).begin(), run.layout.length(key),
                        run.parameters.begin() + run.layout.keyStart[key]);
    run.measureDistance();
}

// May end the job: its target is met, or its loss is no longer a number.
void SimulationCore::evaluate(JobRun& run) {
    run.lastLoss = run.currentLoss(workload->job(run.id));
    run.lastLossUpdate = run.updates;
    if (!std::isfinite(run.lastLoss)) {
        failJob(run.id, FailReason::diverged);
        return;
    }
    emit(EventType::lossEvaluated, run.id, lowWord(run.updates), highWord(run.updates), run.lastLoss,
         packGradientNorm(run.gradientNorm()));
    const Job& spec = workload->job(run.id);
    if (spec.stop.loss && run.lastLoss <= *spec.stop.loss) finishJob(run.id, FinishReason::loss);
}

bool SimulationCore::reachedEnd(JobRun& run) {
    const auto reason = run.reached(workload->job(run.id));
    if (!reason) return false;
    const JobId job = run.id;
    if (run.lastLossUpdate != run.updates) {
        evaluate(run);
        if (runOf(job) != &run) return true;
    }
    finishJob(job, *reason);
    return true;
}

} // namespace trainyard
