// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Maps of more cells than there are pixels, as QCustomPlot's colour maps. Used by ChartSeries.
#include "charts/PictureStyle.h"

class QCPAxis;

namespace trainyard {

/// Adds a map of cells over a part of the axes to their plot. The cells must outlive it.
void addMap(QCPAxis& x, QCPAxis& y, const QRectF& place, const Cells& cells, const Theme& theme);

} // namespace trainyard
