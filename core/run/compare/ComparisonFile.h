// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Comparisons as text: what came out as JSON and CSV, and what was compared, so that every file of a comparison repeats it. Written by the
// command line and by the window alike. Formats: docs/format/records.md.
#include "run/compare/OrderAgreement.h"
#include "run/compare/RateTuning.h"
#include "run/files/RunRecord.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

/// Everything borrowed.
struct ComparisonReport {
    const ComparisonRequest& request;
    const ComparisonResult& result;
    std::string name; ///< of the scenario file
    /// Of executed comparisons: the same simulated, and how the two agree.
    const ComparisonResult* simulated = nullptr;
    const OrderAgreement* agreement = nullptr;
    /// Where each policy has a learning rate of its own: what was tried, and what was found.
    const TuningRequest* tuning = nullptr;
    const TuningResult* tuned = nullptr;
};

/// Every run came to its end: not stopped, none failed or met a limit, and no runs of other shards missing.
bool isComplete(const ComparisonReport& report);
/// Which runs are missing from it, without an end of line; empty: none.
std::string missingRuns(const ComparisonReport& report);
/// {"scenario", "version", "mode", "family", …, "policies": […]}.
nlohmann::ordered_json comparisonJson(const ComparisonReport& report);
/// policy,seed,metric,value,mode: for other programs; with the provenance in front.
std::string observationsCsv(const ComparisonReport& report);

/// Of any file of the comparison.
RunProvenance comparisonProvenance(const ComparisonRequest& request, const std::string& scenarioName);
/// A provenance's `comparison`: arms, baseline, seeds, rule.
std::string comparisonText(const ComparisonRequest& request);
/// The request in it. Problems: it is none.
Result<ComparisonRequest> comparisonFrom(const std::string& text);
/// "trainyard-cli compare FILE --vary …": what repeats it; arms that no name stands for are left to the provenance.
std::string comparisonCommand(const ComparisonRequest& request, const std::string& file);

} // namespace trainyard
