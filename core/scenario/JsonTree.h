// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A JSON document as a tree that remembers the line of every value and numbers as they were written. The
// reader fills it from a file, the writer prints it canonically, --set edits it.
// nlohmann's tokens, own tree: nlohmann gives no positions of values and swallows duplicate keys. Internal to
// scenario/.
#include "base/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct JsonNode {
    enum class Type : std::uint8_t { null, boolean, number, string, array, object };

    Type type = Type::null;
    bool truth = false;
    int line = 0;                ///< of the value's end, or of the opening bracket; 0 = made by the program
    std::string key;             ///< if it is a member of an object
    std::string text;            ///< string: its value; number: as written
    std::vector<JsonNode> items; ///< elements or members, in the order of the file

    static JsonNode object() { return {.type = Type::object}; }
    static JsonNode array() { return {.type = Type::array}; }
    static JsonNode string(std::string value);
    static JsonNode number(std::string written);
    static JsonNode boolean(bool value);

    bool is(Type wanted) const { return type == wanted; }
    const JsonNode* find(std::string_view member) const;
    JsonNode* find(std::string_view member);
    /// Adds (or replaces) a member.
    JsonNode& set(std::string_view member, JsonNode value);
    /// To an object that has no such member yet.
    JsonNode& append(std::string_view member, JsonNode value);
    bool erase(std::string_view member);
};

/// The beginning of what may be very long, as messages show it: 40 bytes of ASCII, then "…".
std::string shownText(std::string_view text);
/// "a number", "text in quotes", … for messages.
const char* describeType(JsonNode::Type type);

struct JsonLimits {
    static constexpr std::size_t bytes = std::size_t{64} << 20;
    static constexpr std::size_t nesting = 100;
    static constexpr std::size_t values = 2'000'000;
};

/// What is said of a larger file. `bytes`: it has so many; none: more than the limit.
Text tooLargeText(std::optional<std::uintmax_t> bytes);

struct ParsedJson {
    std::optional<JsonNode> root; ///< absent if the text could not be understood to its end
    Problems problems;            ///< of syntax, encoding, limits, repeated keys, numbers out of range
};
/// Never throws; problems carry line and pointer, not the file.
ParsedJson parseJson(std::string_view text);
/// Two spaces of indentation; values that fit stay on one line; ends in a newline.
std::string formatJson(const JsonNode& root);

/// One step of a pointer: member or element; nullptr if there is none.
const JsonNode* childOf(const JsonNode& node, std::string_view token);
/// "/a/0/b~1c" → a, 0, b/c; nothing if it is no pointer (RFC 6901).
std::optional<std::vector<std::string>> splitPointer(std::string_view pointer);
/// Offset of the first byte that is not well-formed UTF-8 (Unicode 15, table 3-7), or npos.
std::size_t firstBadByte(std::string_view text);

} // namespace trainyard
