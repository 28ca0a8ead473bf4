// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/WatchedTraining.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

constexpr std::size_t mostShareSeeds = 4; // enough for shares, and quick
constexpr std::chrono::seconds again(2);  // between two looks at the present net

double meanOf(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

const DiscreteLaw& lawOf(const AgentTraining& training, const std::string& name) {
    const auto& laws = training.inputs().laws;
    const auto at = std::ranges::find(laws, name, &std::pair<std::string, DiscreteLaw>::first);
    require(at != laws.end(), "a plan's laws are among its inputs");
    return at->second;
}

} // namespace

TrainingWatch::TrainingWatch(const AgentTraining& training) : m_worlds(training.plan().tasks.size()) {
    const AgentPlan& plan = training.plan();
    std::uint64_t from = 0;
    const auto add = [&](std::size_t task, const std::string& law) {
        WatchedStage& stage = m_now.stages.emplace_back();
        stage.task = task;
        stage.rules = plan.tasks[task].rules;
        stage.distilled = plan.tasks[task].distils();
        stage.law = stage.title = law;
        const TrainingInputs& inputs = training.inputs();
        for (std::size_t l = 0; l < inputs.lawTitles.size(); ++l)
            if (inputs.laws[l].first == law) stage.title = inputs.lawTitles[l];
        stage.from = from;
        stage.all = stageSize(plan.tasks[task], law.empty()).steps();
        from += stage.all;
    };
    for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
        if (plan.tasks[t].distils()) add(t, {});
        for (const std::string& law : plan.tasks[t].laws) add(t, law);
    }
    m_now.validation = plan.validation;
    m_now.shareSeeds = {plan.validation.first, std::min(mostShareSeeds, plan.validation.count)};
    m_now.arrivals = static_cast<std::size_t>(plan.validationArrivals);
    m_final.resize(m_now.stages.size());
    for (std::size_t s = 0; s < m_now.stages.size(); ++s)
        for (const TrainingPoint& point : training.checkpoint().curves[s])
            if (point.steps > 0) m_now.stages[s].rewards.push_back(point);
    update(training);
}

void TrainingWatch::update(const AgentTraining& training) {
    const TrainingCheckpoint& point = training.checkpoint();
    m_now.progress = training.progress();
    m_now.done = training.done();
    m_now.stage = std::min(point.stage, m_now.stages.size() - 1);
    for (std::size_t s = 0; s < m_now.stages.size(); ++s) {
        WatchedStage& stage = m_now.stages[s];
        const auto newer = [&](std::uint64_t steps) {
            return steps > (stage.rewards.empty() ? 0 : stage.rewards.back().steps);
        };
        if (s == point.stage && newer(point.state.steps))
            stage.rewards.push_back({point.state.steps, point.state.reward, std::nullopt});
        else if (const auto& curve = point.curves[s]; s < point.stage && !curve.empty() && newer(curve.back().steps))
            stage.rewards.push_back(curve.back()); // the last iteration of a stage: another one has begun since
        if (stage.law.empty()) continue;
        stage.candidates.clear();
        for (const TrainingPoint& at : point.curves[s])
            if (at.blocking) stage.candidates.push_back({at.steps, *at.blocking});
        const auto best = std::ranges::min_element(stage.candidates, {}, &WatchedCandidate::blocking);
        if (best != stage.candidates.end()) stage.best = *best;
    }
}

const TrainingWorld& TrainingWatch::world(const AgentTraining& training, std::size_t task) {
    if (!m_worlds[task]) m_worlds[task] = std::make_unique<const TrainingWorld>(training.source(task));
    return *m_worlds[task];
}

/// As candidates are compared: fixed gaps at one of the validation loads.
GraphWorkload TrainingWatch::workload(const AgentTraining& training, const WatchedStage& stage, std::size_t load) {
    const AgentTask& task = training.plan().tasks[stage.task];
    const TrainingWorld& of = world(training, stage.task);
    const double gap =
        of.meanSequentialSeconds() / (task.validationLoads[load] * training.plan().network.serverCount());
    const std::string& law = stage.law.empty() ? task.laws.front() : stage.law;
    return of.workload(lawOf(training, law), gap, false);
}

