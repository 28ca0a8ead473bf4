// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/Suggest.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr std::size_t longestWord = 64; // longer ones are never compared

/// Optimal string alignment distance (Damerau–Levenshtein without overlapping swaps).
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

} // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > longestWord) return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        if (candidate.size() > longestWord) continue;
        if (const std::size_t distance = editDistance(word, candidate); distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

std::string joinWords(const std::vector<std::string>& words, std::size_t limit) {
    std::string out;
    for (std::size_t i = 0; i < std::min(limit, words.size()); ++i) out += (i > 0 ? ", " : "") + words[i];
    if (words.size() > limit) out += " and " + std::to_string(words.size() - limit) + " more";
    return out;
}

} // namespace trainyard
