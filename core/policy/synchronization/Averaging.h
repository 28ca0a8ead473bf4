#pragma once
// Small questions that every synchronization asks of its view.
#include "policy/Synchronization.h"

#include <algorithm>

namespace trainyard {

/// Present workers with a task that has neither arrived nor been cancelled.
inline int busyWorkers(const TrainingView& view) {
    int n = 0;
    for (const auto& w : view.workers) n += w.present && w.busy;
    return n;
}

/// Present, without a task, and without a gradient that still waits for its verdict.
inline bool isIdle(const TrainingView& view, std::uint32_t worker) {
    return view.workers[worker].present && !view.workers[worker].busy &&
           std::none_of(view.held.begin(), view.held.end(),
                        [&](const auto& g) { return g.worker == worker; });
}

/// All held gradients with one weight, in order of worker (then task): the sum does not depend on the order
/// of arrival.
inline std::vector<WeightedGradient> averaged(std::span<const HeldGradient> held, double weight) {
    std::vector<WeightedGradient> out;
    for (const auto& g : held) out.push_back({g.worker, g.task, weight});
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return std::pair(a.worker, a.task) < std::pair(b.worker, b.task);
    });
    return out;
}

/// Values of the parameter "scale" of policies that apply single gradients.
inline const std::vector<std::string> pushScaleChoices{"full", "one-over-n"};

/// 1, or 1/n with n the present workers.
inline double pushWeight(const std::string& scale, const TrainingView& view) {
    return scale == "full" ? 1.0 : 1.0 / std::max(1, view.presentWorkers());
}

/// What happens in every iteration is explained only at this level.
inline bool explainingFully(const PolicyContext& context) {
    return context.explaining() && context.why->level() == WhyLevel::full;
}

} // namespace trainyard
