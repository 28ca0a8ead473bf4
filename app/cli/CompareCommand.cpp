// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli compare FILE --vary FAMILY=a,b,c: the same seeds under several policies, with paired
// intervals; with --mode execute each simulated and executed, and how well the one foretold the other.
#include "Commands.h"
#include "Common.h"
#include "ComparisonOutput.h"
#include "Interrupt.h"
#include "Progress.h"
#include "SlurmSubmission.h"

#include "record/Metrics.h"
#include "run/compare/RateTuning.h"
#include "run/compare/Seeds.h"
#include "run/files/AtomicFile.h"
#include "run/files/DirectoryLock.h"
#include "run/files/RecordJson.h"
#include "scenario/KeyedModels.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

namespace trainyard::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions : CommonOptions {
    KeepOptions keep;
    std::string vary, seeds, baseline, orderBy, tuneRates, tuneSeeds = "1001-1003", halfWidth, halfWidthOf;
    std::vector<std::string> arms;
    bool rows = false, everyJob = false, losses = false, all = false;
};

Problem compareProblem(const char* pattern, const std::string& what) {
    return {.code = "bad-usage", .message = {pattern, {what}}};
}

bool isRunMetric(const std::string& id, const Scenario& scenario) {
    const auto known = metricDefinitionsFor(scenario);
    return std::any_of(known.begin(), known.end(), [&](const auto& m) { return m.ofRun() && m.id == id; });
}

/// The arms of --vary, then those of --arm.
Problems addArms(const CompareOptions& options, const Input& input, ComparisonRequest& request) {
    Problems problems;
    const auto add = [&](Result<ComparisonArm> arm) {
        if (arm)
            request.arms.push_back(std::move(arm).value());
        else
            problems.insert(problems.end(), arm.problems().begin(), arm.problems().end());
    };
    if (!options.vary.empty()) {
        const auto at = options.vary.find('=');
        std::optional<PolicyFamily> family;
        for (const auto each : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                PolicyFamily::partitioner})
            if (options.vary.substr(0, at) == familyName(each)) family = each;
        if (!family || at == std::string::npos)
            return {compareProblem(TRAINYARD_TEXT("--vary takes FAMILY=a,b,c with scheduler, synchronization, "
                                                  "parameters or partitioner; got {0}"),
                                   options.vary)};
        for (const auto& name : splitValues(options.vary.substr(at + 1))) {
            if (name.empty())
                return {compareProblem(TRAINYARD_TEXT("--vary has an empty place in its list: {0}"), options.vary)};
            add(armNamed(*input.scenario, *input.registry, *family, name));
        }
    }
    for (const auto& text : options.arms) add(armFrom(*input.scenario, *input.registry, text));
    std::set<std::string> names;
    for (const auto& arm : request.arms)
        if (!names.insert(arm.name).second)
            problems.push_back(
                compareProblem(TRAINYARD_TEXT("{0} is named twice; it would be compared with itself"), arm.name));
    return problems;
}

Problems setRule(const CompareOptions& options, const Scenario& scenario, ComparisonRequest& request) {
    if (options.halfWidth.empty() != options.halfWidthOf.empty())
        return {
            compareProblem(TRAINYARD_TEXT("--until-half-width 2% and --until-metric mean_jct_s go together; got {0}"),
                           options.halfWidth + options.halfWidthOf)};
    if (options.halfWidth.empty()) return {};
    const bool isShare = options.halfWidth.ends_with('%');
    const auto number = numberIn(options.halfWidth.substr(0, options.halfWidth.size() - isShare));
    if (!number || *number <= 0 || !isShare)
        return {compareProblem(TRAINYARD_TEXT("--until-half-width takes a share of the mean such as 2%; got {0}"),
                               options.halfWidth)};
    if (!isRunMetric(options.halfWidthOf, scenario))
        return {compareProblem(TRAINYARD_TEXT("--until-metric takes a metric of the whole run (see trainyard-cli list "
                                              "metrics); there is no {0}"),
                               options.halfWidthOf)};
    request.until = HalfWidthRule{options.halfWidthOf, *number / 100};
    return {};
}

