// How a job moves on: its coordinator is told of starts, arrivals, membership and timers one at a time, its
// synchronization answers with actions, and the actions become tasks, updates and ends.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {
constexpr std::uint32_t lowWord(std::uint64_t n) {
    return static_cast<std::uint32_t>(n);
}
constexpr std::uint32_t highWord(std::uint64_t n) {
    return static_cast<std::uint32_t>(n >> 32);
}
} // namespace

// What a parameter node may do, in virtual time. Lives for one call.
class SimulationCore::Context final : public ParameterContext {
public:
    Context(SimulationCore& core, JobRun& run, NodeIndex self, double holdSeconds = 0)
        : m_core(core), m_run(run), m_self(self), m_hold(holdSeconds) {}
    NodeIndex self() const override { return m_self; }
    SimTime now() const override { return m_core.m_now; }
    void send(ParameterMessage message) override {
        message.from = m_self;
        m_core.sendMessage(m_run, std::move(message), m_hold);
    }
    void timer(Duration after, std::uint64_t tag) override {
        m_run.nodeTimers.emplace_back(m_self, tag);
        m_core.m_queue.push(
            m_core.m_now + after, static_cast<std::uint16_t>(Kind::nodeTimer), 0, m_run.id.value,
            entityOf(m_run.generation, static_cast<std::uint32_t>(m_run.nodeTimers.size() - 1)));
    }
    bool has(Key key) const override { return store().has(key); }
    std::span<const double> parameters(Key key) const override {
        if (!m_run.problem) return {};
        return std::span(store().value(key)).first(m_run.layout.length(key));
    }
    std::vector<double> take(Key key) override { return m_run.nodes[m_self].store.take(key); }
    void insert(Key key, std::vector<double> value) override {
        // Updates that were decided while the key was between two nodes are applied on arrival, in order.
        auto late = m_run.lateUpdates.extract(key);
        if (!late.empty())
            for (const auto& [update, message] : late.mapped())
                updateStoreValue(m_run.layout, key, value, *message, m_run.problem->optimizer(), update);
        m_run.nodes[m_self].store.insert(key, std::move(value));
        m_core.emit(EventType::keyLocated, m_run.id, key, m_self);
    }
    void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values) override {
        m_core.pulled(m_run, m_self, operation, keys, values);
    }
    void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values) override {
        m_core.arrived(m_run, worker, operation, keys, values);
    }

private:
    ParameterStore& store() const { return m_run.nodes[m_self].store; }
    SimulationCore& m_core;
    JobRun& m_run;
    NodeIndex m_self;
    double m_hold;
};

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
    run->updates = setup.snapshot.updates;
    run->samplesUsed = setup.snapshot.samplesUsed;
    for (Key key = 0; key < run->layout.keys(); ++key) run->allKeys.push_back(key);
    if (run->problem) run->initialParameters = run->problem->initialParameters();
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
    refreshParameters(run);
    run.pairsOnLink = m_speed.pairsOnLinks(run.placement);
    if (run.updates > 0) emit(EventType::jobRestored, run.id, lowWord(run.updates), highWord(run.updates));
    if (spec.stop.seconds) {
        const double left = std::max(0.0, *spec.stop.seconds - m_ranSeconds[run.id.index()]);
        m_queue.push(m_now + Duration::seconds(left), static_cast<std::uint16_t>(Kind::secondsLimit), 0,
                     run.id.value, entityOf(run.generation));
    }
    const auto generation = run.generation;
    const JobId id = run.id;
    evaluate(run);
    if (!runOf(id, generation)) return; // diverged at once, or the target is met already
    notify(run, {JobRun::Notice::Kind::start});
}

