// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/FieldReader.h"

#include "base/ControlCharacters.h"
#include "base/Format.h"
#include "scenario/Decimal.h"
#include "scenario/Suggest.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard {

using NodeType = JsonNode::Type;

FieldReader::FieldReader(const JsonNode& root, Problems& problems, bool keepOutOfRange)
    : m_problems(problems), m_keepOutOfRange(keepOutOfRange) {
    m_frames.push_back({&root, {}, {}, problems.size()});
}

// --- finding and reporting
// ----------------------------------------------------------------------------------------------

std::string FieldReader::place(const char* key) const { return m_frames.back().pointer + "/" + pointerToken(key); }

void FieldReader::report(const char* code, Text message, std::string pointer, int line) {
    m_problems.push_back({.code = code, .message = std::move(message), .pointer = std::move(pointer), .line = line});
}

void FieldReader::wrongType(const JsonNode& node, const char* key, const char* expected, const std::string& pointer) {
    if (node.is(NodeType::null))
        report("wrong-type",
               {TRAINYARD_TEXT("\"{0}\" must be {1}; for the default, leave the key out"), {key, expected}}, pointer,
               node.line);
    else
        report("wrong-type",
               {TRAINYARD_TEXT("\"{0}\" must be {1}; this is {2}"), {key, expected, describeType(node.type)}}, pointer,
               node.line);
}

const JsonNode* FieldReader::peek(Member key) {
    auto& frame = m_frames.back();
    if (frame.asked.empty() || frame.asked.back() != key.name) frame.asked.emplace_back(key.name);
    return frame.node ? frame.node->find(key.name) : nullptr;
}

const JsonNode* FieldReader::take(Member key, NodeType wanted, const char* expected) {
    const JsonNode* node = peek(key);
    if (!node) {
        if (key.required && m_frames.back().node)
            report("missing-key", {TRAINYARD_TEXT("the key \"{0}\" is missing ({1})"), {key.name, key.help}},
                   m_frames.back().pointer, m_frames.back().node->line);
        return nullptr;
    }
    if (node->is(wanted)) return node;
    wrongType(*node, key.name, expected, place(key.name));
    return nullptr;
}

void FieldReader::reportUnknownKeys() {
    const Frame& frame = m_frames.back();
    if (!frame.node || frame.open) return;
    for (const auto& member : frame.node->items) {
        if (std::find(frame.asked.begin(), frame.asked.end(), member.key) != frame.asked.end()) continue;
        const std::string near = nearestWord(member.key, frame.asked);
        Text message = near.empty() ? Text{TRAINYARD_TEXT("there is no key \"{0}\" here; known are {1}"),
                                           {member.key, joinWords(frame.asked, 40)}}
                                    : Text{TRAINYARD_TEXT("there is no key \"{0}\" here; did you mean \"{1}\"?"),
                                           {member.key, near}};
        report("unknown-key", std::move(message), frame.pointer + "/" + pointerToken(member.key), member.line);
    }
}

void FieldReader::alternative(const char* discriminator, const char*, bool active, const std::function<void()>& body) {
    Frame& frame = m_frames.back();
    if (std::find(frame.unclear.begin(), frame.unclear.end(), discriminator) != frame.unclear.end())
        frame.open = true;
    else if (active)
        body();
}

void FieldReader::complain(const char* member, const char* code, Text message) {
    const Frame& frame = m_frames.back();
    if (!frame.node || m_problems.size() > frame.problemsBefore) return;
    const JsonNode* node = *member ? frame.node->find(member) : nullptr;
    report(code, std::move(message), node ? place(member) : frame.pointer, node ? node->line : frame.node->line);
}

// --- numbers
// ------------------------------------------------------------------------------------------------------------

bool FieldReader::inRange(double value, const std::string& written, const char* name, const NumberRule& rule,
                          const std::string& pointer, int line) {
    const std::string unit = *rule.unit ? std::string(" ") + rule.unit : std::string();
    if (value < rule.minimum || (rule.aboveMinimum && value == rule.minimum)) {
        report("out-of-range",
               {rule.aboveMinimum ? TRAINYARD_TEXT("\"{0}\" is {1}; it must be greater than {2}")
                                  : TRAINYARD_TEXT("\"{0}\" is {1}; it must be at least {2}"),
                {name, shownText(written), Decimal::of(rule.minimum).text() + unit}},
               pointer, line);
        return false;
    }
    if (value > rule.maximum) {
        report("out-of-range",
               {TRAINYARD_TEXT("\"{0}\" is {1}; it must be at most {2}"),
                {name, shownText(written), Decimal::of(rule.maximum).text() + unit}},
               pointer, line);
        return false;
    }
    return true;
}

