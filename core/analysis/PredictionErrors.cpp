// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/PredictionErrors.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

const Registry& builtinPolicies() {
    static const Registry all = Registry::builtin();
    return all;
}

/// Between the evaluations on both sides; nullopt: the job has not come so far.
std::optional<double> lossAt(const LossSeries& losses, std::size_t known, double update) {
    const auto begin = losses.update.begin(), end = begin + static_cast<std::ptrdiff_t>(known);
    const auto next = std::lower_bound(begin, end, update);
    if (next == end || known == 0) return std::nullopt;
    const auto i = static_cast<std::size_t>(next - begin);
    if (*next == update || i == 0) return losses.loss[i];
    const double share = (update - losses.update[i - 1]) / (losses.update[i] - losses.update[i - 1]);
    return losses.loss[i - 1] + share * (losses.loss[i] - losses.loss[i - 1]);
}

/// The line through the evaluations i − 1 and i goes on.
double continued(const LossSeries& losses, std::size_t i, double update) {
    if (i == 0 || losses.update[i] <= losses.update[i - 1]) return losses.loss[i];
    const double slope = (losses.loss[i] - losses.loss[i - 1]) / (losses.update[i] - losses.update[i - 1]);
    return losses.loss[i] + slope * (update - losses.update[i]);
}

} // namespace

std::span<const NotedValue> predictedLosses(const RunIndex& run, JobId job, SimTime until) {
    const auto& scenario = run.source().scenario;
    const PolicyInfo* info =
        scenario ? policyOf(*scenario, builtinPolicies(), PolicyFamily::scheduler, nullptr) : nullptr;
    if (!info) return {};
    for (std::size_t n = 0; n < info->series.size(); ++n) {
        if (info->series[n].name != "predicted_loss") continue;
        const auto all = run.fold<PolicyNotes>().of({PolicyFamily::scheduler, static_cast<std::uint16_t>(n)}, job);
        const auto end =
            std::upper_bound(all.begin(), all.end(), until, [](SimTime t, const NotedValue& v) { return t < v.at; });
        return all.first(static_cast<std::size_t>(end - all.begin()));
    }
    return {};
}

PredictionErrors predictionErrors(std::span<const NotedValue> predictions, const LossSeries& losses,
                                  std::size_t known) {
    PredictionErrors out;
    for (const NotedValue& p : predictions) {
        const auto came = lossAt(losses, known, p.first);
        const std::size_t then = losses.indexAt(p.at.toSeconds());
        if (!came || then >= known) continue;
        ++out.due;
        out.predicted += std::abs(p.value - *came);
        out.held += std::abs(losses.loss[then] - *came);
        out.lastChange += std::abs(continued(losses, then, p.first) - *came);
    }
    return out;
}

} // namespace trainyard
