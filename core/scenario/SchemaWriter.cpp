// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/SchemaWriter.h"

#include "scenario/Decimal.h"

#include <algorithm>

namespace trainyard {

namespace {

JsonNode typed(const char* type) {
    JsonNode node = JsonNode::object();
    node.set("type", JsonNode::string(type));
    return node;
}

JsonNode reference(const std::string& type) {
    JsonNode node = JsonNode::object();
    node.set("$ref", JsonNode::string("#/$defs/" + type));
    return node;
}

JsonNode realNode(double value) { return JsonNode::number(Decimal::of(value).text()); }

constexpr double unlimited = 1e18; // rules with this maximum have none worth mentioning

JsonNode numberSchema(const char* type, const NumberRule& rule) {
    JsonNode node = typed(type);
    node.set(rule.aboveMinimum ? "exclusiveMinimum" : "minimum", realNode(rule.minimum));
    node.set("maximum", realNode(rule.maximum));
    return node;
}

std::string rangeText(const char* what, const NumberRule& rule) {
    std::string out = std::string(what) + (rule.aboveMinimum ? " > " : " ≥ ") + Decimal::of(rule.minimum).text();
    if (rule.maximum < unlimited) out += ", ≤ " + Decimal::of(rule.maximum).text();
    return *rule.unit ? out + " " + rule.unit : out;
}

NumberRule ruleOf(const IntegerRule& rule) {
    return {.minimum = static_cast<double>(rule.minimum), .maximum = static_cast<double>(rule.maximum)};
}

JsonNode arrayOf(JsonNode items) {
    JsonNode node = typed("array");
    node.set("items", std::move(items));
    return node;
}

JsonNode pairOfNumbers(const NumberRule& rule) {
    JsonNode node = arrayOf(numberSchema("number", rule));
    node.set("minItems", JsonNode::number("2"));
    node.set("maxItems", JsonNode::number("2"));
    return node;
}

JsonNode namedValues(JsonNode values) {
    JsonNode node = typed("object");
    node.set("additionalProperties", std::move(values));
    return node;
}

JsonNode oneOfTypes(std::initializer_list<const char*> types) {
    JsonNode list = JsonNode::array();
    for (const char* type : types) list.items.push_back(JsonNode::string(type));
    JsonNode node = JsonNode::object();
    node.set("type", std::move(list));
    return node;
}

} // namespace

SchemaWriter::SchemaWriter() { open("scenario"); }

void SchemaWriter::open(const std::string& type) {
    m_objects.push_back({.type = type});
    m_frames.push_back({m_objects.size() - 1});
}

bool SchemaWriter::known(const std::string& type) const {
    return std::any_of(m_objects.begin(), m_objects.end(), [&](const auto& object) { return object.type == type; });
}

void SchemaWriter::add(Member key, JsonNode schema, std::string value, std::string fallback) {
    schema.set("description", JsonNode::string(key.help));
    DescribedObject& object = m_objects[m_frames.back().object];
    auto& members = m_frames.back().inAlternative ? object.alternatives.back().members : object.members;
    members.push_back({key.name, key.help, key.required, std::move(schema), std::move(value), std::move(fallback)});
}

void SchemaWriter::flag(Member key, bool&, bool fallback) {
    JsonNode node = typed("boolean");
    node.set("default", JsonNode::boolean(fallback));
    add(key, std::move(node), "true or false", fallback ? "true" : "false");
}

void SchemaWriter::text(Member key, std::string&) { add(key, typed("string"), "text"); }

void SchemaWriter::wholeSeed(Member key, std::uint64_t&, std::uint64_t fallback) {
    JsonNode node = typed("integer");
    node.set("minimum", JsonNode::number("0"));
    node.set("maximum", JsonNode::number("18446744073709551615"));
    node.set("default", JsonNode::number(std::to_string(fallback)));
    add(key, std::move(node), "whole number ≥ 0, < 2^64", std::to_string(fallback));
}

void SchemaWriter::integer(Member key, std::int64_t&, IntegerRule rule) {
    JsonNode node = numberSchema("integer", ruleOf(rule));
    if (!key.required) node.set("default", JsonNode::number(std::to_string(rule.fallback)));
    add(key, std::move(node), rangeText("whole number", ruleOf(rule)),
        key.required ? "" : std::to_string(rule.fallback));
}

void SchemaWriter::optionalInteger(Member key, std::optional<std::int64_t>&, IntegerRule rule) {
    add(key, numberSchema("integer", ruleOf(rule)), rangeText("whole number", ruleOf(rule)));
}

void SchemaWriter::number(Member key, double&, NumberRule rule) {
    JsonNode node = numberSchema("number", rule);
    if (!key.required) node.set("default", realNode(rule.fallback));
    add(key, std::move(node), rangeText("number", rule), key.required ? "" : Decimal::of(rule.fallback).text());
}

void SchemaWriter::optionalNumber(Member key, std::optional<double>&, NumberRule rule) {
    add(key, numberSchema("number", rule), rangeText("number", rule));
}

void SchemaWriter::scaled(Member key, std::int64_t&, ScaledRule rule) {
    double fallback = Decimal::of(rule.fallback).shifted(-rule.power).toDouble();
    number(key, fallback, {.minimum = rule.minimum, .maximum = rule.maximum, .fallback = fallback, .unit = rule.unit});
}

void SchemaWriter::bandwidth(Member key, double& value, NumberRule rule) { number(key, value, rule); }

void SchemaWriter::word(Member key, int&, WordList list) {
    JsonNode words = JsonNode::array();
    std::string value;
    for (const char* word : list.words) {
        words.items.push_back(JsonNode::string(word));
        value += (value.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    }
    JsonNode node = JsonNode::object();
    node.set("enum", std::move(words));
    const std::string fallback = key.required ? "" : list.words[static_cast<std::size_t>(list.fallback)];
    if (!key.required) node.set("default", JsonNode::string(fallback));
    m_defaultWords[m_objects[m_frames.back().object].type + " " + key.name] = fallback;
    add(key, std::move(node), value, fallback);
}

void SchemaWriter::numbers(Member key, std::vector<double>&, NumberRule rule) {
    add(key, arrayOf(numberSchema("number", rule)), "list of " + rangeText("numbers", rule));
}
void SchemaWriter::texts(Member key, std::vector<std::string>&) { add(key, arrayOf(typed("string")), "list of texts"); }
void SchemaWriter::pair(Member key, std::optional<std::pair<double, double>>&, NumberRule rule) {
    add(key, pairOfNumbers(rule), std::string("[x, y]") + (*rule.unit ? " " : "") + rule.unit);
}
void SchemaWriter::amounts(Member key, ResourceVector&, const std::vector<std::string>&) {
    const NumberRule rule{.minimum = 0, .maximum = 1e8};
    add(key, namedValues(numberSchema("number", rule)), "{resource: amount}, " + rangeText("amounts", rule));
}
void SchemaWriter::ranges(Member key, std::vector<std::tuple<std::string, double, double>>&) {
    add(key, namedValues(pairOfNumbers({.minimum = -1e300, .maximum = 1e300})), "{metric: [minimum, maximum]}");
}
void SchemaWriter::parameters(Member key, ParamValues&) {
    add(key, namedValues(oneOfTypes({"boolean", "number", "string"})), "{parameter: value}");
}
void SchemaWriter::dependencies(Member key, std::vector<Dependency>&, const std::vector<Operation>&) {
    JsonNode pair = arrayOf(oneOfTypes({"integer", "string"}));
    pair.set("minItems", JsonNode::number("2"));
    pair.set("maxItems", JsonNode::number("2"));
    add(key, arrayOf(std::move(pair)), "list of [before, after]");
}

bool SchemaWriter::bareText(Member, std::string&) {
    m_shorthand = typed("string");
    m_shorthandValue = "text or ";
    return false;
}
bool SchemaWriter::bareNumber(Member, double&, NumberRule rule, bool) {
    m_shorthand = numberSchema("number", rule);
    m_shorthandValue = "number or ";
    return false;
}
bool SchemaWriter::bareInteger(Member, std::int64_t&, IntegerRule rule, bool) {
    m_shorthand = numberSchema("integer", ruleOf(rule));
    m_shorthandValue = "whole number or ";
    return false;
}

bool SchemaWriter::beginObject(Member key, const char* type, bool) {
    JsonNode node = reference(type);
    if (m_shorthand) {
        JsonNode either = JsonNode::array();
        either.items = {std::move(*m_shorthand), std::move(node)};
        node = JsonNode::object();
        node.set("anyOf", std::move(either));
        m_shorthand.reset();
    }
    add(key, std::move(node), std::exchange(m_shorthandValue, {}) + "[" + type + "](#" + type + ")");
    if (known(type)) return false;
    open(type);
    return true;
}

void SchemaWriter::endObject() { m_frames.pop_back(); }

std::size_t SchemaWriter::beginList(Member key, const char* type, std::size_t) {
    add(key, arrayOf(reference(type)), std::string("list of [") + type + "](#" + type + ")");
    m_listType = type;
    return known(type) ? 0 : 1;
}

bool SchemaWriter::beginElement(std::size_t) {
    open(m_listType);
    return true;
}

void SchemaWriter::endElement() { m_frames.pop_back(); }

void SchemaWriter::alternative(const char* discriminator, const char* word, bool, const std::function<void()>& body) {
    const std::size_t object = m_frames.back().object;
    const bool isDefault = m_defaultWords[m_objects[object].type + " " + discriminator] == word;
    m_objects[object].alternatives.push_back({discriminator, word, isDefault, {}});
    m_frames.back().inAlternative = true;
    body();
    m_frames.back().inAlternative = false;
}

} // namespace trainyard
