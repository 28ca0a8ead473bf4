// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The policy that has nothing to tune against a grid of NuPS' parameters, on common seeds: time to a stated quality of each task, and
// iterations per second of a zipf loop whose frequent keys change while it runs.
#include "studies/nups/NupsStudy.h"
#include "studies/nups/NupsTasks.h"

#include "learning/KeyRanks.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace nups_grid {

struct Cell {
    double timesMean = 0; ///< keys used more often than this times the mean have replicas; 0: none has
    std::uint32_t replicas = 0;
    int lookAhead = 64;
    double syncs = 25;
    int reuse = 1; ///< of samples
};

/// `times` that replicate as many keys as another are left out, and without replicas their rounds have no effect.
std::vector<Cell> cellsOf(const KeyRanks& keys, bool samples, bool quick) {
    std::vector<Cell> out;
    std::uint32_t before = 0;
    for (const double times : {0.0, 1000.0, 100.0, 10.0, 3.0, 1.0}) {
        const std::uint32_t replicas = times > 0 ? keys.countAbove(times) : 0;
        if (times > 0 && replicas == before) continue;
        before = replicas;
        for (const int lookAhead : {64, 256, 1024})
            for (const double syncs : {5.0, 25.0, 625.0})
                for (const int reuse : {1, 16, 64}) {
                    if (!samples && reuse > 1) continue;
                    if (replicas == 0 && syncs != 25) continue;
                    if (quick && (lookAhead != 256 || syncs != 25 || reuse == 64)) continue;
                    out.push_back({times, replicas, lookAhead, syncs, reuse});
                }
    }
    return out;
}

Choice nupsOf(const Cell& cell) {
    ParamValues values{{"syncs_per_second", cell.syncs}};
    if (cell.timesMean > 0) {
        values["times_mean"] = cell.timesMean;
    } else {
        values["rule"] = std::string("most-frequent");
        values["replicate"] = std::int64_t{0};
    }
    return {"nups", values};
}

const Choice& adaptive() {
    static const Choice choice{"adaptive", {}};
    return choice;
}

std::string nameOf(const Cell& cell, bool samples) {
    return std::to_string(cell.replicas) + " replicas, look-ahead " + std::to_string(cell.lookAhead) + ", " +
           number(cell.syncs) + " rounds/s" + (samples ? ", reuse " + std::to_string(cell.reuse) : std::string());
}

/// What is measured of one way to run something, by seed; not a number where it was not reached.
struct Measured {
    std::vector<double> values, copyAges, copies, others;

    double mean() const { // over all seeds: a way that misses its quality with one of them is no candidate
        return values.empty() ? NAN : estimateMean(values).mean;
    }
};

double valueOf(const std::map<std::string, double>& metrics, const char* name) {
    const auto it = metrics.find(name);
    return it == metrics.end() ? NAN : it->second;
}

double meanOf(const std::vector<double>& values) {
    std::vector<double> known;
    std::ranges::copy_if(values, std::back_inserter(known), [](double v) { return !std::isnan(v); });
    return known.empty() ? NAN : estimateMean(known).mean;
}

/// Sets what is measured: ours over theirs by seed, their geometric mean less 1. `holds` is left.
void setRatio(Claim& claim, const Measured& ours, const Measured& theirs) {
    std::vector<double> logs;
    for (std::size_t s = 0; s < ours.values.size(); ++s) logs.push_back(std::log(ours.values[s] / theirs.values[s]));
    const Estimate mean = estimateMean(logs);
    const auto [low, high] = intervalOf(mean);
    claim.measured = std::expm1(mean.mean);
    claim.interval = {std::expm1(low), std::expm1(high)};
    claim.n = mean.n;
}

