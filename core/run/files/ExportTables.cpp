// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics, losses and events as tables.
#include "base/CsvTable.h"
#include "base/Format.h"
#include "record/EventMeanings.h"
#include "run/files/AtomicFile.h"
#include "run/files/Export.h"
#include "run/files/RecordJson.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

std::string finiteNumber(double value) { return std::isfinite(value) ? formatNumber(value) : std::string(); }

/// Nanoseconds as seconds without rounding: the double of a late time has fewer digits than the time itself.
std::string exactSeconds(SimTime t) {
    std::string digits = std::to_string(t.ns);
    const bool negative = digits[0] == '-';
    if (negative) digits.erase(0, 1);
    if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
    std::string whole = digits.substr(0, digits.size() - 9), fraction = digits.substr(digits.size() - 9);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    return (negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

std::string jobKey(const Workload& workload, const Event& event) {
    return event.job < workload.jobs.size() ? workload.jobs[event.job].key : std::string();
}

std::string quotedJson(std::string_view text) { return Json(text).dump(); }

/// ,"name":value for one member of an event.
void appendMember(std::string& line, const FieldMeaning& field, const Event& event, std::uint32_t member,
                  const Workload& workload) {
    if (field.kind == FieldKind::none) return;
    line += ",\"" + std::string(field.name) + "\":";
    if (field.kind == FieldKind::count)
        line += std::to_string(event.count());
    else if (field.kind == FieldKind::number || field.kind == FieldKind::worker || field.kind == FieldKind::task)
        line += std::to_string(member);
    else if (field.kind == FieldKind::norm) {
        const std::string norm = fieldText(field.kind, member, workload);
        line += norm.empty() ? "null" : norm;
    } else
        line += quotedJson(fieldText(field.kind, event, member, workload));
}

std::string eventLine(const RunRecord& record, const Event& event) {
    const EventMeaning& meaning = eventMeaning(event.type);
    std::string line =
        "{\"time_s\":" + exactSeconds(event.time) + ",\"event\":\"" + std::string(eventName(event.type)) + "\"";
    if (meaning.ofJob && event.job < record.workload->jobs.size())
        line += ",\"job\":" + quotedJson(jobKey(*record.workload, event));
    appendMember(line, meaning.aux, event, event.aux, *record.workload);
    appendMember(line, meaning.a, event, event.a, *record.workload);
    appendMember(line, meaning.b, event, event.b, *record.workload);
    if (meaning.value.kind != FieldKind::none) {
        const std::string number = finiteNumber(event.value);
        line += ",\"" + std::string(meaning.value.name) + "\":" + (number.empty() ? "null" : number);
    }
    return line + "}\n";
}

std::string memberCell(const FieldMeaning& field, const Event& event, std::uint32_t member, const Workload& workload) {
    if (field.kind == FieldKind::none) return {};
    if (field.kind == FieldKind::count) return std::to_string(event.count());
    return fieldText(field.kind, event, member, workload);
}

} // namespace

Problems exportMetricsJson(const RunRecord& record, const std::filesystem::path& path) {
    Json definitions = Json::object();
    for (const auto& d : metricDefinitions())
        definitions[d.id] = {{"label", d.label}, {"unit", d.unit}, {"definition", d.definition}};
    std::string text = "{\"provenance\":" + provenanceJsonText(record) + ",\n";
    text += "\"complete\": " + std::string(record.complete ? "true" : "false") + ",\n";
    text += "\"metrics\": " + numbersJson(record.metrics.values).dump(2) + ",\n";
    text += "\"jobs\": " + jobsJson(record).dump(2) + ",\n";
    text += "\"definitions\": " + definitions.dump(2) + "}\n";
    return writeFileAtomically(path, text);
}

Problems exportMetricsCsv(const RunRecord& record, const std::filesystem::path& path) {
    std::string text = provenanceAbove(record) + "job,metric,value\n";
    for (const auto& [name, value] : record.metrics.values) text += "," + name + "," + finiteNumber(value) + "\n";
    for (std::size_t j = 0; j < record.metrics.jobs.size(); ++j)
        for (const auto& [name, value] : record.metrics.jobs[j])
            text += csvField(record.workload->jobs[j].key) + "," + name + "," + finiteNumber(value) + "\n";
    return writeFileAtomically(path, text + provenanceBelow(record));
}

Problems exportLossesCsv(const RunRecord& record, const std::filesystem::path& path) {
    AtomicFile file(path);
    file.write(provenanceAbove(record) + "job,time_s,update,loss,gradient_norm\n");
    record.log->walk(0, record.log->size(), [&](const Event& e) {
        if (e.type == EventType::lossEvaluated)
            file.write(csvField(jobKey(*record.workload, e)) + "," + exactSeconds(e.time) + "," +
                       std::to_string(e.count()) + "," + finiteNumber(e.value) + "," +
                       fieldText(FieldKind::norm, e.aux, *record.workload) + "\n");
    });
    file.write(provenanceBelow(record));
    return file.commit();
}

const std::vector<std::string>& eventCellNames() {
    static const std::vector<std::string> names{"time_s", "event", "job", "aux", "a", "b", "value"};
    return names;
}

std::vector<std::string> eventCells(const Event& e, const Workload& workload) {
    const EventMeaning& meaning = eventMeaning(e.type);
    return {exactSeconds(e.time),
            std::string(eventName(e.type)),
            jobKey(workload, e),
            memberCell(meaning.aux, e, e.aux, workload),
            memberCell(meaning.a, e, e.a, workload),
            memberCell(meaning.b, e, e.b, workload),
            meaning.value.kind == FieldKind::none ? std::string() : finiteNumber(e.value)};
}

Problems exportEventsCsv(const RunRecord& record, const std::filesystem::path& path) {
    AtomicFile file(path);
    file.write(provenanceAbove(record));
    const auto writeRow = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csvField(cell);
        file.write(line + "\n");
    };
    writeRow(eventCellNames());
    for (std::size_t i = 0; i < record.log->size() && !file.failed(); ++i)
        writeRow(eventCells((*record.log)[i], *record.workload));
    file.write(provenanceBelow(record));
    return file.commit();
}

Problems exportEventsNdjson(const RunRecord& record, const std::filesystem::path& path) {
    AtomicFile file(path);
    file.write("{\"provenance\":" + provenanceJsonText(record) + "}\n");
    for (std::size_t i = 0; i < record.log->size() && !file.failed(); ++i)
        file.write(eventLine(record, (*record.log)[i]));
    return file.commit();
}

Problems exportAll(const RunRecord& record, const std::filesystem::path& directory) {
    Problems problems;
    const auto add = [&](const Problems& more) { problems.insert(problems.end(), more.begin(), more.end()); };
    add(exportMetricsJson(record, directory / "metrics.json"));
    add(exportMetricsCsv(record, directory / "metrics.csv"));
    add(exportLossesCsv(record, directory / "losses.csv"));
    add(exportEventsCsv(record, directory / "events.csv"));
    add(exportEventsNdjson(record, directory / "events.ndjson"));
    add(exportTrace(record, directory / "trace.json"));
    return problems;
}

} // namespace trainyard
