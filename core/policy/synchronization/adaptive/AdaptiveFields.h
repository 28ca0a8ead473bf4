// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The parameters that adaptive-k and adaptive-load declare alike. Included by these two only.
#include "policy/RateSeries.h"
#include "policy/synchronization/adaptive/AdaptiveRounds.h"

namespace trainyard::adaptive_fields {

template <class P>
auto firstKField() {
    return field<P, int>(&P::firstK, "first_k", "Minimum k", {1, 100000}, "",
                         "The minimum number of gradients that an update waits for.")
        .amongWorkers();
}

template <class P>
auto kStepField() {
    return field<P, int>(&P::kStep, "k_step", "Step of k", {1, 100000}, "",
                         "Distance between the values of k that are considered, besides all workers; beyond 64 "
                         "at least 5 %.")
        .amongWorkers();
}

template <class P>
auto smoothnessField() {
    return field<P, double>(&P::smoothness, "smoothness", "Smoothness L", {0, 1e12}, "",
                            "The maximum curvature of the loss; 0 estimates it from the first gradients.");
}

template <class P>
auto convexityField() {
    return field<P, double>(&P::convexity, "convexity", "Convexity c", {0, 1e12}, "",
                            "The largest c with 2c(F − F*) ≤ ‖∇F‖²; 0 estimates it from the first gradients.")
        .effect("k and β change sooner.");
}

template <class P>
auto noiseField() {
    return field<P, double>(&P::noise, "noise", "Noise σ²", {0, 1e15}, "",
                            "Variance (trace) of one sample's gradient at the optimum; 0 estimates it from "
                            "the gradients as "
                            "they come.")
        .effect("k grows sooner.");
}

template <class P>
auto growthField() {
    return field<P, double>(&P::growth, "growth", "Growth of the noise M", {0, 1e15}, "",
                            "What each unit of ‖∇F‖² adds to the variance of one sample's gradient: batches too "
                            "small for the learning rate are excluded. With isotropic Gaussian features of dimension "
                            "d it is d + 1.")
        .effect("The smallest batches grow.");
}

template <class P>
auto initialErrorField() {
    return field<P, double>(&P::initialError, "initial_error", "Initial error e₀", {0, 1e15}, "",
                            "F − F* at the start; 0 takes the first evaluated loss, less the minimum loss.");
}

template <class P>
auto leastLossField() {
    return field<P, double>(&P::leastLoss, "least_loss", "Minimum loss F*", {-1e15, 1e15}, "",
                            "The lowest loss possible; errors are measured from it.");
}

template <class P>
auto thresholdField() {
    return field<P, int>(&P::threshold, "threshold", "Threshold", {1, 1000000}, "",
                         "pflug: by how many the negative products of successive gradients must exceed the "
                         "positive ones.")
        .effect("Changes come later, and are less often premature.")
        .usual(1000);
}

template <class P>
auto burnInField() {
    return field<P, int>(&P::burnIn, "burn_in", "Burn-in", {1, 1000000}, "updates",
                         "pflug and distance: minimum number of updates between two changes.")
        .usual(1000);
}

template <class P>
auto slopeField() {
    return field<P, double>(&P::slope, "slope", "Minimum slope", {0, 2}, "",
                            "distance: the power of the number of updates by which the squared distance "
                            "travelled must still grow.")
        .effect("Changes come sooner.");
}

} // namespace trainyard::adaptive_fields
