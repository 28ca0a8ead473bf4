// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The parameters that schedulers by losses have in common, declared once. P derives from QualityRules.
#include "base/ParamSchema.h"
#include "policy/scheduler/slaq/QualityScheduler.h"

namespace trainyard::quality_fields {

template <class P>
auto curve() {
    return choice<P>(
        &P::curve, "curve", "Curve", {"better", "by-optimizer", "sublinear", "linear", "last-change", "true"},
        "What is fitted to losses: the better of two families, that of the job's optimizer, O(1/k), O(μ^k), or their "
        "last change goes on; true: a job's curve is known beforehand, where it does not really train. A job's own "
        "loss_family comes first.");
}

template <class P>
auto epoch() {
    return field<P, double>(&P::epochSeconds, "epoch_s", "Epoch", {1e-3, 1e6}, "s",
                            "Workers are divided anew so often.")
        .logarithmic()
        .usual(600)
        .effect("Fewer changes, and longer predictions.");
}

template <class P>
auto decay() {
    return field<P, double>(&P::decay, "decay", "Decay", {0.01, 1}, "",
                            "Weight of a loss in the fit, as a share of that of the next one.");
}

template <class P>
auto window() {
    return field<P, int>(&P::window, "window", "Window", {4, 1000}, "losses",
                         "So many of the newest losses are fitted.")
        .usual(100);
}

template <class P>
auto leastShare(std::string help) {
    return field<P, double>(&P::minShare, "min_share", "Least share", {0, 1}, "", std::move(help));
}

template <class P>
auto hysteresis() {
    return field<P, double>(&P::hysteresis, "hysteresis", "Hysteresis", {1, 10}, "",
                            "Running jobs keep what they have unless a new division gains so many times as much.")
        .usual(2);
}

} // namespace trainyard::quality_fields
