// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is wrong with an input, where, and what would be right. Core texts are a code, an English template with {0}, {1} …
// and arguments, so that the window can translate them; text() fills in the English.
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// Marks an English template for extraction (lupdate -tr-function-alias QT_TRANSLATE_NOOP+=TRAINYARD_TEXT).
#define TRAINYARD_TEXT(text) text

/// An English template and its arguments; {n} stands for argument n, {n:worker|workers} for the first word where that is "1", else for the
/// second.
struct Text {
    std::string pattern;
    std::vector<std::string> arguments;

    std::string english() const;
    bool empty() const { return pattern.empty(); }
    friend bool operator==(const Text&, const Text&) = default;
};

enum class Severity { error, warning, note };

struct Problem {
    std::string code; ///< stable, kebab-case: "unknown-key", "out-of-range", …
    Text message;     ///< what is wrong and what would be right
    Severity severity = Severity::error;
    std::string file;    ///< path as the user gave it; empty if not from a file
    std::string pointer; ///< JSON pointer (RFC 6901) of the value; empty = the whole document
    int line = 0;        ///< 1-based; 0 = unknown

    /// "file:line: /pointer: what is wrong"; parts that are unknown are left out.
    std::string text() const;
    friend bool operator==(const Problem&, const Problem&) = default;
};

using Problems = std::vector<Problem>;
bool hasErrors(const Problems& problems);

/// Escapes one reference token of a JSON pointer (~ → ~0, / → ~1).
std::string pointerToken(std::string_view key);

} // namespace trainyard
