// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A figure that can be printed as it is: a view with title, axes named with units, legend and the run it
// comes from around it, drawn into any QPainter in pixels at 96 per inch. Used by exports, the clipboard and
// the preview.
#include "lanes/LanePainter.h"

namespace trainyard {

/// What the user wrote over a figure; an empty text stands for the view's own.
struct FigureTexts {
    QString title, horizontal, vertical;
    friend bool operator==(const FigureTexts&, const FigureTexts&) = default;
};

/// A unit of the time axis.
struct TimeUnit {
    QString id;   ///< "s", "min", "ms" …: what the command line and settings call it
    QString name; ///< as axes say it
    double seconds = 1;
};
/// From days to microseconds.
const std::vector<TimeUnit>& timeUnits();
/// The unit of that id, or the one in which a span of so many seconds has numbers that read well.
TimeUnit timeUnit(const QString& id, double span);

/// What all figures have around them.
struct FigureFrame {
    QSizeF size;
    Theme theme;
    QString title;
    QString footer;      ///< one line of provenance; empty: none
    bool vector = false; ///< the device keeps shapes, or has finer pixels than 96 per inch

    static constexpr double margin = 20;
};

/// Ground, title and footer; returns what is left for the view.
QRectF paintFigureFrame(QPainter& painter, const FigureFrame& frame);
QFont figureFont(double pixels, bool strong = false);

struct LaneFigure {
    LanePainter* painter = nullptr;
    LaneInput input;
    double from = 0, to = 1; ///< seconds of the time axis
    QString unit;            ///< id of a TimeUnit; empty: by the span
    FigureTexts texts;       ///< its title is the frame's business
};

/// The texts a lane's figure has of its own; "Loss", "Time (s)", "Loss, log scale".
FigureTexts laneTexts(const LaneFigure& figure);
/// Everything within the frame. On the window's thread.
void paintLaneFigure(QPainter& painter, const FigureFrame& frame, const LaneFigure& figure);
/// The lane alone: plot, row labels and, with `timeAxis`, the ticks of the time axis beneath. `labels`: width
/// of the column of labels. Returns the plot.
QRectF paintLane(LaneCanvas& canvas, const LaneFigure& figure, const QRectF& area, double labels, bool timeAxis);
/// The width that the labels of a lane ask for, tried out on a plot of about this size.
double laneLabelWidth(const LaneFigure& figure, const Theme& theme, const QFont& font, QSizeF plot);

} // namespace trainyard