std::optional<double> FieldReader::checkedNumber(const JsonNode& node, const char* name, const NumberRule& rule,
                                                 const std::string& pointer) {
    if (!node.is(NodeType::number)) {
        wrongType(node, name, TRAINYARD_TEXT("a number"), pointer);
        return std::nullopt;
    }
    const double value = Decimal::parse(node.text).value_or(Decimal{}).toDouble();
    if (!inRange(value, node.text, name, rule, pointer, node.line) && !m_keepOutOfRange) return std::nullopt;
    return value;
}

std::optional<std::int64_t> FieldReader::checkedInteger(const JsonNode& node, const char* name, const IntegerRule& rule,
                                                        const std::string& pointer) {
    if (!node.is(NodeType::number)) {
        wrongType(node, name, TRAINYARD_TEXT("a whole number"), pointer);
        return std::nullopt;
    }
    const Decimal decimal = Decimal::parse(node.text).value_or(Decimal{});
    if (!decimal.isWhole()) {
        report("wrong-type",
               {TRAINYARD_TEXT("\"{0}\" must be a whole number; this is {1}"), {name, shownText(node.text)}}, pointer,
               node.line);
        return std::nullopt;
    }
    const NumberRule range{.minimum = static_cast<double>(rule.minimum), .maximum = static_cast<double>(rule.maximum)};
    if (!inRange(decimal.toDouble(), node.text, name, range, pointer, node.line) && !m_keepOutOfRange)
        return std::nullopt;
    return decimal.toInteger();
}

void FieldReader::flag(Member key, bool& value, bool) {
    if (const JsonNode* node = take(key, NodeType::boolean, TRAINYARD_TEXT("true or false"))) value = node->truth;
}

bool FieldReader::isOneLine(const JsonNode& node, const char* name, const std::string& pointer) {
    if (!hasControls(node.text)) return true;
    report("control-character",
           {TRAINYARD_TEXT("\"{0}\" has a line break or another control character; it must not"), {name}}, pointer,
           node.line);
    return false;
}

void FieldReader::text(Member key, std::string& value) {
    const JsonNode* node = take(key, NodeType::string, TRAINYARD_TEXT("text in quotes"));
    if (node && (key.lines || isOneLine(*node, key.name, place(key.name)))) value = node->text;
}

void FieldReader::wholeSeed(Member key, std::uint64_t& value, std::uint64_t) {
    const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a whole number"));
    if (!node) return;
    std::uint64_t seed = 0;
    const char* end = node->text.data() + node->text.size();
    const auto result = std::from_chars(node->text.data(), end, seed);
    if (result.ec == std::errc{} && result.ptr == end)
        value = seed;
    else
        report("out-of-range",
               {TRAINYARD_TEXT("\"{0}\" is {1}; it must be a whole number from 0 to 18446744073709551615, "
                               "without exponent"),
                {key.name, shownText(node->text)}},
               place(key.name), node->line);
}

