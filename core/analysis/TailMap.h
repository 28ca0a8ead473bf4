// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which k is best to wait for, over what makes waiting worthwhile: how heavy the tail of the computing times
// is, and which share of an answer's time is communication. Times only, in units of the mean answer; what is
// best follows from them and from how errors fall. For the charts of the window, which do not see planning/.
#include "planning/StepEnvelope.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace trainyard {

/// Mean times until k of n workers have answered. Computing times are Pareto with tail index α, communication
/// is exponential, both independent; together their mean is 1.
struct TailMap {
    int workers = 1;
    std::vector<double> tails;              ///< α, rising: lighter and lighter
    std::vector<double> shares;             ///< of communication in the mean answer, rising
    std::vector<std::vector<double>> means; ///< of a cell (share × tails.size() + tail): E[k-th answer] at [k − 1]

    const std::vector<double>& cell(std::size_t tail, std::size_t share) const {
        return means[share * tails.size() + tail];
    }
};

/// For at most mostTailWorkers; for more, that many stand for them. Seconds for many workers: not on the
/// window's thread. Ends early, with fewer cells, when asked to stop.
TailMap tailMap(int workers, const std::stop_token& stop = {});
inline constexpr int mostTailWorkers = 64;

/// How the error falls, where that is known, and where it is now.
struct ErrorNow {
    ErrorModel model;
    double error = 0, batch = 1; ///< samples per task
};
/// The k whose updates lower the error fastest, or, where nothing is known of it, of which most gradients per
/// second are used: the greatest k / E[k-th answer]. 1 … means.size(); 0 if no k has a mean time.
int bestWait(const std::vector<double>& means, const std::optional<ErrorNow>& now);

} // namespace trainyard
