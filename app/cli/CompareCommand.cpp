// trainyard-cli compare FILE --vary FAMILY=a,b,c: the same seeds under several policies, with paired
// intervals.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"

#include "run/AtomicFile.h"
#include "run/Comparison.h"
#include "run/Export.h"
#include "run/RecordJson.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions : CommonOptions {
    std::string vary, seeds = "1-10", baseline;
};

Problem compareProblem(const char* pattern, const std::string& what) {
    return {.code = "bad-usage", .message = {pattern, {what}}};
}

Result<ComparisonRequest> comparisonRequest(const CompareOptions& options, const Input& input) {
    ComparisonRequest request{.scenario = input.scenario,
                              .registry = input.registry,
                              .resources = input.resources,
                              .threads = options.threads};
    const auto at = options.vary.find('=');
    bool known = false;
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization,
                              PolicyFamily::parameters, PolicyFamily::partitioner})
        if (options.vary.substr(0, at) == familyName(family)) {
            request.family = family;
            known = true;
        }
    if (!known || at == std::string::npos)
        return compareProblem(TRAINYARD_TEXT("--vary takes FAMILY=a,b,c with scheduler, synchronization, "
                                             "parameters or partitioner; got {0}"),
                              options.vary);
    Problems problems;
    for (const auto& name : splitList(options.vary.substr(at + 1))) {
        auto arm = armNamed(*input.scenario, *input.registry, request.family, name);
        if (arm)
            request.arms.push_back(std::move(arm).value());
        else
            problems.insert(problems.end(), arm.problems().begin(), arm.problems().end());
    }
    if (request.arms.empty() && problems.empty())
        problems.push_back(compareProblem(TRAINYARD_TEXT("--vary names no policy: {0}"), options.vary));
    bool found = options.baseline.empty();
    for (std::size_t a = 0; a < request.arms.size(); ++a)
        if (request.arms[a].name == options.baseline) {
            request.baseline = a;
            found = true;
        }
    if (!found && problems.empty())
        problems.push_back(compareProblem(TRAINYARD_TEXT("the baseline \"{0}\" is not one of those compared"),
                                          options.baseline));
    auto seeds = parseSeeds(options.seeds);
    if (seeds)
        request.seeds = std::move(seeds).value();
    else
        problems.insert(problems.end(), seeds.problems().begin(), seeds.problems().end());
    if (!problems.empty()) return problems;
    return request;
}

Json estimateJson(const Estimate& estimate) {
    Json out{{"mean", estimate.mean}, {"n", estimate.n}};
    out["interval"] =
        estimate.halfWidth
            ? Json::array({estimate.mean - *estimate.halfWidth, estimate.mean + *estimate.halfWidth})
            : Json();
    return out;
}

Json comparisonJson(const ComparisonRequest& request, const ComparisonResult& result, const Input& input) {
    Json policies = Json::array();
    for (const auto& arm : result.arms) {
        Json metrics = Json::object();
        for (const auto& [name, estimate] : arm.metrics) {
            metrics[name] = estimateJson(estimate);
            if (const auto it = arm.differences.find(name); it != arm.differences.end())
                metrics[name]["difference"] = estimateJson(it->second);
        }
        policies.push_back({{"policy", arm.name}, {"metrics", std::move(metrics)}});
    }
    return {{"scenario", input.name},
            {"version", TRAINYARD_VERSION},
            {"family", familyName(request.family)},
            {"baseline", request.arms[request.baseline].name},
            {"seeds", request.seeds},
            {"confidence", 0.95},
            {"policies", std::move(policies)}};
}

std::string intervalText(const Estimate& estimate) {
    return tableNumber(estimate.mean) + (estimate.halfWidth ? " ± " + tableNumber(*estimate.halfWidth) : "");
}

void printComparison(const ComparisonRequest& request, const ComparisonResult& result) {
    const auto& base = result.arms[request.baseline];
    std::cout << request.seeds.size() << " seeds; mean ± 95 % interval (Student t); differences to "
              << base.name << " are paired by seed\n";
    for (const auto& [metric, ignored] : base.metrics) {
        std::cout << "\n" << metric << "\n";
        for (const auto& arm : result.arms) {
            const auto it = arm.metrics.find(metric);
            if (it == arm.metrics.end()) continue;
            std::cout << "  " << arm.name << std::string(arm.name.size() < 24 ? 24 - arm.name.size() : 1, ' ')
                      << intervalText(it->second);
            if (const auto d = arm.differences.find(metric); d != arm.differences.end() && &arm != &base)
                std::cout << "   difference " << intervalText(d->second);
            std::cout << "\n";
        }
    }
}

/// policy,seed,metric,value: one line per observation, for other programs.
std::string observationsCsv(const ComparisonRequest& request, const ComparisonResult& result,
                            const Input& input) {
    std::string text = "# " +
                       provenance({.scenarioText = writeScenario(*input.scenario),
                                   .scenarioName = input.name,
                                   .seed = request.seeds.front(),
                                   .version = TRAINYARD_VERSION}) +
                       "\npolicy,seed,metric,value\n";
    for (const auto& arm : result.arms)
        for (std::size_t i = 0; i < arm.runs.size(); ++i)
            for (const auto& [name, value] : arm.runs[i])
                text += csvField(arm.name) + "," + std::to_string(request.seeds[i]) + "," + name + "," +
                        Json(value).dump() + "\n";
    return text;
}

int compareCommand(const CompareOptions& options) {
    const Interrupt interrupt;
    auto input = loadInput(options);
    if (!input) return refuse(input.problems());
    printProblems(input.problems());
    if (input->mode == RunMode::execute)
        return refuse(
            {compareProblem(TRAINYARD_TEXT("comparisons are simulated; leave out --mode {0}"), "execute")});
    auto request = comparisonRequest(options, *input);
    if (!request) return refuse(request.problems());
    if (!options.out.empty())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);
    Progress progress;
    request->stop = interrupt.token();
    request->progress = [&](std::size_t done, std::size_t all) {
        progress.show(static_cast<double>(done) / static_cast<double>(all),
                      std::to_string(done) + " of " + std::to_string(all) + " runs");
    };
    const ComparisonResult result = compare(*request);
    printProblems(result.problems);
    const Json json = comparisonJson(*request, result, *input);
    Problems problems;
    if (!options.out.empty()) {
        const std::filesystem::path directory = options.out;
        problems = writeFileAtomically(directory / "comparison.json", json.dump(2) + "\n");
        for (auto& p :
             writeFileAtomically(directory / "comparison.csv", observationsCsv(*request, result, *input)))
            problems.push_back(p);
        printProblems(problems);
    }
    if (options.json)
        std::cout << json.dump(2) << "\n";
    else
        printComparison(*request, result);
    if (result.stopped) std::cerr << "stopped\n";
    return result.stopped || !result.problems.empty() || !problems.empty() ? exitFailed : exitDone;
}

} // namespace

void addCompare(CLI::App& app, int& status) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "Compare policies over seeds, with intervals");
    addCommonOptions(*command, *options);
    command
        ->add_option("--vary", options->vary, "FAMILY=a,b,c: policies, or variants declared in the scenario")
        ->required();
    command->add_option("--seeds", options->seeds, "Seeds, for example 1-20");
    command->add_option("--baseline", options->baseline,
                        "What the others are compared with; the first of --vary if not given");
    command->callback([options, &status] { status = compareCommand(*options); });
}

} // namespace trainyard::cli
