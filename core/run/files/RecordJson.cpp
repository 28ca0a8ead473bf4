// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/RecordJson.h"

#include "base/WholeFile.h"
#include "run/files/StagedDirectory.h"
#include "scenario/JsonTree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> commandNames{"fail-machine", "repair-machine", "fail-link", "repair-link",
                                                  "kill-job"};
constexpr std::array<const char*, 6> phaseNames{"future", "waiting", "running", "finished", "rejected", "failed"};
constexpr std::array<const char*, 5> comparisonNames{"at-most", "at-least", "less", "greater", "equal"};
constexpr std::array<const char*, 4> ruleNames{"first-feasible", "minimum", "maximum", "every-feasible"};

/// Position of a name; throws for an unknown one, as the JSON library does for a wrong type.
template <std::size_t N>
std::size_t indexOfName(const std::array<const char*, N>& names, const std::string& name) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) throw std::invalid_argument("\"" + name + "\" is not known here");
    return static_cast<std::size_t>(it - names.begin());
}

/// JSON has no infinities; explanations may compare with one ("no limit").
Json limitJson(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double limitFrom(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const auto word = json.get<std::string>();
    return word == "inf" ? INFINITY : word == "-inf" ? -INFINITY : NAN;
}

Json commandsJson(const std::vector<Command>& commands) {
    Json out = Json::array();
    for (const auto& c : commands)
        out.push_back({{"at_ns", c.at.ns},
                       {"kind", commandNames[static_cast<std::size_t>(c.kind)]},
                       {"a", c.a},
                       {"b", c.b},
                       {"value", c.value}});
    return out;
}

std::uint32_t shortNumber(const Json& json) {
    return static_cast<std::uint32_t>(wholeNumber(json, std::numeric_limits<std::uint32_t>::max()));
}

std::vector<Command> commandsFrom(const Json& json) {
    std::vector<Command> out;
    for (const auto& c : json)
        out.push_back({SimTime{signedNumber(c.at("at_ns"))},
                       static_cast<CommandKind>(indexOfName(commandNames, c.at("kind").get<std::string>())),
                       shortNumber(c.at("a")), shortNumber(c.at("b")), c.at("value").get<double>()});
    return out;
}

RunProvenance provenanceFields(const Json& json) {
    RunProvenance provenance;
    provenance.scenarioName = json.at("scenario_name").get<std::string>();
    provenance.seed = wholeNumber(json.at("seed"));
    provenance.mode = json.at("mode").get<std::string>() == "execute" ? RunMode::execute : RunMode::simulate;
    provenance.version = json.at("version").get<std::string>();
    provenance.digest = json.at("digest").get<std::string>();
    provenance.commands = commandsFrom(json.at("commands"));
    if (json.contains("comparison")) provenance.comparison = json.at("comparison").dump();
    provenance.complete = json.value("complete", true);
    provenance.failure = json.value("failure", std::string());
    return provenance;
}

Problem damagedRecord(const std::filesystem::path& path, const std::string& why) {
    return {.code = "damaged-record",
            .message = {TRAINYARD_TEXT("this is not a complete run record: {0}"), {why}},
            .file = path.string()};
}

} // namespace

// The library converts a number that is none of its kind, or beyond it, to anything.
std::uint64_t wholeNumber(const Json& json, std::uint64_t most) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most)
        throw std::out_of_range(json.dump() + " is no whole number from 0 to " + std::to_string(most));
    return json.get<std::uint64_t>();
}

std::int64_t signedNumber(const Json& json) {
    if (json.is_number_unsigned())
        return static_cast<std::int64_t>(wholeNumber(json, std::numeric_limits<std::int64_t>::max()));
    if (!json.is_number_integer()) throw std::out_of_range(json.dump() + " is no whole number");
    return json.get<std::int64_t>();
}

nlohmann::ordered_json readJson(std::string_view text) {
    const auto limited = [](int depth, Json::parse_event_t, const Json&) {
        if (depth > static_cast<int>(JsonLimits::nesting))
            throw std::length_error("it is nested more than " + std::to_string(JsonLimits::nesting) + " levels deep");
        return true;
    };
    try {
        return Json::parse(text, limited);
    } catch (const Json::parse_error&) { throw std::invalid_argument("it is not JSON"); }
}

std::string_view modeName(RunMode mode) { return mode == RunMode::execute ? "execute" : "simulate"; }

nlohmann::ordered_json provenanceJson(const RunProvenance& provenance) {
    Json out{{"scenario_name", provenance.scenarioName},
             {"seed", provenance.seed},
             {"mode", modeName(provenance.mode)},
             {"version", provenance.version},
             {"digest", provenance.digest},
             {"commands", commandsJson(provenance.commands)}};
    if (!provenance.complete) {
        out["complete"] = false;
        out["failure"] = provenance.failure;
    }
    if (!provenance.comparison.empty()) out["comparison"] = Json::parse(provenance.comparison, nullptr, false);
    out["scenario"] = Json::parse(provenance.scenarioText, nullptr, false);
    return out;
}

Result<RunProvenance> provenanceFrom(const nlohmann::ordered_json& json) {
    try {
        RunProvenance provenance = provenanceFields(json);
        provenance.scenarioText = json.at("scenario").dump(2) + "\n";
        return provenance;
    } catch (const std::exception& error) {
        return Problem{.code = "damaged-record", .message = {"{0}", {error.what()}}};
    }
}

