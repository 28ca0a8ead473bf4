// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small questions that every synchronization asks of its view.
#include "base/ParamSchema.h"
#include "policy/Synchronization.h"

#include <algorithm>

namespace trainyard {

/// Present, without a task, and without a gradient that still waits for its verdict.
inline bool isIdle(const TrainingView& view, std::uint32_t worker) {
    return view.workers[worker].present && !view.workers[worker].busy &&
           std::none_of(view.held.begin(), view.held.end(), [&](const auto& g) { return g.worker == worker; });
}

/// What a restart begins with: nothing of what came before is used.
inline void dropHeld(const TrainingView& view, SyncActions& actions) {
    for (const auto& gradient : view.held) actions.drop(gradient.worker, gradient.task);
}

/// The beginning of policies that give everybody the same: nothing held, a task for each worker.
inline void startEverywhere(const TrainingView& view, SyncActions& actions) {
    dropHeld(view, actions);
    for (std::uint32_t w = 0; w < view.workers.size(); ++w)
        if (view.workers[w].present) actions.assign(w);
}

/// By worker: whether a gradient of its waits for the verdict.
inline std::vector<bool> holders(const TrainingView& view) {
    std::vector<bool> out(view.workers.size(), false);
    for (const auto& gradient : view.held) out[gradient.worker] = true;
    return out;
}

/// The held gradients that were computed at the present parameters. The others are dropped: a gradient may
/// have been on its way when its task was cancelled.
inline std::vector<HeldGradient> freshGradients(const TrainingView& view, SyncActions& actions) {
    std::vector<HeldGradient> fresh;
    for (const auto& gradient : view.held) {
        if (gradient.readVersion == view.updates)
            fresh.push_back(gradient);
        else
            actions.drop(gradient.worker, gradient.task);
    }
    return fresh;
}

/// All held gradients with one weight, in order of worker (then task): the sum does not depend on the order
/// of arrival.
inline std::vector<WeightedGradient> averaged(std::span<const HeldGradient> held, double weight) {
    std::vector<WeightedGradient> out;
    for (const auto& g : held) out.push_back({g.worker, g.task, weight});
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return std::pair(a.worker, a.task) < std::pair(b.worker, b.task); });
    return out;
}

/// The parameter "scale" of policies that apply single gradients.
template <class P>
BoundField<P, std::string> pushScaleField(std::string P::*member) {
    return choice(member, "scale", "Weight of a gradient", {"full", "one-over-n"},
                  "Each gradient moves the parameters by the full step, or by one n-th of it (n: present workers).")
        .of(ParamScope::gradients);
}

/// 1, or 1/n with n the present workers.
inline double pushWeight(const std::string& scale, const TrainingView& view) {
    return scale == "full" ? 1.0 : 1.0 / std::max(1, view.presentWorkers());
}

/// What happens in every iteration is explained only at this level.
inline bool explainingFully(const PolicyContext& context) {
    return context.explaining() && context.why->level() == WhyLevel::full;
}

/// Why the gradients in hand are made into an update now: `enough` of them have come, from whichever workers.
void explainGathering(const PolicyContext& context, const TrainingView& view, const char* policy,
                      std::span<const HeldGradient> gradients, int enough);

} // namespace trainyard
