// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/Coordinator.h"

#include "engine/DelayModel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

HeldGradient viewOf(const HeldMessage& h, const TrainingProblem* problem) {
    HeldGradient out{.worker = h.worker, .task = h.task, .readVersion = h.readVersion, .samples = h.samples};
    if (h.message) out.message = *h.message;
    if (problem) out.gradientSize = problem->gradientSize();
    return out;
}

} // namespace

// --- What comes from outside

void Coordinator::start(CoordinatorEffects& effects) {
    if (spec->stop.seconds)
        effects.after(Duration::seconds(std::max(0.0, *spec->stop.seconds - ranSeconds)), Step::secondsLimit);
    partsMissing = static_cast<std::uint32_t>(restoring.transfers.size());
    if (partsMissing == 0)
        restart(effects);
    else
        effects.send(restoring.transfers);
}

void Coordinator::partArrived(CoordinatorEffects& effects) {
    if (--partsMissing > 0) return;
    if (checkpointUnderWay)
        finishCheckpoint(effects);
    else
        restart(effects);
}

// Its parameters are there; what else a restart takes.
void Coordinator::restart(CoordinatorEffects& effects) {
    if (restoring.seconds > 0)
        effects.after(Duration::seconds(restoring.seconds), Step::restart);
    else
        begin(effects);
}

void Coordinator::begin(CoordinatorEffects& effects) {
    if (updates > 0 || restoring.bytes > 0) effects.log(events::jobRestored(id, updates, restoring.bytes));
    effects.evaluate();
    if (!effects.goesOn()) return;
    begun = true;
    if (const auto reason = reached())
        effects.finish(*reason);
    else
        notify({Notice::Kind::start}, effects);
}

void Coordinator::notify(Notice notice, CoordinatorEffects& effects) {
    notices.push_back(notice);
    advance(effects);
}

void Coordinator::proceed(Step step, std::uint32_t tag, CoordinatorEffects& effects) {
    switch (step) {
    case Step::update: finishUpdate(effects); break;
    case Step::evaluation:
        effects.evaluate();
        goOn(effects);
        break;
    case Step::timer: notify({Notice::Kind::timer, 0, tag}, effects); break;
    case Step::secondsLimit: effects.finish(FinishReason::seconds); break;
    case Step::restart: begin(effects); break;
    }
}

void Coordinator::gradientArrived(std::uint32_t index, std::uint64_t readVersion, std::vector<double> message,
                                  CoordinatorEffects& effects) {
    WorkerView& worker = workers[index];
    worker.busy = false;
    worker.readVersion = readVersion;
    --busy;
    hasRead[index] = true;
    effects.log(events::gradientArrived(id, index, worker.task, updates - worker.readVersion));
    auto kept = message.empty() ? nullptr : std::make_shared<const std::vector<double>>(std::move(message));
    held.push_back({index, worker.task, worker.readVersion, worker.samples, std::move(kept)});
    heldViews.push_back(viewOf(held.back(), problem.get()));
    notify({Notice::Kind::arrival, index, worker.task}, effects);
}

void Coordinator::loseHeld(CoordinatorEffects& effects) {
    for (const Gathered& g : std::exchange(gathered, {}))
        effects.log(events::gradientDropped(id, g.worker, g.task, g.samples));
    heldViews.clear();
    for (const HeldMessage& h : std::exchange(held, {}))
        effects.log(events::gradientDropped(id, h.worker, h.task, static_cast<double>(h.samples)));
}

void Coordinator::removeWorker(std::uint32_t w, CoordinatorEffects& effects) {
    if (workers[w].busy) cancel(w, effects);
    present -= workers[w].present;
    workers[w].present = false;
    hasRead[w] = false;
    effects.log(events::taskRemoved(id, TaskRole::worker, w, placement.workers[w]));
    placement.workers[w] = {};
}

