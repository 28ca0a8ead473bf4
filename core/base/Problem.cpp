// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Problem.h"

#include <algorithm>

namespace trainyard {

std::string Text::english() const {
    std::string out;
    out.reserve(pattern.size() + 16);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char* at = pattern.data() + i;
        const bool isPlace = i + 2 < pattern.size() && at[0] == '{' && at[1] >= '0' && at[1] <= '9';
        const std::size_t end = isPlace ? pattern.find('}', i) : std::string::npos;
        if (end == std::string::npos || (at[2] != '}' && at[2] != ':')) {
            out += pattern[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(at[1] - '0');
        const std::string argument = index < arguments.size() ? arguments[index] : std::string();
        if (at[2] == ':') {
            const std::string words = pattern.substr(i + 3, end - i - 3);
            const std::size_t bar = words.find('|');
            out += argument == "1" || bar == std::string::npos ? words.substr(0, bar) : words.substr(bar + 1);
        } else {
            out += argument;
        }
        i = end;
    }
    return out;
}

std::string Problem::text() const {
    std::string out;
    if (!file.empty()) {
        out += file;
        if (line > 0) out += ":" + std::to_string(line);
        out += ": ";
    }
    if (!pointer.empty()) out += pointer + ": ";
    return out + message.english();
}

bool hasErrors(const Problems& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& p) { return p.severity == Severity::error; });
}

std::string pointerToken(std::string_view key) {
    std::string out;
    for (char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

} // namespace trainyard