Result<RunProvenance> readRecordProvenance(const std::filesystem::path& directory) {
    if (Problems problems = finishCommits(directory); !problems.empty()) return problems;
    const auto path = directory / "record.json";
    std::error_code ignored;
    if (std::filesystem::is_directory(directory, ignored) && !std::filesystem::exists(path, ignored))
        return Problem{
            .code = "no-record",
            .message = {TRAINYARD_TEXT("this directory holds no run record: {0} is missing"), {"record.json"}},
            .file = directory.string()};
    auto text = readWholeFile(path, std::uintmax_t{1} << 31);
    if (!text) return text.problems();
    auto scenario = readWholeFile(directory / "scenario.json", std::uintmax_t{1} << 31);
    if (!scenario) return scenario.problems();
    try {
        const Json json = readJson(*text);
        if (json.at("format") != "trainyard-record" || json.at("format_version") != 1)
            return damagedRecord(path, "it must say \"format\": \"trainyard-record\", \"format_version\": 1");
        RunProvenance provenance = provenanceFields(json);
        provenance.scenarioText = *scenario;
        return provenance;
    } catch (const std::exception& error) { return damagedRecord(path, error.what()); }
}

nlohmann::ordered_json numbersJson(const std::map<std::string, double>& values) {
    Json out = Json::object();
    for (const auto& [name, value] : values)
        if (std::isfinite(value)) out[name] = value;
    return out;
}

std::map<std::string, double> numbersFrom(const nlohmann::ordered_json& json) {
    std::map<std::string, double> out;
    for (const auto& [name, value] : json.items())
        if (value.is_number()) out[name] = value.get<double>();
    return out;
}

nlohmann::ordered_json jobsJson(const RunRecord& record) {
    Json out = Json::array();
    for (std::size_t j = 0; j < record.workload->jobs.size(); ++j) {
        Json job{{"id", record.workload->jobs[j].key}};
        if (record.state) job["phase"] = phaseNames[static_cast<std::size_t>(record.state->jobs()[j].phase)];
        if (j < record.metrics.jobs.size()) job.update(numbersJson(record.metrics.jobs[j]));
        out.push_back(std::move(job));
    }
    return out;
}

nlohmann::ordered_json problemJson(const Problem& problem) {
    const char* severity = problem.severity == Severity::error     ? "error"
                           : problem.severity == Severity::warning ? "warning"
                                                                   : "note";
    return {{"code", problem.code}, {"severity", severity}, {"text", problem.message.english()}};
}

Problem problemFrom(const nlohmann::ordered_json& json) {
    const auto text = [&](const char* name) {
        return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>()
                                                                                 : std::string();
    };
    const std::string severity = text("severity");
    return {.code = text("code"),
            .message = {"{0}", {text("text")}},
            .severity = severity == "warning" ? Severity::warning
                        : severity == "note"  ? Severity::note
                                              : Severity::error};
}

nlohmann::ordered_json explanationJson(const Explanation& e) {
    Json candidates = Json::array();
    for (const auto& candidate : e.candidates) {
        Json checks = Json::array(), numbers = Json::object();
        for (const auto& check : candidate.checks)
            checks.push_back({{"name", check.name},
                              {"value", limitJson(check.value)},
                              {"comparison", comparisonNames[static_cast<std::size_t>(check.comparison)]},
                              {"limit", limitJson(check.limit)}});
        for (const auto& number : candidate.numbers) numbers[number.name] = limitJson(number.value);
        candidates.push_back(
            {{"label", candidate.label}, {"checks", std::move(checks)}, {"numbers", std::move(numbers)}});
    }
    Json out{{"time_ns", e.time.ns}, {"family", familyName(e.family)}, {"policy", e.policy}};
    if (e.job.valid()) out["job"] = e.job.value;
    out["summary"] = {{"pattern", e.summary.pattern}, {"arguments", e.summary.arguments}};
    out["rule"] = ruleNames[static_cast<std::size_t>(e.rule)];
    if (!e.criterion.empty()) out["criterion"] = e.criterion;
    out["candidates"] = std::move(candidates);
    out["chosen"] = e.chosen;
    if (e.abridged) out["abridged"] = true;
    return out;
}

Explanation explanationFrom(const nlohmann::ordered_json& json) {
    Explanation e;
    e.time.ns = signedNumber(json.at("time_ns"));
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        if (json.at("family").get<std::string>() == familyName(family)) e.family = family;
    e.policy = json.at("policy").get<std::string>();
    if (json.contains("job")) e.job.value = shortNumber(json.at("job"));
    e.summary.pattern = json.at("summary").at("pattern").get<std::string>();
    e.summary.arguments = json.at("summary").at("arguments").get<std::vector<std::string>>();
    e.rule = static_cast<Rule>(indexOfName(ruleNames, json.at("rule").get<std::string>()));
    if (json.contains("criterion")) e.criterion = json.at("criterion").get<std::string>();
    for (const auto& c : json.at("candidates")) {
        Candidate candidate{.label = c.at("label").get<std::string>()};
        for (const auto& check : c.at("checks"))
            candidate.checks.push_back(
                {check.at("name").get<std::string>(), limitFrom(check.at("value")),
                 static_cast<Comparison>(indexOfName(comparisonNames, check.at("comparison").get<std::string>())),
                 limitFrom(check.at("limit"))});
        for (const auto& [name, value] : c.at("numbers").items()) candidate.numbers.push_back({name, limitFrom(value)});
        e.candidates.push_back(std::move(candidate));
    }
    for (const auto& chosen : json.at("chosen")) e.chosen.push_back(wholeNumber(chosen));
    e.abridged = json.value("abridged", false);
    return e;
}

} // namespace trainyard