/// What the file says, where it is of a comparison, and the options over it.
Result<ComparisonRequest> requestOf(const CompareOptions& options, const Input& input) {
    ComparisonRequest request;
    const bool repeats = !input.comparison.empty() && options.vary.empty() && options.arms.empty();
    Problems problems;
    if (repeats) {
        auto repeated = comparisonFrom(input.comparison);
        if (!repeated) return repeated.problems();
        request = std::move(repeated).value();
        for (const auto& arm : request.arms)
            for (const auto& each : arm.choices)
                for (auto& problem : input.registry->check(each.family, each.choice, {})) problems.push_back(problem);
    } else {
        problems = addArms(options, input, request);
        if (request.arms.empty() && problems.empty())
            problems.push_back({.code = "bad-usage",
                                .message = {TRAINYARD_TEXT("--vary is required: FAMILY=a,b,c; or --arm FAMILY=a, more "
                                                           "than once"),
                                            {}}});
    }
    if (!repeats || !options.seeds.empty()) {
        const bool growing = !options.halfWidth.empty();
        auto seeds = parseSeeds(!options.seeds.empty() ? options.seeds : growing ? "1-1280" : "1-10");
        if (seeds)
            request.seeds = std::move(seeds).value();
        else
            problems.insert(problems.end(), seeds.problems().begin(), seeds.problems().end());
    }
    for (auto& problem : setRule(options, *input.scenario, request)) problems.push_back(std::move(problem));
    request.everyJob = request.everyJob || options.everyJob;
    request.traces = options.losses;
    request.scenario = input.scenario;
    request.registry = input.registry;
    request.resources = input.resources;
    request.threads = options.threads;
    request.processes = options.keep.processes;
    request.mode = input.mode;
    if (!problems.empty()) return problems;
    return request;
}

Result<ComparisonRequest> comparisonRequest(const CompareOptions& options, const Input& input) {
    auto made = requestOf(options, input);
    Problems problems = made ? Problems{} : made.problems();
    if (options.seed)
        problems.push_back(compareProblem(TRAINYARD_TEXT("compare takes --seeds, such as --seeds {0}, not --seed"),
                                          std::to_string(*options.seed)));
    const auto shard = shardOf(options.keep.shard);
    if (!shard) problems.insert(problems.end(), shard.problems().begin(), shard.problems().end());
    if (!options.tuneRates.empty() && options.keep.isInShards())
        problems.push_back(
            compareProblem(TRAINYARD_TEXT("--tune-rate needs all runs at once: leave out --shard or --slurm"), {}));
    if (input.mode == RunMode::execute && options.keep.usesSlurm())
        problems.push_back(
            compareProblem(TRAINYARD_TEXT("with --slurm runs are on different machines, and executed runs measure the "
                                          "machine; submit the command without --slurm, as one job"),
                           {}));
    if (!problems.empty()) return problems;
    ComparisonRequest& request = made.value();
    request.shard = shard->index;
    request.shards = shard->of;
    bool found = options.baseline.empty();
    for (std::size_t a = 0; a < request.arms.size(); ++a)
        if (request.arms[a].name == options.baseline) {
            request.baseline = a;
            found = true;
        }
    if (!found)
        return compareProblem(TRAINYARD_TEXT("the baseline \"{0}\" is not one of those compared"), options.baseline);
    for (std::size_t a = 0; a < request.arms.size(); ++a)
        if (auto scenario = armScenario(request, a))
            problems.insert(problems.end(), scenario.problems().begin(), scenario.problems().end());
    return Result<ComparisonRequest>(std::move(made).value(), problems);
}

/// The metric that orders the arms where executed runs are set beside simulated ones.
Result<std::string> orderMetric(const CompareOptions& options, const Scenario& scenario) {
    if (options.orderBy.empty()) {
        const bool target = std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                                        [](const Job& job) { return job.stop.loss.has_value(); });
        return std::string(target ? "time_to_target_s" : "mean_iteration_s");
    }
    if (!isRunMetric(options.orderBy, scenario))
        return compareProblem(TRAINYARD_TEXT("--order-by takes a metric of the whole run (see trainyard-cli list "
                                             "metrics); there is no {0}"),
                              options.orderBy);
    return options.orderBy;
}