void SimulationCore::endJobRun(JobId job) {
    JobRun* run = runOf(job);
    if (!run) return;
    for (std::uint32_t w = 0; w < run->workers.size(); ++w) {
        if (run->workers[w].busy()) cancelTask(*run, w);
        m_taskNumbers[job.index()] = std::max(m_taskNumbers[job.index()], run->workers[w].task);
    }
    cancelSlots(job, std::nullopt);
    m_speed.setProgress(job, static_cast<double>(run->updates), run->samplesUsed);
    m_retired.push_back(std::move(m_runs[job.index()])); // callers up the stack may still hold a reference
}

void SimulationCore::stopClocks(JobId job) {
    const std::size_t j = job.index();
    if (m_rates[j]) {
        advanceRate(job, false);
        m_rates[j].reset();
    }
    if (workload->job(job).kind() == JobKind::graph) {
        const double whole = graphSeconds(job, static_cast<int>(state.job(job).placement.workers.size()));
        m_graphLeft[j] = std::max(0.0, m_graphLeft[j] - (m_now - m_startedAt[j]).toSeconds() / whole);
    }
    m_ranSeconds[j] += (m_now - m_startedAt[j]).toSeconds();
}

void SimulationCore::finishJob(JobId job, FinishReason reason) {
    std::uint64_t updates = state.job(job).updates;
    endJobRun(job);
    m_rates[job.index()].reset();
    removeTasks(job);
    emit(EventType::jobFinished, job, lowWord(updates), highWord(updates), state.job(job).lastLoss,
         static_cast<std::uint16_t>(reason));
    requestDecision();
}

void SimulationCore::failJob(JobId job, FailReason reason) {
    endJobRun(job);
    m_rates[job.index()].reset();
    removeTasks(job);
    emit(EventType::jobFailed, job, 0, 0, 0, static_cast<std::uint16_t>(reason));
    requestDecision();
}

void SimulationCore::deliverMessage(JobRun& run, ParameterMessage message) {
    const NodeIndex to = message.to;
    Context context(*this, run, to);
    run.nodes[to].protocol->onMessage(context, std::move(message));
}

void SimulationCore::fireNodeTimer(JobRun& run, std::uint32_t index) {
    const auto [node, tag] = run.nodeTimers[index];
    Context context(*this, run, node);
    run.nodes[node].protocol->onTimer(context, tag);
}

std::vector<double> SimulationCore::parameters(JobId job) const {
    const auto& run = m_runs[job.index()];
    return run ? run->parameters : std::vector<double>{};
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
        if (!run.actions.empty()) {
            const auto action = std::move(run.actions.front());
            run.actions.pop_front();
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
    std::vector<WorkerView> workers;
    for (const auto& w : run.workers)
        workers.push_back({w.present, w.busy(), w.task, w.readVersion, w.samples, w.assigned});
    std::vector<std::uint32_t> explained;
    run.consult(notice, {workload->job(run.id), options.seed, m_now, why, explained}, workers);
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

// --- Tasks
// ----------------------------------------------------------------------------------------------------------------

void SimulationCore::assign(JobRun& run, std::uint32_t index, const Assignment& assignment) {
    WorkerRun& w = run.workers[index];
    const Job& spec = workload->job(run.id);
    ++w.task;
    w.assignment = assignment;
    if (w.assignment.samples <= 0) w.assignment.samples = nominalBatch(spec);
    w.samples = w.assignment.samples * std::max(1, w.assignment.localSteps) *
                std::max<int>(1, static_cast<int>(w.assignment.partitions.size()));
    w.assigned = m_now;
    w.computed = false;
    if (!assignment.rereads && w.task > 1 && (!run.problem || !w.parameters.empty())) {
        startCompute(run, index);
        return;
    }
    w.stage = WorkerRun::Stage::pulling;
    w.readVersion = run.updates;
    w.keysMissing = run.layout.keys();
    if (run.problem) w.parameters.resize(run.layout.keyStart.back());
    emit(EventType::pullStarted, run.id, index, w.task, parameterBytes(run.layout));
    Context context(*this, run, index);
    run.nodes[index].protocol->pull(context, entityOf(index, w.task), run.allKeys);
}

void SimulationCore::pulled(JobRun& run, NodeIndex node, std::uint64_t operation, std::span<const Key> keys,
                            std::span<const double> values) {
    WorkerRun& w = run.workers.at(node);
    if (w.stage != WorkerRun::Stage::pulling || operation != entityOf(node, w.task)) return;
    std::size_t at = 0;
    for (const Key key : keys) {
        if (run.problem) {
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at), run.layout.length(key),
                        w.parameters.begin() + run.layout.keyStart[key]);
            at += run.layout.length(key);
        }
        require(w.keysMissing > 0, "a parameter policy delivered more keys than were pulled");
        --w.keysMissing;
    }
    if (w.keysMissing == 0) startCompute(run, node);
}

