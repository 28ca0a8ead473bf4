#include "run/Statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

/// 1 for the smallest; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> out(values.size());
    for (std::size_t i = 0, j = 0; i < order.size(); i = j) {
        while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
        const double shared = 0.5 * static_cast<double>(i + 1 + j);
        for (std::size_t k = i; k < j; ++k) out[order[k]] = shared;
    }
    return out;
}

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

SampleSummary summarizeSample(std::span<const double> values) {
    SampleSummary out{.n = values.size(), .mean = mean(values)};
    if (values.size() < 2) return out;
    const auto n = static_cast<double>(values.size());
    double squares = 0;
    for (const double v : values) squares += (v - out.mean) * (v - out.mean);
    out.standardError = std::sqrt(squares / (n - 1) / n);
    return out;
}

Estimate estimateMean(std::span<const double> values) {
    const SampleSummary sample = summarizeSample(values);
    Estimate out{.n = sample.n, .mean = sample.mean};
    if (sample.n < 2) return out;
    const boost::math::students_t law(static_cast<double>(sample.n - 1));
    out.halfWidth = boost::math::quantile(law, 0.975) * sample.standardError;
    return out;
}

double welchTest(const SampleSummary& a, const SampleSummary& b) {
    const double va = a.standardError * a.standardError, vb = b.standardError * b.standardError;
    if (va + vb == 0) return a.mean == b.mean ? 1 : 0;
    const double t = (a.mean - b.mean) / std::sqrt(va + vb);
    const double freedom =
        (va + vb) * (va + vb) / (va * va / static_cast<double>(a.n - 1) + vb * vb / static_cast<double>(b.n - 1));
    return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), std::abs(t)));
}

std::vector<bool> holmRejections(std::span<const double> pValues, double level) {
    std::vector<std::size_t> order(pValues.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pValues[a] < pValues[b]; });
    std::vector<bool> rejected(pValues.size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (pValues[order[i]] > level / static_cast<double>(order.size() - i)) break;
        rejected[order[i]] = true;
    }
    return rejected;
}

RankCorrelation rankCorrelation(std::span<const double> x, std::span<const double> y) {
    RankCorrelation out{.n = x.size()};
    const std::vector<double> rx = ranks(x), ry = ranks(y);
    const double mx = mean(rx), my = mean(ry);
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < rx.size(); ++i) {
        xy += (rx[i] - mx) * (ry[i] - my);
        xx += (rx[i] - mx) * (rx[i] - mx);
        yy += (ry[i] - my) * (ry[i] - my);
    }
    if (xx == 0 || yy == 0) return out;
    out.rho = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
    if (out.n < 4) return out;
    const double spread = 1.959964 * std::sqrt((1 + out.rho * out.rho / 2) / (static_cast<double>(out.n) - 3));
    const double z = std::atanh(std::clamp(out.rho, -1 + 1e-15, 1 - 1e-15)); // a perfect one has an interval, too
    out.low = std::tanh(z - spread);
    out.high = std::tanh(z + spread);
    return out;
}

} // namespace trainyard
