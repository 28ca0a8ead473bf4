// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Seeds.h"

#include "scenario/JsonTree.h"

#include <algorithm>
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

/// "12" or "1-20", however large.
bool isOfNumbers(std::string_view text) {
    return !text.empty() && text.front() != '-' && text.back() != '-' && std::ranges::count(text, '-') <= 1 &&
           text.find_first_not_of("0123456789-") == std::string_view::npos;
}

} // namespace seeds

Result<std::vector<std::uint64_t>> parseSeeds(const std::string& text) {
    constexpr std::uint64_t most = 1'000'000;
    const auto wrong = [](const char* pattern, const std::string& got) {
        return Problem{.code = "bad-usage", .message = {pattern, {shownText(got)}}};
    };
    constexpr auto* form = TRAINYARD_TEXT("seeds are whole numbers and ranges such as 1-20 or 3,5,8-10; got {0}");
    std::vector<std::uint64_t> out;
    std::set<std::uint64_t> known;     // the same run twice would count as two
    std::istringstream in(text + ","); // also a last place is empty or not
    for (std::string part; std::getline(in, part, ',');) {
        if (part.empty()) return wrong(form, text);
        const auto dash = part.find('-');
        const auto first = seeds::whole(std::string_view(part).substr(0, dash));
        const auto last = dash == std::string::npos ? first : seeds::whole(std::string_view(part).substr(dash + 1));
        if (!first || !last)
            return wrong(seeds::isOfNumbers(part)
                             ? TRAINYARD_TEXT("seeds are whole numbers of at most 2^64 - 1; got {0}")
                             : form,
                         part);
        if (*last < *first)
            return wrong(TRAINYARD_TEXT("a range of seeds ends no lower than it begins; got {0}"), part);
        if (*last - *first >= most - out.size())
            return wrong(TRAINYARD_TEXT("at most 1000000 seeds are possible; {0} is too many"), part);
        for (std::uint64_t seed = *first;; ++seed) {
            if (known.insert(seed).second) out.push_back(seed);
            if (seed == *last) break;
        }
    }
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
