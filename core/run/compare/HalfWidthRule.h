// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// "Until the half-width is below x % of the mean": when to stop adding seeds, so that the interval that is then reported still covers
// the mean at its stated rate. The mean is looked at a fixed number of times only, whenever the seeds have doubled; each look has
// an interval at 1 − 5 %/looks. By Bonferroni's inequality the chance that any of them misses the mean is at most 5 %, and so is
// that of the last one, wherever the rule stops. Used by comparisons that have no fixed number of seeds.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

struct HalfWidthRule {
    static constexpr std::size_t first = 10; ///< seeds at the first look

    std::string metric;
    double relative = 0.02; ///< of the mean's magnitude

    /// How many seeds the looks have, of at most so many: 10, 20, 40, …, `most`.
    static std::vector<std::size_t> looks(std::size_t most);
    /// Of each of so many looks.
    static double confidence(std::size_t looks);
    bool isReached(std::span<const double> values, std::size_t looks) const;
    friend bool operator==(const HalfWidthRule&, const HalfWidthRule&) = default;
};

} // namespace trainyard
