// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli train CONFIG: trains an agent for partitioners; checkpoints on the way, so that it can be stopped and resumed.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"

#include "training/KeptTraining.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct TrainOptions {
    std::string config, resume, out, graphs;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    bool json = false;
};

nlohmann::ordered_json trainedJson(const AgentTraining& training, const std::string& directory) {
    const auto progress = training.progress();
    nlohmann::ordered_json out{{"title", training.plan().title}, {"seed", training.plan().seed},
                               {"complete", training.done()},    {"iterations", progress.iterationsDone},
                               {"of", progress.iterationsAll},   {"steps", progress.steps}};
    if (!training.done()) return out;
    out["agent"] = (std::filesystem::path(directory) / agentName).string();
    nlohmann::ordered_json members = nlohmann::ordered_json::array();
    for (const AgentMember& member : training.agent().members)
        members.push_back({{"rules", member.rules == GraphRules::faithful ? "faithful" : "corrected"},
                           {"law", member.law},
                           {"candidate", member.candidate},
                           {"validation_blocking", member.blocking}});
    out["members"] = std::move(members);
    return out;
}

void printTrained(const AgentTraining& training, const std::string& directory) {
    const auto progress = training.progress();
    std::cout << progress.iterationsDone << " of " << progress.iterationsAll << " iterations, " << progress.steps
              << " arrivals learned from\n";
    if (!training.done()) return;
    for (const AgentMember& member : training.agent().members)
        std::cout << (member.rules == GraphRules::faithful ? "faithful" : "corrected") << "  " << member.law
                  << "  validation blocking " << tableNumber(member.blocking) << "  " << member.candidate << "\n";
    std::cout << "written to " << (std::filesystem::path(directory) / agentName).string() << "\n";
}

/// Problems: it could not be written.
Problems trainOn(KeptTraining& kept, int threads, const Interrupt& interrupt) {
    Progress line;
    return kept.train(Parallel(threads), interrupt.token(), [&] {
        const auto now = kept.training().progress();
        line.show(static_cast<double>(now.iterationsDone) / std::max(now.iterationsAll, 1),
                  now.what + ", in time " + tableNumber(now.reward) +
                      (now.blocking ? ", validation blocking " + tableNumber(*now.blocking) : ""));
    });
}

int trainCommand(const TrainOptions& options) {
    const Interrupt interrupt;
    auto plan = readAgentPlan(options.config);
    if (!plan) return refuse(plan.problems());
    printProblems(plan.problems());
    if (options.seed) plan->seed = *options.seed;
    const std::string directory = !options.resume.empty() ? options.resume : options.out;
    if (!options.resume.empty() && !options.out.empty() && options.resume != options.out)
        return refuse(
            {Problem{.code = "bad-usage",
                     .message = {TRAINYARD_TEXT("a training goes on in its own directory; leave out --out"), {}}}});
    if (directory.empty())
        return refuse({Problem{.code = "bad-usage",
                               .message = {TRAINYARD_TEXT("--out DIR says where checkpoints and the agent go"), {}}}});
    auto inputs = trainingInputs(*plan, resourcePaths().root, options.graphs);
    if (!inputs) return refuse(inputs.problems());
    const auto kept =
        KeptTraining::open(std::move(*plan), std::move(*inputs), directory,
                           options.resume.empty() ? KeptTraining::Begin::anew : KeptTraining::Begin::fromCheckpoint);
    if (!kept) return refuse(kept.problems());
    const AgentTraining& training = (*kept)->training();
    const Problems unwritten = trainOn(**kept, options.threads, interrupt);
    printProblems(unwritten);
    if (options.json)
        std::cout << trainedJson(training, directory).dump(2) << "\n";
    else
        printTrained(training, directory);
    if (!training.done() && unwritten.empty()) say("stopped; go on with --resume " + directory);
    return interrupt.exitStatus(unwritten.empty() && training.done() ? exitDone : exitFailed);
}

} // namespace

void addTrain(CLI::App& app, int& status) {
    auto options = std::make_shared<TrainOptions>();
    CLI::App* command = app.add_subcommand("train", "Train an agent that chooses how far computation graphs are split");
    command->add_option("CONFIG", options->config, "Configuration of the training (resources/agents/*.training.json)")
        ->required()
        ->type_name("CONFIG");
    addOutOption(*command, options->out, "Directory for checkpoints and, at the end, agent.json");
    command->add_option("--resume", options->resume, "Go on from the checkpoint in this directory")->type_name("DIR");
    command
        ->add_option("--graphs", options->graphs, "Directory of profiles (*.txt), where the configuration wants some")
        ->type_name("DIR");
    addSeedOption(*command, options->seed);
    command->get_option("--seed")->description("Seed; default: the configuration's");
    command->add_option("--threads", options->threads, "Threads; 0 = all cores but one; results are the same for any")
        ->check(CLI::Range(0, 4096));
    command->add_flag("--json", options->json, "Print JSON");
    command->callback([options, &status] { status = trainCommand(*options); });
}

} // namespace trainyard::cli
