// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a metric answers to one number of the scenario, or to two: which numbers there are to vary, the values to try, and the chart of what came
// out, with the present value and the best. Runs are those of a sweep. Used by the window's place Compare.
#include "run/compare/ComparisonCharts.h"
#include "run/compare/Sweep.h"

namespace trainyard {

/// A number of the scenario.
struct VariedField {
    std::string pointer; ///< as for a sweep
    std::string label;   ///< "k (Fastest k)", "Batch (Digits, softmax)"
    std::string of;      ///< what it belongs to, as people call it: "Digits, softmax"; empty: the scenario
    std::string unit;
    double present = 0;
    double minimum = 0, maximum = 0; ///< allowed; equal: not known
    bool whole = false;
    friend bool operator==(const VariedField&, const VariedField&) = default;
};

/// Parameters of the policies in force, then fields of the settings, jobs, generators and (the first few) machines and links.
std::vector<VariedField> variedFields(const Scenario& scenario, const Registry& registry);

/// `count` values from `from` to `to`, both among them, evenly or by equal ratios; whole ones each once; as a sweep takes them.
std::vector<std::string> valuesBetween(double from, double to, std::size_t count, bool whole, bool byRatios);

/// Id of the metric of the run in which a change of the scenario shows: jobs that are admitted at once are blocked or not; those that all
/// end after a given time differ in their losses, keyed ones in their iterations; others in their completion times.
std::string answeringMetric(const Scenario& scenario);

struct ResponseView {
    const SweepRequest& request;
    const std::vector<SweepRow>& rows; ///< done; in any order
    std::vector<VariedField> fields;   ///< by axis
    std::string metric;
    bool smallerIsBetter = true;
    bool partial = false;
};

/// One point of the grid.
struct ResponsePoint {
    std::vector<std::string> values;            ///< by axis
    std::vector<std::optional<double>> metrics; ///< by seed; none of runs that diverged
    std::optional<Estimate> estimate;
    std::size_t diverged = 0; ///< runs whose numbers cannot be averaged (run/MetricValues.h)
};
/// In the order of the grid, those without runs among them.
std::vector<ResponsePoint> responsePoints(const ResponseView& view);

/// The point with the best mean, and those whose paired differences to it could be chance: Student's test, Holm's correction, 5 %.
struct ResponseBest {
    std::size_t point = 0;
    std::vector<std::size_t> asGood; ///< with itself; in the order of the points
};
/// None: no point has a mean, or all means are the same.
std::optional<ResponseBest> bestOf(const ResponseView& view, const std::vector<ResponsePoint>& points);

/// One axis: means with intervals against the value. Two: a map of the means. Elements of the series "mean" are the points.
Chart responseChart(const ResponseView& view);

} // namespace trainyard
