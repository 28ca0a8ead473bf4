#pragma once
// A law as a table of equally likely values, for simulations whose means are to be exact: every value once in
// every pass.
#include "base/Distribution.h"

#include <vector>

namespace trainyard {

/// Ascending: the means of the law between its quantiles i/size and (i + 1)/size; together they have the
/// law's mean, where it has one. A constant has a single value.
std::vector<double> equallyLikelyValues(const Distribution& law, std::size_t size);

} // namespace trainyard
