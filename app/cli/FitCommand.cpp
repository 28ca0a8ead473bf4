// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli fit FILE.csv: which law measured times follow, and that law as a scenario takes it.
#include "Commands.h"
#include "Common.h"
#include "LawJson.h"
#include "PipedFile.h"

#include "base/CsvTable.h"
#include "base/SampleStatistics.h"
#include "run/import/LawFit.h"
#include "run/import/MeasuredTimes.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace fit_command {

using Json = nlohmann::ordered_json;

struct Options {
    std::string file, column;
    std::size_t tail = 0;
    bool normalize = false, json = false;
};

Json fitJson(const Options& options, const LawFit& fit) {
    Json families = Json::array();
    for (const auto& family : fit.families)
        families.push_back(
            {{"law", lawJson(family.law)}, {"ks_distance", family.distance}, {"p_value_bound", family.pValue}});
    return {{"file", readableName(options.file)},
            {"normalized", options.normalize},
            {"n", fit.n},
            {"mean", fit.mean},
            {"deviation", fit.deviation},
            {"min", fit.least},
            {"median", fit.median},
            {"max", fit.greatest},
            {"families", std::move(families)},
            {"tail", {{"k", fit.tail.k}, {"index", fit.tail.alpha}, {"standard_error", fit.tail.standardError}}},
            {"empirical", lawJson(fit.empirical)}};
}

void print(const LawFit& fit, bool normalized) {
    const char* unit = normalized ? "" : " s";
    std::cout << fit.n << " times: mean " << tableNumber(fit.mean) << unit << ", standard deviation "
              << tableNumber(fit.deviation) << ", minimum " << tableNumber(fit.least) << ", median "
              << tableNumber(fit.median) << ", maximum " << tableNumber(fit.greatest) << "\n\n"
              << "Kolmogorov-Smirnov distance, and an upper bound of the p value (too high, because the "
                 "law was fitted to these times)\n";
    for (const auto& family : fit.families)
        std::cout << "  " << tableNumber(family.distance) << "\t" << tableNumber(family.pValue) << "\t"
                  << lawJson(family.law).dump() << "\n";
    std::cout << "\nTail index (Hill, the " << fit.tail.k << " greatest) " << tableNumber(fit.tail.alpha) << " ± "
              << tableNumber(1.96 * fit.tail.standardError) << "\n"
              << (fit.tail.alpha <= 1 ? "  at or below 1: the law may have no mean\n" : "") << "\nAs measured\n  "
              << lawJson(fit.empirical).dump() << "\n";
}

int run(const Options& options) {
    const PipedFile piped(options.file, mostCsvBytes);
    auto times = readMeasuredTimes(piped.path(), options.column);
    if (!times) return refuse(piped.named(times.problems()));
    if (options.normalize) {
        const double mean = sampleMean(*times);
        for (double& time : times.value()) time /= mean;
    }
    const auto fit = fitLaws(*times, options.tail);
    if (!fit) {
        Problems problems = fit.problems();
        for (auto& problem : problems) problem.file = piped.path();
        return refuse(piped.named(problems));
    }
    if (options.json)
        std::cout << fitJson(options, *fit).dump(2) << "\n";
    else
        print(*fit, options.normalize);
    return exitDone;
}

} // namespace fit_command

void addFit(CLI::App& app, int& status) {
    auto options = std::make_shared<fit_command::Options>();
    CLI::App* command =
        app.add_subcommand("fit", "Fit straggler laws to measured times of a CSV file, and report how well each fits");
    command
        ->add_option("FILE", options->file,
                     "Comma, semicolon or tab separated values, in seconds; - for standard input")
        ->required()
        ->type_name("FILE");
    command->add_option("--column", options->column,
                        "Name or number (from 1) of the column; needed where there are several");
    requirePositive(command->add_option(
        "--tail", options->tail, "Number of largest values that estimate the tail index (Hill's k); default: a tenth"));
    command->add_flag("--normalize", options->normalize,
                      "Divide the times by their mean: laws for a machine's \"factor\" instead of its \"delay_s\"");
    command->add_flag("--json", options->json, "One JSON object on standard output");
    command->callback([options, &status] { status = fit_command::run(*options); });
}

} // namespace trainyard::cli
