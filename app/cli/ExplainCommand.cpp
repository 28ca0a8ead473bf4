// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli explain RECORD --job ID [--at T]: why policies decided as they did about one job.
// trainyard-cli explain RECORD --job ID --rank RANK [--at T]: why a key of a keyed job is where it is.
// trainyard-cli explain RECORD --against RECORD: the first thing that policies did differently in two runs, and why.
#include "Commands.h"
#include "Common.h"

#include "analysis/FirstDifference.h"
#include "analysis/KeyReason.h"
#include "analysis/PolicyNotes.h"
#include "base/Format.h"
#include "record/CheckRelation.h"
#include "record/EventMeanings.h"
#include "run/files/RecordJson.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct ExplainOptions {
    std::string record, job, against;
    std::optional<double> at;
    std::optional<std::uint64_t> rank;
    bool json = false, notes = false;
};

/// Without the error of nanoseconds as binary fractions.
std::string secondsText(SimTime at) { return formatNumber(at.toSeconds(), 12); }

std::string ruleText(const Explanation& e) {
    switch (e.rule) {
    case Rule::firstFeasible: return "the first candidate that passes every check";
    case Rule::minimum: return "of those that pass every check, the smallest " + e.criterion;
    case Rule::maximum: return "of those that pass every check, the largest " + e.criterion;
    case Rule::everyFeasible: return "every candidate that passes every check";
    }
    return {};
}

void printExplanation(const Explanation& e, bool aboutThisJob) {
    std::cout << secondsText(e.time) << " s  " << familyName(e.family) << " " << e.policy << ": " << e.summary.english()
              << (aboutThisJob ? "" : " (about several jobs)") << "\n";
    if (e.abridged) {
        std::cout << "  candidates were left out: earlier explanations of the run fill the memory for them\n";
        return;
    }
    std::cout << "  rule: " << ruleText(e) << "\n";
    for (std::size_t i = 0; i < e.candidates.size(); ++i) {
        const Candidate& candidate = e.candidates[i];
        const bool chosen = std::find(e.chosen.begin(), e.chosen.end(), i) != e.chosen.end();
        std::cout << (chosen ? "  → " : candidate.feasible() ? "    " : "  ✗ ") << candidate.label << "\n";
        for (const auto& check : candidate.checks)
            std::cout << "        " << (check.passed() ? "passed  " : "failed  ") << check.name << ": "
                      << tableNumber(check.value) << " " << relationOf(check) << " " << tableNumber(check.limit)
                      << "\n";
        for (const auto& number : candidate.numbers)
            std::cout << "        " << number.name << " = " << tableNumber(number.value) << "\n";
    }
    if (e.evaluate() != e.chosen) std::cout << "  re-evaluating this does not give the recorded choice\n";
}

struct Reason {
    const Explanation* why = nullptr;
    bool refused = false; ///< the job was tried and left waiting: no decision
};

/// Those about the job, or about several of which it is a candidate, and why it was left waiting, in order of time; with `at`, the
/// last of each family until then.
std::vector<Reason> relevant(const RunRecord& record, JobId job, const ExplainOptions& options) {
    std::vector<Reason> all, out;
    const std::string& key = record.workload->job(job).key;
    for (const auto& e : *record.explanations) {
        const bool named =
            std::any_of(e.candidates.begin(), e.candidates.end(), [&](const auto& c) { return c.label == key; });
        if (e.job == job || (named && !e.job.valid())) all.push_back({&e});
    }
    for (std::size_t i = 0; i < record.explanations->refusals(); ++i)
        if (const Explanation* refusal = record.explanations->refusal(i); refusal->job == job)
            all.push_back({refusal, true});
    std::stable_sort(all.begin(), all.end(),
                     [](const Reason& x, const Reason& y) { return x.why->time < y.why->time; });
    for (const Reason& reason : all) {
        if (options.at && reason.why->time > SimTime::seconds(*options.at)) break;
        if (options.at)
            std::erase_if(out, [&](const Reason& earlier) { return earlier.why->family == reason.why->family; });
        out.push_back(reason);
    }
    return out;
}

