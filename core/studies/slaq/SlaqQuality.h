// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Schedulers on the same random workloads of jobs whose losses fall, seed by seed: what was measured, and what is judged by relative
// changes. Shared by the parts of the study "slaq" that simulate such workloads.
#include "studies/StudyRuns.h"
#include "studies/slaq/SlaqWorkload.h"

namespace trainyard::study::slaq_quality {

struct Arm {
    std::string name;  ///< in tables and ids
    std::string title; ///< in sentences
    Choice choice;
    bool endsAreDeclared = false; ///< jobs say which loss they end at (`final_loss`)
};

struct Measure {
    std::string metric, name;
};
/// Less is better in each: mean normalised loss, and times to 90, 95 and 99 % of the drop.
const std::vector<Measure>& measures();
const Measure& measureOf(const std::string& metric);

/// Of S-shaped jobs alone; shares of cores of jobs by their losses; mean errors of predictions, as shares of the whole drop.
inline const char* const sShapedTime = "s_shaped_time_to_90_s";
inline const char* const highestShare = "highest_quarter_share";
inline const char* const lowestShare = "lowest_half_share";
inline const char* const predictionError = "prediction_error";
inline const char* const heldError = "no_change_error";
inline const char* const lastChangeError = "last_change_error";

/// By arm and metric, by seed; NaN: that run failed, or has no such number.
using Measured = std::map<std::string, std::map<std::string, std::vector<double>>>;

/// A table without rows: load, scheduler, seed and all that is measured.
StudyTable measuredTable(std::string name);
/// The arms over seeds 1 to `seeds`, in parallel; a row each.
Measured measure(const StudyRequest& request, const SlaqWorkload& workload, const std::vector<Arm>& arms,
                 std::size_t seeds, StudyReport& report, StudyTable& table);
/// Mean over seeds of (a − b)/b; nullopt where no seed has both.
std::optional<Estimate> change(const Measured& measured, const std::string& arm, const std::string& metric,
                               const std::string& against);
double meanOf(const std::vector<double>& values); ///< of the finite ones

/// A claim about the relative change of a metric from one arm to another.
struct Difference {
    std::string id;
    Arm arm, against;
    Measure measure;
    enum class Expected {
        less,
        greater,
        aboutNoMore ///< at most `margin` more
    } expected = Expected::less;
    std::string source = "this program";
    std::optional<double> before = std::nullopt; ///< measured before, on other jobs
    double margin = 0.05;
};
/// It holds if the whole interval of 95 % is where it is claimed.
Claim judged(const Measured& measured, const std::string& where, const Difference& difference);

/// Changes of every arm from the first one, in words: "better", "worse", "undecided", one row for each measure.
StudyTable changesTable(std::string name);
void addChanges(const Measured& measured, const std::string& load, const std::vector<Arm>& arms, StudyTable& table);

/// Adds what is wrong with the arms' policies to the report; whether nothing is.
bool areUsable(const std::vector<Arm>& arms, const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study::slaq_quality
