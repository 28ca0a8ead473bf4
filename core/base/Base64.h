// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Bytes as text (RFC 4648, section 4, with padding): parameters of nets within JSON.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

std::string toBase64(std::span<const std::uint8_t> bytes);
/// nullopt: other characters, or a length or padding that no bytes give.
std::optional<std::vector<std::uint8_t>> fromBase64(std::string_view text);

} // namespace trainyard
