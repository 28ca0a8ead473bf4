// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What waiting cost one job: its curve as it would be had nobody waited. Each evaluation moves earlier by the
// time lost to waiting until then: the integral over time of the share of the job's placed workers that wait
// for others (orange in the straggler strip), JobHistory::waitedUntil(). With as many workers all along that is
// the mean waiting time per worker. Used by LossPlot; the guide's page on charts says what it ignores.
#include "plots/LossCurves.h"

namespace trainyard {

/// The job it is drawn for, the same as in the straggler strip; invalid: it is off, or there is none.
JobId jobLostToWaiting(const LaneInput& input);

struct WaitingCost {
    double loss = 0;    ///< what the loss is above what it would be at this instant
    double seconds = 0; ///< how much earlier the newest value would have been reached
};
/// At an instant; nullopt before the first evaluation. `y`: the values shown, one per evaluation.
std::optional<WaitingCost> waitingCost(const LossSeries& series, const std::vector<double>& y, double seconds);

/// When each evaluation would have been, in seconds.
std::vector<double> timesWithoutWaiting(const LossSeries& series);
/// The area between the two curves, in the colour of waiting. `y` as above.
void paintWaitingCost(LaneCanvas& canvas, const LaneInput& input, const LossRange& range, const LossSeries& series,
                      const std::vector<double>& y);

} // namespace trainyard
