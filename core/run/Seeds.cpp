// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Seeds.h"

#include <charconv>
#include <optional>
#include <set>
#include <sstream>

namespace trainyard {

namespace seeds {

std::optional<std::uint64_t> whole(std::string_view text) {
    std::uint64_t value = 0;
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return text.empty() || result.ec != std::errc{} || result.ptr != end ? std::nullopt
                                                                         : std::optional<std::uint64_t>(value);
}

} // namespace seeds

Result<std::vector<std::uint64_t>> parseSeeds(const std::string& text) {
    constexpr std::uint64_t most = 1'000'000;
    const Problem wrong{
        .code = "bad-usage",
        .message = {TRAINYARD_TEXT("seeds are whole numbers and ranges such as 1-20 or 3,5,8-10; got {0}"), {text}}};
    std::vector<std::uint64_t> out;
    std::set<std::uint64_t> known; // the same run twice would count as two
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
        if (part.empty()) continue;
        const auto dash = part.find('-');
        const auto first = seeds::whole(std::string_view(part).substr(0, dash));
        const auto last = dash == std::string::npos ? first : seeds::whole(std::string_view(part).substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first >= most - out.size()) return wrong;
        for (std::uint64_t seed = *first;; ++seed) {
            if (known.insert(seed).second) out.push_back(seed);
            if (seed == *last) break;
        }
    }
    if (out.empty()) return wrong;
    return out;
}

std::string seedsText(const std::vector<std::uint64_t>& seeds) {
    std::string out;
    for (std::size_t i = 0, j = 0; i < seeds.size(); i = j) {
        for (j = i + 1; j < seeds.size() && seeds[j] == seeds[j - 1] + 1;) ++j;
        out += (out.empty() ? "" : ",") + std::to_string(seeds[i]);
        if (j - i > 1) out += "-" + std::to_string(seeds[j - 1]);
    }
    return out;
}

} // namespace trainyard
