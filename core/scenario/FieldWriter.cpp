// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/FieldWriter.h"

#include "base/ControlCharacters.h"
#include "scenario/Decimal.h"

#include <cmath>
#include <map>
#include <set>

namespace trainyard {

namespace {

JsonNode numberNode(double value) {
    // What is no number is written as null, which the reader and validation refuse.
    return std::isfinite(value) ? JsonNode::number(Decimal::of(value).text()) : JsonNode{};
}
JsonNode wholeNode(std::int64_t value) { return JsonNode::number(std::to_string(value)); }

JsonNode parameterNode(const ParamValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return JsonNode::boolean(*flag);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return wholeNode(*whole);
    if (const auto* word = std::get_if<std::string>(&value)) return JsonNode::string(*word);
    // A real stays a real when it is read back.
    JsonNode node = numberNode(std::get<double>(value));
    if (!node.text.empty() && node.text.find_first_of(".e") == std::string::npos) node.text += ".0";
    return node;
}

bool namesAreUnique(const std::vector<Operation>& operations) {
    std::set<std::string_view> seen;
    for (const auto& op : operations)
        if (op.name.empty() || !seen.insert(op.name).second) return false;
    return true;
}

} // namespace

void FieldWriter::put(Member key, JsonNode node) {
    node.key = key.name;
    m_open.back()->items.push_back(std::move(node));
}

void FieldWriter::open(JsonNode node, Member key) {
    m_pending.push_back(std::make_unique<Pending>(Pending{std::move(node), key}));
    m_open.push_back(&m_pending.back()->node);
}

void FieldWriter::closeAndKeep(bool evenIfEmpty) {
    const auto pending = std::move(m_pending.back());
    m_pending.pop_back();
    m_open.pop_back();
    if (evenIfEmpty || !pending->node.items.empty()) put(pending->key, std::move(pending->node));
}

void FieldWriter::flag(Member key, bool& value, bool fallback) {
    if (value != fallback || key.required) put(key, JsonNode::boolean(value));
}
void FieldWriter::text(Member key, std::string& value) {
    if (!value.empty() || key.required) put(key, JsonNode::string(key.lines ? value : withoutControls(value)));
}
void FieldWriter::wholeSeed(Member key, std::uint64_t& value, std::uint64_t fallback) {
    if (value != fallback || key.required) put(key, JsonNode::number(std::to_string(value)));
}
void FieldWriter::integer(Member key, std::int64_t& value, IntegerRule rule) {
    if (value != rule.fallback || key.required) put(key, wholeNode(value));
}
void FieldWriter::optionalInteger(Member key, std::optional<std::int64_t>& value, IntegerRule) {
    if (value) put(key, wholeNode(*value));
}
void FieldWriter::number(Member key, double& value, NumberRule rule) {
    if (value != rule.fallback || key.required) put(key, numberNode(value));
}
void FieldWriter::optionalNumber(Member key, std::optional<double>& value, NumberRule) {
    if (value) put(key, numberNode(*value));
}
void FieldWriter::scaled(Member key, std::int64_t& value, ScaledRule rule) {
    if (value != rule.fallback || key.required)
        put(key, JsonNode::number(Decimal::of(value).shifted(-rule.power).text()));
}
void FieldWriter::bandwidth(Member key, double& bytesPerSecond, NumberRule rule) {
    if (bytesPerSecond == rule.fallback && !key.required) return;
    const double bits = bytesPerSecond * 8;
    put(key, std::isfinite(bits) ? JsonNode::number(Decimal::of(bits).shifted(-9).text()) : JsonNode{});
}
void FieldWriter::word(Member key, int& index, WordList list) {
    if (index != list.fallback || key.required) put(key, JsonNode::string(list.words[static_cast<std::size_t>(index)]));
}

void FieldWriter::numbers(Member key, std::vector<double>& values, NumberRule) {
    if (values.empty() && !key.required) return;
    JsonNode node = JsonNode::array();
    for (const double value : values) node.items.push_back(numberNode(value));
    put(key, std::move(node));
}

void FieldWriter::texts(Member key, std::vector<std::string>& values) {
    if (values.empty() && !key.required) return;
    JsonNode node = JsonNode::array();
    for (const auto& value : values) node.items.push_back(JsonNode::string(withoutControls(value)));
    put(key, std::move(node));
}

void FieldWriter::pair(Member key, std::optional<std::pair<double, double>>& value, NumberRule) {
    if (!value) return;
    JsonNode node = JsonNode::array();
    node.items = {numberNode(value->first), numberNode(value->second)};
    put(key, std::move(node));
}

void FieldWriter::amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) {
    JsonNode node = JsonNode::object();
    for (std::size_t r = 0; r < resources.size(); ++r)
        if (value.micro(r) != 0)
            node.set(resources[r], JsonNode::number(Decimal::of(value.micro(r)).shifted(-6).text()));
    if (!node.items.empty() || key.required) put(key, std::move(node));
}

void FieldWriter::ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) {
    if (values.empty() && !key.required) return;
    JsonNode node = JsonNode::object();
    std::map<std::string_view, std::size_t> places; // the last of a name counts
    for (const auto& [name, least, greatest] : values) {
        JsonNode range = JsonNode::array();
        range.items = {numberNode(least), numberNode(greatest)};
        const auto [place, fresh] = places.emplace(name, node.items.size());
        if (fresh)
            node.append(name, std::move(range));
        else
            node.items[place->second].items = std::move(range.items);
    }
    put(key, std::move(node));
}

void FieldWriter::parameters(Member key, ParamValues& values) {
    if (values.empty() && !key.required) return;
    JsonNode node = JsonNode::object();
    for (const auto& [name, value] : values) node.append(name, parameterNode(value));
    put(key, std::move(node));
}

void FieldWriter::dependencies(Member key, std::vector<Dependency>& values, const std::vector<Operation>& operations) {
    if (values.empty() && !key.required) return;
    const bool byName = namesAreUnique(operations);
    const auto end = [&](std::uint32_t index) {
        return byName && index < operations.size() ? JsonNode::string(operations[index].name) : wholeNode(index);
    };
    JsonNode node = JsonNode::array();
    for (const auto& value : values) {
        JsonNode pair = JsonNode::array();
        pair.items = {end(value.from), end(value.to)};
        node.items.push_back(std::move(pair));
    }
    put(key, std::move(node));
}

bool FieldWriter::bareNumber(Member key, double& value, NumberRule, bool use) {
    if (use) put(key, numberNode(value));
    return use;
}

bool FieldWriter::bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool use) {
    if (use && (value != rule.fallback || key.required)) put(key, wholeNode(value));
    return use;
}

bool FieldWriter::beginObject(Member key, const char*, bool present) {
    if (present) open(JsonNode::object(), key);
    return present;
}

void FieldWriter::endObject() {
    const Member& key = m_pending.back()->key;
    closeAndKeep(key.required || key.optional);
}

std::size_t FieldWriter::beginList(Member key, const char*, std::size_t size) {
    open(JsonNode::array(), key);
    return size;
}

bool FieldWriter::beginElement(std::size_t) {
    open(JsonNode::object(), {"", ""});
    return true;
}

void FieldWriter::endElement() { closeAndKeep(true); }
void FieldWriter::endList() { closeAndKeep(m_pending.back()->key.required); }

} // namespace trainyard
