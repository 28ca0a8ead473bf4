// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli run FILE|RECORD: one run, its metrics, and with --out its record and exports.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "Progress.h"
#include "RunSummary.h"
#include "SaveRun.h"

#include "analysis/PictureParts.h"
#include "analysis/ShardBias.h"
#include "base/Format.h"
#include "run/Headless.h"
#include "run/RunSession.h"
#include "run/RunVerdict.h"
#include "run/files/AtomicFile.h"
#include "run/files/RecordJson.h"
#include "run/files/RunFiles.h"
#include "scenario/JsonTree.h"
#include "scenario/KeyedModels.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>

namespace trainyard::cli {

namespace {

using Json = nlohmann::ordered_json;

struct RunOptions : CommonOptions {
    std::vector<std::string> metrics; ///< empty: all
    bool noCharts = false, quiet = false, all = false;
};

/// Of runs of the scenario, and of their jobs.
std::set<std::string> metricsOf(const Scenario& scenario) {
    std::set<std::string> out;
    for (const MetricDefinition& metric : metricDefinitionsFor(scenario)) out.insert(metric.id);
    return out;
}

/// Problems: names that are no metrics.
Problems unknownMetrics(const std::vector<std::string>& names, const Scenario& scenario) {
    const auto known = metricsOf(scenario);
    Problems problems;
    for (const std::string& name : names)
        if (!known.contains(name))
            problems.push_back({.code = "unknown-metric",
                                .message = {TRAINYARD_TEXT("--metrics: runs of this scenario have no metric {0}; "
                                                           "trainyard-cli list metrics names them"),
                                            {shownText(name)}}});
    return problems;
}

/// Of numbers by name, those of the metrics; an object without metrics as it is.
void keepMetrics(Json& numbers, const std::set<std::string>& all, const std::vector<std::string>& names) {
    if (names.empty()) return;
    for (auto it = numbers.begin(); it != numbers.end();)
        it = all.contains(it.key()) && std::find(names.begin(), names.end(), it.key()) == names.end()
                 ? numbers.erase(it)
                 : std::next(it);
}

/// Waits for the end of the run, showing how far it is; a signal stops it.
void watch(RunSession& session, const Interrupt& interrupt) {
    Progress progress;
    bool asked = false;
    for (;;) {
        const auto frame = session.frame();
        if (frame->status == RunStatus::finished || frame->status == RunStatus::failed ||
            frame->status == RunStatus::stopped)
            return;
        if (interrupt.requested() && !std::exchange(asked, true)) session.stop();
        progress.show(frame->progress, formatNumber(frame->now.toSeconds(), 6) + " s simulated, " +
                                           formatNumber(frame->eventsPerSecond, 3) + " events/s");
        session.waitFor(std::chrono::milliseconds(20));
    }
}

Json gapJson(const JobGap& gap) {
    Json out = Json::object();
    out["iteration_time"] = gap.iterationTime ? Json(*gap.iterationTime) : Json();
    out["loss"] = gap.loss ? Json(*gap.loss) : Json();
    return out;
}

/// Runs the simulated twin of an executed run and adds the gaps to the jobs.
Problems addGaps(Json& jobs, const RunRecord& record, const Input& input, int threads, const std::stop_token& stop) {
    auto twin = simulateOnce({.scenario = input.scenario,
                              .registry = input.registry,
                              .resources = input.resources,
                              .seed = input.seed,
                              .threads = threads},
                             stop);
    if (!twin) return twin.problems();
    const auto gaps = gapsBetween(record.metrics, twin->metrics);
    for (std::size_t j = 0; j < gaps.size() && j < jobs.size(); ++j) jobs[j]["gap"] = gapJson(gaps[j]);
    return {};
}

/// Adds how unequally workers counted to the jobs whose result that changes, and what it costs.
void addShardBias(Json& jobs, const RunRecord& record, const Input& input, const std::stop_token& stop) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Job& job = record.workload->jobs[j];
        const auto workers = static_cast<std::size_t>(job.workers.maximum);
        if (shardWeights(*input.scenario, job, workers) != ShardWeights::asCounted) continue;
        const auto used = gradientsUsed(*record.log, JobId(j)); // reads the whole log
        const ShardBias bias(std::get<TrainedWork>(job.work), record.seed, JobId(j), input.resources);
        const auto risk = bias.of(used, stop);
        Json out{{"gradients_used", used}, {"beyond_chance", differBeyondChance(used)}};
        out["excess_risk"] = risk ? Json(risk->excess) : Json();
        out["least_loss"] = risk ? Json(risk->least) : Json();
        out["exact"] = risk && risk->exact;
        jobs[j]["shard_bias"] = std::move(out);
    }
}

