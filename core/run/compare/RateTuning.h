// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The learning rate under which each arm of a comparison does best, found on seeds of its own: the order of
// strategies depends on the rate, and a rate that suits one of them flatters it. Used by
// `trainyard-cli compare --tune-rate`.
#include "run/compare/Comparison.h"

namespace trainyard {

struct TuningRequest {
    ComparisonRequest comparison; ///< its seeds are those to tune on; its mode must be simulate
    std::vector<double> rates;    ///< tried for every arm, for all trained jobs alike
    std::string metric;           ///< of the whole run, to be small
};

struct TunedRate {
    std::string arm;
    double rate = 0;
    std::size_t runs = 0;           ///< with the metric, of all seeds
    std::optional<Estimate> metric; ///< at that rate; none where no rate gave it one
    bool atEdge = false;            ///< the best is the least or the greatest tried: a wider grid may hold a better
};

struct TuningResult {
    std::vector<TunedRate> arms;
    /// Of runs that failed to begin or broke; a job that diverges is no problem, only no good.
    Problems problems;
    bool stopped = false;
};

/// Of each arm the rate with which most seeds reach the metric; among these the least mean, then the least
/// rate.
TuningResult tuneRates(const TuningRequest& request);

/// The scenario with this learning rate in every trained job. Problems: an optimizer that does not take it.
Result<Scenario> withLearningRate(const Scenario& scenario, double rate);

} // namespace trainyard
