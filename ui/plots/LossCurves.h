// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The curves of the loss lane as points, and the axes they ask for; how they are painted is LossPlot's.
#include "plots/LanePainter.h"
#include "plots/LossValues.h"
#include "session/RunFold.h"

namespace trainyard {

struct LossLine {
    /// pale: the values as evaluated, behind the smoothed ones. unwaited: see LostToWaiting.h.
    enum class Kind { usual, pale, unwaited };
    const RunFold* run = nullptr;
    std::size_t job = 0;
    bool ghost = false;
    Kind kind = Kind::usual;
    LinePoints points = {};
};

/// What the axes show: left and right in seconds or updates, low and high in loss.
struct LossRange {
    double left = 0, right = 1, low = 0, high = 1;
    double ceiling = std::numeric_limits<double>::infinity(); ///< see LossCeiling; what is above leaves the axis
    void include(const LinePoints& points);
    /// Room around the values, or about nothing.
    void pad(bool logarithmic);
};

/// The loss of some job has fallen by more than a factor of ten: a linear axis would hide how it ends.
bool fallsTenfold(const RunFold& run);
/// In order of painting: the ghost beneath, the selected job on top. Jobs without a loss are left out.
std::vector<LossLine> lossLines(const LaneInput& input, JobId selected);
/// `dashes`: ghosts and repeated hues are told apart by them.
QPen lossPen(const LossLine& curve, const LaneCanvas& canvas, JobId job, bool dashes);
/// For decimated(), where so many curves share `width` pixels.
int lossBuckets(double width, std::size_t curves);
LinePoints thinnedLosses(const LossLine& curve, const LaneInput& input, const LossRange& range, int buckets,
                         LossValues& values);
/// The horizontal axis is not the time axis of all lanes.
inline bool hasOwnAxis(const LaneInput& input) { return input.byUpdate || input.logarithmicAcross; }
/// What of the horizontal axis is shown: `left` and `right` of the range.
void setLossAxis(LossRange& range, const LaneCanvas& canvas, const LaneInput& input);
/// How high the vertical axis may reach: `ceiling`.
void setLossCeiling(LossRange& range, const LaneInput& input, LossValues& values);
/// A triangle at the upper edge where a job's loss leaves the axis for good.
void paintLeavingLosses(LaneCanvas& canvas, const LaneInput& input, const LossRange& range, LossValues& values);
/// Where on the horizontal axis a pixel lies, in seconds or updates.
double lossAcross(const LossRange& range, const LaneCanvas& canvas, const LaneInput& input, double pixel);
/// Leaves out corners that no pixel shows, on a plot of this size.
void simplifyLosses(LinePoints& points, const LossRange& range, bool logarithmic, QSizeF plot);
/// Room for the labels of a horizontal axis of the lane's own.
double lossBottomMargin(const LaneCanvas& canvas, const LaneInput& input);
/// Where a loss lies, in pixels.
QPointF lossPlace(const LossRange& range, const LaneCanvas& canvas, const LaneInput& input, double x, double loss);

} // namespace trainyard