void SimulationCore::startCompute(JobRun& run, std::uint32_t index) {
    WorkerRun& w = run.workers[index];
    w.stage = WorkerRun::Stage::computing;
    w.computeStart = m_now;
    const double seconds = m_delays.computeSeconds({run.id, index, w.task, w.machine}, w.samples, m_now);
    w.computeEnd = m_now + Duration::seconds(seconds);
    emit(EventType::computeStarted, run.id, index, w.task, w.samples);
    if (run.problem) m_computing.emplace(w.computeEnd, run.id.value, index);
    m_queue.push(w.computeEnd, static_cast<std::uint16_t>(Kind::computeDone),
                 static_cast<std::uint16_t>(w.task & 0xffff), run.id.value, entityOf(run.generation, index));
}

// Evaluates this task's gradient and, with several threads, those that end next: each is a pure function of
// what its worker has read, so neither their number nor their order changes a bit.
void SimulationCore::ensureComputed(JobRun& run, std::uint32_t index) {
    if (!run.problem || run.workers[index].computed) return;
    std::vector<std::pair<JobRun*, std::uint32_t>> batch{{&run, index}};
    const std::size_t most =
        m_parallel.threads() > 1 ? 2 * static_cast<std::size_t>(m_parallel.threads()) : 1;
    for (auto it = m_computing.begin(); it != m_computing.end() && batch.size() < most; ++it) {
        JobRun* other = m_runs[std::get<1>(*it)].get();
        const auto worker = std::get<2>(*it);
        if ((other != &run || worker != index) && !other->workers[worker].computed)
            batch.emplace_back(other, worker);
    }
    m_parallel.forEach(batch.size(), [&](std::size_t i) {
        const JobRun& owner = *batch[i].first;
        WorkerRun& w = batch[i].first->workers[batch[i].second];
        const ComputeTask task{batch[i].second,
                               w.task,
                               static_cast<std::uint32_t>(owner.workers.size()),
                               w.assignment.samples,
                               std::max(1, w.assignment.localSteps),
                               owner.problem->optimizer().learningRate(),
                               w.assignment.partitions};
        w.message = computeMessage(*owner.problem, task, w.parameters);
        w.computed = true;
    });
}

void SimulationCore::finishCompute(JobRun& run, std::uint32_t index) {
    ensureComputed(run, index);
    WorkerRun& w = run.workers[index];
    if (run.problem) m_computing.erase({w.computeEnd, run.id.value, index});
    w.stage = WorkerRun::Stage::pushing;
    w.keysMissing = run.layout.keys();
    const double perParameter =
        run.problem && run.problem->messageSize() > run.layout.keyStart.back() ? 2 : 1;
    emit(EventType::pushStarted, run.id, index, w.task,
         perParameter * run.layout.keyStart.back() * run.layout.bytesPerParameter);
    std::vector<double> values;
    if (run.problem)
        for (const Key key : run.allKeys) appendKeyMessage(run.layout, key, w.message, values);
    Context context(*this, run, index, m_delays.uploadSeconds({run.id, index, w.task, w.machine}));
    run.nodes[index].protocol->push(context, entityOf(index, w.task), run.allKeys, values);
}

