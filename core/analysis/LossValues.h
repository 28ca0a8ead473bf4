// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Numbers that are computed from a job's evaluated losses: smoothed values, and what waiting cost it. Used by the view of losses.
#include "analysis/TimeSeries.h"

#include <optional>

namespace trainyard {

/// s₁ = y₁, sₙ = weight·sₙ₋₁ + (1 − weight)·yₙ, begun anew at each of the `breaks` (see LossSeries); NaN stays, and is passed
/// over. 0 ≤ weight < 1.
std::vector<double> smoothed(std::vector<double> values, const std::vector<std::size_t>& breaks, double weight);

/// A job has norms of gradients soon after its first update, or never.
bool hasNorms(const LossSeries& losses);

/// What waiting cost a job at an instant. Had nobody waited, each evaluation would have come earlier by the time lost to waiting until
/// then: the integral of the share of the job's placed workers that wait for others, JobHistory::waitedUntil(). With as many workers all
/// along that is the mean waiting time per worker.
struct WaitingCost {
    double loss = 0;    ///< what the loss is above what it would be
    double seconds = 0; ///< how much earlier the newest value would have been there
};
/// nullopt: before the first evaluation. `values`: those shown, one per evaluation.
std::optional<WaitingCost> waitingCost(const LossSeries& losses, const std::vector<double>& values, double seconds);

/// The values as they would be had nobody waited, as a line; NaN where the job was interrupted.
LinePoints withoutWaiting(const LossSeries& losses, const std::vector<double>& values);

/// Two lines over the same x.
struct LinePair {
    std::vector<double> x, high, low;
};
/// The area between the values and those without waiting, where both are known; at most about 4000 evaluations of [from, to].
LinePair lostToWaiting(const LossSeries& losses, const std::vector<double>& values, double from, double to);

} // namespace trainyard
