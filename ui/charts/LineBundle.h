// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Hundreds of lines as plain points and pens, which any thread can paint: more than the window's thread could paint between two frames.
// Used by ManyLines, ChartLane and ChartPainter.
#include "charts/ChartAxes.h"

#include <QPainter>

#include <memory>
#include <span>
#include <stop_token>

namespace trainyard {

struct LineBundle {
    struct Line {
        std::span<const double> x, y;
        QPen pen; ///< its colour is also that of a line of one point
    };
    std::vector<Line> lines; ///< in order of painting
    AxisRange x, y;          ///< of the plot
    bool logarithmicX = false, logarithmicY = false;
    std::shared_ptr<const Chart> chart = {}; ///< whose points these are
};

/// More lines than are painted in one go, and nothing else.
bool areManyLines(const Plot& plot);
/// Where there is no picture of many lines yet, so many of them are painted in one go all the same.
constexpr std::size_t mostLinesAtOnce = 200;

/// Of a plot of the chart; of more than mostLinesAtOnce without dashes, which would say nothing.
LineBundle bundleOf(std::shared_ptr<const Chart> chart, const Plot& plot, const AxisRange& x, const AxisRange& y,
                    const PictureStyle& look);

/// Leaves out corners that no pixel shows, and paints line by line: of so many no joints are seen. Ends early when asked to stop.
void paintBundle(QPainter& painter, const QRectF& plot, const LineBundle& bundle, const std::stop_token& stop = {});

} // namespace trainyard
