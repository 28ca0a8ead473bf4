#include "analysis/LossForecast.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace loss_forecast {

constexpr std::size_t mostOrigins = 16, points = 24, fewestDue = 3;

/// Between the losses on both sides; nullopt beyond the last.
std::optional<double> lossAt(std::span<const LossPoint> losses, double update) {
    const auto next = std::lower_bound(losses.begin(), losses.end(), update,
                                       [](const LossPoint& p, double u) { return static_cast<double>(p.update) < u; });
    if (next == losses.end()) return std::nullopt;
    if (next == losses.begin()) return next->loss;
    const LossPoint& before = *(next - 1);
    const double from = static_cast<double>(before.update), to = static_cast<double>(next->update);
    return before.loss + (update - from) / (to - from) * (next->loss - before.loss);
}

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
    LossGains now;
    now.follow(losses, rules, finalLoss);
    for (const double x : out.ahead) out.loss.push_back(now.lossAfter(x));

    const std::size_t first = std::max(LossGains::fewestLosses, losses.size() / 3), origins = losses.size() - first;
    std::vector<double> squares(out.ahead.size(), 0);
    std::vector<std::size_t> due(out.ahead.size(), 0);
    const std::size_t step = (origins + mostOrigins - 1) / mostOrigins;
    for (std::size_t n = first; n < losses.size(); n += step) {
        LossGains then;
        then.follow(std::span(losses).first(n), rules, finalLoss);
        for (std::size_t i = 0; i < out.ahead.size(); ++i) {
            const auto came = lossAt(losses, static_cast<double>(then.last().update) + out.ahead[i]);
            if (!came) break;
            const double error = then.lossAfter(out.ahead[i]) - *came;
            squares[i] += error * error;
            ++due[i];
        }
    }
    for (std::size_t i = 0; i < out.ahead.size() && due[i] >= fewestDue; ++i) {
        const double error = std::sqrt(squares[i] / static_cast<double>(due[i]));
        out.error.push_back(i > 0 ? std::max(error, out.error.back()) : 0);
    }
    return out;
}

} // namespace trainyard
