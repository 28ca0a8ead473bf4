// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The published schema of events.ndjson, made from the table of event meanings.
#include "record/EventMeanings.h"
#include "run/files/Export.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

void describeMember(Json& properties, Json& required, const FieldMeaning& field, bool real) {
    if (field.kind == FieldKind::none) return;
    const auto& words = fieldWords(field.kind);
    Json type;
    if (!words.empty())
        type = {{"enum", words}};
    else if (real || field.kind == FieldKind::norm)
        type = {{"type", Json::array({"number", "null"})}};
    else if (field.kind == FieldKind::number || field.kind == FieldKind::worker || field.kind == FieldKind::task ||
             field.kind == FieldKind::count)
        type = {{"type", "integer"}, {"minimum", 0}};
    else
        type = {{"type", "string"}};
    properties[field.name] = std::move(type);
    required.push_back(field.name);
}

Json describeEvent(const EventMeaning& meaning) {
    Json properties{{"time_s", {{"type", "number"}, {"minimum", 0}}}, {"event", {{"const", eventName(meaning.type)}}}};
    Json required = Json::array({"time_s", "event"});
    if (meaning.ofJob) properties["job"] = {{"type", "string"}};
    if (meaning.ofJob && meaning.type != EventType::decision && meaning.type != EventType::note)
        required.push_back("job");
    describeMember(properties, required, meaning.aux, false);
    describeMember(properties, required, meaning.a, false);
    describeMember(properties, required, meaning.b, false);
    describeMember(properties, required, meaning.value, true);
    return {{"description", meaning.summary},
            {"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

} // namespace

std::string eventsSchema() {
    Json kinds = Json::array();
    kinds.push_back({{"description", "The first line: how to repeat the run."},
                     {"type", "object"},
                     {"properties", {{"provenance", {{"type", "object"}}}}},
                     {"required", Json::array({"provenance"})},
                     {"additionalProperties", false}});
    for (const auto& meaning : eventMeanings()) kinds.push_back(describeEvent(meaning));
    const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"title", "A line of Trainyard's events.ndjson"},
                      {"oneOf", std::move(kinds)}};
    return schema.dump(2) + "\n";
}

} // namespace trainyard
