// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/TrainingFits.h"

#include "base/Roots.h"
#include "planning/NonNegativeFit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace training_fits {

/// The terms of seconds per update.
std::array<double, 5> terms(SpeedFit::Form form, double batch, int workers, int servers) {
    const double w = workers, p = servers > 0 ? servers : workers;
    if (form == SpeedFit::Form::synchronous) return {batch / w, 1, w / p, w, p};
    return {1 / w, 1 / p, 1, p / w, 0};
}

struct Weighted {
    std::span<const double> updates, losses;
    std::vector<double> weights;
    std::vector<double> squares; ///< weights of the squared errors of the line; of the last c tried
};

/// Non-negative a and b with the least sum of w·(a·x + b − y)² for positive w and y: the line of least squares, or where that
/// has a negative coefficient the better of the level (a = 0) and the line through the origin (b = 0).
std::pair<double, double> nonNegativeLine(const Weighted& points, double c) {
    const std::size_t n = points.losses.size();
    double sum = 0, sumX = 0, sumY = 0, sumXX = 0, sumXY = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double w = points.squares[i], x = points.updates[i], y = 1 / (points.losses[i] - c);
        sum += w, sumX += w * x, sumY += w * y, sumXX += w * x * x, sumXY += w * x * y;
    }
    const double meanX = sumX / sum, meanY = sumY / sum;
    double spread = 0, together = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double w = points.squares[i], off = points.updates[i] - meanX;
        spread += w * off * off, together += w * off * (1 / (points.losses[i] - c) - meanY);
    }
    const double slope = spread > 0 ? together / spread : 0, start = meanY - slope * meanX;
    if (slope >= 0 && start >= 0) return {slope, start};
    // what each leaves of the sum of w·y²
    const double proportional = sumXX > 0 ? sumXY / sumXX : 0;
    return proportional * sumXY > meanY * sumY ? std::pair{proportional, 0.0} : std::pair{0.0, meanY};
}

/// a and b for a given c, and the weighted sum of squared errors of the losses.
std::pair<LossHyperbola, double> fitAbove(Weighted& points, double c) {
    const std::size_t n = points.losses.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double above = points.losses[i] - c, weight = points.weights[i] * above * above;
        points.squares[i] = weight * weight;
    }
    const auto [a, b] = nonNegativeLine(points, c);
    const LossHyperbola fit{a, b, c};
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double off = points.weights[i] * (fit.at(points.updates[i]) - points.losses[i]);
        error += off * off;
    }
    return {fit, std::isfinite(error) ? error : std::numeric_limits<double>::infinity()};
}

} // namespace training_fits

double SpeedFit::secondsPerUpdate(int workers, int servers) const {
    const auto term = training_fits::terms(form, batch, workers, servers);
    double out = 0;
    for (std::size_t i = 0; i < term.size(); ++i) out += coefficients[i] * term[i];
    return out;
}

SpeedFit fitSpeed(std::span<const SpeedPoint> points, double batch, SpeedFit::Form form) {
    SpeedFit fit{.form = form, .batch = batch};
    const std::size_t columns = form == SpeedFit::Form::synchronous ? 5 : 4;
    std::vector<double> rows;
    for (const SpeedPoint& point : points) {
        const auto term = training_fits::terms(form, batch, point.workers, point.servers);
        for (std::size_t i = 0; i < columns; ++i) rows.push_back(term[i] / point.secondsPerUpdate);
    }
    const auto x = nonNegativeFit(rows, columns, std::vector<double>(points.size(), 1.0));
    std::copy(x.begin(), x.end(), fit.coefficients.begin());
    double sum = 0;
    for (const SpeedPoint& point : points) {
        const double off = fit.secondsPerUpdate(point.workers, point.servers) / point.secondsPerUpdate - 1;
        sum += off * off;
    }
    fit.relativeError = std::sqrt(sum / static_cast<double>(points.size()));
    return fit;
}

SpeedFit fitSpeed(std::span<const SpeedPoint> points, double batch) {
    const SpeedFit inStep = fitSpeed(points, batch, SpeedFit::Form::synchronous),
                   alone = fitSpeed(points, batch, SpeedFit::Form::asynchronous);
    return inStep.relativeError <= alone.relativeError + 1e-6 ? inStep : alone;
}

double LossHyperbola::updatesUntil(double loss) const {
    if (at(0) <= loss) return 0;
    if (loss <= c || a <= 0) return std::numeric_limits<double>::infinity();
    return (1 / (loss - c) - b) / a;
}

std::optional<LossHyperbola> fitLossHyperbola(std::span<const double> updates, std::span<const double> losses) {
    using namespace training_fits;
    const std::size_t n = losses.size();
    if (n < 3) return std::nullopt;
    Weighted points{updates, losses, {}, std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i) points.weights.push_back(std::pow(4.0, static_cast<double>(3 * i / n)));
    const double least = *std::min_element(losses.begin(), losses.end());
    if (!(least > 0) || !std::isfinite(*std::max_element(losses.begin(), losses.end()))) return std::nullopt;
    // c = least·(1 − q) with q from 1e-6 to 1, searched in logarithms
    const auto above = [&](double logShare) { return fitAbove(points, least * (1 - std::exp(logShare))); };
    const double best = leastPoint(std::log(1e-6), 0, 29, [&](double logShare) { return above(logShare).second; });
    const LossHyperbola fit = above(best).first;
    if (!(fit.a > 0) || !(fit.a + fit.b > 0)) return std::nullopt;
    return fit;
}

} // namespace trainyard
