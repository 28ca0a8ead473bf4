// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long an update takes with so many workers, learnt from updates that were timed: t(a) = s + W/a + κ·a with coefficients that are
// not negative (Venkataraman et al., Ernest, NSDI 2016, without its logarithmic term). Used by schedulers that decide on workers.
#include "model/Job.h"

#include <span>

namespace trainyard {

struct ScalingSample {
    int workers = 1;
    double seconds = 0; ///< per update; positive and finite, else the sample does not count
    double weight = 1;
};

/// The law of the least squared relative error. With samples of a single number of workers W alone: all work is divided (what SLAQ
/// assumes). Without samples s = W = κ = 0.
UpdateLaw fitScaling(std::span<const ScalingSample> samples);

/// The number of workers from `least` to `most` with the shortest update; the fewest of equals.
int fastestWorkers(const UpdateLaw& law, int least, int most);

} // namespace trainyard
