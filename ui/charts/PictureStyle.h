// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How pictures (analysis/Chart.h, analysis/Diagram.h) look: their roles as colours of a theme, their quantities as
// people read them, their legends. The window, figures and movies draw with the same.
#include "analysis/View.h"
#include "drawing/LaneCanvas.h"

#include <QPen>

namespace trainyard {

/// With what a picture is drawn, and what is selected elsewhere in the window.
struct PictureStyle {
    Theme theme;
    QFont font; ///< in pixels
    double lineWidth = 1.5;
    bool vector = false;  ///< the device keeps shapes
    bool gradual = false; ///< paint() may leave work for later calls; see PicturePainter::unfinished()
    bool pieces = false;  ///< lines are drawn in narrow parts, see linePieces()
    double mostRow = 1e9; ///< rows are no higher than this, in pixels
    bool clock = false;   ///< times of a run are written as on the timeline, not in seconds
    double from = std::numeric_limits<double>::lowest(); ///< of the horizontal axis: before it, nothing need be drawn
    JobId job;                                           ///< selected
    std::vector<MachineId> machines;                     ///< selected
    friend bool operator==(const PictureStyle&, const PictureStyle&) = default;
};

QColor roleColour(const Theme& theme, const Role& role);
/// An activity whose texture belongs to the role.
std::optional<Activity> textureOf(const Role& role);
/// The colour of a value; nothing where there is none.
QColor scaleColour(const Theme& theme, const ColourScale& scale, double value);
QPen picturePen(const QColor& colour, double width, Dash dash);
/// Text or ground, whichever can be read on a colour.
QColor inkOn(const Theme& theme, const QColor& ground);

QString quantityWords(double value, const std::string& unit, int digits);
std::vector<LegendEntry> legendEntries(const Theme& theme, const Picture& picture);
/// The readings of the legend in words, or why there is nothing to see: "k: 3, β: 0.5".
QString readingsOf(const Picture& picture);
bool isSelected(const PictureStyle& look, const ElementRef& ref);

} // namespace trainyard
