#pragma once
// Means with their Student-t intervals, as comparisons and reproductions report them.
#include <cstddef>
#include <optional>
#include <span>

namespace trainyard {

/// Of n independent observations. The interval is mean ± t(n−1, 0.975)·s/√n; none for a single one.
struct Estimate {
    std::size_t n = 0;
    double mean = 0;
    std::optional<double> halfWidth;
};

/// Two-sided 95 %. `values` must not be empty.
Estimate estimateMean(std::span<const double> values);

} // namespace trainyard
