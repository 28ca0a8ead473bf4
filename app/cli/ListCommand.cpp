// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli list …: what there is to choose from, and what the numbers mean.
#include "Commands.h"
#include "Common.h"
#include "LawJson.h"

#include "analysis/View.h"
#include "learning/Model.h"
#include "learning/keyed/KeyedChoices.h"
#include "record/Metrics.h"
#include "run/import/MeasuredLaws.h"
#include "scenario/ScenarioFile.h"
#include "studies/Reproduction.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

namespace trainyard::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
    std::string what;
    bool json = false;
};

Json valueJson(const ParamValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Json fieldsJson(const ParamSchema& schema) {
    static const std::vector<std::string> types{"boolean", "integer", "real", "choice", "file"};
    Json out = Json::array();
    for (const auto& f : schema.fields()) {
        Json field{{"key", f.key},
                   {"label", f.label},
                   {"type", f.open && f.type == ParamType::choice ? "word" : types[static_cast<std::size_t>(f.type)]},
                   {"unit", f.unit}};
        if (f.type == ParamType::integer || f.type == ParamType::real) {
            field["minimum"] = f.minimum;
            field["maximum"] = f.maximum;
        }
        if (!f.choices.empty()) field["choices"] = f.choices;
        field["default"] = valueJson(f.defaultValue);
        field["help"] = f.help;
        if (!f.effect.empty()) field["effect"] = f.effect;
        out.push_back(std::move(field));
    }
    return out;
}

Json entry(const std::string& id, const std::string& label, const std::string& summary) {
    return {{"id", id}, {"label", label}, {"summary", summary}};
}

Json policiesJson(PolicyFamily family) {
    Json out = Json::array();
    const Registry registry = Registry::builtin();
    for (const PolicyInfo* info : registry.list(family)) {
        Json policy = entry(info->id, info->label, info->summary);
        if (!info->source.empty()) policy["source"] = info->source;
        policy["parameters"] = fieldsJson(info->schema);
        for (const SeriesInfo& s : info->series)
            policy["series"].push_back({{"name", s.name},
                                        {"label", s.label},
                                        {"unit", s.unit},
                                        {"meaning", s.meaning},
                                        {"first", s.first},
                                        {"second", s.second}});
        out.push_back(std::move(policy));
    }
    return out;
}

Json modelsJson() {
    Json out = Json::array();
    for (const auto& info : models()) {
        Json model = entry(info.id, info.label, info.summary);
        model["formula"] = info.formula;
        model["parameters"] = fieldsJson(info.schema);
        out.push_back(std::move(model));
    }
    return out;
}

Json dataSetsJson() {
    Json out = Json::array();
    for (const auto& info : dataSets()) {
        Json data = entry(info.id, info.label, info.summary);
        data["licence"] = info.licence;
        data["provenance"] = info.provenance;
        data["parameters"] = fieldsJson(info.schema);
        out.push_back(std::move(data));
    }
    return out;
}

Json keyedModelsJson() {
    Json out = Json::array();
    for (const auto& info : keyedModels()) {
        Json model = entry(info.id, info.label, info.summary);
        model["formula"] = info.formula;
        model["needs"] = info.needs;
        for (const auto& quality : info.qualities)
            model["qualities"].push_back({{"id", quality.id}, {"label", quality.label}});
        model["parameters"] = fieldsJson(info.schema);
        out.push_back(std::move(model));
    }
    return out;
}

Json keyedDataJson() {
    Json out = Json::array();
    for (const auto& info : keyedDataSets()) {
        Json data = entry(info.id, info.label, info.summary);
        data["parameters"] = fieldsJson(info.schema);
        out.push_back(std::move(data));
    }
    return out;
}

Json optimizersJson() {
    Json out = Json::array();
    for (const auto& info : optimizers()) {
        Json optimizer = entry(info.id, info.label, info.summary);
        optimizer["parameters"] = fieldsJson(info.schema);
        out.push_back(std::move(optimizer));
    }
    return out;
}

Json viewsJson() {
    Json out = Json::array();
    for (const View& view : views()) {
        Json item = entry(view.id, view.title.english(), view.summary.english());
        item["group"] = view.group.english();
        item["scope"] = view.scope == View::Scope::job ? "job" : "run";
        item["parameters"] = fieldsJson(view.options);
        out.push_back(std::move(item));
    }
    return out;
}

Json metricsJson() {
    Json out = Json::array();
    for (const auto& d : metricDefinitions()) {
        Json metric = entry(d.id, d.label, d.definition);
        metric["unit"] = d.unit;
        metric["per_job"] = d.perJob();
        metric["of_run"] = d.ofRun();
        out.push_back(std::move(metric));
    }
    return out;
}

/// Installed beside resources/, in the source tree one level up.
Json scenariosJson() {
    Json out = Json::array();
    const auto root = resourcePaths().root;
    const Registry registry = Registry::builtin();
    for (const auto& folder : {root / "scenarios", root.parent_path() / "scenarios"}) {
        std::error_code error;
        std::vector<std::filesystem::path> files;
        for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end;
             it.increment(error))
            if (it->path().extension() == ".json" && it->path().filename() != "schema.json")
                files.push_back(it->path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files) {
            const auto loaded = readScenario(file, registry);
            if (!loaded) continue;
            Json scenario =
                entry(file.lexically_relative(folder).string(), loaded->scenario.title, loaded->scenario.lookFor);
            scenario["file"] = file.string();
            out.push_back(std::move(scenario));
        }
        if (!out.empty()) break;
    }
    return out;
}

