// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What `trainyard-cli bench` measures. Each BenchX.cpp registers its cases with Google Benchmark and declares
// the measures they yield: a case reports a measure by setting a counter of that name. Bench.cpp lists them, runs them
// and prints the results.
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::cli {

using MeasuredValues = std::map<std::string, double>;

/// One figure. Names are stable; rates end in _per_s, seconds in _s.
struct Measure {
    std::string name, unit;
    std::string what; ///< what was done, in one sentence
    /// For figures that follow from others; nothing is printed if those are missing.
    std::function<double(const MeasuredValues&)> derived = nullptr;
};

using Measures = std::vector<Measure>;

/// A case that yields one measure, and is made once.
void addCase(Measures& measures, const std::string& name, const std::string& unit, const std::string& what,
             std::function<double()> measure);

} // namespace trainyard::cli