void Coordinator::changeWorkers(const JobAllotment& given, bool resized, CoordinatorEffects& effects) {
    const Placement& now = given.placement;
    const std::size_t numbers = std::max(workers.size(), now.workers.size());
    batch = given.batch;
    placement.workers.resize(numbers);
    workers.resize(numbers, {.task = firstTask});
    hasRead.resize(numbers, false);
    for (std::size_t w = 0; w < now.workers.size(); ++w) {
        if (!now.workers[w].valid() || workers[w].present) continue;
        workers[w].present = true;
        ++present;
        placement.workers[w] = now.workers[w];
    }
    responses = given.responses;
    responses.resize(numbers);
    if (resized) shareData();
    if (!begun) return; // it will be told of the start
    notify({Notice::Kind::membership}, effects);
}

void Coordinator::shareData() {
    shareOf.assign(workers.size(), 0);
    shares = 0;
    for (std::size_t w = 0; w < workers.size(); ++w)
        if (workers[w].present) shareOf[w] = shares++;
}

double Coordinator::secondsPerSampleOf(std::uint32_t worker) const {
    return secondsPerSample(*spec, batch, present, placement, placement.workers[worker]);
}

Coordinator::Share Coordinator::shareFor(std::uint32_t worker, const Assignment& assignment) const {
    if (!assignment.partitions.empty()) return {worker, assignment.cuts};
    return {shareOf[worker], shares};
}

Coordinator::Verdict Coordinator::evaluated(double loss, std::uint64_t update, double norm,
                                            CoordinatorEffects& effects) {
    lastLoss = loss;
    lastLossUpdate = update;
    if (!std::isfinite(loss)) return {.diverged = true};
    effects.log(events::lossEvaluated(id, update, loss, norm));
    return {.targetMet = spec->stop.loss && loss <= *spec->stop.loss && evaluationIsDue(*spec, update)};
}

// --- The loop

void Coordinator::advance(CoordinatorEffects& effects) {
    if (advancing) return;
    advancing = true;
    while (effects.goesOn() && !updating) {
        if (nextAction < actions.size()) {
            const auto action = std::move(actions[nextAction++]);
            carryOut(action, effects);
        } else if (!notices.empty()) {
            const auto notice = notices.front();
            notices.pop_front();
            consult(notice, effects);
        } else {
            break;
        }
    }
    advancing = false;
}

void Coordinator::carryOut(const SyncActions::Action& action, CoordinatorEffects& effects) {
    const auto worker = [&](std::uint32_t index) -> const WorkerView& {
        require(index < workers.size(), "a synchronization policy named a worker that does not exist");
        return workers[index];
    };
    if (const auto* assignment = std::get_if<SyncActions::Assign>(&action)) {
        if (!worker(assignment->worker).present) return; // left between the decision and now
        assign(assignment->worker, assignment->assignment, effects);
    } else if (const auto* update = std::get_if<SyncActions::Update>(&action)) {
        gather(*update);
        updating = true;
        const double seconds = secondsPerUpdate(*spec);
        if (seconds > 0)
            effects.after(Duration::seconds(seconds), Step::update);
        else
            finishUpdate(effects);
    } else if (const auto* drop = std::get_if<SyncActions::Drop>(&action)) {
        const HeldMessage dropped =
            takeHeld(drop->worker, drop->task, "a synchronization policy dropped a gradient that is not held");
        effects.log(events::gradientDropped(id, drop->worker, drop->task, dropped.samples));
    } else if (const auto* cancelled = std::get_if<SyncActions::Cancel>(&action)) {
        if (worker(cancelled->worker).busy) cancel(cancelled->worker, effects);
    } else if (const auto* block = std::get_if<SyncActions::Block>(&action)) {
        if (worker(block->worker).present) effects.log(events::workerBlocked(id, block->worker));
    } else if (const auto* timer = std::get_if<SyncActions::Timer>(&action)) {
        effects.after(timer->after, Step::timer, timer->tag);
    }
}

