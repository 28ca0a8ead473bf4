// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The loss of a run over time in a few hundred numbers, so that many runs of a comparison can be kept, and their median with the
// middle half of them. Used by comparisons.
#include "model/Workload.h"
#include "record/EventLog.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Steps: `loss` holds from its instant until the next. Of a job alone its latest loss. Of several, whose losses may be of unlike size,
/// the mean over those that have arrived of their normalised ones (LossQuality.h; 1 before the first): by the limit of a job's curve,
/// else by the least loss of the run.
struct LossTrace {
    std::vector<double> seconds, loss;
    bool normalised = false;
    bool empty() const { return seconds.empty(); }
    friend bool operator==(const LossTrace&, const LossTrace&) = default;
};

/// At most `points`, evenly picked, the first and the last among them.
LossTrace lossTrace(const EventLog& log, const Workload& workload, std::size_t points = 200);
/// Nothing before the first step.
std::optional<double> lossAt(const LossTrace& trace, double seconds);

/// At evenly spaced instants from the first to the last step of any: quartiles over the runs that have a loss by then, each with
/// its last one held. NaN where fewer than half of them have one.
struct LossBand {
    std::vector<double> seconds, low, median, high;
};
LossBand lossBand(const std::vector<const LossTrace*>& traces, std::size_t points = 160);

std::string lossTraceText(const LossTrace& trace);
std::optional<LossTrace> lossTraceFrom(const std::string& text);

} // namespace trainyard
