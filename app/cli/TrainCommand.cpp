// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli train CONFIG: trains an agent for partitioners; checkpoints on the way, so that it can be stopped and resumed.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"

#include "run/files/AtomicFile.h"
#include "run/files/DirectoryLock.h"
#include "training/TrainingFiles.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
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

/// Iterations until it is done or stopped; a checkpoint every ten seconds and at the end. Problems: it could not be written.
Problems trainOn(AgentTraining& training, const std::string& directory, const TrainOptions& options,
                 const Interrupt& interrupt) {
    using Clock = std::chrono::steady_clock;
    const Parallel parallel(options.threads);
    Progress line;
    Clock::time_point due = Clock::now() + std::chrono::seconds(10);
    while (!training.done() && training.step(parallel, interrupt.token())) {
        const auto now = training.progress();
        line.show(static_cast<double>(now.iterationsDone) / std::max(now.iterationsAll, 1),
                  now.what + ", in time " + tableNumber(now.reward) +
                      (now.blocking ? ", validation blocking " + tableNumber(*now.blocking) : ""));
        if (Clock::now() < due) continue;
        if (Problems unwritten = saveCheckpoint(directory, training); !unwritten.empty()) return unwritten;
        due = Clock::now() + std::chrono::seconds(10);
    }
    Problems unwritten = saveCheckpoint(directory, training);
    if (unwritten.empty() && training.done()) unwritten = saveAgent(directory, training);
    return unwritten;
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
    if (const Problems problems = probeDirectory(directory); !problems.empty()) return refuse(problems);
    const DirectoryLock lock(directory, DirectoryLock::Wait::no);
    if (!lock.held())
        return refuse({Problem{.code = "in-use",
                               .message = {TRAINYARD_TEXT("another process is training in this directory"), {}},
                               .file = directory}});
    std::error_code ignored;
    if (options.resume.empty() && std::filesystem::exists(std::filesystem::path(directory) / checkpointName, ignored))
        return refuse({Problem{
            .code = "bad-usage",
            .message = {TRAINYARD_TEXT(
                            "there is a training already: go on with --resume {0}, or choose another directory"),
                        {directory}},
            .file = directory}});
    AgentTraining training(std::move(*plan), std::move(*inputs));
    if (!options.resume.empty())
        if (const Problems problems = resumeFrom(directory, training); !problems.empty()) return refuse(problems);
    const Problems unwritten = trainOn(training, directory, options, interrupt);
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
