// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Logs of evaluated losses, for the view of losses and its lane.
#include "record/GradientNorm.h"
#include "support/SampleRun.h"

#include <cmath>

namespace trainyard::test {

/// Of job 0 of the sample, an evaluation a second: i seconds after the first, whose norm is not known, the norm is 8/i.
inline std::shared_ptr<EventLog> logOfNorms() {
    auto log = std::make_shared<EventLog>();
    LogWriter w(*log);
    for (std::uint32_t i = 0; i < 30; ++i)
        w.at(i, EventType::lossEvaluated, 0, i, 0, 1, packGradientNorm(i == 0 ? std::nan("") : 8.0 / i));
    return log;
}

/// The losses of job 0 fall from 4 to 2, those of job 1 rise to 1e300.
struct DivergingRun {
    std::shared_ptr<Workload> workload = std::make_shared<Workload>(*sampleWorkload());
    std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
    DivergingRun() {
        workload->jobs.resize(2);
        LogWriter w(*log);
        const std::vector<double> good{4, 3, 2}, bad{4, 1e100, 1e300};
        for (std::uint32_t i = 0; i < 3; ++i) {
            w.at(i, EventType::lossEvaluated, 0, i, 0, good[i]);
            w.at(i, EventType::lossEvaluated, 1, i, 0, bad[i]);
        }
    }
};

} // namespace trainyard::test