Json lawsJson() {
    Json out = Json::array();
    for (const auto& law : measuredLaws()) {
        Json item = entry(law.id, law.label, law.summary);
        item["provenance"] = law.provenance;
        item["member"] = law.member;
        item["law"] = lawJson(law.law);
        out.push_back(std::move(item));
    }
    return out;
}

Json studiesJson() {
    Json out = Json::array();
    for (const Study& study : studies()) {
        Json item = entry(study.id, study.title, study.summary);
        for (const StudyPart& part : study.parts) item["parts"].push_back(part.id);
        out.push_back(std::move(item));
    }
    return out;
}

Json listed(const std::string& what) {
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        if (what == familyName(family)) return policiesJson(family);
    if (what == "models") return modelsJson();
    if (what == "datasets") return dataSetsJson();
    if (what == "optimizers") return optimizersJson();
    if (what == "keyed-models") return keyedModelsJson();
    if (what == "keyed-data") return keyedDataJson();
    if (what == "metrics") return metricsJson();
    if (what == "views") return viewsJson();
    if (what == "laws") return lawsJson();
    if (what == "studies") return studiesJson();
    return scenariosJson();
}

void printList(const Json& list) {
    for (const auto& item : list) {
        std::cout << item.at("id").get<std::string>() << "\t" << item.at("label").get<std::string>();
        const auto summary = item.at("summary").get<std::string>();
        if (!summary.empty()) std::cout << "\t" << summary;
        std::cout << "\n";
        if (item.contains("law"))
            std::cout << "    \"" << item.at("member").get<std::string>() << "\": " << item.at("law").dump() << "\n    "
                      << item.at("provenance").get<std::string>() << "\n";
        if (!item.contains("parameters")) continue;
        for (const auto& field : item.at("parameters")) {
            const auto unit = field.at("unit").get<std::string>();
            std::cout << "    " << field.at("key").get<std::string>() << " = " << field.at("default").dump() << " "
                      << unit << (unit.empty() ? "" : " ");
            if (field.contains("choices")) // as they are written in files
                for (const char* before = "of "; const auto& choice : field.at("choices"))
                    std::cout << std::exchange(before, ", ") << choice.dump();
            if (field.contains("minimum"))
                std::cout << "of " << tableNumber(field.at("minimum").get<double>()) << " to "
                          << tableNumber(field.at("maximum").get<double>());
            std::cout << "\t" << field.at("help").get<std::string>() << "\n";
        }
    }
}

} // namespace

void addList(CLI::App& app, int& status) {
    auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand("list", "List what a scenario can use");
    const std::vector<std::string> kinds{
        "scheduler",    "synchronization", "parameters", "partitioner", "models", "datasets", "optimizers",
        "keyed-models", "keyed-data",      "metrics",    "views",       "laws",   "studies",  "scenarios"};
    command
        ->add_option(
            "what", options->what,
            "A policy family, models, datasets, optimizers, keyed-models, keyed-data, metrics, views, laws (measured), studies or "
            "scenarios")
        ->required()
        ->check(CLI::IsMember(kinds));
    command->add_flag("--json", options->json, "One JSON array on standard output");
    command->callback([options, &status] {
        const Json list = listed(options->what);
        if (options->json)
            std::cout << list.dump(2) << "\n";
        else
            printList(list);
        status = exitDone;
        if (list.empty()) // of scenarios alone: all else is in the program
            status = refuse({{.code = "no-scenarios",
                              .message = {TRAINYARD_TEXT("no scenarios are found in or beside this directory; "
                                                         "TRAINYARD_RESOURCES names another"),
                                          {}},
                              .file = resourcePaths().root.string()}});
    });
}

} // namespace trainyard::cli
