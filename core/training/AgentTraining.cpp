// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/AgentTraining.h"

#include "planning/graphs/ShippedGraphs.h"
#include "run/import/PipeDreamProfile.h"

#include <algorithm>
#include <fstream>
#include <numeric>

namespace trainyard {

namespace {

/// A copy whose operations take `factor` times as long.
std::shared_ptr<const ComputationGraph> timed(const ComputationGraph& graph, double factor) {
    ComputationGraph out = graph;
    for (Operation& op : out.operations) {
        op.forwardSeconds *= factor;
        op.backwardSeconds *= factor;
    }
    return std::make_shared<const ComputationGraph>(std::move(out));
}

Result<std::shared_ptr<const ComputationGraph>> graphOf(const AgentPlan& plan, const std::string& name,
                                                        const std::filesystem::path& profiles) {
    if (!plan.profiles) return std::make_shared<const ComputationGraph>(shippedGraph(*findShippedGraph(name)));
    const std::filesystem::path file = profiles / (name + ".txt");
    std::error_code ignored;
    if (profiles.empty() || !std::filesystem::exists(file, ignored))
        return Problem{
            .code = "no-graphs",
            .message = {profiles.empty()
                            ? TRAINYARD_TEXT("this training needs profiles as PipeDream writes them: give their "
                                             "directory by --graphs")
                            : TRAINYARD_TEXT("there is no profile {0}.txt in {1}"),
                        {name, profiles.string()}}};
    auto read = readPipeDreamProfile(file);
    if (!read) return read.problems();
    return std::make_shared<const ComputationGraph>(std::move(*read));
}

} // namespace

Result<TrainingInputs> trainingInputs(const AgentPlan& plan, const std::filesystem::path& resources,
                                      const std::filesystem::path& profiles) {
    TrainingInputs out;
    for (const std::string& name : plan.graphs) {
        auto graph = graphOf(plan, name, profiles);
        if (!graph) return graph.problems();
        out.graphs.push_back(std::move(*graph));
    }
    for (const AgentTask& task : plan.tasks)
        for (const std::string& name : task.laws) {
            if (std::ranges::find(out.laws, name, &std::pair<std::string, DiscreteLaw>::first) != out.laws.end())
                continue;
            auto law = readDiscreteLaw(resources / "laws" / (name + ".csv"));
            if (!law) return law.problems();
            out.laws.emplace_back(name, std::move(*law));
            out.lawTitles.push_back(lawTitle(name, resources));
        }
    return out;
}

std::string lawTitle(const std::string& name, const std::filesystem::path& resources) {
    std::ifstream file(resources / "laws" / (name + ".csv"));
    std::string line;
    return std::getline(file, line) && line.starts_with("# ") ? line.substr(2) : name;
}

DegreeNet netOf(const AgentTask& task, std::vector<float> parameters) {
    return {.hidden = task.distils() ? task.settings.hidden : task.learning.hidden,
            .parameters = std::move(parameters),
            .shape = task.net,
            .mayRefuse = task.distils() && task.settings.mayRefuse};
}

StageSize stageSize(const AgentTask& task, bool distillation) {
    const TrainingSettings& s = task.settings;
    if (!task.distils()) return {task.learning.iterations, task.learning.episodes / 8 * 8 * task.learning.arrivals};
    if (distillation) return {s.distillIterations, s.distillEpisodes / 8 * 8 * s.distillArrivals};
    return {s.valueIterations + s.policyIterations, s.episodes / 8 * 8 * s.arrivals};
}

AgentTraining::AgentTraining(AgentPlan plan, TrainingInputs inputs)
    : m_plan(std::move(plan)), m_inputs(std::move(inputs)) {
    std::size_t candidates = 0, distillations = 0;
    for (std::size_t t = 0; t < m_plan.tasks.size(); ++t) {
        const bool distils = m_plan.tasks[t].distils();
        if (distils) m_stages.push_back({t, std::nullopt, 0, distillations});
        for (std::size_t l = 0; l < m_plan.tasks[t].laws.size(); ++l)
            m_stages.push_back({t, l, candidates++, distillations});
        if (distils) ++distillations;
    }
    m_point.best.resize(candidates);
    m_point.curves.resize(m_stages.size());
    beginStage();
}

AgentTraining::~AgentTraining() = default;

const DiscreteLaw& AgentTraining::law(const std::string& name) const {
    const auto at = std::ranges::find(m_inputs.laws, name, &std::pair<std::string, DiscreteLaw>::first);
    require(at != m_inputs.laws.end(), "a plan's laws are among its inputs");
    return at->second;
}

TrainingSource AgentTraining::sourceOf(const AgentTask& task) const {
    TrainingSource out{.network = m_plan.network,
                       .setting = GraphSetting::of(task.rules),
                       .graphs = {},
                       .steps = m_plan.steps,
                       .laws = {},
                       .leastLoad = task.leastLoad,
                       .mostLoad = task.mostLoad,
                       .poissonShare = task.poissonShare,
                       .copies = task.copies};
    for (const auto& graph : m_inputs.graphs) out.graphs.push_back(timed(*graph, out.setting.timeScale));
    return out;
}

TrainingSettings AgentTraining::settingsOf(const Stage& stage) const {
    TrainingSettings out = m_plan.tasks[stage.task].settings;
    if (stage.law)
        out.distillIterations = 0;
    else
        out.valueIterations = out.policyIterations = 0;
    return out;
}

void AgentTraining::beginStage() {
    m_trainer.reset();
    if (done()) return;
    const Stage& stage = m_stages[m_point.stage];
    const AgentTask& task = m_plan.tasks[stage.task];
    if (!m_world || m_worldTask != stage.task) {
        m_world = std::make_shared<const TrainingWorld>(sourceOf(task));
        m_worldTask = stage.task;
    }
    std::vector<DiscreteLaw> laws;
    for (std::size_t l = 0; l < task.laws.size(); ++l)
        if (!stage.law || *stage.law == l) laws.push_back(law(task.laws[l]));
    const std::uint64_t seed = m_plan.seed * 1'000'003 + m_point.stage; // stages draw episodes of their own
    auto world = std::make_shared<const TrainingWorld>(m_world->withLaws(laws));
    if (task.net == NetShape::graphNetwork) {
        m_trainer = std::make_unique<QLearning>(std::move(world), task.learning, seed);
    } else {
        m_trainer = std::make_unique<AgentTrainer>(std::move(world), settingsOf(stage), seed);
        if (stage.law) {
            TrainingState start = m_trainer->state();
            start.policy = m_point.distilled[stage.distilled];
            m_trainer->restore(std::move(start));
        }
    }
    m_point.state = m_trainer->state();
}

void AgentTraining::compare(const std::string& name, const Parallel& parallel) {
    const Stage& stage = m_stages[m_point.stage];
    const AgentTask& task = m_plan.tasks[stage.task];
    DegreeNet net = m_trainer->net();
    roundToHalf(net.parameters);
    const auto shared = std::make_shared<const DegreeNet>(net);
    double sum = 0;
    for (const double load : task.validationLoads) {
        const double gap = m_world->meanSequentialSeconds() / (load * m_plan.network.serverCount());
        const auto each = blockingOf(m_world->states(), shared, m_world->pricer(),
                                     m_world->workload(law(task.laws[*stage.law]), gap, false),
                                     static_cast<std::size_t>(m_plan.validationArrivals), m_plan.validation, parallel);
        sum += std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
    }
    const double blocking = sum / static_cast<double>(task.validationLoads.size());
    m_point.curves[m_point.stage].push_back({m_trainer->state().steps, m_trainer->state().reward, blocking});
    TrainedCandidate& best = m_point.best[stage.candidate];
    if (!best.parameters.empty() && blocking >= best.blocking) return;
    best = {std::move(net.parameters), name, blocking};
}

bool AgentTraining::step(const Parallel& parallel, std::stop_token stop) {
    require(!done(), "a training that is done has no next step");
    const Stage& stage = m_stages[m_point.stage];
    const AgentTask& task = m_plan.tasks[stage.task];
    if (stage.law && m_point.best[stage.candidate].parameters.empty())
        compare(task.distils() ? "distilled" : "untrained", parallel);
    const bool ended = m_trainer->done(); // a stage without iterations
    if (!ended) {
        if (!m_trainer->step(parallel, stop)) return false;
        m_point.state = m_trainer->state();
        const TrainingState& state = m_trainer->state();
        const int every = task.validateEvery();
        if (stage.law && m_trainer->iterations() > 0 && (state.iteration % every == 0 || m_trainer->done()))
            compare("after " + std::to_string(state.steps) + " arrivals", parallel);
        else // for who watches it, also when it is resumed
            m_point.curves[m_point.stage].push_back({state.steps, state.reward, std::nullopt});
    }
    if (!m_trainer->done()) return true;
    if (!stage.law) m_point.distilled.push_back(m_trainer->state().policy);
    ++m_point.stage;
    beginStage();
    return true;
}

AgentTraining::Progress AgentTraining::progress() const {
    Progress out{.stage = m_point.stage, .stages = m_stages.size()};
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const StageSize size = stageSize(m_plan.tasks[m_stages[s].task], !m_stages[s].law);
        out.iterationsAll += size.iterations;
        if (s >= m_point.stage) continue;
        out.iterationsDone += size.iterations;
        out.steps += size.steps();
    }
    if (done()) return out;
    const Stage& stage = m_stages[m_point.stage];
    const AgentTask& task = m_plan.tasks[stage.task];
    out.iteration = m_trainer->state().iteration;
    out.iterations = m_trainer->iterations();
    out.iterationsDone += out.iteration;
    out.steps += m_trainer->state().steps;
    out.what = (stage.law ? "law " + task.laws[*stage.law] : std::string("distillation")) +
               (task.rules == GraphRules::faithful ? ", faithful" : ", corrected");
    out.reward = m_trainer->state().reward;
    if (stage.law && !m_point.best[stage.candidate].parameters.empty())
        out.blocking = m_point.best[stage.candidate].blocking;
    return out;
}

