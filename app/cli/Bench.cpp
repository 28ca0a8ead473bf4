// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli bench [engine|network|training|stragglers|scheduling|replanning|pdors|slaq|views|all] [--json]: how fast this machine runs what
// Trainyard is made of.
#include "Bench.h"
#include "Commands.h"
#include "base/Format.h"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace bench {

struct Options {
    std::string part = "all";
    bool json = false;
};

/// Keeps the counters; progress and failures go to standard error.
class Collector final : public benchmark::BenchmarkReporter {
public:
    MeasuredValues values;
    bool failed = false;

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            std::cerr << run.benchmark_name() << (run.error_occurred ? ": " + run.error_message : ": done") << "\n";
            failed = failed || run.error_occurred;
            for (const auto& [name, counter] : run.counters) values[name] = counter.value;
        }
    }
};

void print(const Measures& measures, const MeasuredValues& values, bool json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Measure& measure : measures) {
        const auto value = values.find(measure.name);
        if (value == values.end()) continue;
        if (json)
            list.push_back(
                {{"name", measure.name}, {"value", value->second}, {"unit", measure.unit}, {"what", measure.what}});
        else
            std::cout << measure.name << "\t" << formatNumber(value->second, 4) << " " << measure.unit << "\t"
                      << measure.what << "\n";
    }
    if (json) std::cout << nlohmann::ordered_json{{"benchmarks", std::move(list)}}.dump(2) << "\n";
}

int run(const Options& options) {
    Measures measures;
    const auto wanted = [&](const char* part) { return options.part == "all" || options.part == part; };
    if (wanted("engine")) addEngineBenchmarks(measures);
    if (wanted("network")) addNetworkBenchmarks(measures);
    if (wanted("training")) addTrainingBenchmarks(measures);
    if (wanted("stragglers")) addStragglerBenchmarks(measures);
    if (wanted("views")) addViewBenchmarks(measures);
    if (wanted("scheduling")) addSchedulingBenchmarks(measures);
    if (wanted("scheduling") || wanted("pdors")) {
        addLasBenchmarks(measures);
        addOptimusBenchmarks(measures);
    }
    if (wanted("replanning")) addReplanningBenchmarks(measures);
    if (wanted("pdors")) addPdorsBenchmarks(measures);
    if (wanted("slaq")) addSlaqBenchmarks(measures);
    std::string program = "trainyard-cli";
    char* arguments[] = {program.data(), nullptr};
    int count = 1;
    benchmark::Initialize(&count, arguments);
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);
    benchmark::Shutdown();
    for (const Measure& measure : measures)
        if (measure.derived) {
            const double value = measure.derived(collector.values);
            if (value > 0) collector.values[measure.name] = value;
        }
    print(measures, collector.values, options.json);
    return collector.failed ? 1 : 0;
}

} // namespace bench

void addBench(CLI::App& app, int& status) {
    auto options = std::make_shared<bench::Options>();
    CLI::App* command = app.add_subcommand(
        "bench",
        "Measure the event kernel, the network, training, stragglers, scheduling, re-planning, pdors, slaq and views");
    command
        ->add_option("part", options->part,
                     "engine, network, training, stragglers, scheduling, replanning, pdors, slaq, views or all")
        ->check(CLI::IsMember({"engine", "network", "training", "stragglers", "scheduling", "replanning", "pdors",
                               "slaq", "views", "all"}));
    command->add_flag("--json", options->json, "One JSON object on standard output");
    command->callback([options, &status] { status = bench::run(*options); });
}

void addCase(Measures& measures, const std::string& name, const std::string& unit, const std::string& what,
             std::function<double()> measure) {
    measures.push_back({name, unit, what});
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        for (auto _ : state) state.counters[name] = measure();
    })->Iterations(1);
}

} // namespace trainyard::cli
