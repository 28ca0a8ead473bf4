// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Numbers as text, always in the C locale: a German or Chinese locale changes no file and no message.
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

/// Shortest text that reads back to the same double ("0.1", "1e-09", "3"); never NaN or infinity in files.
std::string formatNumber(double value);
/// At most `digits` significant digits, for people ("1.23", "4.5e+06").
std::string formatNumber(double value, int digits);
/// Of something that is counted, in two digits: "950", "1.3 k", "90 M".
std::string shortCount(double count);
/// The whole text as a number, or nothing.
std::optional<double> parseNumber(std::string_view text);

} // namespace trainyard
