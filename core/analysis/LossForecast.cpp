// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/LossForecast.h"

#include "base/PartitionPoint.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace loss_forecast {

constexpr std::size_t mostOrigins = 16, points = 24, fewestDue = 3;

/// Those that no return to an earlier update made void, without a copy: there may be a million. Updates rise.
class ValidLosses {
public:
    ValidLosses(const LossSeries& losses, std::size_t known) : m_losses(losses) {
        double last = -1; // the newest update that is kept
        for (std::size_t i = 0; i < known; ++i) {
            const double update = losses.update[i];
            if (update <= last) forgetFrom(update);
            if (std::isfinite(losses.loss[i])) {
                if (m_runs.empty() || m_runs.back().end != i) m_runs.push_back({i, i, 0});
                ++m_runs.back().end;
                last = update;
            } else if (update <= last) {
                last = m_runs.empty() ? -1 : losses.update[m_runs.back().end - 1];
            }
        }
        for (Run& run : m_runs) {
            run.before = m_size;
            m_size += run.end - run.begin;
        }
    }
    std::size_t size() const { return m_size; }
    double update(std::size_t n) const { return m_losses.update[place(n)]; }
    double loss(std::size_t n) const { return m_losses.loss[place(n)]; }
    LossPoint point(std::size_t n) const {
        const std::size_t i = place(n);
        return {SimTime::seconds(m_losses.time[i]), static_cast<std::uint64_t>(m_losses.update[i]), m_losses.loss[i]};
    }
    /// Straight between two; that of the last further on.
    double at(double update) const {
        const std::size_t low = // the first after it
            partitionPoint(std::size_t{0}, m_size, [&](std::size_t n) { return this->update(n) <= update; });
        if (low == 0) return loss(0);
        if (low == m_size) return loss(m_size - 1);
        const double part = (update - this->update(low - 1)) / (this->update(low) - this->update(low - 1));
        return loss(low - 1) + part * (loss(low) - loss(low - 1));
    }

private:
    struct Run { // of losses that are kept, one after the other
        std::size_t begin, end, before;
    };
    void forgetFrom(double update) {
        for (; !m_runs.empty(); m_runs.pop_back()) {
            Run& run = m_runs.back();
            const auto first = m_losses.update.begin();
            run.end = static_cast<std::size_t>(std::lower_bound(first + static_cast<std::ptrdiff_t>(run.begin),
                                                                first + static_cast<std::ptrdiff_t>(run.end), update) -
                                               first);
            if (run.end > run.begin) return;
        }
    }
    std::size_t place(std::size_t n) const {
        auto run = m_runs.end() - 1;
        if (n < run->before)
            run = std::upper_bound(m_runs.begin(), m_runs.end(), n,
                                   [](std::size_t v, const Run& r) { return v < r.before; }) -
                  1;
        return run->begin + (n - run->before);
    }

    const LossSeries& m_losses;
    std::vector<Run> m_runs;
    std::size_t m_size = 0;
};

/// What a scheduler would know that had followed all losses so far: a fit takes the newest, a prediction is held between the extremes.
class Followed {
public:
    Followed(const ValidLosses& losses, const PredictedGains::Rules& rules, std::optional<double> finalLoss)
        : m_losses(losses), m_rules(rules), m_finalLoss(finalLoss) {}
    /// By the first n; n rises from call to call.
    PredictedGains after(std::size_t n) {
        for (; m_seen < n; ++m_seen) {
            const double loss = m_losses.loss(m_seen);
            if (m_seen == 0 || loss < m_leastLoss) m_least = m_seen, m_leastLoss = loss;
            if (m_seen == 0 || loss > m_greatestLoss) m_greatest = m_seen, m_greatestLoss = loss;
        }
        const auto window = static_cast<std::size_t>(m_rules.window);
        const std::size_t first = n > window ? n - window : 0;
        std::vector<LossPoint> points;
        for (const std::size_t i : {std::min(m_least, m_greatest), std::max(m_least, m_greatest)})
            if (i < first && (points.empty() || m_least != m_greatest)) points.push_back(m_losses.point(i));
        for (std::size_t i = first; i < n; ++i) points.push_back(m_losses.point(i));
        PredictedGains out;
        out.follow(points, m_rules, m_finalLoss);
        return out;
    }

private:
    const ValidLosses& m_losses;
    const PredictedGains::Rules& m_rules;
    std::optional<double> m_finalLoss;
    std::size_t m_seen = 0, m_least = 0, m_greatest = 0;
    double m_leastLoss = 0, m_greatestLoss = 0;
};

} // namespace loss_forecast

LossForecast forecastLosses(const LossSeries& series, std::size_t known, const PredictedGains::Rules& rules,
                            std::optional<double> finalLoss, double most) {
    using namespace loss_forecast;
    const ValidLosses losses(series, known);
    LossForecast out;
    if (losses.size() < PredictedGains::fewestLosses) return out;
    out.ahead.push_back(0);
    for (std::size_t i = 0; i < points; ++i) out.ahead.push_back(std::pow(most, static_cast<double>(i) / (points - 1)));

    const std::size_t first = std::max(PredictedGains::fewestLosses, losses.size() / 3),
                      origins = losses.size() - first;
    std::vector<double> squares(out.ahead.size(), 0);
    std::vector<std::size_t> due(out.ahead.size(), 0);
    const std::size_t step = (origins + mostOrigins - 1) / mostOrigins;
    Followed followed(losses, rules, finalLoss);
    for (std::size_t n = first; n < losses.size(); n += step) {
        const PredictedGains gains = followed.after(n);
        for (std::size_t i = 0; i < out.ahead.size(); ++i) {
            const double update = losses.update(n - 1) + out.ahead[i];
            if (update > losses.update(losses.size() - 1)) break;
            const double error = gains.lossAfter(out.ahead[i]) - losses.at(update);
            squares[i] += error * error;
            ++due[i];
        }
    }
    const PredictedGains gains = followed.after(losses.size());
    for (const double x : out.ahead) out.loss.push_back(gains.lossAfter(x));
    for (std::size_t i = 0; i < out.ahead.size() && due[i] >= fewestDue; ++i) {
        const double error = std::sqrt(squares[i] / static_cast<double>(due[i]));
        out.error.push_back(i > 0 ? std::max(error, out.error.back()) : 0);
    }
    return out;
}

} // namespace trainyard