void SimulationCore::arrived(JobRun& run, NodeIndex node, std::uint64_t operation, std::span<const Key> keys,
                             std::span<const double>) {
    WorkerRun& w = run.workers.at(node);
    if (w.stage != WorkerRun::Stage::pushing || operation != entityOf(node, w.task)) return;
    require(w.keysMissing >= keys.size(), "a parameter policy delivered more keys than were pushed");
    w.keysMissing -= static_cast<std::uint32_t>(keys.size());
    if (w.keysMissing > 0) return;
    // All parts are at their owners; the values are those of w.message.
    w.stage = WorkerRun::Stage::idle;
    emit(EventType::gradientArrived, run.id, node, w.task, static_cast<double>(run.updates - w.readVersion));
    run.held.push_back(
        {node, w.task, w.readVersion, w.samples, run.problem ? w.message : std::vector<double>{}});
    notify(run, {JobRun::Notice::Kind::arrival, node, w.task});
}

void SimulationCore::cancelTask(JobRun& run, std::uint32_t index) {
    WorkerRun& w = run.workers[index];
    double done = 0;
    if (w.stage == WorkerRun::Stage::pushing) done = 1;
    if (w.stage == WorkerRun::Stage::computing) {
        const double whole = (w.computeEnd - w.computeStart).toSeconds();
        done = whole > 0 ? std::min(1.0, (m_now - w.computeStart).toSeconds() / whole) : 1;
        if (run.problem) m_computing.erase({w.computeEnd, run.id.value, index});
    }
    w.stage = WorkerRun::Stage::idle;
    cancelSlots(run.id, entityOf(index, w.task));
    emit(EventType::taskCancelled, run.id, index, w.task, done);
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
    std::vector<bool> found(run.layout.keys(), false);
    for (NodeRun& node : run.nodes)
        for (const Key key : run.allKeys)
            if (node.store.has(key)) {
                updateStoreValue(run.layout, key, node.store.value(key), run.aggregate,
                                 run.problem->optimizer(), run.updates);
                found[key] = true;
            }
    const auto message = std::make_shared<const std::vector<double>>(run.aggregate);
    for (const Key key : run.allKeys)
        if (!found[key]) run.lateUpdates[key].emplace_back(run.updates, message);
    refreshParameters(run);
}

