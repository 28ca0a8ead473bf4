// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The axes of a chart's plots as QCustomPlot's: ranges, ticks and their words by the kind of axis. Used by
// ChartPainter.
#include "charts/PictureStyle.h"

class QCPAxis;

namespace trainyard {

/// What an axis shows: `from` at the left or the bottom, maybe the greater one.
struct AxisRange {
    double from = 0, to = 1;
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// The axis' own range, or where that is missing one that holds all series; of values of x, or of y.
AxisRange wholeRange(const Axis& axis, const Plot& plot, bool horizontal);
void setRange(QCPAxis& axis, const AxisRange& range);
AxisRange rangeOf(const QCPAxis& axis);

/// Kind, colours and ticks. To be called again when the length of the axis in pixels has changed.
void setUpAxis(QCPAxis& to, const Axis& axis, const PictureStyle& look, double pixels, double widestLabel);
/// The axis as a style writes it: times of a run in its own unit, or as on the timeline.
Axis writtenAxis(const Axis& axis, const PictureStyle& look);
/// "Expected time (s)"
QString axisTitle(const Axis& axis);
/// A value as the axis says it: "worker 3", "1.2 s".
QString valueText(const Axis& axis, double value);

} // namespace trainyard
