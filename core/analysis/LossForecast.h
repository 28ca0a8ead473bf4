// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a job's losses are expected to go on, by the curve that schedulers by losses fit, and how far off the same prediction was when it was
// made from earlier losses. For the view of predicted losses.
#include "analysis/TimeSeries.h"
#include "policy/scheduler/slaq/PredictedGains.h"

namespace trainyard {

struct LossForecast {
    std::vector<double> ahead; ///< updates after the last, rising from 0
    std::vector<double> loss;  ///< predicted, as many
    /// Root mean square error of predictions so far ahead, from up to 16 points past the first
    /// third of the losses, not falling with `ahead`; as many as were
    /// measured: those beyond came due fewer than three times. The first is 0, of no time.
    std::vector<double> error;
};

/// By the first `known` losses, up to `most` ≥ 1 updates ahead. Empty where there are too few losses for a fit. Costs up to 17 fits,
/// and one look at each loss.
LossForecast forecastLosses(const LossSeries& losses, std::size_t known, const PredictedGains::Rules& rules,
                            std::optional<double> finalLoss, double most);

} // namespace trainyard
