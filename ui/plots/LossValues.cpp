// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LossValues.h"

#include "plots/LanePainter.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

const std::vector<double>& LossValues::of(const RunFold& run, std::size_t job, const LaneInput& input) {
    if (input.smoothing <= 0) return raw(run, job, input);
    return derived(run, job, input.gradientNorm, input.smoothing);
}

const std::vector<double>& LossValues::raw(const RunFold& run, std::size_t job, const LaneInput& input) {
    return input.gradientNorm ? derived(run, job, true, 0) : run.jobs()[job].losses.loss;
}

const std::vector<double>& LossValues::derived(const RunFold& run, std::size_t job, bool norm, double smoothing) {
    const LossSeries& series = run.jobs()[job].losses;
    Entry& entry = m_entries[{&run, job, norm, smoothing > 0}];
    if (entry.run != run.run().id || entry.smoothing != smoothing || entry.y.size() > series.size())
        entry = {.run = run.run().id, .smoothing = smoothing};
    entry.y.reserve(series.size());
    for (std::size_t i = entry.y.size(); i < series.size(); ++i) {
        const double value = norm ? static_cast<double>(series.norm[i]) : series.loss[i];
        if (std::binary_search(series.breaks.begin(), series.breaks.end(), i)) entry.begun = false;
        if (std::isnan(value)) {
            entry.y.push_back(value);
            continue;
        }
        entry.last = entry.begun ? smoothing * entry.last + (1 - smoothing) * value : value;
        entry.begun = true;
        entry.y.push_back(entry.last);
    }
    return entry.y;
}

bool hasNorms(const LossSeries& losses) {
    const auto some = losses.norm.begin() + std::min<std::ptrdiff_t>(64, std::ssize(losses.norm));
    return std::any_of(losses.norm.begin(), some, [](float norm) { return !std::isnan(norm); });
}

void LossValues::keepOnly(const RunFold* run, const RunFold* ghost) {
    std::erase_if(m_entries, [&](const auto& entry) {
        const RunFold* of = std::get<0>(entry.first);
        return of != run && of != ghost;
    });
}

} // namespace trainyard
