// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws legends: as a column beside a lane, where it doubles as the readout of the instant under the pointer,
// and as a row over an exported figure; and the label that says what is under the pointer.
#include "drawing/LaneCanvas.h"

namespace trainyard {

struct LegendPlace {
    QRectF rect;
    JobId job;
    QString text;        ///< label and value in full
    bool valued = false; ///< its value was drawn
};

struct LegendColumn {
    std::vector<LegendPlace> places; ///< where each entry was drawn
    double wantedWidth = 0;          ///< see wantedLegendWidth()
};

/// Entries from the top of `area`, values right-aligned with equal digits; what does not fit is counted in a
/// last line.
LegendColumn paintLegendColumn(LaneCanvas& canvas, const QRectF& area, const std::vector<LegendEntry>& entries);
/// How wide such a column must be to show labels and values in full, pixels.
double wantedLegendWidth(const QFont& font, const std::vector<LegendEntry>& entries);
/// The mark of an entry, at the left of a line.
void paintSwatch(LaneCanvas& canvas, const QRectF& line, const LegendEntry& entry);
/// More entries than this do not fit into such a column.
std::size_t mostLegendLines(const LaneCanvas& canvas, const QRectF& area);
/// Entries from left to right, wrapped; returns the height used. Values are left out.
double paintLegendRow(LaneCanvas& canvas, const QRectF& area, const std::vector<LegendEntry>& entries);
/// One line in a box above and to the right of the pointer; on its other sides where `within` ends.
void paintHoverLabel(LaneCanvas& canvas, QPointF pointer, const QString& text, const QRectF& within);

} // namespace trainyard
