// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli bench [PART] [--json]: how fast this machine runs what Trainyard is made of.
#include "Bench.h"
#include "Commands.h"
#include "base/Format.h"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

// One line per benchmark: the function that adds its measures, in a file of its own, and the parts by which it is chosen, in the order in
// which they are offered.
#define TRAINYARD_BENCHMARKS(PART)                                                                                     \
    PART(addEngineBenchmarks, "engine")                                                                                \
    PART(addNetworkBenchmarks, "network")                                                                              \
    PART(addTrainingBenchmarks, "training")                                                                            \
    PART(addStragglerBenchmarks, "stragglers")                                                                         \
    PART(addViewBenchmarks, "views")                                                                                   \
    PART(addSchedulingBenchmarks, "scheduling")                                                                        \
    PART(addLasBenchmarks, "scheduling", "pdors")                                                                      \
    PART(addOptimusBenchmarks, "scheduling", "pdors")                                                                  \
    PART(addReplanningBenchmarks, "replanning")                                                                        \
    PART(addPdorsBenchmarks, "pdors")                                                                                  \
    PART(addSlaqBenchmarks, "slaq")                                                                                    \
    PART(addNupsBenchmarks, "nups")                                                                                    \
    PART(addKeyedModelBenchmarks, "nups")                                                                              \
    PART(addPacmlBenchmarks, "pacml")

namespace trainyard::cli {

#define PART(add, ...) void add(Measures& measures);
TRAINYARD_BENCHMARKS(PART)
#undef PART

namespace bench {

struct Part {
    std::vector<std::string> names;
    void (*add)(Measures&);
};
const std::vector<Part>& parts() {
#define PART(add, ...) {{__VA_ARGS__}, add},
    static const std::vector<Part> all{TRAINYARD_BENCHMARKS(PART)};
#undef PART
    return all;
}

/// In the order of the list, then "all".
std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const Part& part : parts())
        for (const std::string& name : part.names)
            if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    out.emplace_back("all");
    return out;
}

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
    for (const Part& part : parts())
        if (options.part == "all" || std::ranges::find(part.names, options.part) != part.names.end())
            part.add(measures);
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
    CLI::App* command = app.add_subcommand("bench", "Measure how fast this machine runs what Trainyard is made of");
    const std::vector<std::string> names = bench::names();
    command->add_option("part", options->part, CLI::detail::join(names, ", "))->check(CLI::IsMember(names));
    command->add_flag("--json", options->json, "One JSON object on standard output");
    command->callback([options, &status] { status = bench::run(*options); });
}

void addCase(Measures& measures, const std::string& name, const std::string& unit, const std::string& what,
             std::function<double()> measure) {
    measures.push_back({name, unit, what});
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        for (auto _ : state) try {
                state.counters[name] = measure();
            } catch (const std::exception& error) { state.SkipWithError(error.what()); }
    })->Iterations(1);
}

} // namespace trainyard::cli
