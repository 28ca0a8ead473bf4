// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Whether bytes are UTF-8 (RFC 3629: shortest forms, no surrogates, up to U+10FFFF). For readers of text from others.
#include <cstddef>
#include <string_view>

namespace trainyard {

/// Bytes of the character that the text begins with; 0: it begins with none, or is empty.
std::size_t utf8Length(std::string_view text);
/// Where the first byte lies that belongs to no character; the text's size: everywhere are characters.
std::size_t firstInvalidUtf8(std::string_view text);

} // namespace trainyard
