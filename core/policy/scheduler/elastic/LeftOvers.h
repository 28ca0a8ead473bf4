// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Workers beyond the least numbers of trials, one by one: who gets the next.
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

struct LeftOverRule {
    /// uniform: those that have had fewest, the best first; top-job: the best; softmax: by weights exp(quality/temperature), as near to
    /// these shares as whole workers come (D'Hondt's highest averages).
    std::string kind = "uniform";
    double temperature = 0.2; ///< > 0
};

/// Values of LeftOverRule::kind.
inline const std::vector<std::string> leftOverChoices{"uniform", "top-job", "softmax"};

struct Trial {
    double quality = 0;   ///< 0 to 1, the best
    std::size_t rank = 0; ///< the best: 0; no two have the same
    int least = 1, most = 1;
};

/// Numbers of workers. `takeOneMore(j, n)`: whether there is room for one more beside n of trial j, which is then taken; a trial for which
/// there is none gets no more.
std::vector<int> dealLeftOvers(const LeftOverRule& rule, std::span<const Trial> trials,
                               const std::function<bool(std::size_t, int)>& takeOneMore);

} // namespace trainyard
