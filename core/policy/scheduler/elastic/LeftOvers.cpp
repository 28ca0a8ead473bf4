// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/LeftOvers.h"

#include <cmath>

namespace trainyard {

namespace {

/// Whether the one comes before the other for one worker more, beside what each has had beyond its least.
bool comesBefore(const LeftOverRule& rule, const Trial& a, int extraOfA, const Trial& b, int extraOfB) {
    if (rule.kind == "uniform" && extraOfA != extraOfB) return extraOfA < extraOfB;
    if (rule.kind == "softmax") {
        const double x = std::exp((a.quality - 1) / rule.temperature) / (extraOfA + 1),
                     y = std::exp((b.quality - 1) / rule.temperature) / (extraOfB + 1);
        if (x != y) return x > y;
    }
    return a.rank < b.rank;
}

} // namespace

std::vector<int> dealLeftOvers(const LeftOverRule& rule, std::span<const Trial> trials,
                               const std::function<bool(std::size_t, int)>& takeOneMore) {
    std::vector<int> out;
    std::vector<std::size_t> open;
    for (std::size_t j = 0; j < trials.size(); ++j) {
        out.push_back(trials[j].least);
        if (trials[j].least < trials[j].most) open.push_back(j);
    }
    const auto extra = [&](std::size_t j) { return out[j] - trials[j].least; };
    while (!open.empty()) {
        std::size_t first = 0;
        for (std::size_t i = 1; i < open.size(); ++i)
            if (comesBefore(rule, trials[open[i]], extra(open[i]), trials[open[first]], extra(open[first]))) first = i;
        const std::size_t j = open[first];
        const bool taken = takeOneMore(j, out[j]);
        if (taken) ++out[j];
        if (!taken || out[j] == trials[j].most) open.erase(open.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return out;
}

} // namespace trainyard
