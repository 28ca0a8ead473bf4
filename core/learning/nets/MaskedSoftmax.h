// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A distribution over those of some options that are allowed, from their scores; its gradients. For policies that are trained by how well
// their choices do.
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace trainyard::nets {

/// Probabilities by option, 0 where it is not allowed; some option is.
template <class S>
std::vector<double> maskedSoftmax(std::span<const S> scores, std::span<const bool> allowed) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (allowed[i]) most = std::max(most, double(scores[i]));
    std::vector<double> out(scores.size(), 0.0);
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (allowed[i]) sum += out[i] = std::exp(double(scores[i]) - most);
    for (double& p : out) p /= sum;
    return out;
}

/// −Σ p log p
inline double entropyOf(std::span<const double> probabilities) {
    double sum = 0;
    for (const double p : probabilities)
        if (p > 0) sum -= p * std::log(p);
    return sum;
}

/// Adds weight · ∂ log p(chosen) / ∂ score and entropyWeight · ∂ entropy / ∂ score, by option.
inline void addScoreGradients(std::span<const double> probabilities, std::size_t chosen, double weight,
                              double entropyWeight, std::span<double> gradient) {
    const double entropy = entropyOf(probabilities);
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        const double p = probabilities[i];
        if (p <= 0) continue;
        gradient[i] += weight * ((i == chosen ? 1.0 : 0.0) - p) - entropyWeight * p * (std::log(p) + entropy);
    }
}

} // namespace trainyard::nets
