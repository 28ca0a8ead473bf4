// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/agents/AgentPlan.h"

#include "base/WholeFile.h"
#include "planning/graphs/ShippedGraphs.h"
#include "scenario/SchemaWriter.h"
#include "scenario/Suggest.h"
#include "scenario/agents/VersionedFile.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr KnownFormat planFormat{"trainyard-training", AgentPlan::version, "not-a-training",
                                 "configuration of a training"};
constexpr const char* planRules[] = {"corrected", "faithful"};

void countField(Fields& f, Member key, int& value, int minimum, int maximum, int fallback) {
    f.count(key, value, {.minimum = minimum, .maximum = maximum, .fallback = fallback});
}

/// Groups of episodes are played side by side, so that their number is a multiple of 8.
void settingsFields(Fields& f, TrainingSettings& s) {
    const TrainingSettings usual;
    std::vector<double> widths(s.hidden.begin(), s.hidden.end());
    if (!f.reading() && s.hidden == usual.hidden && !f.describing()) widths.clear();
    f.numbers({"hidden", "Widths of the hidden layers; left out = 64, 32"}, widths, {.minimum = 1, .maximum = 512});
    if (f.reading() && !widths.empty()) s.hidden.assign(widths.begin(), widths.end());
    f.flag({"may_refuse", "Whether a job may be refused though a number of parts is in time"}, s.mayRefuse,
           usual.mayRefuse);
    countField(f, {"warm_up", "Arrivals of an episode before those that are learned from"}, s.warmUp, 0, 10'000,
               usual.warmUp);
    countField(f, {"distill_iterations", "Iterations of the distillation of rollouts; 0 = none"}, s.distillIterations,
               0, 100'000, usual.distillIterations);
    countField(f, {"distill_episodes", "Episodes of an iteration, rounded down to a multiple of 8"}, s.distillEpisodes,
               8, 4096, usual.distillEpisodes);
    countField(f, {"distill_arrivals", "Arrivals of each that are labelled"}, s.distillArrivals, 1, 4096,
               usual.distillArrivals);
    countField(f, {"futures", "Drawn futures behind a label"}, s.futures, 1, 500, usual.futures);
    countField(f, {"future_arrivals", "Arrivals of each future"}, s.futureArrivals, 1, 500, usual.futureArrivals);
    f.number({"exploration", "Share of arrivals at which any option in time is taken while labels are made"},
             s.exploration, {.maximum = 1, .fallback = usual.exploration});
    f.number({"distill_rate", "Learning rate of the distillation; rates fall linearly to a tenth"}, s.distillRate,
             {.maximum = 1, .fallback = usual.distillRate, .aboveMinimum = true});
    countField(f, {"distill_batch", "Decisions of a step"}, s.distillBatch, 1, 1'000'000, usual.distillBatch);
    countField(f, {"value_iterations", "Iterations that fit the values alone, before the policy is improved"},
               s.valueIterations, 0, 100'000, usual.valueIterations);
    countField(f, {"policy_iterations", "Iterations of policy optimization, for each law; 0 = none"},
               s.policyIterations, 0, 1'000'000, usual.policyIterations);
    countField(f, {"episodes", "Episodes of an iteration, rounded down to a multiple of 8"}, s.episodes, 8, 4096,
               usual.episodes);
    countField(f, {"arrivals", "Arrivals of each that are learned from"}, s.arrivals, 1, 4096, usual.arrivals);
    f.number({"discount", "Worth of a reward one arrival later"}, s.discount,
             {.maximum = 0.9999, .fallback = usual.discount});
    f.number({"lambda", "Of generalized advantages: 0 trusts the values, 1 the rewards"}, s.lambda,
             {.maximum = 1, .fallback = usual.lambda});
    f.number({"policy_rate", "Learning rate of the policy"}, s.policyRate,
             {.maximum = 1, .fallback = usual.policyRate, .aboveMinimum = true});
    f.number({"value_rate", "Learning rate of the values"}, s.valueRate,
             {.maximum = 1, .fallback = usual.valueRate, .aboveMinimum = true});
    f.number({"clip", "How far a probability's ratio may move in an iteration"}, s.clip,
             {.maximum = 1, .fallback = usual.clip, .aboveMinimum = true});
    f.number({"entropy", "Weight of the entropy of choices"}, s.entropy, {.maximum = 1, .fallback = usual.entropy});
    f.number({"temperature", "Scores are divided by it before they become probabilities"}, s.temperature,
             {.maximum = 100, .fallback = usual.temperature, .aboveMinimum = true});
    countField(f, {"epochs", "Passes over the arrivals of an iteration"}, s.epochs, 1, 100, usual.epochs);
    countField(f, {"batch", "Decisions, or arrivals, of a step"}, s.batch, 1, 1'000'000, usual.batch);
    countField(f, {"validate_every", "Iterations between two candidates"}, s.validateEvery, 1, 1'000'000,
               usual.validateEvery);
}

void learningFields(Fields& f, QLearningSettings& s) {
    const QLearningSettings usual;
    std::vector<double> widths(s.hidden.begin(), s.hidden.end());
    if (!f.reading() && s.hidden == usual.hidden && !f.describing()) widths.clear();
    f.numbers({"hidden", "Widths of the hidden layer, then of those of each head; left out = 256, 256"}, widths,
              {.minimum = 1, .maximum = 512});
    if (f.reading() && !widths.empty()) s.hidden.assign(widths.begin(), widths.end());
    countField(f, {"iterations", "For each law; 0 = none"}, s.iterations, 0, 1'000'000, usual.iterations);
    countField(f, {"demonstrations", "Iterations from the first on in which half of the episodes are played by a rule"},
               s.demonstrations, 0, 1'000'000, usual.demonstrations);
    countField(f, {"episodes", "Episodes of an iteration, rounded down to a multiple of 8"}, s.episodes, 8, 4096,
               usual.episodes);
    countField(f, {"arrivals", "Arrivals of each that are learned from"}, s.arrivals, 1, 4096, usual.arrivals);
    countField(f, {"warm_up", "Arrivals of an episode before those that are learned from"}, s.warmUp, 0, 10'000,
               usual.warmUp);
    countField(f, {"replay", "Iterations whose arrivals are kept"}, s.replay, 1, 1000, usual.replay);
    countField(f, {"returns", "Arrivals whose rewards are added before the value of the state is taken"}, s.returns, 1,
               1000, usual.returns);
    countField(f, {"updates", "Of an iteration"}, s.updates, 1, 10'000, usual.updates);
    countField(f, {"batch", "Arrivals of an update"}, s.batch, 1, 100'000, usual.batch);
    countField(f, {"target_every", "Updates between two copies of the net for targets"}, s.targetEvery, 1, 1'000'000,
               usual.targetEvery);
    f.number({"rate", "Learning rate; it falls linearly to a tenth"}, s.rate,
             {.maximum = 1, .fallback = usual.rate, .aboveMinimum = true});
    f.number({"discount", "Worth of a reward one arrival later"}, s.discount,
             {.maximum = 0.9999, .fallback = usual.discount});
    f.number({"priority", "Exponent of the error in the chance to be drawn from the replay"}, s.priority,
             {.maximum = 1, .fallback = usual.priority});
    f.number({"importance", "Exponent by which weights make up for these chances"}, s.importance,
             {.maximum = 1, .fallback = usual.importance});
    f.number({"most_exploration", "Share of degrees taken at random at first; it falls over the first half"},
             s.mostExploration, {.maximum = 1, .fallback = usual.mostExploration});
    f.number({"least_exploration", "The same from the middle on"}, s.leastExploration,
             {.maximum = 1, .fallback = usual.leastExploration});
    countField(f, {"validate_every", "Iterations between two candidates"}, s.validateEvery, 1, 1'000'000,
               usual.validateEvery);
}

void taskFields(Fields& f, AgentTask& task) {
    f.word({"net", "One that scores after-states, or a graph network that values degrees, of the paper's shape"},
           task.net, netShapes, NetShape::afterStates);
    f.word({"rules", "By which rules graphs are split and timed", true}, task.rules, planRules, GraphRules::corrected);
    f.texts({"laws", "Laws of deadlines: names of tables in resources/laws, without .csv", true}, task.laws);
    f.number({"least_load", "Of an episode: sequential seconds that arrive per second and server"}, task.leastLoad,
             {.maximum = 100, .fallback = 0.4, .aboveMinimum = true});
    f.number({"most_load", "The same, at most"}, task.mostLoad,
             {.maximum = 100, .fallback = 0.95, .aboveMinimum = true});
    f.number({"poisson_share", "Of episodes; the others have fixed gaps"}, task.poissonShare,
             {.maximum = 1, .fallback = 0.25});
    f.numbers(
        {"copies",
         "Half of the episodes mix the graphs with copies that compute so many times as long; none = no mixtures"},
        task.copies, {.maximum = 1000, .aboveMinimum = true});
    f.numbers({"validation_loads", "Loads at which candidates are compared", true}, task.validationLoads,
              {.maximum = 100, .aboveMinimum = true});
    f.object({"settings", "Counts and rates of a net of after-states"}, "training-settings",
             [&] { settingsFields(f, task.settings); });
    f.object({"q_learning", "Counts and rates of a graph network"}, "q-learning",
             [&] { learningFields(f, task.learning); });
    if (task.leastLoad > task.mostLoad)
        f.complain("least_load", "out-of-range", {TRAINYARD_TEXT("\"least_load\" is greater than \"most_load\""), {}});
    if (task.laws.empty())
        f.complain("laws", "no-laws", {TRAINYARD_TEXT("there is no law of deadlines to train for"), {}});
    if (task.validationLoads.empty())
        f.complain("validation_loads", "too-few", {TRAINYARD_TEXT("there is no load to compare candidates at"), {}});
}

void seedFields(Fields& f, Member key, SeedRange& seeds, SeedRange usual) {
    f.object(key, "seeds", [&] {
        f.wholeSeed({"first", "The first of them"}, seeds.first, usual.first);
        int count = static_cast<int>(seeds.count);
        countField(f, {"count", "How many"}, count, 1, 10'000, static_cast<int>(usual.count));
        seeds.count = static_cast<std::size_t>(count);
    });
}

void planFields(Fields& f, AgentPlan& plan) {
    const OpticalNetwork network;
    f.text({"title", "What is trained, in a few words", true}, plan.title);
    f.text({.name = "notes", .help = "Anything else", .lines = true}, plan.notes);
    f.wholeSeed({"seed", "Seed of every random number"}, plan.seed, 1);
    f.texts({"graphs", "Ids of graphs that ship, or names of profiles", true}, plan.graphs);
    f.flag({"profiles", "Graphs are profiles NAME.txt in the directory given by --graphs"}, plan.profiles, false);
    countField(f, {"steps", "Of a job"}, plan.steps, 1, 1'000'000, 50);
    f.object({"network", "Shape of the optical network"}, "network", [&] {
        countField(f, {"groups", "Communication groups"}, plan.network.groups, 1, 64, network.groups);
        countField(f, {"racks", "Racks of each group, at most as many as groups"}, plan.network.racks, 1, 64,
                   network.racks);
        countField(f, {"servers", "Servers of each rack; at most 64 in all"}, plan.network.servers, 1, 64,
                   network.servers);
        if (plan.network.serverCount() > OpticalNetwork::mostServers || plan.network.racks > plan.network.groups)
            f.complain("groups", "too-many-servers",
                       {TRAINYARD_TEXT("there are at most 64 servers, and at most as many racks as groups"), {}});
    });
    seedFields(f, {"validation_seeds", "Seeds by which candidates are compared"}, plan.validation, {1001, 10});
    seedFields(f, {"test_seeds", "Seeds that are kept for the final measurement"}, plan.test, {1, 20});
    countField(f, {"validation_arrivals", "Arrivals of each seed"}, plan.validationArrivals, 10, 1'000'000, 1001);
    f.list({"tasks", "What nets are distilled for, each then improved for each of its laws", true}, "training-task",
           plan.tasks, [&](AgentTask& task) { taskFields(f, task); });
    if (plan.graphs.empty()) f.complain("graphs", "no-graphs", {TRAINYARD_TEXT("there are no graphs to train on"), {}});
    if (plan.tasks.empty()) f.complain("tasks", "too-few", {TRAINYARD_TEXT("there is nothing to train"), {}});
    if (plan.validation.overlaps(plan.test))
        f.complain(
            "validation_seeds", "seeds-overlap",
            {TRAINYARD_TEXT("validation and test share seeds, so that the test would not be of unseen arrivals"), {}});
}

void checkPlanGraphs(const AgentPlan& plan, Problems& problems) {
    if (plan.profiles) return;
    std::vector<std::string> known;
    for (const ShippedGraph& graph : shippedGraphs()) known.push_back(graph.id);
    for (std::size_t i = 0; i < plan.graphs.size(); ++i)
        if (!findShippedGraph(plan.graphs[i]))
            problems.push_back({.code = "unknown-id",
                                .message = {TRAINYARD_TEXT("no graph \"{0}\" ships; there are {1}"),
                                            {plan.graphs[i], joinWords(known, 40)}},
                                .pointer = "/graphs/" + std::to_string(i)});
}

} // namespace

Result<AgentPlan> parseAgentPlan(std::string_view text, const std::string& name) {
    AgentPlan plan;
    Problems problems = readVersioned(
        text, name, planFormat, [&](Fields& f) { planFields(f, plan); },
        [&](Problems& found) { checkPlanGraphs(plan, found); });
    if (hasErrors(problems)) return problems;
    return {std::move(plan), std::move(problems)};
}

Result<AgentPlan> readAgentPlan(const std::filesystem::path& file) {
    const auto text = readWholeFile(file, JsonLimits::bytes);
    if (!text) return text.problems();
    return parseAgentPlan(*text, file.string());
}

std::string writeAgentPlan(const AgentPlan& plan) {
    AgentPlan copy = plan;
    return writeVersioned(planFormat, [&](Fields& f) { planFields(f, copy); });
}

std::string agentPlanSchema() {
    SchemaWriter writer;
    AgentPlan plan;
    plan.tasks.emplace_back();
    planFields(writer, plan);
    return jsonSchemaOf(writer.objects(), "Trainyard configuration of a training, version 1", planFormat.format,
                        planFormat.version);
}

} // namespace trainyard