void printShardBias(const Json& bias) {
    if (!bias.at("beyond_chance").get<bool>()) return;
    const auto used = bias.at("gradients_used").get<std::vector<std::size_t>>();
    const auto [least, most] = std::minmax_element(used.begin(), used.end());
    std::cout << "  is biased towards the data of fast workers: updates used "
              << groupedText(static_cast<double>(*least)) << " to " << groupedText(static_cast<double>(*most))
              << " gradients of a worker";
    if (bias.at("excess_risk").is_number())
        std::cout << "; excess risk " << quantityText(bias.at("excess_risk").get<double>())
                  << " above the minimum loss " << quantityText(bias.at("least_loss").get<double>());
    std::cout << "\n";
}

Json runJson(const RunRecord& record, const Input& input, const RunOptions& options) {
    Json out{{"scenario", record.scenarioName}, {"seed", record.seed},     {"mode", modeName(record.mode)},
             {"version", record.version},       {"digest", record.digest}, {"complete", record.complete}};
    if (!record.failure.empty()) out["failure"] = record.failure;
    out["metrics"] = numbersJson(record.metrics.values);
    out["jobs_behind_means"] = jobsBehindMeans(*record.workload, record.metrics);
    out["jobs"] = jobsJson(record);
    const auto metrics = metricsOf(*input.scenario);
    keepMetrics(out["metrics"], metrics, options.metrics);
    keepMetrics(out["jobs_behind_means"], metrics, options.metrics);
    for (Json& job : out["jobs"]) keepMetrics(job, metrics, options.metrics);
    return out;
}

void printMetrics(const Json& run) {
    const Json& behind = run.at("jobs_behind_means");
    for (const auto& [name, value] : run.at("metrics").items()) {
        std::cout << name << std::string(name.size() < 28 ? 28 - name.size() : 1, ' ')
                  << (value.is_number() ? tableNumber(value.get<double>()) : "beyond all numbers");
        if (behind.contains(name)) {
            const auto jobs = behind.at(name).get<std::size_t>();
            std::cout << "   over " << jobs << (jobs == 1 ? " job" : " jobs");
        }
        std::cout << "\n";
    }
}

/// Of more jobs only what has to be said of them, unless all are asked for.
constexpr std::size_t mostJobs = 12;

void printJobs(const RunRecord& record, const Json& jobs, bool all) {
    std::cout << "\n";
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Json& job = jobs[j];
        if (!all && jobs.size() > mostJobs && !job.contains("shard_bias")) continue;
        std::cout << "job " << job.at("id").get<std::string>() << ": " << job.value("phase", "");
        if (!all) std::cout << jobLine(record, j);
        for (const char* name : {"jct_s", "queueing_s", "updates", "final_loss"})
            if (all && job.contains(name)) std::cout << ", " << name << " " << tableNumber(job.at(name).get<double>());
        if (job.contains("gap"))
            for (const auto& [name, value] : job.at("gap").items())
                if (value.is_number())
                    std::cout << ", gap " << name << " " << tableNumber(100 * value.get<double>()) << " %";
        std::cout << "\n";
        if (job.contains("shard_bias")) printShardBias(job.at("shard_bias"));
    }
}

void printTable(const RunRecord& record, const Json& run, const RunOptions& options) {
    std::cout << record.scenarioName << ", seed " << record.seed << ", " << modeName(record.mode) << "\n\n";
    if (options.all || !options.metrics.empty()) {
        printMetrics(run);
    } else {
        std::cout << outcomeSentence(record) << "\n" << metricGroups(record);
        std::cout << (run.at("jobs").size() > mostJobs ? "\nAll metrics and jobs: --all\n" : "\nAll metrics: --all\n");
    }
    printJobs(record, run.at("jobs"), options.all || !options.metrics.empty());
    if (record.mode == RunMode::execute)
        std::cout
            << "\nA gap is that of one executed run to one simulated run. They draw other times from random laws, also with the same\n"
               "seed: compare --mode execute over several seeds tells a difference from chance.\n";
    std::cout << "\ndigest " << record.digest << "\n";
}

bool checkDigest(const Input& input, const RunRecord& record, Json& out) {
    if (!input.digest) return true;
    const bool agrees = *input.digest == record.digest;
    out["reproduced"] = agrees;
    if (agrees) {
        say("the run was reproduced: digest " + record.digest);
    } else {
        say("the run was not reproduced: digest " + record.digest + ", recorded was " + *input.digest +
            (input.recordedVersion != record.version ? " by version " + input.recordedVersion : ""));
    }
    return agrees;
}

/// A file of a comparison is not one run, which these options are about.
Problems optionsOfOneRun(const RunOptions& options) {
    Problems problems;
    for (const auto& [given, name] :
         {std::pair(options.quiet, "--quiet"), std::pair(options.noCharts, "--no-charts"),
          std::pair(!options.metrics.empty(), "--metrics"), std::pair(options.all, "--all")})
        if (given)
            problems.push_back({.code = "bad-usage",
                                .message = {TRAINYARD_TEXT("{0} is an option of single runs, and this file is of a "
                                                           "comparison; leave it out"),
                                            {name}}});
    return problems;
}