bool AgentTraining::restore(TrainingCheckpoint point) {
    if (point.stage > m_stages.size() || point.best.size() != m_point.best.size() ||
        point.curves.size() != m_stages.size())
        return false;
    std::size_t distilled = 0;
    for (std::size_t s = 0; s < std::min(point.stage, m_stages.size()); ++s) distilled += m_stages[s].law ? 0 : 1;
    if (point.distilled.size() != distilled) return false;
    const auto fits = [&](const Stage& stage, const std::vector<float>& parameters) {
        const DegreeNet net = netOf(m_plan.tasks[stage.task], parameters);
        return net.parameters.size() == parameterCount(net.shape, net.hidden, *m_world->states());
    };
    for (const Stage& stage : m_stages) {
        if (!stage.law && stage.distilled < distilled && !fits(stage, point.distilled[stage.distilled])) return false;
        if (stage.law && !point.best[stage.candidate].parameters.empty() &&
            !fits(stage, point.best[stage.candidate].parameters))
            return false;
    }
    TrainingCheckpoint before = std::move(m_point);
    m_point = point;
    beginStage();
    if (done()) return true;
    if (m_trainer->restore(point.state)) {
        m_point.state = std::move(point.state);
        return true;
    }
    TrainingState state = before.state;
    m_point = std::move(before);
    beginStage();
    if (m_trainer) m_trainer->restore(state);
    m_point.state = std::move(state);
    return false;
}

DegreeAgent AgentTraining::agent() const {
    require(done(), "an agent is complete when its training is done");
    DegreeAgent out{.network = m_plan.network,
                    .title = m_plan.title,
                    .graphs = m_plan.graphs,
                    .configuration = writeAgentPlan(m_plan),
                    .seed = m_plan.seed};
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const Stage& stage = m_stages[s];
        if (!stage.law) continue;
        const AgentTask& task = m_plan.tasks[stage.task];
        const TrainedCandidate& best = m_point.best[stage.candidate];
        AgentMember member{.rules = task.rules,
                           .law = task.laws[*stage.law],
                           .quantiles = lawQuantiles(law(task.laws[*stage.law])),
                           .candidate = best.name,
                           .blocking = best.blocking,
                           .net = std::make_shared<const DegreeNet>(netOf(task, best.parameters)),
                           .curve = {}};
        for (const TrainingPoint& point : m_point.curves[s])
            if (point.blocking) member.curve.push_back({point.steps, point.reward});
        out.members.push_back(std::move(member));
    }
    return out;
}

} // namespace trainyard