void addRow(StudyTable& table, const std::string& of, const Cell* cell, bool samples, const Measured& m) {
    const bool known = !std::isnan(m.mean());
    table.rows.push_back({of, cell ? "nups" : "adaptive", cell ? number(cell->timesMean) : "",
                          cell ? std::to_string(cell->replicas) : "", cell ? std::to_string(cell->lookAhead) : "",
                          cell ? number(cell->syncs) : "", cell && samples ? std::to_string(cell->reuse) : "",
                          std::to_string(m.values.size()), number(m.mean()),
                          known ? number(estimateMean(m.values).halfWidth.value_or(NAN)) : "", number(meanOf(m.others)),
                          number(meanOf(m.copies)), number(meanOf(m.copyAges))});
}

void gridOfTask(const StudyRequest& request, const NupsTask& task, std::uint64_t seeds, StudyTable& table,
                StudyReport& report) {
    const auto keys = keysOf(request, task);
    if (!keys) return;
    const auto cells = cellsOf(*keys, task.samples, request.quick);
    std::vector<TaskRun> runs;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        runs.push_back({&task, {.parameters = adaptive(), .sampling = {.level = Conformity::bounded}}, seed});
    for (const Cell& cell : cells)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            runs.push_back(
                {&task,
                 {.parameters = nupsOf(cell),
                  .sampling = {.level = Conformity::bounded, .scheme = SamplingScheme::reuse, .reuse = cell.reuse},
                  .lookAhead = cell.lookAhead},
                 seed});
    const auto results = runTasks(request, runs, report, true);
    std::vector<Measured> all(cells.size() + 1);
    for (std::size_t n = 0; n < runs.size(); ++n) {
        Measured& m = all[n / seeds];
        const auto& result = results[n];
        m.values.push_back(result ? result->toQuality : NAN);
        m.others.push_back(result ? result->quality : NAN);
        m.copies.push_back(result ? valueOf(result->metrics, "copies_held") : NAN);
        m.copyAges.push_back(result ? valueOf(result->metrics, "copy_age_s") : NAN);
    }
    addRow(table, task.id, nullptr, false, all[0]);
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        addRow(table, task.id, &cells[c], task.samples, all[c + 1]);
        if (!std::isnan(all[c + 1].mean()) && (!best || all[c + 1].mean() < all[*best + 1].mean())) best = c;
    }
    Claim claim{.id = std::string("grid/") + task.id + "/time-to-quality",
                .claim =
                    std::string("Time to ") + task.quality + " " + number(task.target) + " of " + task.name +
                    " with the adaptive policy, over that of the best cell of a grid of NuPS' parameters, less 1: at "
                    "most 0.1",
                .source = "own: the policy has nothing to tune",
                .unit = "1"};
    if (best && !std::isnan(all[0].mean())) {
        setRatio(claim, all[0], all[*best + 1]);
        claim.holds = *claim.measured <= 0.1;
        claim.finding = "best of " + std::to_string(cells.size()) + " cells: " + nameOf(cells[*best], task.samples) +
                        "; geometric mean, paired by seed, simulated";
    }
    report.claims.push_back(std::move(claim));
    Claim age{.id = std::string("grid/") + task.id + "/copy-age",
              .claim = std::string("Mean age of copies when they are refreshed, ") + task.name +
                       ", adaptive: at most half of that of the best cell with replicas",
              .source = "own",
              .unit = "s"};
    std::optional<std::size_t> replicated;
    for (std::size_t c = 0; c < cells.size(); ++c)
        if (!std::isnan(all[c + 1].mean()) && !std::isnan(meanOf(all[c + 1].copyAges)) &&
            (!replicated || all[c + 1].mean() < all[*replicated + 1].mean()))
            replicated = c;
    if (replicated && !std::isnan(meanOf(all[0].copyAges))) {
        age.measured = meanOf(all[0].copyAges);
        age.expected = meanOf(all[*replicated + 1].copyAges) / 2;
        age.n = seeds;
        age.holds = *age.measured <= *age.expected;
        age.finding =
            "a copy is as old as the owner's values in it, to which others add as late again: hence half; cell: " +
            nameOf(cells[*replicated], task.samples);
    }
    report.claims.push_back(std::move(age));
}

} // namespace nups_grid

