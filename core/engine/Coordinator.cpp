#include "engine/Coordinator.h"

#include "engine/DelayModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

Coordinator::Coordinator() : lastLoss(std::numeric_limits<double>::quiet_NaN()) {}

Coordinator::Coordinator(const Coordinator& o)
    : id(o.id), problem(o.problem), synchronization(o.synchronization->clone()), responses(o.responses),
      held(o.held), notices(o.notices), actions(o.actions), advancing(o.advancing), updating(o.updating),
      aggregate(o.aggregate), aggregateSamples(o.aggregateSamples), updates(o.updates),
      samplesUsed(o.samplesUsed), parameters(o.parameters), initialParameters(o.initialParameters),
      lastGradient(o.lastGradient), previousGradient(o.previousGradient), distance(o.distance),
      lastLoss(o.lastLoss), lastLossUpdate(o.lastLossUpdate), policyCalls(o.policyCalls) {}

void Coordinator::consult(const Notice& notice, const Consultation& given,
                          std::span<const WorkerView> workers) {
    std::vector<HeldGradient> gradients;
    for (const auto& h : held) gradients.push_back({h.worker, h.task, h.readVersion, h.samples, h.message});
    const TrainingView view{.job = id,
                            .spec = &given.spec,
                            .batch = nominalBatch(given.spec),
                            .updates = updates,
                            .workers = workers,
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
    case Notice::Kind::arrival: {
        const auto it = std::find_if(gradients.begin(), gradients.end(), [&](const auto& h) {
            return h.worker == notice.worker && h.task == notice.task;
        });
        if (it == gradients.end()) break;         // its worker has left since
        std::rotate(it, it + 1, gradients.end()); // the policy is told of the newest last
        synchronization->onArrival(context, view, gradients.back(), answer);
        break;
    }
    }
    for (const auto& action : answer.list()) actions.push_back(action);
}

HeldMessage Coordinator::takeHeld(std::uint32_t worker, std::uint32_t task, const char* what) {
    const auto it = std::find_if(held.begin(), held.end(),
                                 [&](const auto& h) { return h.worker == worker && h.task == task; });
    require(it != held.end(), what);
    HeldMessage out = std::move(*it);
    held.erase(it);
    return out;
}

void Coordinator::gather(const SyncActions::Update& update,
                         const std::function<void(const WeightedGradient&)>& used) {
    auto wanted = update.gradients;
    std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
        return std::pair(a.worker, a.task) < std::pair(b.worker, b.task);
    });
    aggregate.assign(problem ? problem->messageSize() : 0, 0.0);
    aggregateSamples = 0;
    for (const auto& g : wanted) {
        const HeldMessage h =
            takeHeld(g.worker, g.task, "a synchronization policy used a gradient that is not held");
        for (std::size_t i = 0; i < aggregate.size(); ++i) aggregate[i] += g.weight * h.message[i];
        aggregateSamples += h.samples;
        used(g);
    }
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
