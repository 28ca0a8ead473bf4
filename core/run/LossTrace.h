// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The loss of a run over time in a few hundred numbers, so that many runs of a comparison can be kept, and their median with the
// middle half of them. Used by comparisons.
#include "record/EventLog.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Steps: `loss` holds from its instant until the next. Mean over the jobs that have a loss yet of their latest one.
struct LossTrace {
    std::vector<double> seconds, loss;
    bool empty() const { return seconds.empty(); }
    friend bool operator==(const LossTrace&, const LossTrace&) = default;
};

/// At most `points`, evenly picked, the first and the last among them.
LossTrace lossTrace(const EventLog& log, std::size_t jobs, std::size_t points = 200);
/// Nothing before the first evaluation.
std::optional<double> lossAt(const LossTrace& trace, double seconds);

/// At evenly spaced instants from the first to the last evaluation of any: quartiles over the runs that have a loss by then, each with
/// its last one held. NaN where fewer than half of them have one.
struct LossBand {
    std::vector<double> seconds, low, median, high;
};
LossBand lossBand(const std::vector<const LossTrace*>& traces, std::size_t points = 160);

std::string lossTraceText(const LossTrace& trace);
std::optional<LossTrace> lossTraceFrom(const std::string& text);

} // namespace trainyard