/// What was noted and promised of the job, or noted of all, until the instant asked for.
void printNotes(const RunRecord& record, JobId job, const ExplainOptions& options) {
    const Registry registry = Registry::builtin();
    const auto read = parseScenario(record.scenarioText, options.record);
    if (!read) return;
    const Scenario& scenario = read->scenario;
    const auto index = [](const std::string& what, std::uint32_t number) {
        return what.empty() ? std::string() : " " + what + " " + std::to_string(number);
    };
    record.log->walk(0, record.log->size(), [&](const Event& e) {
        const bool about = e.job == job.value || (e.type == EventType::note && e.job == JobId::none);
        if (!about || (options.at && e.time > SimTime::seconds(*options.at))) return;
        if (e.type == EventType::note) {
            const NoteSeries series = NoteSeries::unpacked(e.aux);
            const SeriesInfo* info = seriesOf(scenario, registry, series, &record.workload->job(job));
            const SeriesInfo unknown{
                .name = "series " + std::to_string(series.number), .first = "index", .second = "index"};
            const SeriesInfo& s = info ? *info : unknown;
            std::cout << secondsText(e.time) << " s  " << familyName(series.family) << " " << s.name
                      << index(s.first, e.a) << index(s.second, e.b) << ": " << tableNumber(e.value)
                      << (s.unit.empty() ? "" : " " + s.unit) << (e.job == job.value ? "" : " (of all jobs)") << "\n";
        } else if (e.type == EventType::reserved) {
            std::cout << secondsText(e.time) << " s  reserved: " << tableNumber(e.value) << " "
                      << fieldText(FieldKind::role, e.aux, *record.workload) << " on "
                      << fieldText(FieldKind::machine, e.a, *record.workload) << " in slot " << e.b << "\n";
        }
    });
}

const Explanation* explanationOf(const PolicyEffect& effect, const RunRecord& record) {
    return effect.explanation ? record.explanations->at(*effect.explanation) : nullptr;
}

nlohmann::ordered_json differenceJson(const FirstDifference& found, const std::array<const RunRecord*, 2>& records) {
    auto out = nlohmann::ordered_json{{"same", false}, {"alike", found.alike}, {"time_s", found.at.toSeconds()}};
    for (std::size_t side = 0; side < 2; ++side) {
        auto& json = out[side == 0 ? "first" : "second"] = nullptr;
        const Explanation* whyNot = whyNotTheSame(found, side, *records[side]->explanations);
        if (!found.sides[side]) {
            if (whyNot) json = {{"why_not_the_same", explanationJson(*whyNot)}};
            continue;
        }
        const PolicyEffect& effect = *found.sides[side];
        json = {{"time_s", effect.event.time.toSeconds()},
                {"position", effect.position},
                {"family", familyName(effect.family)},
                {"event", eventText(effect.event, *records[side]->workload)}};
        if (const Explanation* why = explanationOf(effect, *records[side])) json["explanation"] = explanationJson(*why);
        if (whyNot) json["why_not_the_same"] = explanationJson(*whyNot);
    }
    return out;
}

void printDifference(const FirstDifference& found, const std::array<const RunRecord*, 2>& records) {
    std::cout << "the first " << found.alike << " effects of policies are the same; the runs part at "
              << secondsText(found.at) << " s\n";
    for (std::size_t side = 0; side < 2; ++side) {
        std::cout << (side == 0 ? "\nfirst:  " : "\nsecond: ");
        if (const Explanation* whyNot = whyNotTheSame(found, side, *records[side]->explanations)) {
            std::cout << "why it did not do the same\n";
            printExplanation(*whyNot, true);
            std::cout << "        what it did: ";
        }
        if (!found.sides[side]) {
            std::cout << "no effect of a policy follows\n";
            continue;
        }
        const PolicyEffect& effect = *found.sides[side];
        std::cout << secondsText(effect.event.time) << " s  " << eventText(effect.event, *records[side]->workload)
                  << "\n";
        if (const Explanation* why = explanationOf(effect, *records[side]))
            printExplanation(*why, true);
        else
            std::cout << "  no decision behind it is recorded\n";
    }
}

int explainDifference(const RunRecord& first, const ExplainOptions& options) {
    const auto second = readRecord(options.against);
    if (!second) return refuse(second.problems());
    const bool timed = first.mode == RunMode::simulate && second->mode == RunMode::simulate;
    if (!timed) say("a run on real threads has other times and orders each time: what differs first may be chance");
    if (first.seed != second->seed)
        say("the runs have different seeds: their jobs and times may differ beside their policies");
    const auto found = firstDifference(*first.log, *second->log, timed);
    const std::array<const RunRecord*, 2> records{&first, &*second};
    if (options.json)
        std::cout << (found ? differenceJson(*found, records) : nlohmann::ordered_json{{"same", true}}).dump(2) << "\n";
    else if (found)
        printDifference(*found, records);
    else
        std::cout << "every effect of a policy is the same in both runs\n";
    return exitDone;
}