void Coordinator::assign(std::uint32_t index, Assignment assignment, CoordinatorEffects& effects) {
    WorkerView& worker = workers[index];
    require(!worker.busy, "a synchronization policy assigned a task to a busy worker");
    assignment.samples = taskBatch(*spec, batch, dataRows(*spec, problem.get()), present,
                                   shareFor(index, assignment).of, assignment.samples);
    const bool reads = assignment.rereads || !hasRead[index];
    ++worker.task;
    worker.busy = true;
    ++busy;
    worker.samples = std::int64_t{assignment.samples} * std::max(1, assignment.localSteps) *
                     std::max<std::int64_t>(1, static_cast<std::int64_t>(assignment.partitions.size()));
    worker.assigned = effects.now();
    if (reads) {
        hasRead[index] = false; // until it has come to an end with what it reads now
        effects.log(events::pullStarted(id, index, worker.task, parameterBytes(layout())));
    }
    effects.beginTask(index, assignment, reads);
}

void Coordinator::cancel(std::uint32_t index, CoordinatorEffects& effects) {
    workers[index].busy = false;
    --busy;
    effects.cancelTask(index);
}

// --- The policy

void Coordinator::consult(const Notice& notice, CoordinatorEffects& effects) {
    // The policy is told of the newest last; where others have come after it, in a copy.
    const bool arrival = notice.kind == Notice::Kind::arrival;
    std::vector<HeldGradient> reordered;
    if (arrival &&
        (heldViews.empty() || heldViews.back().worker != notice.worker || heldViews.back().task != notice.task)) {
        const auto it = std::find_if(heldViews.begin(), heldViews.end(),
                                     [&](const auto& h) { return h.worker == notice.worker && h.task == notice.task; });
        if (it == heldViews.end()) { // it has been used or dropped since
            ++policyCalls;
            return;
        }
        reordered = heldViews;
        const auto at = reordered.begin() + (it - heldViews.begin());
        std::rotate(at, at + 1, reordered.end());
    }
    SyncActions answer;
    if (nextAction == actions.size()) {
        answer.reuse(std::move(actions));
        actions = {};
        nextAction = 0;
    }
    RandomStream random(seed, Purpose::policy,
                        entityOf(id.value, static_cast<std::uint32_t>(PolicyFamily::synchronization)), policyCalls++);
    std::vector<Event> notes;
    effects.explain([&](ExplanationArena& why, std::vector<std::uint32_t>& explained) {
        const PolicyContext context{effects.now(), random, &why, &explained, PolicyFamily::synchronization, &notes};
        tell(notice, reordered.empty() ? heldViews : reordered, context, answer);
    });
    for (Event& note : notes) {
        note.job = id.value;
        effects.log(note);
    }
    if (actions.empty()) {
        actions = answer.take();
        return;
    }
    for (auto& action : answer.take()) actions.push_back(std::move(action));
}

void Coordinator::tell(const Notice& notice, std::span<const HeldGradient> gradients, const PolicyContext& context,
                       SyncActions& answer) {
    const TrainingView view{.job = id,
                            .spec = spec,
                            .batch = taskBatch(*spec, batch, dataRows(*spec, problem.get()), present, shares),
                            .updates = updates,
                            .workers = workers,
                            .busy = busy,
                            .held = gradients,
                            .lastLoss = lastLoss,
                            .parameters = store.parameters(),
                            .lastGradient = lastGradient,
                            .previousGradient = previousGradient,
                            .distanceFromStart = distance,
                            .learningRate = problem ? problem->optimizer().learningRate() : 0,
                            .responses = responses};
    switch (notice.kind) {
    case Notice::Kind::start: synchronization->onStart(context, view, answer); break;
    case Notice::Kind::membership: synchronization->onMembership(context, view, answer); break;
    case Notice::Kind::timer: synchronization->onTimer(context, view, notice.task, answer); break;
    case Notice::Kind::arrival: synchronization->onArrival(context, view, gradients.back(), answer); break;
    }
}

HeldMessage Coordinator::takeHeld(std::uint32_t worker, std::uint32_t task, const char* what) {
    const auto it =
        std::find_if(held.begin(), held.end(), [&](const auto& h) { return h.worker == worker && h.task == task; });
    require(it != held.end(), what);
    HeldMessage out = std::move(*it);
    heldViews.erase(heldViews.begin() + (it - held.begin()));
    held.erase(it);
    return out;
}

