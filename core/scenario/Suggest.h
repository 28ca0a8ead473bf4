// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// "Did you mean": the nearest of some known words. Used by the scenario reader and by validation.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// The candidate with the least edit distance (insert, delete, replace, swap of neighbours), if that is small
/// for its length; empty if none is near. Ties go to the earlier candidate.
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);
/// At most `limit` words, comma separated, with "… and N more".
std::string joinWords(const std::vector<std::string>& words, std::size_t limit = 12);

} // namespace trainyard
