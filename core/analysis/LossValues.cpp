// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/LossValues.h"

#include "base/PartitionPoint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace loss_values {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double timeWithoutWaiting(const LossSeries& losses, std::size_t i) { return losses.time[i] - losses.waited[i]; }

/// The first evaluation after `now` that would not have been there at an instant. Times without waiting do not decrease either: no
/// second is lost twice.
std::size_t firstAfter(const LossSeries& losses, std::size_t now, double seconds) {
    return partitionPoint(now + 1, losses.size(),
                          [&](std::size_t i) { return timeWithoutWaiting(losses, i) <= seconds; });
}

bool isParted(const LossSeries& losses, std::size_t before, std::size_t i) {
    const auto next = std::ranges::upper_bound(losses.breaks, before);
    return next != losses.breaks.end() && *next <= i;
}

} // namespace loss_values

std::vector<double> smoothed(std::vector<double> values, const std::vector<std::size_t>& breaks, double weight) {
    bool begun = false;
    double last = 0;
    auto nextBreak = breaks.begin();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (nextBreak != breaks.end() && *nextBreak == i) {
            begun = false;
            ++nextBreak;
        }
        if (std::isnan(values[i])) continue;
        last = begun ? weight * last + (1 - weight) * values[i] : values[i];
        begun = true;
        values[i] = last;
    }
    return values;
}

bool hasNorms(const LossSeries& losses) {
    const auto some = losses.norm.begin() + std::min<std::ptrdiff_t>(64, std::ssize(losses.norm));
    return std::any_of(losses.norm.begin(), some, [](float norm) { return !std::isnan(norm); });
}

std::optional<WaitingCost> waitingCost(const LossSeries& losses, const std::vector<double>& values, double seconds) {
    const std::size_t now = losses.indexAt(seconds);
    if (now >= losses.size()) return std::nullopt;
    const std::size_t after = loss_values::firstAfter(losses, now, seconds);
    return WaitingCost{values[now] - values[after - 1], losses.waited[now]};
}

LinePoints withoutWaiting(const LossSeries& losses, const std::vector<double>& values) {
    LinePoints line;
    const auto add = [&](double x, double y) {
        line.x.push_back(x);
        line.y.push_back(y);
    };
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const double at = loss_values::timeWithoutWaiting(losses, i);
        if (i > 0 && loss_values::isParted(losses, i - 1, i)) add(at, loss_values::none);
        add(at, values[i]);
    }
    return line;
}

LinePair lostToWaiting(const LossSeries& losses, const std::vector<double>& values, double from, double to) {
    using namespace loss_values;
    constexpr std::size_t most = 4000; // more evaluations are taken in even steps
    const auto before = static_cast<std::size_t>(std::ranges::lower_bound(losses.time, from) - losses.time.begin());
    const std::size_t begin = before > 0 ? before - 1 : 0;
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(losses.time, to) - losses.time.begin());
    const std::size_t end = std::min(after + 1, losses.size()), step = std::max<std::size_t>(1, (end - begin) / most);
    LinePair area;
    const auto add = [&](double x, double high, double low) {
        area.x.push_back(x);
        area.high.push_back(high);
        area.low.push_back(low);
    };
    for (std::size_t i = begin; i < end; i += step) {
        const double now = losses.time[i];
        if (i > begin && isParted(losses, i - step, i)) add(now, none, none);
        const std::size_t next = firstAfter(losses, i, now), last = next - 1;
        double low = values[last]; // the newest that would have been there, and on towards the next
        if (next < losses.size() && !isParted(losses, last, next)) {
            const double then = timeWithoutWaiting(losses, last), later = timeWithoutWaiting(losses, next);
            low = std::lerp(low, values[next], (now - then) / (later - then));
        }
        add(now, values[i], low);
    }
    return area;
}

} // namespace trainyard