// --- Updates

void Coordinator::gather(const SyncActions::Update& update) {
    auto wanted = update.gradients;
    std::sort(wanted.begin(), wanted.end(),
              [](const auto& a, const auto& b) { return std::pair(a.worker, a.task) < std::pair(b.worker, b.task); });
    aggregate.assign(problem ? problem->messageSize() : 0, 0.0);
    aggregateSamples = 0;
    gathered.clear();
    // Found by worker and task, and taken out all at once: a round of n gradients costs O(n log n).
    std::vector<std::size_t> order(held.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t i) { return std::pair(held[i].worker, held[i].task); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
    std::vector<bool> taken(held.size(), false);
    std::vector<const HeldMessage*> used;
    for (const auto& g : wanted) {
        const auto it = std::lower_bound(order.begin(), order.end(), std::pair(g.worker, g.task),
                                         [&](auto i, const auto& key) { return place(i) < key; });
        require(it != order.end() && place(*it) == std::pair(g.worker, g.task) && !taken[*it],
                "a synchronization policy used a gradient that is not held");
        const HeldMessage& h = held[*it];
        taken[*it] = true;
        const double* part = h.message ? h.message->data() : nullptr;
        for (std::size_t i = 0; i < aggregate.size(); ++i) aggregate[i] += g.weight * part[i];
        aggregateSamples += h.samples;
        if (measuresNoise) used.push_back(&h);
        gathered.push_back({g.worker, g.task, static_cast<double>(h.samples), g.weight});
    }
    if (measuresNoise) measureNoise(update, used);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (taken[i]) continue;
        if (kept != i) {
            held[kept] = std::move(held[i]);
            heldViews[kept] = heldViews[i];
        }
        ++kept;
    }
    held.resize(kept);
    heldViews.resize(kept);
    require(update.remembered.empty() || update.remembered.size() == aggregate.size(),
            "a synchronization policy remembered a gradient of the wrong length");
    for (std::size_t i = 0; i < update.remembered.size(); ++i) aggregate[i] += update.remembered[i];
}

// Of equally many samples, at the same parameters, with equal weights: else they say something else.
void Coordinator::measureNoise(const SyncActions::Update& update, std::span<const HeldMessage* const> used) {
    if (used.size() < 2) return;
    double weights = 0, norms = 0, norm = 0;
    const std::size_t count = problem->gradientSize();
    for (const auto& g : update.gradients) {
        if (g.weight != update.gradients[0].weight) return;
        weights += g.weight;
    }
    for (const HeldMessage* h : used) {
        if (h->samples != used[0]->samples || h->readVersion != used[0]->readVersion) return;
        for (std::size_t i = 0; i < count; ++i) norms += (*h->message)[i] * (*h->message)[i];
    }
    for (std::size_t i = 0; i < count; ++i) norm += aggregate[i] * aggregate[i];
    if (weights <= 0) return;
    noise.add(used.size(), static_cast<double>(used[0]->samples), norms / static_cast<double>(used.size()),
              norm / (weights * weights));
}

double Coordinator::stepFactor() const {
    const auto declared = static_cast<double>(spec->declaredBatch());
    switch (stepRule(*spec)) {
    case StepWithBatch::same: break;
    case StepWithBatch::linear: return aggregateSamples / declared;
    case StepWithBatch::gain: return batchGain(aggregateSamples, declared, noise.value().value_or(0));
    }
    return 1;
}

