// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// adaptive-k: fastest-k whose k grows as training goes on. Early, few gradients make fast and good enough
// steps; late, only more of them lower the error further. Kas Hanna, Bitar, Parag, Dasari and El Rouayheb,
// Adaptive distributed stochastic gradient descent for minimizing delay in the presence of stragglers, ICASSP
// 2020: switching when the bound's rates of two k are equal, or by Pflug's test (here with a reflected
// counter).
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/adaptive/AdaptiveFields.h"

namespace trainyard {

namespace {

AdaptiveRounds::Settings settingsOfRule(const std::string& rule) {
    using Advance = AdaptiveRounds::Advance;
    if (rule == "pflug") return {.envelope = false, .advance = Advance::signs};
    if (rule == "distance") return {.envelope = false, .advance = Advance::distance};
    return {.exact = rule == "exact"};
}

class AdaptiveK final : public AdaptiveRounds {
public:
    explicit AdaptiveK(const AdaptiveParams& params)
        : AdaptiveRounds("adaptive-k", params, settingsOfRule(params.rule)) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<AdaptiveK>(*this); }
};

} // namespace

SynchronizationEntry builtin::adaptiveK() {
    using P = AdaptiveParams;
    using namespace adaptive_fields;
    return policyEntry<Synchronization, AdaptiveK, P>(
        {.id = "adaptive-k",
         .label = "Adaptive k",
         .summary = "Waits for few workers early in training and for more as the error falls.",
         .source = "Kas Hanna et al., ICASSP 2020",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) {
                 return compatibility::waitsForTooMany(job, given, "first_k");
             },
         .series = rate_series::all()},
        choice(&P::rule, "rule", "Rule", {"bound", "exact", "pflug", "distance"},
               "When k grows: by the bound on the error, by its exact law for isotropic least squares, or "
               "when a test on "
               "successive gradients or on the distance travelled finds no more progress."),
        firstKField<P>(), kStepField<P>(),
        choice(&P::sequence, "sequence", "Sequence of k", {"add", "double"},
               "Whether k grows by the step, or doubles."),
        smoothnessField<P>(), convexityField<P>(), noiseField<P>(), growthField<P>(), initialErrorField<P>(),
        leastLossField<P>(), thresholdField<P>(), burnInField<P>(), slopeField<P>(), timeoutField<P>());
}

} // namespace trainyard
