// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ParamSchema.h"

#include "base/Format.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

/// A bound of a range as a person writes it: 100000, not 1e+05.
std::string boundText(double bound, const std::string& unit) {
    const bool whole = bound == std::round(bound) && std::abs(bound) < 1e9;
    const std::string number = whole ? std::to_string(static_cast<std::int64_t>(bound)) : formatNumber(bound);
    return unit.empty() ? number : number + " " + unit;
}

const char* typeName(ParamType type) {
    switch (type) {
    case ParamType::boolean: return "true or false";
    case ParamType::integer: return "a whole number";
    case ParamType::real: return "a number";
    case ParamType::choice: return "one of the listed words";
    case ParamType::file: return "the name of a file, in quotes";
    }
    return "";
}

std::string join(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

bool hasType(const ParamField& field, const ParamValue& value) {
    switch (field.type) {
    case ParamType::boolean: return std::holds_alternative<bool>(value);
    case ParamType::integer: return std::holds_alternative<std::int64_t>(value);
    case ParamType::real: return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    case ParamType::choice:
    case ParamType::file: return std::holds_alternative<std::string>(value);
    }
    return false;
}

double asReal(const ParamValue& value) {
    if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
    return std::get<double>(value);
}

} // namespace

const ParamField* ParamSchema::find(std::string_view key) const {
    const auto it = std::find_if(m_fields.begin(), m_fields.end(), [&](const auto& f) { return f.key == key; });
    return it == m_fields.end() ? nullptr : &*it;
}

Problems ParamSchema::check(const ParamValues& values, const std::string& pointer) const {
    Problems problems;
    for (const auto& [key, value] : values) {
        const std::string place = pointer + "/" + pointerToken(key);
        const ParamField* f = find(key);
        if (!f) {
            std::vector<std::string> known;
            for (const auto& candidate : m_fields) known.push_back(candidate.key);
            problems.push_back(
                {.code = "unknown-parameter",
                 .message = {known.empty() ? TRAINYARD_TEXT("there is no parameter \"{0}\"; it takes none")
                                           : TRAINYARD_TEXT("there is no parameter \"{0}\"; known are {1}"),
                             {key, join(known)}},
                 .pointer = place});
        } else if (!hasType(*f, value)) {
            problems.push_back({.code = "wrong-type",
                                .message = {TRAINYARD_TEXT("\"{0}\" must be {1}"), {key, typeName(f->type)}},
                                .pointer = place});
        } else if (f->type == ParamType::choice && !f->open) {
            const auto& word = std::get<std::string>(value);
            if (std::find(f->choices.begin(), f->choices.end(), word) == f->choices.end())
                problems.push_back({.code = "unknown-choice",
                                    .message = {TRAINYARD_TEXT("\"{0}\" is not one of {1}"), {word, join(f->choices)}},
                                    .pointer = place});
        } else if (f->type == ParamType::file) {
            if (std::get<std::string>(value).empty())
                problems.push_back(
                    {.code = "unknown-choice",
                     .message = f->choices.empty()
                                    ? Text{TRAINYARD_TEXT("\"{0}\" is empty; it must name a file"), {key}}
                                    : Text{TRAINYARD_TEXT("\"{0}\" is empty; it names a file: {1}, or one of your own"),
                                           {key, join(f->choices)}},
                     .pointer = place});
        } else if (f->type != ParamType::boolean && f->type != ParamType::choice &&
                   !(asReal(value) >= f->minimum && asReal(value) <= f->maximum)) {
            problems.push_back(
                {.code = "out-of-range",
                 .message = {TRAINYARD_TEXT("\"{0}\" is {1}; it must lie between {2} and {3}"),
                             {key, toString(value), boundText(f->minimum, {}), boundText(f->maximum, f->unit)}},
                 .pointer = place});
        }
    }
    return problems;
}

ParamValues ParamSchema::complete(const ParamValues& values) const {
    ParamValues out;
    for (const auto& f : m_fields) {
        const auto it = values.find(f.key);
        ParamValue value = it == values.end() ? f.defaultValue : it->second;
        if (f.type == ParamType::real) value = asReal(value);
        out.emplace(f.key, std::move(value));
    }
    return out;
}

std::string toString(const ParamValue& value) {
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
    if (const auto* d = std::get_if<double>(&value)) return formatNumber(*d);
    return std::get<std::string>(value);
}

} // namespace trainyard
