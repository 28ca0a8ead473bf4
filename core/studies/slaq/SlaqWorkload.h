// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The workload on which SLAQ is measured: 160 jobs by a Poisson process of mean 15 s on 640 cores (as the brief of arXiv 1802.04819
// recalls), and, where it recalls nothing, chosen here: loss curves drawn by shape and replayed, log-normal costs, perfect speed-up.
#include "scenario/Scenario.h"

namespace trainyard::study {

/// How a job's loss falls: like 1/k, like μ^k, with a plateau before most of the drop, or like 1/k with noise.
enum class CurveShape { sublinear, linear, sShaped, noisy };

struct SlaqWorkload {
    int jobs = 160, machines = 20, coresPerMachine = 32;
    double interarrivalSeconds = 15;
    double load = 3; ///< work of the whole curves that arrive in a second, over the cores
};

/// Of a shape, with its own number of updates, pace, scale and noise; from the stream's numbers only.
RecordedCurve drawnCurve(CurveShape shape, RandomStream& random);
/// By job: 7 of 20 sublinear, 6 linear, 4 noisy, 3 S-shaped.
CurveShape shapeOf(std::size_t job);

/// A job ends when 99 % of its drop is done. Under the rate model; parameters of 0 bytes.
Scenario slaqScenario(const SlaqWorkload& workload, std::uint64_t seed);

} // namespace trainyard::study
