// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One plot of a chart in a lane: how values become pixels, where ticks lie, which line is nearest. Used by ChartLane.
#include "charts/ChartAxes.h"

namespace trainyard {

/// The plots that lie above each other, if their axis is time, or knows where instants are; else none.
std::vector<const Plot*> lanePlots(const Chart& chart);

struct LaneBand {
    const Plot& plot;
    QRectF rect; ///< pixels
    AxisRange x, y;

    bool isTimed() const { return plot.x.kind == Axis::Kind::time; } ///< else the lane has a horizontal axis of its own
    bool logarithmicX() const { return plot.x.kind == Axis::Kind::logarithmic && x.from > 0 && x.to > x.from; }
    bool logarithmicY() const { return plot.y.kind == Axis::Kind::logarithmic && y.from > 0 && y.to > y.from; }
    double px(double value) const;
    double py(double value) const;
    double valueAt(double pixel) const; ///< of the horizontal axis
    /// Grid lines and labels of the vertical axis, and of the horizontal one if it is not time.
    void paintTicks(LaneCanvas& canvas) const;
    /// The point of a line or of steps at or before a place of the horizontal axis; nothing: there is none, or it ended before.
    std::optional<QPointF> lastPoint(const Series& series, double across) const;
    /// Which line or steps passes the pixel most closely; null: none within 14 pixels.
    const Series* nearestLine(QPointF pixel) const;
};

std::vector<LaneBand> laneBands(const Chart& chart, const LaneCanvas& canvas);

} // namespace trainyard
