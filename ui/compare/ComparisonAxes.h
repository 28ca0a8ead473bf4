// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Ranges and axes of a comparison's chart, as Qt Charts has them. Used by ComparisonChart, which writes titles and names itself.
#include "charts/ChartAxes.h"
#include "compare/ComparisonChart.h"

class QAbstractAxis;

namespace trainyard {

/// The axis' own range, or one that holds all series that count, with some room.
AxisRange comparisonRange(const Plot& plot, bool horizontal);
/// With ticks for a plot of this size in pixels; owned by whoever adds it.
QAbstractAxis* makeAxis(const Plot& plot, bool horizontal, QSizeF size, const ComparisonLook& look);

} // namespace trainyard
