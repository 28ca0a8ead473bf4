// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/FieldLister.h"

#include "scenario/Decimal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace trainyard {

namespace {

std::string compact(const JsonNode& node) {
    std::string text = formatJson(node);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

/// "seconds_per_sample" → "Seconds per sample", "arrival_s" in seconds → "Arrival".
std::string labelOf(std::string_view key, std::string_view unit) {
    const auto drop = [&](std::string_view wanted, std::string_view suffix) {
        if (unit == wanted && key.ends_with(suffix)) key.remove_suffix(suffix.size());
    };
    drop("s", "_s");
    drop("µs", "_us");
    drop("Gbit/s", "_gbps");
    if (key == "push" && unit.empty()) return "Value pushed"; // beside "push_s", the time of a push
    if (key == "every_iterations") return "Interval in updates";
    std::string label(key);
    for (char& c : label)
        if (c == '_') c = ' ';
    if (!label.empty()) label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    return label;
}

} // namespace

FieldInfo& FieldLister::add(Member key, FieldInfo::Kind kind) {
    const Open& open = m_open.back();
    const JsonNode* node = open.node ? open.node->find(key.name) : nullptr;
    FieldInfo info{.kind = kind,
                   .path = open.path + "/" + pointerToken(key.name),
                   .key = key.name,
                   .label = labelOf(key.name, {}),
                   .help = key.help,
                   .depth = static_cast<int>(m_open.size()) - 1,
                   .required = key.required,
                   .present = node != nullptr};
    if (node) info.value = compact(*node);
    return m_fields.emplace_back(std::move(info));
}

void FieldLister::addNumber(Member key, FieldInfo::Kind kind, const NumberRule& rule, bool optional,
                            std::string fallback, const std::string& now) {
    FieldInfo& info = add(key, kind);
    info.unit = rule.unit;
    info.label = labelOf(key.name, rule.unit);
    info.minimum = rule.minimum;
    info.maximum = rule.maximum;
    info.aboveMinimum = rule.aboveMinimum;
    info.optional = optional;
    if (!info.present && !optional) info.value = now; // of a shorthand, or of a value about to be made
    if (!optional && !key.required) info.fallback = std::move(fallback);
}

void FieldLister::flag(Member key, bool&, bool fallback) {
    FieldInfo& info = add(key, FieldInfo::Kind::flag);
    info.fallback = fallback ? "true" : "false";
    if (!info.present) info.value = info.fallback;
}

void FieldLister::text(Member key, std::string&) {
    FieldInfo& info = add(key, FieldInfo::Kind::text);
    info.fallback = "\"\"";
    if (!info.present) info.value = info.fallback;
}

void FieldLister::wholeSeed(Member key, std::uint64_t& value, std::uint64_t fallback) {
    addNumber(key, FieldInfo::Kind::integer, {.maximum = 18446744073709551615.0}, false, std::to_string(fallback),
              std::to_string(value));
}

void FieldLister::integer(Member key, std::int64_t& value, IntegerRule rule) {
    addNumber(key, FieldInfo::Kind::integer,
              {.minimum = static_cast<double>(rule.minimum), .maximum = static_cast<double>(rule.maximum)}, false,
              std::to_string(rule.fallback), std::to_string(value));
}

void FieldLister::optionalInteger(Member key, std::optional<std::int64_t>&, IntegerRule rule) {
    addNumber(key, FieldInfo::Kind::integer,
              {.minimum = static_cast<double>(rule.minimum), .maximum = static_cast<double>(rule.maximum)}, true, {},
              {});
}

void FieldLister::number(Member key, double& value, NumberRule rule) {
    addNumber(key, FieldInfo::Kind::number, rule, false, Decimal::of(rule.fallback).text(), Decimal::of(value).text());
}

void FieldLister::optionalNumber(Member key, std::optional<double>&, NumberRule rule) {
    addNumber(key, FieldInfo::Kind::number, rule, true, {}, {});
}

void FieldLister::scaled(Member key, std::int64_t& value, ScaledRule rule) {
    addNumber(key, FieldInfo::Kind::number, {.minimum = rule.minimum, .maximum = rule.maximum, .unit = rule.unit},
              false, Decimal::of(rule.fallback).shifted(-rule.power).text(),
              Decimal::of(value).shifted(-rule.power).text());
}

void FieldLister::bandwidth(Member key, double& value, NumberRule rule) {
    addNumber(key, FieldInfo::Kind::number, rule, false, Decimal::of(rule.fallback).text(),
              Decimal::of(value * 8).shifted(-9).text());
}

void FieldLister::word(Member key, int& index, WordList list) {
    FieldInfo& info = add(key, FieldInfo::Kind::word);
    info.words.assign(list.words.begin(), list.words.end());
    const auto quoted = [&](int i) { return compact(JsonNode::string(list.words[static_cast<std::size_t>(i)])); };
    if (!key.required) info.fallback = quoted(list.fallback);
    if (!info.present) info.value = quoted(index);
}

void FieldLister::numbers(Member key, std::vector<double>&, NumberRule rule) {
    addNumber(key, FieldInfo::Kind::numbers, rule, false, "[]", "[]");
}

void FieldLister::texts(Member key, std::vector<std::string>&) {
    FieldInfo& info = add(key, FieldInfo::Kind::texts);
    if (!info.present) info.value = "[]";
}

void FieldLister::pair(Member key, std::optional<std::pair<double, double>>&, NumberRule rule) {
    addNumber(key, FieldInfo::Kind::pair, rule, true, {}, {});
}

void FieldLister::amounts(Member key, ResourceVector&, const std::vector<std::string>& resources) {
    FieldInfo& info = add(key, FieldInfo::Kind::amounts);
    info.words = resources;
    info.maximum = 1e12;
    if (!info.present) info.value = "{}";
}

void FieldLister::ranges(Member key, std::vector<std::tuple<std::string, double, double>>&) {
    FieldInfo& info = add(key, FieldInfo::Kind::parameters);
    if (!info.present) info.value = "{}";
}

void FieldLister::parameters(Member key, ParamValues&) {
    FieldInfo& info = add(key, FieldInfo::Kind::parameters);
    if (!info.present) info.value = "{}";
}

void FieldLister::dependencies(Member key, std::vector<Dependency>&, const std::vector<Operation>&) {
    FieldInfo& info = add(key, FieldInfo::Kind::list);
    info.type = "dependencies";
    if (!info.present) info.value = "[]";
}

bool FieldLister::bareNumber(Member, double&, NumberRule, bool) { return false; }

bool FieldLister::beginObject(Member key, const char* type, bool present) {
    const std::string_view name = type;
    if (name == "choice") {
        FieldInfo& info = add(key, FieldInfo::Kind::choice);
        info.type = type;
        if (!info.present) info.value = "\"\"";
        return false;
    }
    if (name == "bounds" || name == "bounds-from-0") {
        FieldInfo& info = add(key, FieldInfo::Kind::bounds);
        info.type = type;
        info.minimum = name == "bounds" ? 1 : 0;
        info.maximum = 100'000;
        info.fallback = "1";
        if (!info.present) info.value = info.fallback;
        return false;
    }
    FieldInfo& info = add(key, FieldInfo::Kind::group);
    info.type = type;
    info.label = labelOf(key.name, std::string_view(key.name).ends_with("_s") ? "s" : "");
    static constexpr std::array<std::string_view, 7> mayGo{"distribution",   "burst", "utility",   "update-law",
                                                           "locality-rates", "ramp",  "graph-pool"};
    info.optional = !present || std::find(mayGo.begin(), mayGo.end(), name) != mayGo.end();
    info.present = present;
    info.value.clear();
    if (!present) return false;
    const Open& open = m_open.back();
    m_open.push_back({open.node ? open.node->find(key.name) : nullptr, info.path});
    return true;
}

std::size_t FieldLister::beginList(Member key, const char* type, std::size_t size) {
    FieldInfo& info = add(key, FieldInfo::Kind::list);
    info.type = type;
    if (!info.present) info.value = "[]";
    return size;
}

} // namespace trainyard
