#include "policy/synchronization/LossEstimate.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trainyard {

namespace loss_estimate {

/// Weight of a round in the running mean: of the variance of several gradients, and of a difference of two
/// rounds.
constexpr double weightOfMany = 0.3, weightOfOne = 0.1;
/// ‖∇F‖² is never taken for less than this share of the square of the noisy gradient.
constexpr double leastShare = 0.05;

/// How much of what is expected of the error is doubted after the model alone has lowered it by a factor e:
/// constants change along the way. A relative variance.
constexpr double doubtOfModel = 0.1;
/// The error is never lowered by more than this at once on the word of the gradients.
constexpr double leastCorrection = 0.5;

double squaredDistance(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace loss_estimate

/// Of several gradients at one point: the variance is theirs, and ‖mean‖² has that of the mean in excess. Of
/// one: the variance from the difference to the last round's, whose noise is in the step between the two as
/// well; ‖∇F‖² from their product, which that step lowers by ηL times the variance.
std::optional<LossEstimate::Seen> LossEstimate::look(std::span<const HeldGradient> gradients, double samples,
                                                     double learningRate) const {
    using namespace loss_estimate;
    const auto k = static_cast<double>(gradients.size());
    const double step = learningRate * m_curvature.value_or(0);
    Seen seen;
    const double all = k * samples;
    if (gradients.size() > 1) {
        double sum = 0;
        for (const auto& g : gradients) sum += squaredDistance(g.message, m_mean);
        seen.variance = samples * sum / (k - 1);
        seen.weight = weightOfMany;
        const double noise = seen.variance / all;
        seen.square = product(m_mean, m_mean) - noise;
        // As if all noise were in one direction, where it disturbs most.
        seen.squareVariance = 4 * std::max(0.0, seen.square) * noise + 2 * noise * noise;
    } else if (m_lastMean.size() == m_mean.size()) {
        seen.variance =
            squaredDistance(m_mean, m_lastMean) / (1 / all + (1 + step) * (1 + step) / m_lastSamples);
        seen.weight = weightOfOne;
        const double now = seen.variance / all, before = seen.variance / m_lastSamples;
        seen.square = product(m_mean, m_lastMean) + step * before;
        seen.squareVariance = std::max(0.0, seen.square) * (now + before) + now * before;
    } else {
        return std::nullopt;
    }
    return seen;
}

double LossEstimate::observe(const TrainingView& view, std::span<const HeldGradient> gradients,
                             double samples, double expected) {
    using namespace loss_estimate;
    if (gradients.empty() || gradients.front().message.empty()) return expected;
    const auto k = static_cast<double>(gradients.size());
    m_lastMean = std::exchange(m_mean, std::vector<double>(gradients.front().message.size(), 0.0));
    for (const auto& g : gradients)
        for (std::size_t i = 0; i < m_mean.size(); ++i) m_mean[i] += g.message[i] / k;
    const auto seen = isFixed() ? std::nullopt : look(gradients, samples, view.learningRate);
    m_lastSamples = k * samples;
    if (!seen || !(expected > 0)) return expected;
    if (m_curvature) {
        const double error = correct(*seen, expected, view.learningRate);
        m_excess += seen->weight * (seen->variance - m_growth * 2 * *m_curvature * error - m_excess);
        return error;
    }
    const double square = std::max(seen->square, leastShare * product(m_mean, m_mean));
    if (!(square > 0)) return expected;
    m_curvature = square / (2 * expected);
    m_growth = seen->variance / square;
    return expected;
}

double LossEstimate::correct(const Seen& seen, double expected, double learningRate) {
    using namespace loss_estimate;
    const double scale = 2 * *m_curvature * expected;
    m_doubt += doubtOfModel * std::min(1.0, learningRate * *m_curvature);
    if (!(m_doubt > 0)) return expected;
    const double noise =
        std::max(seen.squareVariance, 4 * scale * seen.variance / m_lastSamples) / (scale * scale);
    const double trust = m_doubt / (m_doubt + noise);
    m_doubt *= 1 - trust;
    return expected * std::max(leastCorrection, 1 + trust * (seen.square / scale - 1));
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
