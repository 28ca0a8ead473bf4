// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/ComparisonFile.h"

#include "base/CsvTable.h"
#include "run/compare/Seeds.h"
#include "run/files/RecordJson.h"
#include "scenario/ScenarioFile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace trainyard {

namespace comparison_file {

using Json = nlohmann::ordered_json;

Json estimateJson(const Estimate& estimate) {
    Json out{{"mean", estimate.mean}, {"n", estimate.n}};
    out["interval"] = estimate.halfWidth
                          ? Json::array({estimate.mean - *estimate.halfWidth, estimate.mean + *estimate.halfWidth})
                          : Json();
    return out;
}

Json metricsJson(const ArmResult& arm) {
    Json metrics = Json::object();
    for (const auto& [name, estimate] : arm.metrics) {
        metrics[name] = estimateJson(estimate);
        if (const auto it = arm.differences.find(name); it != arm.differences.end())
            metrics[name]["difference"] = estimateJson(it->second);
        if (const auto it = arm.pValues.find(name); it != arm.pValues.end())
            metrics[name]["difference"]["p_holm"] = it->second;
    }
    return metrics;
}

Json agreementJson(const OrderAgreement& agreement) {
    Json policies = Json::array();
    for (const auto& arm : agreement.arms)
        policies.push_back(
            {{"policy", arm.name},
             {"executed", estimateJson(arm.executed)},
             {"simulated", estimateJson(arm.simulated)},
             {"gap", {{"iteration_time", arm.iterationGap ? estimateJson(*arm.iterationGap) : Json()}}}});
    Json out{{"metric", agreement.metric}, {"policies", std::move(policies)}, {"left_out", agreement.leftOut}};
    if (agreement.arms.size() < 2) {
        out["rank_correlation"] = nullptr;
        return out;
    }
    const auto& ranks = agreement.ranks;
    const auto& interval = agreement.interval;
    out["rank_correlation"] = {
        {"rho", ranks.rho},
        {"n", ranks.n},
        {"interval", interval ? Json::array({interval->first, interval->second}) : Json()},
        {"interval_over_policies", ranks.n >= 4 ? Json::array({ranks.low, ranks.high}) : Json()}};
    return out;
}

Json tuningJson(const TuningRequest& request, const TuningResult& result) {
    Json policies = Json::array();
    if (!result.stopped)
        for (const auto& arm : result.arms)
            policies.push_back({{"policy", arm.arm},
                                {"learning_rate", arm.rate},
                                {"value", arm.metric ? estimateJson(*arm.metric) : Json()},
                                {"at_edge", arm.atEdge}});
    return {{"rates", request.rates},
            {"complete", !result.stopped},
            {"seeds", request.comparison.seeds},
            {"metric", request.metric},
            {"policies", std::move(policies)}};
}

void appendObservations(std::string& text, const ComparisonResult& result, RunMode mode) {
    for (const auto& arm : result.arms)
        for (std::size_t i = 0; i < arm.runs.size(); ++i)
            for (const auto& [name, value] : arm.runs[i])
                text += csvField(arm.name) + "," + std::to_string(result.seeds[i]) + "," + name + "," +
                        Json(value).dump() + "," + std::string(modeName(mode)) + "\n";
}

Json choiceJson(const Choice& choice) {
    Json parameters = Json::object();
    for (const auto& [key, value] : choice.parameters)
        std::visit([&member = parameters[key]](const auto& v) { member = v; }, value);
    return {{"id", choice.id}, {"parameters", std::move(parameters)}};
}

Choice choiceFrom(const Json& json) {
    Choice out{json.at("id").get<std::string>(), {}};
    for (const auto& [key, value] : json.at("parameters").items()) {
        if (value.is_boolean())
            out.parameters[key] = value.get<bool>();
        else if (value.is_number_integer())
            out.parameters[key] = value.get<std::int64_t>();
        else if (value.is_number())
            out.parameters[key] = value.get<double>();
        else
            out.parameters[key] = value.get<std::string>();
    }
    return out;
}

Json choicesJson(const ComparisonArm& arm) {
    Json out = Json::object();
    for (const PolicyChoice& choice : arm.choices)
        out[std::string(familyName(choice.family))] = choiceJson(choice.choice);
    return out;
}

ComparisonArm armFromJson(const Json& json) {
    ComparisonArm arm{json.at("name").get<std::string>(), {}};
    for (const auto& [family, choice] : json.at("choices").items()) {
        const auto known = {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                            PolicyFamily::partitioner};
        const auto it = std::find_if(known.begin(), known.end(),
                                     [&family = family](PolicyFamily f) { return familyName(f) == family; });
        if (it == known.end()) throw std::invalid_argument("\"" + family + "\" is no family of policies");
        arm.choices.push_back({*it, choiceFrom(choice)});
    }
    if (json.contains("learning_rate")) arm.learningRate = json.at("learning_rate").get<double>();
    arm.title = json.value("title", std::string());
    return arm;
}

/// The variant that this is, else the policy.
std::string nameOf(const Scenario& scenario, const PolicyChoice& choice) {
    for (const Variant& variant : scenario.variants)
        if (variant.family == choice.family && variant.choice == choice.choice) return variant.name;
    return choice.choice.id;
}

/// The one family that all arms choose, and nothing else.
std::optional<PolicyFamily> soleFamily(const std::vector<ComparisonArm>& arms) {
    std::optional<PolicyFamily> out;
    for (const auto& arm : arms) {
        if (arm.choices.size() != 1 || (out && *out != arm.choices.front().family)) return std::nullopt;
        out = arm.choices.front().family;
    }
    return out;
}

void addRunProblems(Json& out, const ComparisonResult& result, RunMode mode) {
    for (const RunProblem& found : result.runProblems) {
        Json one{{"policy", result.arms[found.arm].name},
                 {"seed", result.seeds[found.seed]},
                 {"mode", modeName(mode)},
                 {"failed", found.failed}};
        one.update(problemJson(found.problem));
        out.push_back(std::move(one));
    }
}

} // namespace comparison_file

