// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/GainAllocation.h"

#include <limits>

namespace trainyard {

std::vector<int> exactAllocation(std::span<const AllocationLimits> jobs, int workers,
                                 const std::function<double(std::size_t, int)>& value) {
    constexpr double impossible = -std::numeric_limits<double>::infinity();
    if (workers < 0) return {};
    const auto columns = static_cast<std::size_t>(workers) + 1;
    std::vector<double> best(columns, 0); // of the jobs so far, by workers that they may use
    std::vector<std::vector<int>> chosen;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        std::vector<double> next(columns, impossible), worth;
        std::vector<int> choice(columns, 0);
        for (int n = jobs[j].minimum; n <= std::min(jobs[j].maximum, workers); ++n) worth.push_back(value(j, n));
        for (std::size_t c = 0; c < columns; ++c)
            for (std::size_t i = 0; i < worth.size(); ++i) {
                const auto n = static_cast<std::size_t>(jobs[j].minimum) + i;
                if (n > c) break;
                if (const double v = best[c - n] + worth[i]; v > next[c]) {
                    next[c] = v;
                    choice[c] = static_cast<int>(n);
                }
            }
        best = std::move(next);
        chosen.push_back(std::move(choice));
    }
    if (!jobs.empty() && best.back() == impossible) return {};
    std::vector<int> out(jobs.size());
    auto left = static_cast<std::size_t>(workers);
    for (std::size_t j = jobs.size(); j-- > 0;) {
        out[j] = chosen[j][left];
        left -= static_cast<std::size_t>(out[j]);
    }
    return out;
}

} // namespace trainyard