void nupsGrid(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-grid",
                     {"task", "policy", "times_mean", "replicas", "look_ahead", "rounds_per_s", "reuse", "seeds",
                      "to_quality_s", "half_width_s", "quality", "copies_held", "copy_age_s"},
                     {}};
    for (const NupsTask& task : nupsTasks) nups_grid::gridOfTask(request, task, request.quick ? 2 : 5, table, report);
    report.tables.push_back(std::move(table));
}

void nupsMovingKeys(const StudyRequest& request, StudyReport& report) {
    using namespace nups_grid;
    StudyTable table{"nups-moving-keys",
                     {"loop", "policy", "times_mean", "replicas", "look_ahead", "rounds_per_s", "reuse", "seeds",
                      "iterations_per_s", "half_width_per_s", "messages_per_iteration", "copies_held", "copy_age_s"},
                     {}};
    const std::uint64_t seeds = request.quick ? 3 : 10;
    constexpr std::int64_t operations = 20'000;
    for (const std::int64_t times : {0, 8}) {
        const ZipfSettings usual;
        const auto cells =
            cellsOf(KeyRanks(static_cast<std::uint32_t>(usual.keys), usual.exponent, usual.permutationSeed), false,
                    request.quick);
        std::vector<StudyRun> runs;
        const auto add = [&](const Choice& parameters, int lookAhead) {
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                const auto made = zipfScenario(request, {.operations = operations,
                                                         .workerSeed = 1000 * seed,
                                                         .lookAhead = lookAhead,
                                                         .shiftEvery = times == 0 ? 0 : operations / (times + 1)});
                if (!made) {
                    report.problems.insert(report.problems.end(), made.problems().begin(), made.problems().end());
                    return;
                }
                auto scenario = std::make_shared<Scenario>(**made);
                scenario->policies.parameters = parameters;
                runs.push_back({.scenario = std::move(scenario), .seed = 1});
            }
        };
        add(adaptive(), 64);
        for (const Cell& cell : cells) add(nupsOf(cell), cell.lookAhead);
        if (runs.size() != (cells.size() + 1) * seeds) return;
        const auto outcomes = simulateAll(request, runs, {}, report);
        std::vector<Measured> all(cells.size() + 1);
        for (std::size_t n = 0; n < runs.size(); ++n) {
            const auto& metrics = outcomes[n].metrics;
            Measured& m = all[n / seeds];
            m.values.push_back(valueOf(metrics, "iterations_per_s"));
            m.others.push_back((valueOf(metrics, "messages") + valueOf(metrics, "replica_messages")) /
                               valueOf(metrics, "updates"));
            m.copies.push_back(valueOf(metrics, "copies_held"));
            m.copyAges.push_back(valueOf(metrics, "copy_age_s"));
        }
        const std::string loop = times == 0 ? "same keys" : "changes " + std::to_string(times) + " times";
        addRow(table, loop, nullptr, false, all[0]);
        std::size_t best = 0;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            addRow(table, loop, &cells[c], false, all[c + 1]);
            if (all[c + 1].mean() > all[best + 1].mean()) best = c;
        }
        if (times == 0) continue;
        Claim claim{.id = "moving/iterations-per-s",
                    .claim =
                        "Iterations per second of the zipf loop, 4 machines, whose frequent keys change eight times, "
                        "with the adaptive policy over those of the best cell of a grid of NuPS' parameters, less 1: "
                        "above 0",
                    .source = "own: the policy has nothing to tune",
                    .unit = "1"};
        if (!report.stopped && !std::isnan(all[0].mean()) && !std::isnan(all[best + 1].mean())) {
            setRatio(claim, all[0], all[best + 1]);
            study::setVerdict(claim, claim.interval->first > 0, claim.interval->second <= 0);
            claim.finding = "best of " + std::to_string(cells.size()) + " cells: " + nameOf(cells[best], false) +
                            "; geometric mean, paired by seeds of the draws, simulated";
        }
        report.claims.push_back(std::move(claim));
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
