// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/StepEnvelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

ErrorModel boundModel(const LossConstants& k, double eta) {
    return {.shrink = eta * k.convexity, .noise = eta * eta * k.smoothness * k.noise / 2};
}

ErrorModel exactModel(const LossConstants& k, double eta) {
    const double step = eta * k.smoothness;
    return {.shrink = 2 * step - step * step,
            .growth = step * step * k.growth,
            .noise = eta * eta * k.smoothness * k.noise / 2};
}

RateLine rateLine(const ErrorModel& model, const StepOption& option) {
    const double factor = model.factor(option.samples);
    if (!(factor > 0 && factor < 1) || !std::isfinite(option.cost) || !(option.cost > 0))
        return {0, -std::numeric_limits<double>::infinity()};
    const double slope = -std::log(factor) / option.cost;
    return {slope, -slope * model.floor(option.samples)};
}

namespace step_envelope {

struct Entry {
    double slope, intercept;
    std::size_t line;
};

/// Where b overtakes a as the error falls: a is the steeper.
double crossing(const Entry& a, const Entry& b) { return (b.intercept - a.intercept) / (a.slope - b.slope); }

} // namespace step_envelope

std::vector<EnvelopeStep> upperEnvelope(std::span<const RateLine> lines) {
    using namespace step_envelope;
    std::vector<Entry> entries;
    entries.reserve(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (std::isfinite(lines[i].slope) && std::isfinite(lines[i].intercept))
            entries.push_back({lines[i].slope, lines[i].intercept, i});
    // The steepest is on top where the error is great; of parallels the highest.
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        if (a.slope != b.slope) return a.slope > b.slope;
        if (a.intercept != b.intercept) return a.intercept > b.intercept;
        return a.line < b.line;
    });
    std::vector<Entry> hull;
    std::vector<double> from; // the error at and below which each is above the one before it
    for (const Entry& entry : entries) {
        if (!hull.empty() && entry.slope == hull.back().slope) continue;
        double at = std::numeric_limits<double>::infinity();
        while (!hull.empty()) {
            at = crossing(hull.back(), entry);
            if (at < from.back()) break;
            hull.pop_back();
            from.pop_back();
        }
        if (hull.empty()) at = std::numeric_limits<double>::infinity();
        if (at <= 0) continue; // on top only below zero; flatter ones may still be above it
        hull.push_back(entry);
        from.push_back(at);
    }
    std::vector<EnvelopeStep> out;
    for (std::size_t i = 0; i < hull.size(); ++i) out.push_back({hull[i].line, i + 1 < hull.size() ? from[i + 1] : 0});
    return out;
}

std::size_t stepAt(std::span<const EnvelopeStep> envelope, double error) {
    const auto it =
        std::partition_point(envelope.begin(), envelope.end(), [&](const EnvelopeStep& s) { return s.downTo > error; });
    return std::min(static_cast<std::size_t>(it - envelope.begin()), envelope.empty() ? 0 : envelope.size() - 1);
}

double timeBetween(const ErrorModel& model, const StepOption& option, double from, double to) {
    if (to >= from) return 0;
    const double floor = model.floor(option.samples);
    if (!model.stable(option.samples) || to <= floor) return std::numeric_limits<double>::infinity();
    return option.cost / -std::log(model.factor(option.samples)) * std::log((from - floor) / (to - floor));
}

std::vector<KSwitch> switchingTimes(std::span<const double> mu, const LossConstants& c, double eta, double s,
                                    double initialError) {
    const double L = c.smoothness, noise = c.noise;
    const double a = eta * L * noise / (2 * c.convexity * s);
    std::vector<KSwitch> out;
    double time = 0, error = initialError;
    for (std::size_t i = 0; i + 1 < mu.size(); ++i) {
        const double k = static_cast<double>(i + 1), now = mu[i], next = mu[i + 1];
        const double excess = 2 * c.convexity * k * (k + 1) * s * error - eta * L * (k + 1) * noise;
        const double step = excess > 0 && next > now
                                ? now / -std::log1p(-eta * c.convexity) *
                                      (std::log(next - now) - std::log(eta * L * noise * now) + std::log(excess))
                                : 0;
        if (step > 0) {
            time += step;
            error = a * ((k + 1) * next - k * now) / (k * (k + 1) * (next - now));
        }
        out.push_back({time, error});
    }
    return out;
}

} // namespace trainyard