/// What --tune-rate asks for; nothing where it is not given.
Result<std::optional<TuningRequest>> tuningRequest(const CompareOptions& options, const ComparisonRequest& request) {
    if (options.tuneRates.empty()) return std::optional<TuningRequest>();
    TuningRequest out{.comparison = request, .rates = {}, .metric = "final_loss"};
    Problems problems;
    for (const auto& text : splitValues(options.tuneRates)) {
        const auto rate = numberIn(text);
        if (!rate)
            return compareProblem(TRAINYARD_TEXT("--tune-rate takes learning rates such as 0.01,0.03,0.1; got {0}"),
                                  text.empty() ? options.tuneRates : text);
        out.rates.push_back(*rate);
        if (const auto changed = withLearningRate(*request.scenario, *rate); !changed)
            problems.insert(problems.end(), changed.problems().begin(), changed.problems().end());
    }
    auto seeds = parseSeeds(options.tuneSeeds);
    if (!seeds) return seeds.problems();
    out.comparison.seeds = std::move(seeds).value();
    for (const auto seed : out.comparison.seeds)
        if (std::find(request.seeds.begin(), request.seeds.end(), seed) != request.seeds.end())
            problems.push_back(compareProblem(
                TRAINYARD_TEXT("seed {0} is used both for tuning and for comparison, which makes the tuned rates "
                               "look better than they are; choose other --tune-seeds"),
                std::to_string(seed)));
    for (const Job& job : request.scenario->jobs)
        if (job.stop.loss) out.metric = "time_to_target_s";
    if (!problems.empty()) return problems;
    return std::optional(std::move(out));
}

/// Finds each arm's rate and puts it into the request, unless it was stopped.
TuningResult tune(TuningRequest tuning, ComparisonRequest& request) {
    Progress progress;
    tuning.comparison.stop = request.stop;
    tuning.comparison.kept = request.kept;
    tuning.comparison.progress = [&](std::size_t done, std::size_t all) {
        progress.show(static_cast<double>(done) / static_cast<double>(all),
                      std::to_string(done) + " of " + std::to_string(all) + " runs to tune the rates");
    };
    TuningResult result = tuneRates(tuning);
    printProblems(result.problems);
    if (result.stopped) return result;
    for (std::size_t a = 0; a < request.arms.size(); ++a) request.arms[a].learningRate = result.arms[a].rate;
    return result;
}

ComparisonResult runAll(ComparisonRequest& request, RunMode mode, const char* what) {
    Progress progress;
    request.mode = mode;
    request.progress = [&](std::size_t done, std::size_t all) {
        progress.show(static_cast<double>(done) / static_cast<double>(all),
                      std::to_string(done) + " of " + std::to_string(all) + what);
    };
    ComparisonResult result = compare(request);
    request.progress = nullptr;
    printProblems(result.problems);
    printProblems(warningsOf(result));
    return result;
}

int comparePolicies(const CompareOptions& options, const Input& input, Interrupt& interrupt) {
    interrupt.hold({.memoryGigabytes = input.scenario->limits.memoryGigabytes}); // time is that of a run
    auto request = comparisonRequest(options, input);
    if (!request) return refuse(request.problems());
    Problems wrong = replacesInput(options.file, input, options.out, {"comparison.json", "comparison.csv"});
    if (wrong.empty()) wrong = seedSetInVain(input, "--seeds (default: 1-10)");
    if (!wrong.empty()) return refuse(wrong);
    printProblems(request.problems());
    if (!options.out.empty() && !options.keep.usesSlurm())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    const auto metric = orderMetric(options, *input.scenario);
    if (!metric) return refuse(metric.problems());
    const bool executes = input.mode == RunMode::execute;
    if (!executes && !options.orderBy.empty())
        return refuse({compareProblem(
            TRAINYARD_TEXT("{0} compares executed runs with simulated ones: it needs --mode execute"), "--order-by")});
    auto tuning = tuningRequest(options, *request);
    if (!tuning) return refuse(tuning.problems());
    if (options.keep.usesSlurm()) return submitToSlurm(options.keep, options.file, options.out);
    auto kept = keptResults(options.keep, options.out);
    if (!kept) return refuse(kept.problems());
    request->kept = std::move(kept).value();
    if (options.rows)
        request->finished = [&](const ComparisonRun& run) {
            Json row{{"policy", request->arms[run.arm].name},
                     {"mode", modeName(request->mode)},
                     {"seed", request->seeds[run.seed]},
                     {"metrics", numbersJson(run.metrics)}};
            for (const Problem& problem : run.metrics.empty() ? run.problems : run.warnings)
                row["problems"].push_back(problemJson(problem));
            if (!(std::cout << row.dump() << std::endl)) interrupt.giveUp();
        };
    request->stop = interrupt.token();
    std::optional<TuningResult> tuned;
    if (*tuning) {
        tuned = tune(**tuning, request.value());
        if (tuned->stopped) request->kept = {}; // nothing is compared at rates that were not tuned
    }
    // Simulated first: while runs are executed, nothing else is to be computed.
    const ComparisonResult simulated = runAll(request.value(), RunMode::simulate, " runs simulated");
    const ComparisonResult executed =
        executes && !simulated.stopped ? runAll(request.value(), RunMode::execute, " runs executed") : simulated;
    OrderAgreement agreement;
    request->mode = input.mode;
    ComparisonReport output{*request, executed, input.name};
    if (tuned) {
        output.tuning = &**tuning;
        output.tuned = &*tuned;
    }
    if (executes && !executed.stopped) {
        agreement = orderAgreement(executed, simulated, *metric);
        output.simulated = &simulated;
        output.agreement = &agreement;
    }
    const Json json = comparisonJson(output);
    Problems problems;
    if (tuned && tuned->stopped) {
        say("stopped while learning rates were tuned; nothing was compared");
    } else if (!options.out.empty()) {
        problems = replaceFiles(
            options.out, {{"comparison.json", json.dump(2) + "\n"}, {"comparison.csv", observationsCsv(output)}});
        printProblems(problems);
    }
    if (options.json)
        std::cout << json.dump(2) << "\n";
    else if (!options.rows)
        printComparison(output, options.all);
    const bool stopped = simulated.stopped || executed.stopped;
    if (stopped && !(tuned && tuned->stopped)) say("stopped");
    const bool failed = !simulated.problems.empty() || !executed.problems.empty() || !problems.empty() ||
                        hasErrors(warningsOf(simulated)) || hasErrors(warningsOf(executed));
    if (stopped) return interrupt.exitStatus(exitFailed);
    return failed ? exitFailed : exitDone;
}

