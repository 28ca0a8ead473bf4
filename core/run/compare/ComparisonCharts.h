// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What comparisons and sweeps look like, as charts that are plain values: a row per arm for means, boxes and single runs, a curve per arm for
// distributions and losses. Drawn by the window and its exports; tests read them.
#include "analysis/Chart.h"
#include "run/compare/Comparison.h"

namespace trainyard {

enum class ComparisonChartKind {
    means,        ///< bar, single runs as points, interval of the mean
    boxes,        ///< quartiles, whiskers to the farthest run within 1.5 times their distance, runs beyond as points
    distribution, ///< share of runs at or below a value
    losses        ///< median over seeds, with the middle half
};

struct ComparisonView {
    const ComparisonResult& result;
    std::size_t baseline = 0;
    bool partial = false;          ///< runs are still to come, or were stopped
    std::vector<Text> titles = {}; ///< of the arms (armTitles()); none: their names
    Text title(std::size_t arm) const;
};

/// `metric`: of the whole run; not used by `losses`. Says n and the kind of interval in `meaning`; what speaks against believing it
/// (a single run, missing, failed or unfinished runs) in `caution`.
Chart comparisonChart(const ComparisonView& view, const std::string& metric, ComparisonChartKind kind);

/// The definition with this id, also of a metric of a resource; nullptr: not known.
const MetricDefinition* metricWithId(const std::string& id);
/// Whether an arm differs in a metric from the first with some seed; of a single arm, whether it varies over seeds: then it is worth a
/// chart.
bool varies(const ComparisonResult& result, const std::string& metric);
/// All of those, in the order of their definitions.
std::vector<std::string> varyingMetrics(const ComparisonResult& result);

/// The same chart for LaTeX (pgfplots), complete from \begin{tikzpicture}.
std::string pgfplotsText(const Chart& chart);

} // namespace trainyard
