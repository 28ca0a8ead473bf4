// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The compound values that FieldReader reads by itself: lists of numbers, amounts, parameters, dependencies.
#include "scenario/Decimal.h"
#include "scenario/FieldReader.h"
#include "scenario/Suggest.h"

#include <algorithm>

namespace trainyard {

void FieldReader::numbers(Member key, std::vector<double>& values, NumberRule rule) {
    const JsonNode* node = take(key, JsonNode::Type::array, TRAINYARD_TEXT("a list of numbers in [ ]"));
    if (!node) return;
    values.clear();
    for (std::size_t i = 0; i < node->items.size(); ++i)
        if (const auto value = checkedNumber(node->items[i], key.name, rule, place(key.name) + "/" + std::to_string(i)))
            values.push_back(*value);
}

void FieldReader::texts(Member key, std::vector<std::string>& values) {
    const JsonNode* node = take(key, JsonNode::Type::array, TRAINYARD_TEXT("a list of texts in [ ]"));
    if (!node) return;
    values.clear();
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const JsonNode& item = node->items[i];
        const std::string pointer = place(key.name) + "/" + std::to_string(i);
        if (!item.is(JsonNode::Type::string))
            wrongType(item, key.name, TRAINYARD_TEXT("a list of texts in quotes"), pointer);
        else if (isOneLine(item, key.name, pointer))
            values.push_back(item.text);
    }
}

std::optional<std::pair<double, double>> FieldReader::pairOf(const JsonNode& node, const char* name,
                                                             const NumberRule& rule, const std::string& pointer) {
    if (!node.is(JsonNode::Type::array) || node.items.size() != 2) {
        wrongType(node, name, TRAINYARD_TEXT("a list of two numbers, such as [0, 1]"), pointer);
        return std::nullopt;
    }
    const auto first = checkedNumber(node.items[0], name, rule, pointer + "/0");
    const auto second = checkedNumber(node.items[1], name, rule, pointer + "/1");
    if (!first || !second) return std::nullopt;
    return std::pair{*first, *second};
}

void FieldReader::pair(Member key, std::optional<std::pair<double, double>>& value, NumberRule rule) {
    if (const JsonNode* node =
            take(key, JsonNode::Type::array, TRAINYARD_TEXT("a list of two numbers, such as [0, 1]")))
        value = pairOf(*node, key.name, rule, place(key.name));
}

void FieldReader::amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) {
    const JsonNode* node = take(key, JsonNode::Type::object, TRAINYARD_TEXT("an object such as {\"cpu\": 1}"));
    if (!node) return;
    const NumberRule rule{.minimum = 0, .maximum = 1e8};
    for (const auto& member : node->items) {
        const std::string pointer = place(key.name) + "/" + pointerToken(member.key);
        const auto it = std::find(resources.begin(), resources.end(), member.key);
        if (it == resources.end()) {
            report("unknown-resource",
                   {TRAINYARD_TEXT("the cluster has no resource \"{0}\"; /cluster/resources lists {1}"),
                    {member.key, resources.empty() ? TRAINYARD_TEXT("none") : joinWords(resources)}},
                   pointer, member.line);
            continue;
        }
        if (!checkedNumber(member, member.key.c_str(), rule, pointer)) continue;
        const auto micro = Decimal::parse(member.text).value_or(Decimal{}).shifted(6).toInteger();
        value.setMicro(static_cast<std::size_t>(it - resources.begin()), micro.value_or(0));
    }
}

void FieldReader::ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) {
    const JsonNode* node =
        take(key, JsonNode::Type::object, TRAINYARD_TEXT("an object such as {\"makespan_s\": [10, 12]}"));
    if (!node) return;
    values.clear();
    for (const auto& member : node->items) {
        const std::string pointer = place(key.name) + "/" + pointerToken(member.key);
        const auto range = pairOf(member, member.key.c_str(), {.minimum = -1e300, .maximum = 1e300}, pointer);
        if (!range) continue;
        if (range->first > range->second)
            report("bounds-reversed",
                   {TRAINYARD_TEXT("the first number of \"{0}\" must be at most the second"), {member.key}}, pointer,
                   member.line);
        values.emplace_back(member.key, range->first, range->second);
    }
}

void FieldReader::parameters(Member key, ParamValues& values) {
    const JsonNode* node = take(key, JsonNode::Type::object, TRAINYARD_TEXT("an object such as {\"k\": 3}"));
    if (!node) return;
    for (const auto& member : node->items) {
        switch (member.type) {
        case JsonNode::Type::boolean: values[member.key] = member.truth; break;
        case JsonNode::Type::string:
            if (isOneLine(member, member.key.c_str(), place(key.name) + "/" + pointerToken(member.key)))
                values[member.key] = member.text;
            break;
        case JsonNode::Type::number: {
            const Decimal decimal = Decimal::parse(member.text).value_or(Decimal{});
            const bool plain = member.text.find_first_of(".eE") == std::string::npos;
            if (const auto whole = plain ? decimal.toInteger() : std::nullopt)
                values[member.key] = *whole;
            else
                values[member.key] = decimal.toDouble();
            break;
        }
        default:
            wrongType(member, member.key.c_str(), TRAINYARD_TEXT("a number, a text or true or false"),
                      place(key.name) + "/" + pointerToken(member.key));
        }
    }
}

std::optional<std::uint32_t> FieldReader::operationIndex(const JsonNode& node, const std::vector<Operation>& operations,
                                                         const std::string& pointer) {
    const auto complainAbout = [&](const std::string& what) {
        report("unknown-operation",
               {TRAINYARD_TEXT("there is no operation {0}; there are {1}, counted from 0"),
                {what, std::to_string(operations.size())}},
               pointer, node.line);
        return std::nullopt;
    };
    if (node.is(JsonNode::Type::string)) {
        const auto named = [&](const Operation& op) { return op.name == node.text; };
        const auto it = std::find_if(operations.begin(), operations.end(), named);
        if (it == operations.end()) return complainAbout("\"" + node.text + "\"");
        if (std::any_of(it + 1, operations.end(), named)) {
            report(
                "ambiguous-operation",
                {TRAINYARD_TEXT("several operations are called \"{0}\"; use positions, counted from 0"), {node.text}},
                pointer, node.line);
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(it - operations.begin());
    }
    const auto index =
        node.is(JsonNode::Type::number) ? Decimal::parse(node.text).value_or(Decimal{}) : Decimal{.negative = true};
    if (index.negative || !index.isWhole() || index.toInteger().value_or(-1) < 0 ||
        static_cast<std::size_t>(*index.toInteger()) >= operations.size())
        return complainAbout(node.is(JsonNode::Type::number) ? shownText(node.text)
                                                             : std::string(describeType(node.type)));
    return static_cast<std::uint32_t>(*index.toInteger());
}

void FieldReader::dependencies(Member key, std::vector<Dependency>& values, const std::vector<Operation>& operations) {
    const JsonNode* node = take(key, JsonNode::Type::array, TRAINYARD_TEXT("a list of pairs in [ ]"));
    if (!node) return;
    values.clear();
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const JsonNode& item = node->items[i];
        const std::string pointer = place(key.name) + "/" + std::to_string(i);
        if (!item.is(JsonNode::Type::array) || item.items.size() != 2) {
            wrongType(item, key.name, TRAINYARD_TEXT("a list of pairs [before, after]"), pointer);
            continue;
        }
        const auto from = operationIndex(item.items[0], operations, pointer + "/0");
        const auto to = operationIndex(item.items[1], operations, pointer + "/1");
        if (from && to) values.push_back({*from, *to});
    }
}

} // namespace trainyard
