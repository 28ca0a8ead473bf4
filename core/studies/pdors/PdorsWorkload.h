// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The workload on which PD-ORS is measured: distributions that the brief of arXiv 2108.02917 recalls, and, where it recalls none,
// chosen here: 10 Gbit/s between machines, ten times that within one, slots of ten minutes, machines of 18 times a mean demand. Jobs
// that need more than half of the slots, with as many workers as they may have, are drawn anew: they could hardly end.
#include "scenario/Scenario.h"

namespace trainyard::study {

struct PdorsWorkload {
    int jobs = 50, machines = 50, horizon = 20; ///< slots
    double insensitive = 0.10,
           sensitive = 0.55; ///< shares of jobs by how their utility falls with time; the rest is critical
};

constexpr double pdorsSlotSeconds = 600;
/// What one of about 2,000 updates of a job may come to, several times: promised beyond its work.
constexpr double pdorsMargin = 0.01;

/// Jobs arrive at the starts of slots, a third of them in odd ones; the run ends with the last slot. By the rate model.
Scenario pdorsScenario(const PdorsWorkload& workload, std::uint64_t seed);

} // namespace trainyard::study