nlohmann::ordered_json keyJson(const KeyReason& why, const std::vector<Text>& sentences) {
    constexpr std::array techniques{"stays", "moves", "has replicas"};
    nlohmann::ordered_json out{{"rank", why.rank}};
    if (why.key) out["key"] = *why.key;
    if (why.ofStart) out["of_the_start"] = true; // rank and shares
    out["share_of_draws"] = why.share;
    out["times_mean"] = why.timesMean;
    out["technique"] = techniques[static_cast<std::size_t>(why.technique)];
    if (why.home) out["home"] = *why.home + 1;
    if (why.owner && *why.owner != everyNode) out["owner"] = *why.owner + 1;
    auto& moves = out["moves"] = nlohmann::ordered_json::array();
    for (const auto& move : why.moves) moves.push_back({{"time_s", move.at.toSeconds()}, {"to", move.to + 1}});
    out["exact"] = why.byMessages;
    auto& text = out["text"] = nlohmann::ordered_json::array();
    for (const Text& sentence : sentences) text.push_back(sentence.english());
    return out;
}

/// Why a key of a keyed job is where it is; nodes are numbered from 1.
int explainKey(const RunRecord& record, JobId job, const ExplainOptions& options) {
    RunIndex run(sourceOf(record));
    run.update();
    const SimTime at = options.at ? SimTime::seconds(*options.at) : run.head();
    const auto why = keyReason(run, job, *options.rank, at, KeyedAccess::mostKeys);
    const KeyedAccess* access = record.workload->job(job).keyedAccess();
    if (!access)
        return refuse(
            {{.code = "no-keys",
              .message = {TRAINYARD_TEXT("job \"{0}\" has no keys: its iterations read all parameters"), {options.job}},
              .file = options.record}});
    if (!why)
        return refuse({{.code = "unknown-rank",
                        .message = {TRAINYARD_TEXT("there is no rank {0}; job \"{1}\" has {2} keys"),
                                    {std::to_string(*options.rank), options.job, std::to_string(access->keys)}},
                        .file = options.record}});
    const auto sentences = why->text(run, job);
    if (options.json)
        std::cout << keyJson(*why, sentences).dump(2) << "\n";
    else
        for (const Text& sentence : sentences) std::cout << sentence.english() << "\n";
    return exitDone;
}

int explainCommand(const ExplainOptions& options) {
    const auto record = readRecord(options.record);
    if (!record) return refuse(record.problems());
    if (!options.against.empty()) return explainDifference(*record, options);
    JobId job;
    std::string known;
    for (std::size_t j = 0; j < record->workload->jobs.size(); ++j) {
        if (record->workload->jobs[j].key == options.job) job = JobId(j);
        if (j < 20) known += (known.empty() ? "" : ", ") + record->workload->jobs[j].key;
    }
    if (!job.valid())
        return refuse({{.code = "unknown-job",
                        .message = {TRAINYARD_TEXT("there is no job \"{0}\"; there are {1}"), {options.job, known}},
                        .file = options.record}});
    if (options.rank) return explainKey(*record, job, options);
    if (options.notes) {
        printNotes(*record, job, options);
        return exitDone;
    }
    const auto found = relevant(*record, job, options);
    if (options.json) {
        auto out = nlohmann::ordered_json::array();
        for (const auto& [why, refused] : found) {
            auto json = explanationJson(*why);
            json["text"] = why->summary.english();
            if (refused) json["refused"] = true;
            out.push_back(std::move(json));
        }
        std::cout << out.dump(2) << "\n";
    } else {
        for (const Reason& reason : found) printExplanation(*reason.why, reason.why->job == job);
    }
    if (found.empty()) say("no decision about this job is recorded; the scenario's \"explanations\" says how many are");
    return exitDone;
}

} // namespace

void addExplain(CLI::App& app, int& status) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command =
        app.add_subcommand("explain", "Why policies decided as they did about a job, or where two runs part");
    command->add_option("RECORD", options->record, "A run record (directory)")->required()->type_name("DIR");
    auto* subject = command->add_option_group("Subject")->require_option(1);
    auto* job = subject->add_option("--job", options->job, "Id of the job");
    subject
        ->add_option("--against", options->against,
                     "Another run record: the first thing that policies did differently, and the decisions behind it")
        ->type_name("DIR");
    requireNonNegative(
        command->add_option("--at", options->at, "Simulated seconds: only the last decision of each family until then")
            ->needs(job));
    auto* json = command->add_flag("--json", options->json, "JSON on standard output");
    command
        ->add_flag("--notes", options->notes,
                   "The values and reservations that policies recorded, instead of their decisions, one per line")
        ->needs(job)
        ->excludes(json);
    command
        ->add_option(
            "--rank", options->rank,
            "Of a keyed job: why the key of this rank (1: the most frequent) is where it is, at that time or the end")
        ->needs(job)
        ->check(CLI::PositiveNumber)
        ->type_name("RANK");
    command->callback([options, &status] { status = explainCommand(*options); });
}

} // namespace trainyard::cli