std::optional<RuleOnValidation> TrainingWatch::best(const AgentTraining& training, const WatchedStage& stage,
                                                    DegreeRule::Kind kind, const Parallel& parallel,
                                                    const std::stop_token& stop) {
    const std::size_t loads = training.plan().tasks[stage.task].validationLoads.size();
    const GraphPricer& pricer = world(training, stage.task).pricer();
    std::optional<RuleOnValidation> out;
    for (const int degree : pricer.degrees()) {
        const DegreeRule rule{kind, degree};
        double sum = 0;
        for (std::size_t l = 0; l < loads; ++l) {
            if (stop.stop_requested()) return std::nullopt;
            sum += meanOf(
                blockingOf(rule, pricer, workload(training, stage, l), m_now.arrivals, m_now.validation, parallel));
        }
        const double blocking = sum / static_cast<double>(loads);
        if (!out || blocking < out->blocking) out = {rule, blocking};
    }
    return out;
}

bool TrainingWatch::measureRules(const AgentTraining& training, std::size_t number, const Parallel& parallel,
                                 const std::stop_token& stop) {
    WatchedStage& stage = m_now.stages[number];
    const auto constant = best(training, stage, DegreeRule::Kind::constant, parallel, stop);
    const auto floor = best(training, stage, DegreeRule::Kind::floor, parallel, stop);
    if (!constant || !floor) return false;
    stage.constant = constant;
    stage.floor = floor;
    stage.constantShares = degreeSharesOf(constant->rule, world(training, stage.task).pricer(),
                                          workload(training, stage, 0), m_now.arrivals, m_now.shareSeeds, parallel);
    if (!stage.law.empty()) return true;
    WatchedStage& first = m_now.stages[number + 1]; // a distillation is shown by its first law
    first.constant = stage.constant;
    first.floor = stage.floor;
    first.constantShares = stage.constantShares;
    return true;
}

bool TrainingWatch::measureNet(const AgentTraining& training, std::size_t number, const Parallel& parallel) {
    WatchedStage& stage = m_now.stages[number];
    const TrainingCheckpoint& point = training.checkpoint();
    const bool ended = number < point.stage;
    std::vector<float> net = point.state.policy;
    if (ended) {
        std::size_t candidate = 0;
        for (std::size_t s = 0; s < number; ++s) candidate += m_now.stages[s].law.empty() ? 0 : 1;
        net = point.best[candidate].parameters;
    }
    if (net.empty()) return false;
    const TrainingWorld& of = world(training, stage.task);
    stage.netShares = degreeSharesOf(
        of.states(), std::make_shared<const DegreeNet>(netOf(training.plan().tasks[stage.task], std::move(net))),
        of.pricer(), workload(training, stage, 0), m_now.arrivals, m_now.shareSeeds, parallel);
    m_final[number] = ended;
    return true;
}

bool TrainingWatch::measure(const AgentTraining& training, const Parallel& parallel, const std::stop_token& stop) {
    const std::size_t at = training.checkpoint().stage;
    // The stage at hand first, then those done, the latest first.
    for (std::size_t s = m_now.stage + 1; s-- > 0;) {
        if (stop.stop_requested()) return false;
        WatchedStage& stage = m_now.stages[s];
        if (s < at && stage.law.empty()) continue; // over, and no candidate
        if (!stage.constant) return measureRules(training, s, parallel, stop);
        if (s < at && !m_final[s]) return measureNet(training, s, parallel);
        const auto now = std::chrono::steady_clock::now();
        if (s != at || (stage.netShares && now < m_measured + again)) continue;
        const bool measured = measureNet(training, s, parallel);
        m_measured = std::chrono::steady_clock::now();
        if (measured) return true;
    }
    return false;
}

} // namespace trainyard
