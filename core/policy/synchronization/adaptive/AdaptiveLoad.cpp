// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// adaptive-load: chooses both whom to wait for (k) and how much each worker computes (β) as training goes on,
// where communication and computation times are independent. Egger, Kas Hanna and Bitar, Fast and
// straggler-tolerant distributed SGD with reduced computation load, ISIT 2023 (after its abstract). Each (k,
// β) is a line, the best of them the upper envelope (planning/StepEnvelope.h).
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/adaptive/AdaptiveFields.h"

namespace trainyard {

namespace {

struct AdaptiveLoadParams : AdaptiveParams {
    AdaptiveLoadParams() { loads = 10; }
};

AdaptiveRounds::Settings settingsOf(const AdaptiveLoadParams& params) {
    using Advance = AdaptiveRounds::Advance;
    const std::string& by = params.advance;
    return {.exact = params.model == "exact",
            .advance = by == "measured"   ? Advance::measured
                       : by == "pflug"    ? Advance::signs
                       : by == "distance" ? Advance::distance
                                          : Advance::model};
}

class AdaptiveLoad final : public AdaptiveRounds {
public:
    explicit AdaptiveLoad(const AdaptiveLoadParams& params)
        : AdaptiveRounds("adaptive-load", params, settingsOf(params)) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<AdaptiveLoad>(*this); }
};

} // namespace

SynchronizationEntry builtin::adaptiveLoad() {
    using P = AdaptiveLoadParams;
    using namespace adaptive_fields;
    return policyEntry<Synchronization, AdaptiveLoad, P>(
        {.id = "adaptive-load",
         .label = "Adaptive k and load",
         .summary = "Chooses how many workers to wait for and how much each computes, as the error falls.",
         .source = "Egger et al., ISIT 2023",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) {
                 return compatibility::waitsForTooMany(job, given, "first_k");
             },
         .series = rate_series::all()},
        choice<P>(&P::model, "model", "Model of the error", {"bound", "exact"},
                  "What the plan is based on: the bound for strongly convex losses, or the exact law of "
                  "isotropic least squares."),
        choice<P>(&P::advance, "advance", "Advance by", {"model", "measured", "pflug", "distance"},
                  "How the current error is known: from the model, from the evaluated loss, or not at all: "
                  "the plan advances in order whenever a test finds no more progress."),
        firstKField<P>(), kStepField<P>(),
        field<P, int>(&P::loads, "loads", "Loads considered", {1, 200}, "",
                      "Number of loads β, equally spaced, from the minimum to 1."),
        field<P, double>(&P::leastLoad, "least_load", "Minimum load", {1e-6, 1}, "",
                         "The smallest share of the batch that a worker may compute; at least one sample.")
            .effect("Early tasks take longer."),
        field<P, double>(&P::computeCost, "compute_cost", "Cost of computation", {0, 1e9}, "s",
                         "Cost of one assigned sample in seconds; sets the trade-off between time and "
                         "computation.")
            .effect("Loads become smaller."),
        field<P, double>(&P::communicationCost, "communication_cost", "Cost of communication", {0, 1e9}, "s",
                         "Cost of one message in seconds: k uploads and a download per worker in every update.")
            .effect("Updates become fewer and larger."),
        smoothnessField<P>(), convexityField<P>(), noiseField<P>(), growthField<P>(), initialErrorField<P>(),
        leastLossField<P>(), thresholdField<P>(), burnInField<P>(), slopeField<P>(), timeoutField<P>());
}

} // namespace trainyard
