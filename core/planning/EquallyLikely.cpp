#include "planning/EquallyLikely.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace equally_likely {

constexpr std::size_t finer = 4; ///< quantiles for each value

/// Whether quantiles cost many evaluations each, so that they are better read off the distribution function.
bool quantilesAreDear(const Distribution& d) {
    return d.law == Law::gamma || d.law == Law::bimodal || d.law == Law::hypoexponential;
}

std::vector<double> quantiles(const Distribution& law, std::size_t count) {
    std::vector<double> out(count);
    const auto level = [&](std::size_t i) {
        return (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    };
    if (!quantilesAreDear(law)) {
        for (std::size_t i = 0; i < count; ++i) out[i] = law.quantile(level(i));
        return out;
    }
    // The distribution function at points equally far apart in log x, and lines between them.
    constexpr std::size_t points = 4096;
    const double low = std::log(std::max(law.quantile(level(0)), 1e-300)),
                 high = std::log(law.quantile(level(count - 1)));
    double x = std::exp(low), p = law.cdf(x);
    std::size_t i = 0;
    for (std::size_t j = 1; j <= points; ++j) {
        const double nextX = std::exp(low + (high - low) * static_cast<double>(j) / points),
                     nextP = law.cdf(nextX);
        for (; i < count && (level(i) <= nextP || j == points); ++i)
            out[i] = nextP > p ? std::clamp(x + (level(i) - p) / (nextP - p) * (nextX - x), x, nextX) : nextX;
        x = nextX;
        p = nextP;
    }
    return out;
}

} // namespace equally_likely

std::vector<double> equallyLikelyValues(const Distribution& law, std::size_t size) {
    using namespace equally_likely;
    if (law.law == Law::constant) return {law.value};
    const auto fine = quantiles(law, size * finer);
    std::vector<double> out(size, 0.0);
    for (std::size_t i = 0; i < fine.size(); ++i) out[i / finer] += fine[i] / finer;
    // The last piece has no end: its mean is what the others leave of the law's.
    const double rest =
        law.expectation() * static_cast<double>(size) - std::accumulate(out.begin(), out.end() - 1, 0.0);
    if (std::isfinite(rest) && rest > out[size - 2]) out.back() = rest;
    return out;
}

} // namespace trainyard
