// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/Job.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

double RecordedCurve::at(double update) const {
    const auto after = std::upper_bound(updates.begin(), updates.end(), update);
    if (after == updates.begin()) return losses.front();
    const auto i = static_cast<std::size_t>(after - updates.begin());
    if (i == updates.size()) return losses.back();
    const double part = (update - updates[i - 1]) / (updates[i] - updates[i - 1]);
    return losses[i - 1] + part * (losses[i] - losses[i - 1]);
}

double RecordedCurve::firstAtMost(double loss, double from, double every, const CurveCourse& course) const {
    for (std::size_t i = 0; i < updates.size(); ++i) {
        const bool last = i + 1 == updates.size();
        if (losses[i] > loss && (last || losses[i + 1] > loss)) continue;
        // Within this piece it is low from one update on, or up to one: the multiples in between decide.
        const double begin = course.updatesAt(updates[i]);
        const double end = last ? std::max(from, begin) + 2 * every : course.updatesAt(updates[i + 1]);
        double low = std::max(from, begin);
        if (losses[i] > loss)
            low = std::max(low, course.updatesAt(updates[i] + (losses[i] - loss) / (losses[i] - losses[i + 1]) *
                                                                  (updates[i + 1] - updates[i])));
        const double here = std::ceil(low / every - 1e-9) * every;
        if (here <= end && at(course.at(here)) <= loss + 1e-12 * std::abs(loss)) return here;
    }
    return std::numeric_limits<double>::infinity();
}

double LossCurve::at(double updates) const {
    if (family == Family::recorded) return recorded ? recorded->at(updates) : 0;
    return family == Family::power ? c + a / std::pow(b * updates + 1, p) : c + a * std::pow(b, updates);
}

const KeyedAccess* Job::keyedAccess() const {
    const auto* analytic = std::get_if<AnalyticWork>(&work);
    return analytic && analytic->access == AccessKind::keyed && analytic->keyed ? &*analytic->keyed : nullptr;
}

int Job::declaredBatch() const {
    if (const auto* w = std::get_if<TrainedWork>(&work)) return w->batch;
    if (const auto* w = std::get_if<AnalyticWork>(&work)) return w->batch;
    return 1;
}

int Job::taskSamples(std::size_t among, int batch) const {
    if (kind() == JobKind::graph) return 1;
    const int samples = batch > 0 ? batch : declaredBatch();
    const auto* trained = std::get_if<TrainedWork>(&work);
    const BatchOf whose = trained ? trained->batchOf : std::get<AnalyticWork>(work).batchOf;
    if (whose == BatchOf::worker || among < 2) return samples;
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(samples) / static_cast<double>(among))));
}

int Job::serversFor(int count, const Bounds& within) const {
    if (workersPerServer) { // a document being edited may hold a number out of range
        const auto gamma = std::max<std::int64_t>(1, *workersPerServer);
        return static_cast<int>((count + gamma - 1) / gamma);
    }
    const std::int64_t range = within.maximum - within.minimum;
    if (range <= 0) return servers.maximum;
    const std::int64_t at = std::clamp(count, within.minimum, within.maximum) - within.minimum;
    return servers.minimum + static_cast<int>(((servers.maximum - servers.minimum) * at + range / 2) / range);
}

namespace {

double counted(const Utility& u, double seconds) {
    return u.slotSeconds > 0 ? std::ceil(seconds / u.slotSeconds - 1e-9) : seconds;
}

} // namespace

double Utility::at(double seconds) const {
    return theta1 / (1 + std::exp(theta2 * (counted(*this, seconds) - theta3)));
}

double Utility::logAt(double seconds) const {
    const double x = theta2 * (counted(*this, seconds) - theta3); // ln(1 + eˣ) = x + ln(1 + e⁻ˣ)
    return std::log(theta1) - (x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)));
}

} // namespace trainyard
