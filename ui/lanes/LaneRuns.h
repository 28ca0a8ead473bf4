// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What of a worker's intervals a row of pixels can show: each as it is where it is wide enough, and elsewhere the shares
// of time of each activity. Used by the painters of Gantt and straggler strip.
#include "analysis/IntervalTrack.h"
#include "drawing/TimeScale.h"

#include <cmath>
#include <vector>

namespace trainyard {

/// A stretch of a row, in pixels. Merged: several intervals share it; `shares` gives each activity's part,
/// of 1.
struct LaneRun {
    double x0 = 0, x1 = 0;
    std::size_t index = 0;                   ///< interval (merged: the first)
    WorkerPhase phase = WorkerPhase::absent; ///< merged: the one that lasts longest
    bool merged = false;
    std::array<float, IntervalTrack::kinds> shares{};
};

/// In pixels: how dense intervals are is judged in each piece for itself.
constexpr double lanePiece = 64;
inline double lanePieceAt(double x) { return lanePiece * std::floor(x / lanePiece); }

/// The visible part of a track between two pixels. In a piece where intervals are less than two pixels wide on average,
/// columns show the mean over whole tasks: what repeats about as often as there are pixels would else turn into stripes
/// that are not there. In other pieces intervals at least `finest` pixels wide are shown as they are, the others merged
/// into columns of two pixels. At most two runs per pixel; from the beginning of any piece on the runs are the same,
/// wherever the scan begins.
std::vector<LaneRun> laneRuns(const IntervalTrack& track, const TimeScale& time, double fromX, double toX, SimTime head,
                              double finest = 1);

} // namespace trainyard
