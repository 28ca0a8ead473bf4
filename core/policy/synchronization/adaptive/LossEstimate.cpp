// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/synchronization/adaptive/LossEstimate.h"

#include <algorithm>

namespace trainyard {

namespace loss_estimate {

/// Weight of a round in the running mean: of the variance of several gradients, and of a difference of two
/// rounds.
constexpr double weightOfMany = 0.3, weightOfOne = 0.1;
/// ‖∇F‖² is never taken for less than this share of the square of the noisy gradient.
constexpr double leastShare = 0.05;

double squaredDistance(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

} // namespace loss_estimate

void LossEstimate::observe(const TrainingView& view, std::span<const HeldGradient> gradients, double samples,
                           double error) {
    using namespace loss_estimate;
    if (gradients.empty() || gradients.front().gradient().empty()) return;
    const auto k = static_cast<double>(gradients.size());
    m_lastMean = std::exchange(m_mean, std::vector<double>(gradients.front().gradient().size(), 0.0));
    for (const auto& g : gradients)
        for (std::size_t i = 0; i < m_mean.size(); ++i) m_mean[i] += g.gradient()[i] / k;

    // The variance of one sample's gradient. Of several gradients at one point: theirs. Of one: the
    // difference to the last round's, whose noise is in the step between the two as well.
    std::optional<double> seen;
    double weight = weightOfMany;
    if (gradients.size() > 1) {
        double sum = 0;
        for (const auto& g : gradients) sum += squaredDistance(g.gradient(), m_mean);
        seen = samples * sum / (k - 1);
    } else if (m_lastMean.size() == m_mean.size()) {
        const double moved = 1 + view.learningRate * m_curvature.value_or(0);
        seen = squaredDistance(m_mean, m_lastMean) / (1 / samples + moved * moved / m_lastSamples);
        weight = weightOfOne;
    }
    m_lastSamples = k * samples;
    if (!seen || !(error > 0)) return;
    if (!m_curvature) {
        double square = 0;
        for (const double g : m_mean) square += g * g;
        if (!(square > 0)) return;
        square = std::max(square - *seen / m_lastSamples, leastShare * square);
        m_curvature = square / (2 * error);
        m_growth = *seen / square;
        return;
    }
    m_excess += weight * (*seen - m_growth * 2 * *m_curvature * error - m_excess);
}

LossConstants LossEstimate::constants() const {
    LossConstants out = m_fixed;
    if (isFixed()) return out;
    const double curvature = m_curvature.value_or(1);
    if (!(out.smoothness > 0)) out.smoothness = curvature;
    if (!(out.convexity > 0)) out.convexity = std::min(curvature, out.smoothness);
    if (!(out.noise > 0)) out.noise = std::max(0.0, m_excess);
    if (!(out.growth > 0)) out.growth = m_growth;
    return out;
}

} // namespace trainyard
