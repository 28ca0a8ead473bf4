// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A series of steps as a line of pixels, for rows and the overview. Zoomed out, each pixel column shows the exact mean over the
// few pixels around it.
#include "analysis/TimeSeries.h"
#include "drawing/TimeScale.h"

#include <QPolygonF>

namespace trainyard {

/// The polyline of a step series between two pixels, `bottom` at 0 and `top` at 1; at most four corners per
/// pixel column.
QPolygonF stepLine(const StepSeries& series, const TimeScale& time, double fromX, double toX, double bottom,
                   double top);

} // namespace trainyard
