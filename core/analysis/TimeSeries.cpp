// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/TimeSeries.h"

#include "base/Grow.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace time_series {

/// First index in [from, end] with `isAfter`, which holds for all that follow; `end` if there is none before.
template <class IsAfter>
std::size_t firstBetween(std::size_t from, std::size_t end, const IsAfter& isAfter) {
    while (from < end) {
        const std::size_t middle = from + (end - from) / 2;
        if (isAfter(middle))
            end = middle;
        else
            from = middle + 1;
    }
    return from;
}

/// The same of [from, size]; one near `guess` is found at once.
template <class IsAfter>
std::size_t firstNear(std::size_t from, std::size_t guess, std::size_t size, const IsAfter& isAfter) {
    guess = std::clamp(guess, from, size);
    std::size_t step = 1;
    if (guess > from && isAfter(guess - 1)) {
        std::size_t end = guess - 1;
        while (end >= from + step && isAfter(end - step)) end -= step, step *= 2;
        return firstBetween(end >= from + step ? end - step + 1 : from, end, isAfter);
    }
    while (guess + step <= size && !isAfter(guess + step - 1)) guess += step, step *= 2;
    return firstBetween(guess, std::min(guess + step, size), isAfter);
}

} // namespace time_series

using namespace time_series;

void StepSeries::set(double seconds, double value) {
    if (!m_time.empty()) {
        if (m_value.back() == value) return;
        if (m_time.back() >= seconds) {
            m_value.back() = value;
            return;
        }
    }
    append(m_integral, m_time.empty() ? 0 : m_integral.back() + m_value.back() * (seconds - m_time.back()));
    append(m_time, seconds);
    append(m_value, value);
}

void StepSeries::addFrom(double seconds, double change) {
    std::size_t i = after(seconds);
    if (i > 0 && m_time[i - 1] == seconds) --i;
    if (i == m_time.size() || m_time[i] != seconds) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        m_integral.insert(m_integral.begin() + at, integral(seconds));
        m_value.insert(m_value.begin() + at, i > 0 ? m_value[i - 1] : 0);
        m_time.insert(m_time.begin() + at, seconds);
    }
    for (; i < m_time.size(); ++i) {
        m_value[i] += change;
        if (i + 1 < m_time.size()) m_integral[i + 1] = m_integral[i] + m_value[i] * (m_time[i + 1] - m_time[i]);
    }
}

std::size_t StepSeries::after(double seconds) const {
    return static_cast<std::size_t>(std::upper_bound(m_time.begin(), m_time.end(), seconds) - m_time.begin());
}

double StepSeries::at(double seconds) const {
    const std::size_t i = after(seconds);
    return i == 0 ? 0 : m_value[i - 1];
}

double StepSeries::integral(double seconds) const {
    const std::size_t i = after(seconds);
    return i == 0 ? 0 : m_integral[i - 1] + m_value[i - 1] * (seconds - m_time[i - 1]);
}

double StepSeries::mean(double from, double to) const {
    return to > from ? (integral(to) - integral(from)) / (to - from) : at(from);
}

void Extremes::append(const std::vector<double>& values) {
    const std::size_t last = values.size() - 1;
    if (last % block == 0) m_blocks.push_back({last, last});
    auto& [least, greatest] = m_blocks.back();
    if (values[last] < values[least] || std::isnan(values[least])) least = last;
    if (values[last] > values[greatest] || std::isnan(values[greatest])) greatest = last;
}

Extremes::Places Extremes::of(const std::vector<double>& values, std::size_t from, std::size_t to,
                              const Extremes* known) {
    while (from + 1 < to && std::isnan(values[from])) ++from;
    Places found{from, from};
    double low = values[from], high = low;
    const auto look = [&](std::size_t i) {
        const double value = values[i];
        if (value < low)
            low = value, found.least = i;
        else if (value > high)
            high = value, found.greatest = i;
    };
    for (std::size_t i = from + 1; i < to;) {
        const std::size_t at = i / block;
        if (!known || i % block != 0 || i + block > to || at >= known->m_blocks.size()) {
            look(i++);
            continue;
        }
        look(known->m_blocks[at].least);
        look(known->m_blocks[at].greatest);
        i += block;
    }
    return found;
}