int compareCommand(const CompareOptions& options) {
    Interrupt interrupt;
    interrupt.hold(options.limits);
    const auto input = loadInput(options, interrupt.token());
    if (!input) return interrupt.exitStatus(refuse(input.problems()));
    printProblems(input.problems());
    return comparePolicies(options, *input, interrupt);
}

} // namespace

int repeatComparison(const CommonOptions& common, const Input& input, Interrupt& interrupt) {
    CompareOptions options;
    static_cast<CommonOptions&>(options) = common;
    return comparePolicies(options, input, interrupt);
}

void addCompare(CLI::App& app, int& status, const KeepOptions& started) {
    auto options = std::make_shared<CompareOptions>();
    options->keep = started;
    CLI::App* command =
        app.add_subcommand("compare", "Compare policies over seeds, with confidence intervals; with --mode "
                                      "execute also with the simulation");
    addCommonOptions(*command, *options);
    command->add_option("--vary", options->vary, "FAMILY=a,b,c: policies, or variants declared in the scenario")
        ->type_name("FAMILY=POLICIES");
    command
        ->add_option("--arm", options->arms,
                     "FAMILY=a,FAMILY=b: one of those compared, of several families at once; or \"scenario\", its "
                     "policies as they are; may be repeated")
        ->type_name("FAMILY=POLICY,FAMILY=POLICY")
        ->take_all();
    command->add_option("--seeds", options->seeds, "Seeds, for example 1-20; default: 1-10");
    command->add_option("--baseline", options->baseline,
                        "The policy that the others are compared with; default: the first");
    command->add_option("--until-half-width", options->halfWidth,
                        "A share of the mean such as 2%: more seeds, of --seeds (default 1-1280), until every interval "
                        "of --until-metric is as narrow; 10 seeds, then twice as many at each look");
    command->add_option("--until-metric", options->halfWidthOf, "The metric of --until-half-width")
        ->type_name("METRIC");
    command->add_flag("--every-job", options->everyJob,
                      "Jobs that choose a policy for themselves take the compared one, too");
    auto* rates = command->add_option("--tune-rate", options->tuneRates,
                                      "Learning rates, for example 0.01,0.03,0.1: each policy is compared at its best "
                                      "of these rates, instead of at the scenario's rate");
    command
        ->add_option("--tune-seeds", options->tuneSeeds, "Seeds on which the rates are tuned; must differ from --seeds")
        ->needs(rates);
    addKeepOptions(*command, options->keep);
    command->add_flag("--losses", options->losses,
                      "Keep the losses over time, too, with the results in --out DIR: the window draws them");
    command->add_flag("--all", options->all, "Print all metrics, not only those that matter here");
    command
        ->add_flag("--rows", options->rows, "Each run as a line of JSON, as soon as it is done, instead of the tables")
        ->excludes(command->get_option("--json"));
    command
        ->add_option("--order-by", options->orderBy,
                     "With --mode execute: the metric by which the executed order of the policies is compared "
                     "with the simulated order; default: time_to_target_s where a job stops at a loss, else "
                     "mean_iteration_s")
        ->type_name("METRIC");
    command->callback([options, &status] {
        shareCommand(options->keep, options->out, options->threads);
        status = compareCommand(*options);
    });
}

} // namespace trainyard::cli
