// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Probability laws for stragglers, arrivals and sizes. All are sampled by the inverse distribution function from unit
// variates, so that a policy that draws less or more never shifts another's noise. Used by model/StragglerLaw, job
// generators and the order statistics of planning/.
#include "base/ParamSchema.h"
#include "base/Random.h"

#include <string>
#include <vector>

namespace trainyard {

enum class Law {
    constant,           ///< value
    uniform,            ///< low, high
    exponential,        ///< mean
    shiftedExponential, ///< shift, mean (of the exponential part)
    hypoexponential,    ///< means[]: sum of independent exponentials
    pareto,             ///< shape α, scale x_m: P(X > x) = (x_m/x)^α
    logNormal,          ///< mean, sigma (of log X)
    gamma,              ///< shape, mean
    weibull,            ///< shape, mean
    bimodal,            ///< with probability p the slow factor, else 1, times Gamma(shape, mean 1)
    empirical,          ///< quantiles[] at equal steps of probability, linear in between
};

/// One law and its numbers; a plain value. Which members a law uses is said at Law; the rest are ignored.
struct Distribution {
    Law law = Law::constant;
    double value = 1;              ///< constant
    double low = 0, high = 1;      ///< uniform
    double mean = 1;               ///< exponential part, log-normal, gamma, Weibull
    double shift = 0;              ///< shiftedExponential
    double shape = 2;              ///< Pareto α, gamma, Weibull, bimodal's gamma
    double scale = 1;              ///< Pareto x_m
    double sigma = 0.5;            ///< log-normal
    double probability = 0.05;     ///< bimodal: of the slow mode
    double factor = 5;             ///< bimodal: how much slower
    std::vector<double> means;     ///< hypoexponential
    std::vector<double> quantiles; ///< empirical

    /// E[X]; infinite for Pareto with α ≤ 1.
    double expectation() const;
    /// P(X ≤ x).
    double cdf(double x) const;
    /// P(X > x), exact also where cdf rounds to 1: what integrals over tails need.
    double survival(double x) const;
    /// Inverse of cdf for 0 < p < 1.
    double quantile(double p) const;
    /// One draw. Uses a fixed number of unit variates per law.
    double sample(RandomStream& random) const;
    /// Ranges violated (e.g. "shape" ≤ 0), with keys relative to `pointer`.
    Problems check(const std::string& pointer) const;

    friend bool operator==(const Distribution&, const Distribution&) = default;
};

/// Names as in files: "exponential", "shifted-exponential", …
const std::vector<std::string>& lawNames();
std::string lawName(Law law);
/// The fields of a law, for forms and for the reader.
ParamSchema lawSchema(Law law);

} // namespace trainyard
