// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What synchronizations note that choose k and the load by rates: how fast each option lowers the expected error, a line over
// that error, and which of them they choose. Declared alike by all of them, as their first series; RateChoices reads it.
#include "policy/Registry.h"

namespace trainyard::rate_series {

/// Numbers of the series. Those of an option come one after the other, `load` first, before the choice that they are for; a
/// choice without new options is one of the last.
enum Number : std::uint16_t { load, cost, floor, slope, choice };

inline std::vector<SeriesInfo> all() {
    const std::string k = "gradients", samples = "samples of a task";
    return {{"rate_load", "Load", "", "Samples of a task of an option, as a share of the batch.", k, samples},
            {"rate_cost", "Cost of an update", "",
             "Expected cost of an update of an option: seconds plus the cost parameters.", k, samples},
            {"rate_floor", "Floor", "", "The expected error below which an option does not lower it.", k, samples},
            {"rate_slope", "Slope", "",
             "By how much an option lowers the error per unit of cost, for each unit above its floor.", k, samples},
            {"rate_choice", "Choice", "", "The expected error at which an option is chosen.", k, samples}};
}

inline bool declaredBy(const PolicyInfo& info) {
    const auto series = all();
    return info.series.size() >= series.size() &&
           std::equal(series.begin(), series.end(), info.series.begin(),
                      [](const SeriesInfo& a, const SeriesInfo& b) { return a.name == b.name; });
}

} // namespace trainyard::rate_series