void Coordinator::finishUpdate(CoordinatorEffects& effects) {
    ++updates;
    samplesUsed += aggregateSamples;
    if (const auto* work = std::get_if<AnalyticWork>(&spec->work)) ahead += work->gainOf(aggregateSamples) - 1;
    if (problem) previousGradient = std::exchange(lastGradient, aggregate);
    if (const double factor = stepFactor(); factor != 1)
        for (double& g : aggregate) g *= factor;
    effects.applyUpdate();
    measureDistance();
    for (const Gathered& g : gathered) effects.log(events::gradientUsed(id, g.worker, g.task, g.weight));
    gathered.clear();
    effects.log(events::updateApplied(id, updates, aggregateSamples));
    const auto every = [&](std::int64_t period) {
        return period > 0 && updates % static_cast<std::uint64_t>(period) == 0;
    };
    if (every(spec->checkpoint.everyIterations)) takeCheckpoint(effects);
    const LossEvaluation& rule = evaluationRule(*spec);
    if (every(rule.everyIterations)) {
        if (const auto scale = measuresNoise ? noise.value() : std::nullopt)
            effects.log(events::noiseMeasured(id, updates, *scale));
        if (rule.costsTime) { // still updating: the servers are busy evaluating
            const double seconds = secondsPerSample(*spec) * std::max(1.0, dataRows(*spec, problem.get()));
            effects.after(Duration::seconds(seconds), Step::evaluation);
            return;
        }
        effects.evaluate();
    }
    goOn(effects);
}

void Coordinator::takeCheckpoint(CoordinatorEffects& effects) {
    if (checkpointUnderWay) return; // the previous one has not arrived: skip this one
    checkpointUnderWay = snapshot();
    const double bytes = checkpointBytes(*spec, problem.get());
    effects.log(events::checkpointStarted(id, updates, bytes));
    const auto transfers = checkpointTransfers(placement, effects.storage(), bytes);
    partsMissing = static_cast<std::uint32_t>(transfers.size());
    if (partsMissing == 0)
        finishCheckpoint(effects);
    else
        effects.send(transfers);
}

void Coordinator::finishCheckpoint(CoordinatorEffects& effects) {
    checkpoint = std::exchange(checkpointUnderWay, std::nullopt);
    effects.log(events::checkpointDone(id, checkpoint->updates));
}

// After an update and its evaluation.
void Coordinator::goOn(CoordinatorEffects& effects) {
    if (!effects.goesOn()) return;
    if (const auto reason = reached()) {
        effects.finish(*reason);
        return;
    }
    updating = false;
    advance(effects);
}

void Coordinator::measureDistance() {
    double sum = 0;
    const auto& parameters = store.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double d = parameters[i] - initialParameters[i];
        sum += d * d;
    }
    distance = std::sqrt(sum);
}

double Coordinator::currentLoss() const {
    if (problem) return problem->evaluate(store.parameters());
    return std::get<AnalyticWork>(spec->work).curve.at(static_cast<double>(updates) + ahead);
}

double Coordinator::gradientNorm() const {
    if (!problem || lastGradient.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::size_t i = 0; i < std::min(lastGradient.size(), problem->gradientSize()); ++i)
        sum += lastGradient[i] * lastGradient[i];
    return std::sqrt(sum);
}

std::optional<FinishReason> Coordinator::reached() const {
    if (spec->stop.iterations && updates >= static_cast<std::uint64_t>(*spec->stop.iterations))
        return FinishReason::iterations;
    const double rows = dataRows(*spec, problem.get());
    if (spec->stop.epochs && rows > 0 && samplesUsed >= *spec->stop.epochs * rows) return FinishReason::epochs;
    return std::nullopt;
}

const LossEvaluation& evaluationRule(const Job& spec) {
    if (const auto* work = std::get_if<TrainedWork>(&spec.work)) return work->evaluation;
    return std::get<AnalyticWork>(spec.work).evaluation;
}

bool evaluationIsDue(const Job& spec, std::uint64_t updates) {
    const std::int64_t period = evaluationRule(spec).everyIterations;
    return updates == 0 || (period > 0 && updates % static_cast<std::uint64_t>(period) == 0);
}

StepWithBatch stepRule(const Job& spec) {
    const auto* work = std::get_if<TrainedWork>(&spec.work);
    return work ? work->stepWithBatch : StepWithBatch::same;
}

double dataRows(const Job& spec, const TrainingProblem* problem) {
    return problem ? static_cast<double>(problem->data().rows()) : std::get<AnalyticWork>(spec.work).samples;
}

} // namespace trainyard
