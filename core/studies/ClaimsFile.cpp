// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/ClaimsFile.h"

#include "base/CsvTable.h"
#include "base/WholeFile.h"
#include "run/files/DirectoryLock.h"
#include "run/files/RecordJson.h"
#include "scenario/JsonTree.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace trainyard {

namespace claims_file {

using Json = nlohmann::ordered_json;

Json optionalNumber(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::optional<double> numberIn(const Json& json, const char* key) {
    const Json& value = json.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

Claim claimFrom(const Json& json) {
    Claim claim{.id = json.at("id").get<std::string>(),
                .claim = json.at("claim").get<std::string>(),
                .source = json.at("source").get<std::string>(),
                .unit = json.at("unit").get<std::string>(),
                .expected = numberIn(json, "expected"),
                .measured = numberIn(json, "measured"),
                .n = wholeNumber(json.at("n")),
                .holds = json.at("holds").get<bool>(),
                .undecided = json.value("undecided", false), // earlier versions told only what holds
                .finding = json.at("finding").get<std::string>()};
    if (const Json& interval = json.at("interval"); !interval.is_null())
        claim.interval = std::pair(interval.at(0).get<double>(), interval.at(1).get<double>());
    return claim;
}

Json mapJson(const StudyMap& map) {
    Json values = Json::array();
    for (const double value : map.values) values.push_back(std::isfinite(value) ? Json(value) : Json());
    return {{"title", map.title}, {"meaning", map.meaning},      {"columns", map.columns},
            {"rows", map.rows},   {"values", std::move(values)}, {"notes", map.notes}};
}

StudyMap mapFrom(const Json& json) {
    StudyMap map{.title = json.at("title").get<std::string>(),
                 .meaning = json.at("meaning").get<std::string>(),
                 .columns = json.at("columns").get<std::vector<std::string>>(),
                 .rows = json.at("rows").get<std::vector<std::string>>(),
                 .values = {},
                 .notes = json.at("notes").get<std::vector<std::string>>()};
    for (const Json& value : json.at("values")) map.values.push_back(value.is_null() ? NAN : value.get<double>());
    if (map.values.size() != map.columns.size() * map.rows.size() ||
        (!map.notes.empty() && map.notes.size() != map.values.size()))
        throw std::runtime_error("the map " + map.title + " has another number of values than of cells");
    return map;
}

std::string csvLine(const std::vector<std::string>& fields) {
    std::string text;
    for (const auto& field : fields) {
        if (&field != &fields.front()) text += ',';
        appendCsvField(text, field);
    }
    return text + "\n";
}

} // namespace claims_file

using namespace claims_file;

MeasuredStudy measured(const Study& study, const std::string& part, bool quick, StudyReport report) {
    return {study.id, study.title, TRAINYARD_VERSION, part, quick, std::move(report)};
}

std::string commandOf(const MeasuredStudy& study) {
    return "trainyard-cli reproduce " + study.study + (study.part.empty() ? "" : " --part " + study.part) +
           (study.quick ? " --quick" : "");
}

std::string claimsJson(const MeasuredStudy& study) {
    Json claims = Json::array();
    for (const Claim& claim : study.report.claims)
        claims.push_back(
            {{"id", claim.id},
             {"claim", claim.claim},
             {"source", claim.source},
             {"unit", claim.unit},
             {"expected", optionalNumber(claim.expected)},
             {"measured", optionalNumber(claim.measured)},
             {"interval", claim.interval ? Json::array({claim.interval->first, claim.interval->second}) : Json()},
             {"n", claim.n},
             {"holds", claim.holds},
             {"undecided", claim.undecided},
             {"finding", claim.finding}});
    Json json{{"study", study.study},
              {"title", study.title},
              {"version", study.version},
              {"part", study.part},
              {"complete", !study.report.stopped},
              {"quick", study.quick},
              {"confidence", 0.95},
              {"claims", std::move(claims)}};
    if (!study.report.maps.empty()) {
        json["maps"] = Json::array();
        for (const StudyMap& map : study.report.maps) json["maps"].push_back(mapJson(map));
    }
    return json.dump(2);
}

Problems writeStudy(const std::filesystem::path& directory, const MeasuredStudy& study) {
    std::vector<std::pair<std::string, std::string>> files{{"claims.json", claimsJson(study) + "\n"}};
    for (const StudyTable& table : study.report.tables) {
        std::string text = "# study " + study.study + ", version " + study.version + ": " + commandOf(study) + "\n" +
                           (study.report.stopped ? "# stopped before the end\n" : "") + csvLine(table.columns);
        for (const auto& row : table.rows) text += csvLine(row);
        files.emplace_back(table.name + ".csv", std::move(text));
    }
    return replaceFiles(directory, files);
}

Result<MeasuredStudy> readClaims(const std::filesystem::path& file) {
    const auto text = readWholeFile(file, JsonLimits::bytes);
    if (!text) return text.problems();
    try {
        const Json json = readJson(*text);
        MeasuredStudy out{.study = json.at("study").get<std::string>(),
                          .title = json.at("title").get<std::string>(),
                          .version = json.at("version").get<std::string>(),
                          .part = json.at("part").get<std::string>(),
                          .quick = json.at("quick").get<bool>()};
        out.report.stopped = !json.at("complete").get<bool>();
        for (const Json& claim : json.at("claims")) out.report.claims.push_back(claimFrom(claim));
        if (json.contains("maps"))
            for (const Json& map : json.at("maps")) out.report.maps.push_back(mapFrom(map));
        return out;
    } catch (const std::exception& e) {
        return Problems{{.code = "not-claims",
                         .message = {TRAINYARD_TEXT("this is no claims.json of a study: {0}"), {e.what()}},
                         .file = file.string()}};
    }
}

} // namespace trainyard
