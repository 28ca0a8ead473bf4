// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/TrainingFits.h"

#include "planning/LineSearch.h"
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
    std::vector<double> updates, losses, weights;
};

/// a and b for a given c, and the weighted sum of squared errors of the losses.
std::pair<LossHyperbola, double> fitAbove(const Weighted& points, double c) {
    const std::size_t n = points.losses.size();
    std::vector<double> rows(2 * n), target(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double above = points.losses[i] - c, weight = points.weights[i] * above * above;
        rows[2 * i] = weight * points.updates[i];
        rows[2 * i + 1] = weight;
        target[i] = weight / above;
    }
    const auto x = nonNegativeFit(rows, 2, target);
    const LossHyperbola fit{x[0], x[1], c};
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
    Weighted points{{updates.begin(), updates.end()}, {losses.begin(), losses.end()}, {}};
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
