// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/las/GittinsIndex.h"

#include <algorithm>

namespace trainyard {

double gittinsIndex(std::span<const double> sizes, double attained, double window, bool absolute) {
    const auto first = std::upper_bound(sizes.begin(), sizes.end(), attained);
    const auto last = std::upper_bound(first, sizes.end(), attained + window);
    if (first == sizes.end()) return 0;
    double service = window * static_cast<double>(sizes.end() - last); // of those that are longer
    for (auto size = first; size != last; ++size) service += absolute ? *size : *size - attained;
    return static_cast<double>(last - first) / service; // both are of as many sizes
}

} // namespace trainyard