void SimulationCore::finishUpdate(JobRun& run) {
    const Job& spec = workload->job(run.id);
    run.countUpdate();
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
    run.parameters.resize(run.layout.keyStart.back());
    for (const NodeRun& node : run.nodes)
        for (const Key key : run.allKeys)
            if (node.store.has(key))
                std::copy_n(node.store.value(key).begin(), run.layout.length(key),
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
    emit(EventType::lossEvaluated, run.id, lowWord(run.updates), highWord(run.updates), run.lastLoss);
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

// --- Jobs without tasks
// -----------------------------------------------------------------------------------------------------

void SimulationCore::startRate(JobId job) {
    const Job& spec = workload->job(job);
    const Placement& placement = state.job(job).placement;
    RateRun rate{.generation = ++m_generation, .since = m_now};
    rate.secondsPerUpdate = m_speed.secondsPerUpdate(job, placement);
    rate.updatesAtStart = static_cast<double>(state.job(job).updates);
    m_speed.setProgress(job, rate.updatesAtStart, state.job(job).samplesUsed);
    rate.samplesPerUpdate = m_speed.samplesPerUpdate(job, static_cast<int>(placement.workers.size()));
    const auto& work = std::get<AnalyticWork>(spec.work);
    rate.updatesGoal = std::numeric_limits<double>::infinity();
    const auto consider = [&](double goal, FinishReason reason) {
        if (goal < rate.updatesGoal) {
            rate.updatesGoal = goal;
            rate.reason = reason;
        }
    };
    if (spec.stop.iterations) consider(static_cast<double>(*spec.stop.iterations), FinishReason::iterations);
    if (spec.stop.epochs && rate.samplesPerUpdate > 0)
        consider(rate.updatesAtStart +
                     std::max(0.0, std::ceil((*spec.stop.epochs * work.samples - state.job(job).samplesUsed) /
                                             rate.samplesPerUpdate)),
                 FinishReason::epochs);
    if (spec.stop.loss) consider(rate.updatesAtStart + m_speed.updatesToLoss(job), FinishReason::loss);
    if (spec.stop.seconds)
        consider(rate.updatesAtStart +
                     std::floor(std::max(0.0, *spec.stop.seconds - m_ranSeconds[job.index()]) /
                                rate.secondsPerUpdate),
                 FinishReason::seconds);
    rate.bytesPerUpdate = 2 * work.parameterBytes;
    m_speed.pairsOnLinks(placement, &rate.links);
    const double seconds = std::max(0.0, rate.updatesGoal - rate.updatesAtStart) * rate.secondsPerUpdate;
    m_rates[job.index()] = rate;
    emit(EventType::lossEvaluated, job, lowWord(state.job(job).updates), highWord(state.job(job).updates),
         work.curve.at(rate.updatesAtStart));
    // A few looks at the loss on the way; schedulers that read losses and the curves have something to go by.
    constexpr int looks = 8;
    if (!std::isfinite(seconds)) return; // unreachable servers or no end in sight: the run ends it as stuck
    for (int i = 1; i <= looks; ++i)
        m_queue.push(m_now + Duration::seconds(seconds * i / looks),
                     static_cast<std::uint16_t>(Kind::rateTick), i == looks, job.value,
                     entityOf(rate.generation));
}

void SimulationCore::advanceRate(JobId job, bool final) {
    RateRun& rate = *m_rates[job.index()];
    const auto& work = std::get<AnalyticWork>(workload->job(job).work);
    const double progress = rate.updatesAtStart + (m_now - rate.since).toSeconds() / rate.secondsPerUpdate;
    const auto updates = static_cast<std::uint64_t>(final ? rate.updatesGoal
                                                          : std::floor(std::min(progress, rate.updatesGoal)));
    const std::uint64_t before = state.job(job).updates;
    if (updates > before) {
        const auto gained = static_cast<double>(updates - before);
        emit(EventType::updateApplied, job, lowWord(updates), highWord(updates),
             gained * rate.samplesPerUpdate);
        const double perPair = rate.bytesPerUpdate / 2 /
                               static_cast<double>(std::max<std::size_t>(
                                   1, std::max(state.job(job).placement.servers.size(), std::size_t{1})));
        std::vector<DirectedLink> links = rate.links;
        std::sort(links.begin(), links.end());
        for (std::size_t i = 0, n; i < links.size(); i += n) {
            n = static_cast<std::size_t>(
                    std::upper_bound(links.begin() + static_cast<std::ptrdiff_t>(i), links.end(), links[i]) -
                    links.begin()) -
                i;
            emit(EventType::linkCarried, job, links[i], 0, gained * perPair * static_cast<double>(n));
        }
        emit(EventType::lossEvaluated, job, lowWord(updates), highWord(updates),
             work.curve.at(static_cast<double>(updates)));
        m_speed.setProgress(job, static_cast<double>(updates), state.job(job).samplesUsed);
    }
    if (final) finishJob(job, rate.reason);
}

void SimulationCore::startGraph(JobId job) {
    const double seconds = m_graphLeft[job.index()] *
                           graphSeconds(job, static_cast<int>(state.job(job).placement.workers.size()));
    m_queue.push(m_now + Duration::seconds(seconds), static_cast<std::uint16_t>(Kind::graphDone), 0,
                 job.value, static_cast<std::uint64_t>(m_startedAt[job.index()].ns));
}

} // namespace trainyard
