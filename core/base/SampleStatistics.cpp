// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/SampleStatistics.h"

#include <boost/math/statistics/bivariate_statistics.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>

#include <cmath>
#include <numeric>

namespace trainyard {

double sampleMean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sampleDeviation(std::span<const double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (values.size() == 1) return 0;
    return std::sqrt(boost::math::statistics::sample_variance(values.begin(), values.end()));
}

double sampleCorrelation(std::span<const double> x, std::span<const double> y) {
    const auto varies = [](std::span<const double> values) {
        return std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); });
    };
    return varies(x) && varies(y) ? boost::math::statistics::correlation_coefficient(x, y) : 0;
}

} // namespace trainyard
