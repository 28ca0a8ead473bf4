// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/FormatVersion.h"

#include "scenario/Decimal.h"
#include "scenario/Scenario.h"

namespace trainyard {

bool hasFormat(const JsonNode& root, const KnownFormat& known, Problems& problems) {
    using NodeType = JsonNode::Type;
    const std::string current = std::to_string(known.version);
    const auto report = [&](const char* code, Text message, const char* pointer, int line) {
        problems.push_back({.code = code, .message = std::move(message), .pointer = pointer, .line = line});
        return false;
    };
    if (!root.is(NodeType::object))
        return report(
            known.code,
            {TRAINYARD_TEXT("a {2} is an object in {1}; this is {0}"), {describeType(root.type), "{ }", known.noun}},
            "", root.line);
    const JsonNode* format = root.find("format");
    if (!format)
        return report(known.code,
                      {TRAINYARD_TEXT("this is not a Trainyard {1}: the key \"format\" is missing; it "
                                      "begins with \"format\": \"{2}\", \"version\": {0}"),
                       {current, known.noun, known.format}},
                      "", root.line);
    if (!format->is(NodeType::string) || format->text != known.format)
        return report(
            known.code,
            {TRAINYARD_TEXT("this is not a Trainyard {0}: \"format\" must be \"{1}\""), {known.noun, known.format}},
            "/format", format->line);
    const JsonNode* version = root.find("version");
    if (!version)
        return report("missing-key",
                      {TRAINYARD_TEXT("the key \"version\" is missing; the current version is {0}"), {current}}, "",
                      root.line);
    const auto decimal = version->is(NodeType::number) ? Decimal::parse(version->text) : std::nullopt;
    if (!decimal || !decimal->isWhole() || decimal->negative || decimal->digits.empty())
        return report("unknown-version", {TRAINYARD_TEXT("\"version\" must be {0}"), {current}}, "/version",
                      version->line);
    if (decimal->toInteger() == known.version) return true;
    return report("unknown-version",
                  {TRAINYARD_TEXT("the file has version {0}, written by a newer Trainyard; this one reads version {1}"),
                   {version->text.substr(0, 40), current}},
                  "/version", version->line);
}

bool hasKnownFormat(const JsonNode& root, Problems& problems) {
    return hasFormat(root, {"trainyard-scenario", Scenario::formatVersion, "not-a-scenario", "scenario"}, problems);
}

} // namespace trainyard
