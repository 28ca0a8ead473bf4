// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A view's picture as a figure: the same painter as the window's, with a title, the legend above it and the run in
// small print.
#include "charts/PictureStyle.h"
#include "export/Figure.h"

namespace trainyard {

/// The axis titles of a chart's first plot.
FigureTexts pictureTexts(const Picture& picture);
/// The chart with these axis titles; empty ones stay its own.
Chart withTexts(Chart chart, const FigureTexts& texts);
/// Everything within the frame. On the window's thread. `texts`: in place of its own.
void paintPictureFigure(QPainter& painter, const FigureFrame& frame, const std::shared_ptr<const Picture>& picture,
                        const FigureTexts& texts);
/// The height that the figure of a table of this size asks for, in pixels.
double tableFigureHeight(const Table& table, bool footer);
/// The picture alone with its legend above it, as a part of a larger figure.
void paintPicture(QPainter& painter, const QRectF& area, const Theme& theme, bool vector, const Picture& picture);

} // namespace trainyard
