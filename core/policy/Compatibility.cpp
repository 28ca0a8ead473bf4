// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/Compatibility.h"

#include "base/Format.h"

#include <algorithm>
#include <cmath>

namespace trainyard::compatibility {

double numberOf(const ParamValues& given, std::string_view key, double otherwise) {
    const auto it = given.find(key);
    if (it == given.end()) return otherwise;
    if (const auto* whole = std::get_if<std::int64_t>(&it->second)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&it->second);
    return real ? *real : otherwise;
}

int batchOf(const Job& job) { return job.taskSamples(static_cast<std::size_t>(job.workers.maximum)); }

std::optional<PolicyWarning> waitsForTooMany(const Job& job, const ParamValues& given, std::string_view key) {
    const double k = numberOf(given, key, 0);
    if (k <= job.workers.maximum) return std::nullopt;
    return PolicyWarning{
        .text = {TRAINYARD_TEXT(
                     "an update is to wait for {0} {0:worker|workers}, but the job {2} has at most {1}; it will wait "
                     "for all"),
                 {formatNumber(k), std::to_string(job.workers.maximum)}},
        .parameter = std::string(key)};
}

std::optional<PolicyWarning> unstableStep(const Job& job, const ParamValues& given, double workers) {
    const auto* work = std::get_if<TrainedWork>(&job.work);
    if (!work || work->model.id != "linear-regression" || work->dataset.id != "gaussian-stream" ||
        work->optimizer.id != "sgd")
        return std::nullopt;
    const double each = static_cast<double>(std::max(1l, std::lround(batchOf(job) * numberOf(given, "load", 1))));
    const double samples = std::max(1.0, workers) * each;
    const double eta = numberOf(work->optimizer.parameters, "learning_rate", 0.1),
                 d = numberOf(work->dataset.parameters, "features", 100);
    const double limit = 2 / (1 + (d + 1) / samples);
    if (eta < limit) return std::nullopt;
    return PolicyWarning{
        .text =
            {TRAINYARD_TEXT(
                 "the learning rate {0} diverges with {1} samples per update and {2} features; it must be below {3}"),
             {formatNumber(eta, 6), formatNumber(samples, 6), formatNumber(d, 6), formatNumber(limit, 4)}},
        .ofJob = "/optimizer/parameters/learning_rate"};
}

} // namespace trainyard::compatibility