std::size_t Extremes::firstAtMost(const std::vector<double>& values, std::size_t from, double most) const {
    for (std::size_t i = from; i < values.size();) {
        const bool skips = i % block == 0 && i / block < m_blocks.size() && i + block <= values.size() &&
                           !(values[m_blocks[i / block].least] <= most);
        if (skips)
            i += block;
        else if (values[i] <= most)
            return i;
        else
            ++i;
    }
    return values.size();
}

std::size_t LossSeries::indexAt(double seconds) const {
    const auto it = std::upper_bound(time.begin(), time.end(), seconds);
    return it == time.begin() ? size() : static_cast<std::size_t>(it - time.begin()) - 1;
}

void LossSeries::interrupt() {
    if (size() > 0 && (breaks.empty() || breaks.back() != size())) breaks.push_back(size());
}

namespace time_series {

/// Adds the first, least, greatest and last point of the bucket that begins at i and ends before `bucketEnd`, at `most` at the latest.
/// The index after it, which is sought near `guess`.
std::size_t addBucket(LinePoints& points, const std::vector<double>& x, const std::vector<double>& y, std::size_t i,
                      std::size_t guess, std::size_t most, double bucketEnd, const Extremes* extremes) {
    const std::size_t end = firstNear(i + 1, guess, most, [&](std::size_t k) { return x[k] >= bucketEnd; });
    const auto [least, greatest] = Extremes::of(y, i, end, extremes);
    std::size_t previous = x.size();
    for (const std::size_t k : {i, std::min(least, greatest), std::max(least, greatest), end - 1})
        if (k != previous) {
            points.x.push_back(x[k]);
            points.y.push_back(y[k]);
            previous = k;
        }
    return end;
}

} // namespace time_series

LinePoints decimated(const std::vector<double>& x, const std::vector<double>& y, double from, double to, int buckets,
                     std::span<const std::size_t> breaks, const Extremes* extremes) {
    LinePoints points;
    auto first = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), from) - x.begin());
    auto last = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), to) - x.begin());
    if (first > 0) --first;
    if (last < x.size()) ++last;
    last = std::max(first, last);
    const std::size_t fitting = 4 * static_cast<std::size_t>(std::max(buckets, 1));
    const bool all = last - first <= fitting;
    const double width = (to - from) / buckets;
    for (std::vector<double>* values : {&points.x, &points.y})
        values->reserve(std::min(last - first, fitting) + breaks.size() + 8); // also of the buckets at both ends
    std::size_t before = 1;                                                   // points of the bucket before
    auto nextBreak = std::upper_bound(breaks.begin(), breaks.end(), first);   // one at `first` parts nothing
    for (std::size_t i = first; i < last;) {
        if (nextBreak != breaks.end() && *nextBreak == i) {
            points.x.push_back(x[i]);
            points.y.push_back(std::numeric_limits<double>::quiet_NaN());
            ++nextBreak;
        }
        const std::size_t most = nextBreak != breaks.end() ? std::min(last, *nextBreak) : last;
        if (all) {
            for (; i < most; ++i) {
                points.x.push_back(x[i]);
                points.y.push_back(y[i]);
            }
            continue;
        }
        const double bucketEnd = from + (std::floor((x[i] - from) / width) + 1) * width;
        const std::size_t end = addBucket(points, x, y, i, i + before, most, bucketEnd, extremes);
        before = end - i;
        i = end;
    }
    return points;
}

