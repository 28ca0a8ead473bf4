// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Binary search over whole numbers. (std::views::iota would do, but clang 14, which builds the fuzzers, cannot read it.)
#include <boost/iterator/counting_iterator.hpp>

#include <algorithm>

namespace trainyard {

/// The first number of low, low + 1, … for which `holds` is no longer true; `high` if it is true of all before that.
template <class Whole, class F>
Whole partitionPoint(Whole low, Whole high, F holds) {
    if (!(low < high)) return high < low ? high : low;
    return *std::partition_point(boost::counting_iterator<Whole>(low), boost::counting_iterator<Whole>(high), holds);
}

} // namespace trainyard
