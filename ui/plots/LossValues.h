// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The values of the loss lane's curves as the user wants to see them: the loss or the gradient's norm, as
// evaluated or smoothed. What is not simply the log's own numbers is computed once and grows with the run.
#include "session/RunFold.h"

#include <map>
#include <tuple>

namespace trainyard {

struct LaneInput;

class LossValues {
public:
    /// One value per evaluation of the job (see LossSeries); NaN where a norm is not known. Smoothed:
    /// s₁ = y₁, sₙ = α·sₙ₋₁ + (1 − α)·yₙ with α = input.smoothing, begun anew where the job was interrupted.
    /// Valid until the next call.
    const std::vector<double>& of(const RunFold& run, std::size_t job, const LaneInput& input);
    /// The same without smoothing.
    const std::vector<double>& raw(const RunFold& run, std::size_t job, const LaneInput& input);
    /// Forgets runs that are not these.
    void keepOnly(const RunFold* run, const RunFold* ghost);

private:
    struct Entry {
        RunId run = 0;
        double smoothing = 0, last = 0;
        bool begun = false; ///< `last` is a value to go on from
        std::vector<double> y;
    };
    const std::vector<double>& derived(const RunFold& run, std::size_t job, bool norm, double smoothing);

    std::map<std::tuple<const RunFold*, std::size_t, bool, bool>, Entry> m_entries; ///< run, job, norm, smoothed
};

/// A job has a norm soon after its first update, or never.
bool hasNorms(const LossSeries& losses);

} // namespace trainyard
