// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Hundreds of lines as plain points and pens, which any thread can paint: more than the window's thread could paint between two frames.
// Used by ManyLines.
#include "analysis/TimeSeries.h"
#include "charts/ChartAxes.h"

#include <QPainter>

#include <stop_token>

namespace trainyard {

struct LineBundle {
    struct Line {
        LinePoints points;
        QPen pen; ///< solid; its colour is also that of a line of one point
    };
    std::vector<Line> lines; ///< in order of painting
    AxisRange x, y;          ///< of the plot
    bool logarithmicX = false, logarithmicY = false;
};

/// Leaves out corners that no pixel shows, and paints line by line: of so many no joints are seen. Ends early when asked to stop.
void paintBundle(QPainter& painter, const QRectF& plot, LineBundle& bundle, const std::stop_token& stop = {});

} // namespace trainyard
