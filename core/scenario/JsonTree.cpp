// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/JsonTree.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace trainyard {

JsonNode JsonNode::string(std::string value) { return {.type = Type::string, .text = std::move(value)}; }
JsonNode JsonNode::number(std::string written) { return {.type = Type::number, .text = std::move(written)}; }
JsonNode JsonNode::boolean(bool value) { return {.type = Type::boolean, .truth = value}; }

const JsonNode* JsonNode::find(std::string_view member) const {
    if (type != Type::object) return nullptr;
    const auto it = std::find_if(items.begin(), items.end(), [&](const auto& n) { return n.key == member; });
    return it == items.end() ? nullptr : &*it;
}

JsonNode* JsonNode::find(std::string_view member) { return const_cast<JsonNode*>(std::as_const(*this).find(member)); }

JsonNode& JsonNode::set(std::string_view member, JsonNode value) {
    if (JsonNode* present = find(member)) {
        value.key = std::string(member);
        return *present = std::move(value);
    }
    return append(member, std::move(value));
}

JsonNode& JsonNode::append(std::string_view member, JsonNode value) {
    value.key = std::string(member);
    return items.emplace_back(std::move(value));
}

bool JsonNode::erase(std::string_view member) {
    return std::erase_if(items, [&](const auto& n) { return n.key == member; }) > 0;
}

std::string shownText(std::string_view text) {
    constexpr std::size_t most = 40;
    return std::string(text.substr(0, most)) + (text.size() > most ? "…" : "");
}

const char* describeType(JsonNode::Type type) {
    switch (type) {
    case JsonNode::Type::null: return TRAINYARD_TEXT("null");
    case JsonNode::Type::boolean: return TRAINYARD_TEXT("true or false");
    case JsonNode::Type::number: return TRAINYARD_TEXT("a number");
    case JsonNode::Type::string: return TRAINYARD_TEXT("text in quotes");
    case JsonNode::Type::array: return TRAINYARD_TEXT("a list in [ ]");
    case JsonNode::Type::object: return TRAINYARD_TEXT("an object in { }");
    }
    return "";
}

const JsonNode* childOf(const JsonNode& node, std::string_view token) {
    if (node.is(JsonNode::Type::object)) return node.find(token);
    if (!node.is(JsonNode::Type::array)) return nullptr;
    std::size_t index = 0;
    const auto result = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool good = result.ec == std::errc{} && result.ptr == token.data() + token.size() &&
                      (token.size() == 1 || token[0] != '0'); // RFC 6901, section 4
    return good && index < node.items.size() ? &node.items[index] : nullptr;
}

std::optional<std::vector<std::string>> splitPointer(std::string_view pointer) {
    std::vector<std::string> tokens;
    if (!pointer.empty() && pointer[0] != '/') return std::nullopt;
    for (std::size_t at = 0; at < pointer.size(); ++at) {
        const char c = pointer[at];
        if (c == '/') {
            tokens.emplace_back();
        } else if (c == '~') {
            if (at + 1 == pointer.size() || (pointer[at + 1] != '0' && pointer[at + 1] != '1')) return std::nullopt;
            tokens.back() += pointer[++at] == '0' ? '~' : '/';
        } else {
            tokens.back() += c;
        }
    }
    return tokens;
}

std::size_t firstBadByte(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t k) {
            return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
        };
        const unsigned lead = byte(0), second = byte(1);
        std::size_t length = 1;
        if (lead >= 0x80) {
            length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            if (lead < 0xC2 || lead > 0xF4) return i;
            const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            if (second < low || second > high) return i;
            for (std::size_t k = 2; k < length; ++k)
                if ((byte(k) & 0xC0) != 0x80) return i;
        }
        i += length;
    }
    return std::string_view::npos;
}

} // namespace trainyard
