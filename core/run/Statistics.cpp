#include "run/Statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace trainyard {

Estimate estimateMean(std::span<const double> values) {
    Estimate out{.n = values.size()};
    const auto n = static_cast<double>(values.size());
    for (const double v : values) out.mean += v;
    out.mean /= n;
    if (values.size() < 2) return out;
    double squares = 0;
    for (const double v : values) squares += (v - out.mean) * (v - out.mean);
    const double deviation = std::sqrt(squares / (n - 1));
    out.halfWidth = boost::math::quantile(boost::math::students_t(n - 1), 0.975) * deviation / std::sqrt(n);
    return out;
}

} // namespace trainyard
