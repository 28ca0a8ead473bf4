// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Control characters (C0, delete, C1: Unicode's category Cc), in texts that come from files of others. Terminals obey them, XML forbids them.
#include <string>
#include <string_view>

namespace trainyard {

/// Line breaks and tabs included.
bool hasControls(std::string_view text);
/// With a space for each.
std::string withoutControls(std::string_view text);
/// For terminals: all but line breaks and tabs as "\u001b", as JSON would have them, and so what would change the direction of text (U+202A
/// to U+202E, U+2066 to U+2069).
std::string escapedControls(std::string_view text);

} // namespace trainyard