using namespace comparison_file;

bool isComplete(const ComparisonReport& report) {
    const auto whole = [](const ComparisonResult& r) { return !r.stopped && r.missing == 0 && r.failed() == 0; };
    return whole(report.result) && (!report.simulated || whole(*report.simulated));
}

std::string missingRuns(const ComparisonReport& report) {
    if (isComplete(report)) return {};
    const auto any = [&](auto is) { return is(report.result) || (report.simulated && is(*report.simulated)); };
    if (any([](const ComparisonResult& r) { return r.stopped; })) return "stopped before the end: runs are missing";
    if (any([](const ComparisonResult& r) { return r.missing > 0; })) return "runs of other shards are missing";
    return "runs that failed or met a limit are missing";
}

nlohmann::ordered_json comparisonJson(const ComparisonReport& report) {
    const auto& [request, result, name, simulated, agreement, tuning, tuned] = report;
    const auto family = soleFamily(request.arms);
    Json policies = Json::array(), runProblems = Json::array();
    if (simulated) addRunProblems(runProblems, *simulated, RunMode::simulate);
    addRunProblems(runProblems, result, request.mode);
    for (std::size_t a = 0; a < result.arms.size(); ++a) {
        const ArmResult& arm = result.arms[a];
        policies.push_back({{"policy", arm.name},
                            {"choices", choicesJson(request.arms[a])},
                            {"runs", arm.done() + arm.failed},
                            {"failed", arm.failed},
                            {"unfinished", arm.unfinished},
                            {"diverged", arm.diverged},
                            {"metrics", metricsJson(arm)}});
        if (simulated) policies.back()["simulated"] = metricsJson(simulated->arms[a]);
    }
    Json out{{"scenario", name},
             {"version", TRAINYARD_VERSION},
             {"mode", modeName(request.mode)},
             {"complete", isComplete(report)},
             {"family", family ? Json(familyName(*family)) : Json()},
             {"baseline", request.arms[request.baseline].name},
             {"seeds", result.seeds},
             {"confidence", result.confidence()},
             {"learning_rate", tuned ? "tuned" : "same"},
             {"policies", std::move(policies)},
             {"problems", std::move(runProblems)}};
    if (request.until)
        out["until"] = {{"metric", request.until->metric},
                        {"half_width", request.until->relative},
                        {"reached", result.reached.value_or(false)},
                        {"looks", result.looks},
                        {"rule", "each look's interval is at 1 - 5 %/looks"}};
    if (tuned) out["tuning"] = tuningJson(*tuning, *tuned);
    if (agreement) out["execution"] = agreementJson(*agreement);
    return out;
}

