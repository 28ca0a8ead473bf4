#pragma once
// What `trainyard-cli compare` prints and writes: JSON, tables, one line per observation.
#include "Common.h"
#include "run/OrderAgreement.h"
#include "run/RateTuning.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::cli {

struct ComparisonOutput {
    const ComparisonRequest& request;
    const ComparisonResult& result;
    const Input& input;
    /// Of executed comparisons: the same simulated, and how the two agree.
    const ComparisonResult* simulated = nullptr;
    const OrderAgreement* agreement = nullptr;
    /// Where each policy has a learning rate of its own: what was tried, and what was found.
    const TuningRequest* tuning = nullptr;
    const TuningResult* tuned = nullptr;
};

/// {"scenario", "version", "mode", "family", …, "policies": […]}; docs/format/records.md.
nlohmann::ordered_json comparisonJson(const ComparisonOutput& output);
/// On standard output.
void printComparison(const ComparisonOutput& output);
/// policy,mode,seed,metric,value: for other programs.
std::string observationsCsv(const ComparisonOutput& output);

} // namespace trainyard::cli
