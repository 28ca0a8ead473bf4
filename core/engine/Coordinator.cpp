#include "engine/Coordinator.h"

#include "engine/DelayModel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {

namespace {

HeldGradient viewOf(const HeldMessage& h) {
    return {h.worker, h.task, h.readVersion, h.samples, h.message};
}

} // namespace

Coordinator::Coordinator() : lastLoss(std::numeric_limits<double>::quiet_NaN()) {}

Coordinator::Coordinator(const Coordinator& o)
    : id(o.id), problem(o.problem), synchronization(o.synchronization->clone()), responses(o.responses),
      held(o.held), notices(o.notices), actions(o.actions), nextAction(o.nextAction), advancing(o.advancing),
      updating(o.updating), aggregate(o.aggregate), aggregateSamples(o.aggregateSamples), updates(o.updates),
      samplesUsed(o.samplesUsed), parameters(o.parameters), initialParameters(o.initialParameters),
      lastGradient(o.lastGradient), previousGradient(o.previousGradient), distance(o.distance),
      lastLoss(o.lastLoss), lastLossUpdate(o.lastLossUpdate), policyCalls(o.policyCalls) {
    for (const auto& h : held) heldViews.push_back(viewOf(h)); // of the copies
}

void Coordinator::consult(const Notice& notice, const Consultation& given,
                          std::span<const WorkerView> workers, int busy) {
    // The policy is told of the newest last; where others have come after it, in a copy.
    const bool arrival = notice.kind == Notice::Kind::arrival;
    std::vector<HeldGradient> reordered;
    if (arrival && (heldViews.empty() || heldViews.back().worker != notice.worker ||
                    heldViews.back().task != notice.task)) {
        const auto it = std::find_if(heldViews.begin(), heldViews.end(), [&](const auto& h) {
            return h.worker == notice.worker && h.task == notice.task;
        });
        if (it == heldViews.end()) { // it has been used or dropped since
            ++policyCalls;
            return;
        }
        reordered = heldViews;
        const auto at = reordered.begin() + (it - heldViews.begin());
        std::rotate(at, at + 1, reordered.end());
    }
    const std::span<const HeldGradient> gradients = reordered.empty() ? heldViews : reordered;
    const TrainingView view{.job = id,
                            .spec = &given.spec,
                            .batch = taskBatch(given.spec, dataRows(given.spec, problem.get()), workers.size()),
                            .updates = updates,
                            .workers = workers,
                            .busy = busy,
                            .held = gradients,
                            .lastLoss = lastLoss,
                            .parameters = parameters,
                            .lastGradient = lastGradient,
                            .previousGradient = previousGradient,
                            .distanceFromStart = distance,
                            .learningRate = problem ? problem->optimizer().learningRate() : 0,
                            .responses = responses};
    RandomStream random(given.seed, Purpose::policy,
                        entityOf(id.value, static_cast<std::uint32_t>(PolicyFamily::synchronization)),
                        policyCalls++);
    const PolicyContext context{given.now, random, &given.why, &given.explained};
    SyncActions answer;
    if (!hasAction()) {
        answer.reuse(std::move(actions));
        actions = {};
        nextAction = 0;
    }
    switch (notice.kind) {
    case Notice::Kind::start:
        synchronization->onStart(context, view, answer);
        break;
    case Notice::Kind::membership:
        synchronization->onMembership(context, view, answer);
        break;
    case Notice::Kind::timer:
        synchronization->onTimer(context, view, notice.task, answer);
        break;
    case Notice::Kind::arrival:
        synchronization->onArrival(context, view, gradients.back(), answer);
        break;
    }
    if (actions.empty()) {
        actions = answer.take();
        return;
    }
    for (auto& action : answer.take()) actions.push_back(std::move(action));
}

HeldMessage Coordinator::takeHeld(std::uint32_t worker, std::uint32_t task, const char* what) {
    const auto it = std::find_if(held.begin(), held.end(),
                                 [&](const auto& h) { return h.worker == worker && h.task == task; });
    require(it != held.end(), what);
    HeldMessage out = std::move(*it);
    heldViews.erase(heldViews.begin() + (it - held.begin()));
    held.erase(it);
    return out;
}

void Coordinator::hold(HeldMessage message) {
    held.push_back(std::move(message));
    heldViews.push_back(viewOf(held.back()));
}

void Coordinator::gather(const SyncActions::Update& update,
                         const std::function<void(const WeightedGradient&)>& used) {
    auto wanted = update.gradients;
    std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
        return std::pair(a.worker, a.task) < std::pair(b.worker, b.task);
    });
    aggregate.assign(problem ? problem->messageSize() : 0, 0.0);
    aggregateSamples = 0;
    // Found by worker and task, and taken out all at once: a round of n gradients costs O(n log n).
    std::vector<std::size_t> order(held.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t i) { return std::pair(held[i].worker, held[i].task); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
    std::vector<bool> taken(held.size(), false);
    for (const auto& g : wanted) {
        const auto it = std::lower_bound(order.begin(), order.end(), std::pair(g.worker, g.task),
                                         [&](auto i, const auto& key) { return place(i) < key; });
        require(it != order.end() && place(*it) == std::pair(g.worker, g.task) && !taken[*it],
                "a synchronization policy used a gradient that is not held");
        const HeldMessage& h = held[*it];
        taken[*it] = true;
        for (std::size_t i = 0; i < aggregate.size(); ++i) aggregate[i] += g.weight * h.message[i];
        aggregateSamples += h.samples;
        used(g);
    }
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

void Coordinator::countUpdate() {
    ++updates;
    samplesUsed += aggregateSamples;
    if (problem) previousGradient = std::exchange(lastGradient, aggregate);
}

void Coordinator::measureDistance() {
    double sum = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double d = parameters[i] - initialParameters[i];
        sum += d * d;
    }
    distance = std::sqrt(sum);
}

double Coordinator::currentLoss(const Job& spec) const {
    if (problem) return problem->evaluate(parameters);
    return std::get<AnalyticWork>(spec.work).curve.at(static_cast<double>(updates));
}

double Coordinator::gradientNorm() const {
    if (!problem || lastGradient.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::size_t i = 0; i < std::min(lastGradient.size(), problem->parameterCount()); ++i)
        sum += lastGradient[i] * lastGradient[i];
    return std::sqrt(sum);
}

bool Coordinator::evaluationDue(const Job& spec) const {
    const auto every = evaluationRule(spec).everyIterations;
    return every > 0 && updates % static_cast<std::uint64_t>(every) == 0;
}

std::optional<FinishReason> Coordinator::reached(const Job& spec) const {
    if (spec.stop.iterations && updates >= static_cast<std::uint64_t>(*spec.stop.iterations))
        return FinishReason::iterations;
    const double rows = dataRows(spec, problem.get());
    if (spec.stop.epochs && rows > 0 && samplesUsed >= *spec.stop.epochs * rows) return FinishReason::epochs;
    return std::nullopt;
}

const LossEvaluation& evaluationRule(const Job& spec) {
    if (const auto* work = std::get_if<TrainedWork>(&spec.work)) return work->evaluation;
    return std::get<AnalyticWork>(spec.work).evaluation;
}

double dataRows(const Job& spec, const TrainingProblem* problem) {
    return problem ? static_cast<double>(problem->data().rows()) : std::get<AnalyticWork>(spec.work).samples;
}

} // namespace trainyard