/// What can be written of the run in the time that is left.
SavedParts partsInTime(const RunRecord& record, const Interrupt& interrupt, bool charts) {
    constexpr double exported = 200'000, drawn = 20'000, least = 5; // events per second, seconds
    const auto events = static_cast<double>(record.log->size());
    const double left = interrupt.secondsLeft();
    const bool exports = events < exported * left, draws = charts && events / drawn + least < left;
    if (!exports) say("too many events to export in the time that is left: only the record is written");
    if (exports && charts && !draws) say("there is no time left for charts");
    return {.exports = exports, .charts = draws};
}

int runCommand(const RunOptions& options) {
    Interrupt interrupt;
    interrupt.hold(options.limits);
    auto input = loadInput(options, interrupt.token());
    if (!input) return interrupt.exitStatus(refuse(input.problems()));
    if (!input->comparison.empty()) {
        if (const Problems problems = optionsOfOneRun(options); !problems.empty()) return refuse(problems);
        printProblems(input.problems());
        return repeatComparison(options, *input, interrupt);
    }
    if (const Problems problems = unknownMetrics(options.metrics, *input->scenario); !problems.empty())
        return refuse(problems);
    if (options.seed)
        if (const Problems problems = seedSetInVain(*input, "--seed"); !problems.empty()) return refuse(problems);
    if (const Problems problems = replacesInput(options.file, *input, options.out, runFileNames()); !problems.empty())
        return refuse(problems);
    printProblems(input.problems());
    if (!options.out.empty())
        if (const Problems problems = probeDirectory(options.out); !problems.empty()) return refuse(problems);

    interrupt.hold(input->scenario->limits);
    RunSession session({.scenario = input->scenario,
                        .registry = input->registry,
                        .resources = input->resources,
                        .seed = input->seed,
                        .mode = input->mode,
                        .threads = options.threads,
                        .commands = input->commands,
                        .spent = interrupt.elapsed()});
    watch(session, interrupt);
    const auto frame = session.frame();
    if (!frame->state) return interrupt.exitStatus(refuse(placedIn(*input, frame->problems)));
    printProblems(frame->problems);

    const RunRecord record = recordOf(session, input->name);
    Json out = runJson(record, *input, options);
    int status = record.complete ? exitDone : exitFailed;
    if (frame->status == RunStatus::stopped) say("stopped at " + formatNumber(frame->now.toSeconds()) + " s");
    if (record.complete) {
        Problems warnings = jobWarnings(*record.workload, record.metrics);
        std::erase_if(warnings, [&](const Problem& each) { return std::ranges::count(frame->problems, each) > 0; });
        const bool asWritten = options.sets.empty() && input->seed == input->scenario->seed && !input->digest;
        if (asWritten && input->mode == RunMode::simulate) // what expectations are of
            for (Problem& problem : brokenExpectations(*input->scenario, record.metrics))
                warnings.push_back(std::move(problem));
        printProblems(warnings);
        if (hasErrors(warnings)) status = exitFailed;
    }
    addShardBias(out["jobs"], record, *input, interrupt.token());
    if (record.complete && !checkDigest(*input, record, out)) status = exitFailed;
    if (record.complete && input->mode == RunMode::execute)
        printProblems(addGaps(out["jobs"], record, *input, options.threads, interrupt.token()));
    if (!options.out.empty()) {
        const SavedRun saved =
            saveRun(record, options.out, partsInTime(record, interrupt, !options.noCharts), interrupt.token());
        const bool whole = !saved.directory.empty() && saved.missing.empty() && !saved.elsewhere;
        if (!whole) status = exitFailed;
        out["out"] = saved.directory.empty() ? Json() : Json(readableName(saved.directory));
        if (!saved.missing.empty()) out["missing"] = saved.missing;
    }
    // Also of a run that came to its end: what is read out of it, or its charts, may be missing.
    status = interrupt.exitStatus(status);
    if (options.json)
        std::cout << out.dump(2) << "\n";
    else if (!options.quiet)
        printTable(record, out, options);
    return status;
}

} // namespace

void addRun(CLI::App& app, int& status) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run a scenario, or run a recorded run again");
    addCommonOptions(*command, *options);
    command->add_option("--metrics", options->metrics, "Only these metrics, separated by commas")
        ->delimiter(',')
        ->type_name("METRIC");
    command->add_flag("--all", options->all, "Print all metrics and all jobs, not only those that matter here");
    command->add_flag("--no-charts", options->noCharts, "With --out: no pictures");
    command->add_flag("--quiet", options->quiet, "No table; problems are still printed");
    command->callback([options, &status] { status = runCommand(*options); });
}

} // namespace trainyard::cli
