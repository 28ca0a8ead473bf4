#include "plots/Series.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

void StepSeries::set(double seconds, double value) {
    if (!m_time.empty()) {
        if (m_value.back() == value) return;
        if (m_time.back() >= seconds) {
            m_value.back() = value;
            return;
        }
    }
    m_integral.push_back(m_time.empty() ? 0 : m_integral.back() + m_value.back() * (seconds - m_time.back()));
    m_time.push_back(seconds);
    m_value.push_back(value);
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

std::size_t LossSeries::indexAt(double seconds) const {
    const auto it = std::upper_bound(time.begin(), time.end(), seconds);
    return it == time.begin() ? size() : static_cast<std::size_t>(it - time.begin()) - 1;
}

LinePoints decimated(const std::vector<double>& x, const std::vector<double>& y, double from, double to,
                     int buckets) {
    LinePoints points;
    auto first = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), from) - x.begin());
    auto last = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), to) - x.begin());
    if (first > 0) --first;
    if (last < x.size()) ++last;
    if (last - first <= 4 * static_cast<std::size_t>(std::max(buckets, 1))) {
        points.x.assign(x.begin() + static_cast<std::ptrdiff_t>(first),
                        x.begin() + static_cast<std::ptrdiff_t>(last));
        points.y.assign(y.begin() + static_cast<std::ptrdiff_t>(first),
                        y.begin() + static_cast<std::ptrdiff_t>(last));
        return points;
    }
    const double width = (to - from) / buckets;
    for (std::size_t i = first; i < last;) {
        const double bucketEnd = from + (std::floor((x[i] - from) / width) + 1) * width;
        std::size_t least = i, greatest = i, end = i + 1;
        for (; end < last && x[end] < bucketEnd; ++end) {
            if (y[end] < y[least]) least = end;
            if (y[end] > y[greatest]) greatest = end;
        }
        std::size_t previous = last;
        for (const std::size_t k : {i, std::min(least, greatest), std::max(least, greatest), end - 1})
            if (k != previous) {
                points.x.push_back(x[k]);
                points.y.push_back(y[k]);
                previous = k;
            }
        i = end;
    }
    return points;
}

LossSeries keptUpdates(const LossSeries& series) {
    LossSeries kept;
    for (std::size_t i = 0; i < series.size(); ++i) {
        while (kept.size() > 0 && kept.update.back() >= series.update[i]) {
            kept.time.pop_back();
            kept.update.pop_back();
            kept.loss.pop_back();
        }
        kept.time.push_back(series.time[i]);
        kept.update.push_back(series.update[i]);
        kept.loss.push_back(series.loss[i]);
    }
    return kept;
}

} // namespace trainyard