LinePoints ThinnedLine::of(const std::vector<double>& x, const std::vector<double>& y, double from, double to,
                           int buckets, std::span<const std::size_t> breaks, const Extremes* extremes) {
    constexpr double mostParts = 8; // of a line that is seen in smaller parts nothing is kept
    const double width = std::exp2(std::ceil(2 * std::log2((to - from) / buckets)) / 2);
    if (x.size() <= 4 * static_cast<std::size_t>(buckets) || !(x.back() - x.front() <= mostParts * buckets * width))
        return decimated(x, y, from, to, buckets, breaks, extremes);
    m_levels.resize(2);
    if (m_levels[0].width != width) std::swap(m_levels[0], m_levels[1]);
    Level& level = m_levels[0];
    if (level.width != width) level = {.width = width, .points = {}};
    if (level.size < x.size()) extend(level, x, y, breaks, extremes);
    const std::vector<double>& across = level.points.x;
    auto first = std::lower_bound(across.begin(), across.end(), from) - across.begin();
    auto last = std::upper_bound(across.begin(), across.end(), to) - across.begin();
    if (first > 0) --first;
    if (last < std::ssize(across)) ++last;
    last = std::max(first, last);
    const auto& up = level.points.y;
    return {{across.begin() + first, across.begin() + last}, {up.begin() + first, up.begin() + last}};
}

void ThinnedLine::extend(Level& level, const std::vector<double>& x, const std::vector<double>& y,
                         std::span<const std::size_t> breaks, const Extremes* extremes) {
    LinePoints& points = level.points;
    points.x.resize(level.whole), points.y.resize(level.whole);
    auto nextBreak = std::lower_bound(breaks.begin(), breaks.end(), std::max<std::size_t>(level.open, 1));
    for (std::size_t i = level.open, before = 1; i < x.size();) {
        level.open = i, level.whole = points.x.size();
        if (nextBreak != breaks.end() && *nextBreak == i) {
            points.x.push_back(x[i]);
            points.y.push_back(std::numeric_limits<double>::quiet_NaN());
            ++nextBreak;
        }
        const std::size_t most = nextBreak != breaks.end() ? std::min(x.size(), *nextBreak) : x.size();
        const double bucketEnd = (std::floor(x[i] / level.width) + 1) * level.width;
        const std::size_t end = addBucket(points, x, y, i, i + before, most, bucketEnd, extremes);
        before = end - i;
        i = end;
    }
    level.size = x.size();
}

LinePoints simplified(const LinePoints& line, double tolerance) {
    LinePoints kept;
    const auto keep = [&](std::size_t i) {
        kept.x.push_back(line.x[i]);
        kept.y.push_back(line.y[i]);
    };
    const double infinity = std::numeric_limits<double>::infinity();
    std::size_t anchor = 0;                    // the corner kept last
    double least = -infinity, most = infinity; // slopes from it that pass all points since closely enough
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double dx = line.x[i] - line.x[anchor], dy = line.y[i] - line.y[anchor];
        const bool passes = i > anchor && dx > 0 && dy >= least * dx && dy <= most * dx; // not if NaN
        if (!passes) {
            if (i > anchor + 1) { // the point before ends the straight part
                keep(i - 1);
                anchor = i - 1;
                least = -infinity, most = infinity;
                --i;
                continue;
            }
            keep(i);
            anchor = i;
            least = -infinity, most = infinity;
            continue;
        }
        least = std::max(least, (dy - tolerance) / dx);
        most = std::min(most, (dy + tolerance) / dx);
    }
    if (!line.x.empty() && anchor + 1 < line.x.size()) keep(line.x.size() - 1);
    return kept;
}

LossSeries keptUpdates(const LossSeries& series) {
    LossSeries kept;
    for (std::size_t i = 0; i < series.size(); ++i) {
        while (kept.size() > 0 && kept.update.back() >= series.update[i]) {
            kept.time.pop_back();
            kept.update.pop_back();
            kept.loss.pop_back();
            if (!kept.norm.empty()) kept.norm.pop_back();
            if (!kept.waited.empty()) kept.waited.pop_back();
        }
        kept.time.push_back(series.time[i]);
        kept.update.push_back(series.update[i]);
        kept.loss.push_back(series.loss[i]);
        if (i < series.norm.size()) kept.norm.push_back(series.norm[i]);
        if (i < series.waited.size()) kept.waited.push_back(series.waited[i]);
    }
    return kept;
}

} // namespace trainyard
