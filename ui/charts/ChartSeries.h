// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The series of a chart as QCustomPlot's plottables, and where their elements lie. Lines, steps, points and bands
// are its graphs and curves, large maps its colour maps; bars, spans and small maps are boxes of whole pixels
// with the activities' textures. Used by ChartPainter and ChartLane.
#include "charts/PicturePainter.h"

class QCPAxis;

namespace trainyard {

/// Adds what draws a series of a plot to the plot of its axes. The plot's value must outlive it. `items` counts
/// the shapes drawn.
void addSeries(QCPAxis& x, QCPAxis& y, const Plot& plot, const Series& series, const PictureStyle& look,
               std::size_t& items);

/// A series of the plot is the selected job's.
bool showsSelected(const Plot& plot, const PictureStyle& look);
/// In the colour of its role; where the plot shows the selected job, lines of others are paler. `dashes` false: none, however declared.
QPen seriesPen(const Series& series, const PictureStyle& look, bool plotShowsSelected, bool dashes = true);

/// The element nearest to a place, with how far away that is; nothing where the series has none.
struct NearElement {
    std::size_t element = 0;
    QPointF at;
    double distance = 0; ///< pixels
};
std::optional<NearElement> nearestElement(const QCPAxis& x, const QCPAxis& y, const Plot& plot, const Series& series,
                                          QPointF to);
/// Where an element lies.
QPointF placeOf(const QCPAxis& x, const QCPAxis& y, const Plot& plot, const Series& series, std::size_t element);
/// The place and extent of a cell, in values.
QRectF cellOf(const Plot& plot, const Cells& cells, std::size_t element);

} // namespace trainyard
