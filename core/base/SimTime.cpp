#include "base/SimTime.h"

#include <cmath>

namespace trainyard {

Duration Duration::seconds(double s) {
    if (std::isnan(s)) return {};
    const double ns = s * 1e9;
    constexpr double limit = 9.2e18;
    if (ns >= limit) return {std::numeric_limits<std::int64_t>::max()};
    if (ns <= -limit) return {std::numeric_limits<std::int64_t>::min()};
    return {std::llround(ns)};
}

} // namespace trainyard
