// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a plot shows beside its series: what is selected, reference lines, annotations and its title. Used by ChartPainter and
// ChartLane.
#include "charts/PictureStyle.h"

class QCPAxisRect;

namespace trainyard {

/// Something of it is written over the plot.
bool needsRoomAbove(const Plot& plot);
void drawMarks(LaneCanvas& canvas, const QCPAxisRect& rect, const Plot& plot, const PictureStyle& look);

} // namespace trainyard
