// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Seeds as people write them: "1-20", "3", "1,4,7-9". Used by the command line, by the window's forms and by files of comparisons.
#include "base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// In the order given, each once. Problem: anything else, or more than a million.
Result<std::vector<std::uint64_t>> parseSeeds(const std::string& text);
/// The shortest text that parseSeeds() reads as these.
std::string seedsText(const std::vector<std::uint64_t>& seeds);

} // namespace trainyard
