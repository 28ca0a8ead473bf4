// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/LossForecast.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace loss_forecast {

constexpr std::size_t mostOrigins = 16, points = 24, fewestDue = 3;

/// Without those that a return to an earlier update made void: updates rise.
std::vector<LossPoint> valid(std::span<const LossPoint> losses) {
    std::vector<LossPoint> out;
    for (const LossPoint& p : losses) {
        while (!out.empty() && out.back().update >= p.update) out.pop_back();
        if (std::isfinite(p.loss)) out.push_back(p);
    }
    return out;
}

} // namespace loss_forecast

LossForecast forecastLosses(std::span<const LossPoint> all, const LossGains::Rules& rules,
                            std::optional<double> finalLoss, double most) {
    using namespace loss_forecast;
    const std::vector<LossPoint> losses = valid(all);
    LossForecast out;
    if (losses.size() < LossGains::fewestLosses) return out;
    out.ahead.push_back(0);
    for (std::size_t i = 0; i < points; ++i) out.ahead.push_back(std::pow(most, static_cast<double>(i) / (points - 1)));
    RecordedCurve course; // what came
    for (const LossPoint& p : losses) {
        course.updates.push_back(static_cast<double>(p.update));
        course.losses.push_back(p.loss);
    }

    const std::size_t first = std::max(LossGains::fewestLosses, losses.size() / 3), origins = losses.size() - first;
    std::vector<double> squares(out.ahead.size(), 0);
    std::vector<std::size_t> due(out.ahead.size(), 0);
    const std::size_t step = (origins + mostOrigins - 1) / mostOrigins;
    LossGains gains; // goes along the losses once: there may be a million
    for (std::size_t n = first; n < losses.size(); n += step) {
        gains.follow(std::span(losses).first(n), rules, finalLoss);
        for (std::size_t i = 0; i < out.ahead.size(); ++i) {
            const double update = static_cast<double>(gains.last().update) + out.ahead[i];
            if (update > course.updates.back()) break;
            const double error = gains.lossAfter(out.ahead[i]) - course.at(update);
            squares[i] += error * error;
            ++due[i];
        }
    }
    gains.follow(losses, rules, finalLoss);
    for (const double x : out.ahead) out.loss.push_back(gains.lossAfter(x));
    for (std::size_t i = 0; i < out.ahead.size() && due[i] >= fewestDue; ++i) {
        const double error = std::sqrt(squares[i] / static_cast<double>(due[i]));
        out.error.push_back(i > 0 ? std::max(error, out.error.back()) : 0);
    }
    return out;
}

} // namespace trainyard