std::string observationsCsv(const ComparisonReport& report) {
    const RunProvenance provenance = comparisonProvenance(report.request, report.name);
    std::string text = provenanceAbove(provenance);
    if (const std::string missing = missingRuns(report); !missing.empty()) text += commentLine(missing);
    for (const ComparisonResult* result : {&report.result, report.simulated})
        for (const RunProblem& found : result ? result->runProblems : std::vector<RunProblem>())
            text += commentLine((found.problem.severity == Severity::warning ? "warning: " : "") +
                                result->named(found).message.english());
    text += "policy,seed,metric,value,mode\n";
    appendObservations(text, report.result, report.request.mode);
    if (report.simulated) appendObservations(text, *report.simulated, RunMode::simulate);
    return text + provenanceBelow(provenance);
}

std::string comparisonText(const ComparisonRequest& request) {
    Json arms = Json::array();
    for (const auto& arm : request.arms) {
        arms.push_back({{"name", arm.name}, {"choices", choicesJson(arm)}});
        if (arm.learningRate) arms.back()["learning_rate"] = *arm.learningRate;
        if (!arm.title.empty()) arms.back()["title"] = arm.title;
    }
    Json json{{"arms", std::move(arms)}, {"baseline", request.baseline}, {"seeds", seedsText(request.seeds)}};
    if (request.everyJob) json["every_job"] = true;
    if (request.until) json["until"] = {{"metric", request.until->metric}, {"half_width", request.until->relative}};
    return json.dump();
}

RunProvenance comparisonProvenance(const ComparisonRequest& request, const std::string& scenarioName) {
    return {.scenarioText = writeScenario(*request.scenario),
            .scenarioName = scenarioName,
            .seed = request.seeds.front(),
            .mode = request.mode,
            .version = TRAINYARD_VERSION,
            .comparison = comparisonText(request)};
}

Result<ComparisonRequest> comparisonFrom(const std::string& text) {
    try {
        const Json json = readJson(text);
        ComparisonRequest out;
        for (const auto& arm : json.at("arms")) out.arms.push_back(armFromJson(arm));
        out.baseline = wholeNumber(json.at("baseline"));
        if (out.baseline >= out.arms.size()) throw std::out_of_range("the baseline is not one of the arms");
        auto seeds = parseSeeds(json.at("seeds").get<std::string>());
        if (!seeds) return seeds.problems();
        out.seeds = std::move(seeds).value();
        out.everyJob = json.value("every_job", false);
        if (json.contains("until"))
            out.until = {json.at("until").at("metric").get<std::string>(),
                         json.at("until").at("half_width").get<double>()};
        return out;
    } catch (const std::exception& error) {
        return Problem{
            .code = "damaged-record",
            .message = {TRAINYARD_TEXT("the comparison that this file came from cannot be read from it: {0}"),
                        {error.what()}}};
    }
}

std::string comparisonCommand(const ComparisonRequest& request, const std::string& file) {
    const auto quoted = [](const std::string& text) {
        const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
            return std::isalnum(c) || std::string_view("-_.,/=%+").find(static_cast<char>(c)) != std::string_view::npos;
        });
        if (plain && !text.empty()) return text;
        std::string out = "'";
        for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out + "'";
    };
    std::string out = "trainyard-cli compare " + quoted(file);
    if (const auto family = soleFamily(request.arms)) {
        std::string names;
        for (const auto& arm : request.arms) names += (names.empty() ? "" : ",") + arm.name;
        out += " --vary " + quoted(std::string(familyName(*family)) + "=" + names);
    } else {
        for (const auto& arm : request.arms) {
            std::string text;
            for (const auto& choice : arm.choices)
                text += (text.empty() ? "" : ",") + std::string(familyName(choice.family)) + "=" +
                        nameOf(*request.scenario, choice);
            out += " --arm " + quoted(text.empty() ? "scenario" : text);
        }
    }
    if (request.baseline > 0) out += " --baseline " + quoted(request.arms[request.baseline].name);
    out += " --seeds " + seedsText(request.seeds);
    if (request.until) {
        char percent[32];
        std::snprintf(percent, sizeof percent, "%g%%", 100 * request.until->relative);
        out += std::string(" --until-half-width ") + percent + " --until-metric " + request.until->metric;
    }
    if (request.everyJob) out += " --every-job";
    if (request.mode != request.scenario->mode) out += " --mode " + std::string(modeName(request.mode));
    return out;
}

} // namespace trainyard