void FieldReader::integer(Member key, std::int64_t& value, IntegerRule rule) {
    if (const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a whole number")))
        value = checkedInteger(*node, key.name, rule, place(key.name)).value_or(value);
}

void FieldReader::optionalInteger(Member key, std::optional<std::int64_t>& value, IntegerRule rule) {
    if (const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a whole number")))
        value = checkedInteger(*node, key.name, rule, place(key.name));
}

void FieldReader::number(Member key, double& value, NumberRule rule) {
    if (const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a number")))
        value = checkedNumber(*node, key.name, rule, place(key.name)).value_or(value);
}

void FieldReader::optionalNumber(Member key, std::optional<double>& value, NumberRule rule) {
    if (const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a number")))
        value = checkedNumber(*node, key.name, rule, place(key.name));
}

void FieldReader::scaled(Member key, std::int64_t& value, ScaledRule rule) {
    const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a number"));
    if (!node) return;
    const NumberRule range{.minimum = rule.minimum, .maximum = rule.maximum, .unit = rule.unit};
    if (!checkedNumber(*node, key.name, range, place(key.name))) return;
    value = Decimal::parse(node->text).value_or(Decimal{}).shifted(rule.power).toInteger().value_or(value);
}

void FieldReader::bandwidth(Member key, double& bytesPerSecond, NumberRule rule) {
    const JsonNode* node = take(key, NodeType::number, TRAINYARD_TEXT("a number"));
    if (!node || !checkedNumber(*node, key.name, rule, place(key.name))) return;
    // Gbit/s × 10⁹ is a shift of the decimal exponent and / 8 is exact in binary: nothing is rounded twice.
    bytesPerSecond = Decimal::parse(node->text).value_or(Decimal{}).shifted(9).toDouble() / 8;
}

void FieldReader::word(Member key, int& index, WordList list) {
    const JsonNode* node = take(key, NodeType::string, TRAINYARD_TEXT("one of the listed words, in quotes"));
    if (!node) {
        if (key.required || peek(key)) m_frames.back().unclear.emplace_back(key.name);
        return;
    }
    const auto it = std::find(list.words.begin(), list.words.end(), node->text);
    if (it != list.words.end()) {
        index = static_cast<int>(it - list.words.begin());
        return;
    }
    m_frames.back().unclear.emplace_back(key.name);
    const std::vector<std::string> known(list.words.begin(), list.words.end());
    const std::string near = nearestWord(node->text, known);
    report("unknown-word",
           {near.empty() ? TRAINYARD_TEXT("\"{0}\" is \"{1}\"; it must be one of {2}")
                         : TRAINYARD_TEXT("\"{0}\" is \"{1}\"; did you mean \"{3}\"? It must be one of {2}"),
            {key.name, node->text, joinWords(known), near}},
           place(key.name), node->line);
}

// --- shorthands, objects and lists
// --------------------------------------------------------------------------------------

bool FieldReader::bareText(Member key, std::string& value) {
    m_orElse = TRAINYARD_TEXT("text in quotes or an object in { }");
    const JsonNode* node = peek(key);
    if (!node || !node->is(NodeType::string)) return false;
    if (isOneLine(*node, key.name, place(key.name))) value = node->text;
    return true;
}

bool FieldReader::bareNumber(Member key, double& value, NumberRule rule, bool) {
    m_orElse = TRAINYARD_TEXT("a number or an object in { }");
    const JsonNode* node = peek(key);
    if (!node || !node->is(NodeType::number)) return false;
    value = checkedNumber(*node, key.name, rule, place(key.name)).value_or(value);
    return true;
}

bool FieldReader::bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool) {
    m_orElse = TRAINYARD_TEXT("a whole number or an object in { }");
    const JsonNode* node = peek(key);
    if (!node || !node->is(NodeType::number)) return false;
    value = checkedInteger(*node, key.name, rule, place(key.name)).value_or(value);
    return true;
}

bool FieldReader::beginObject(Member key, const char*, bool) {
    const char* expected = *m_orElse ? m_orElse : TRAINYARD_TEXT("an object in { }");
    m_orElse = "";
    const JsonNode* node = take(key, NodeType::object, expected);
    if (!node) return false;
    m_frames.push_back({node, place(key.name), {}, m_problems.size()});
    return true;
}

void FieldReader::endObject() {
    reportUnknownKeys();
    m_frames.pop_back();
}

std::size_t FieldReader::beginList(Member key, const char*, std::size_t) {
    const JsonNode* node = take(key, NodeType::array, TRAINYARD_TEXT("a list in [ ]"));
    m_frames.push_back({node, place(key.name), {}, m_problems.size()});
    return node ? node->items.size() : 0;
}

bool FieldReader::beginElement(std::size_t index) {
    const JsonNode& element = m_frames.back().node->items[index];
    std::string pointer = m_frames.back().pointer + "/" + std::to_string(index);
    if (!element.is(NodeType::object)) {
        wrongType(element, std::to_string(index).c_str(), TRAINYARD_TEXT("an object in { }"), pointer);
        return false;
    }
    m_frames.push_back({&element, std::move(pointer), {}, m_problems.size()});
    return true;
}

void FieldReader::endElement() { endObject(); }
void FieldReader::endList() {
    const Frame list = std::move(m_frames.back());
    m_frames.pop_back();
    if (full() && list.node && m_problems.size() > list.problemsBefore)
        report("more-problems",
               {TRAINYARD_TEXT("\"{0}\" is read no further: too much in it is wrong"), {list.node->key}}, list.pointer,
               0);
}

} // namespace trainyard
