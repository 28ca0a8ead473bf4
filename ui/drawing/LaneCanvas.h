// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What lanes are drawn on, on any QPainter, in the window and in exported figures: boxes and their textures, labels of rows,
// grids; rows of equal height, lines in pieces; entries of legends.
#include "base/Ids.h"
#include "base/SimTime.h"
#include "drawing/TimeScale.h"
#include "record/WorkerPhase.h"
#include "theme/Theme.h"

#include <QFont>
#include <QPolygonF>
#include <QRectF>

#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace trainyard {

struct LegendEntry {
    /// outlined: pale between lines above and below, see LaneCanvas::outline()
    enum class Swatch { none, box, outlined, line, dashes, longDashes, dots };
    QString label, value; ///< value: at the instant read out; may be empty
    Swatch swatch = Swatch::box;
    QColor colour;
    std::optional<Activity> activity; ///< box with that texture
    JobId job;                        ///< clicking selects it
    bool dimmed = false;
    bool ghost = false; ///< of the run compared with
};

/// Where and with what a lane is drawn. `vector`: the device keeps shapes (SVG, PDF), so textures are drawn
/// as lines.
class LaneCanvas {
public:
    LaneCanvas(QPainter& p, const Theme& t, const QFont& f) : painter(p), theme(t), font(f) {}
    LaneCanvas(QPainter&, const Theme&&, const QFont&) = delete; // it keeps the theme

    QPainter& painter;
    const Theme& theme;
    QFont font;          ///< of labels; in pixels
    TimeScale time;      ///< its pixels span plot
    QRectF gutter, plot; ///< row labels right-aligned in the gutter, data in the plot
    /// Left of this pixel the picture is already there: of labels and of what lies there nothing need be
    /// painted.
    double from = std::numeric_limits<double>::lowest();
    bool vector = false;
    bool gradual = false; ///< paint() may leave work for later calls; see LanePainter::unfinished()
    double finest() const { return vector ? 0.4 : 1; } ///< narrower intervals are merged, in pixels
    double lineWidth = 1.5;
    double leastRow = 4, mostRow = 32; ///< limits of a row's height
    std::size_t items = 0;             ///< shapes drawn, in boxes; for tests of the level of detail
    double widestLabel = 0;            ///< pixels that the labels in the gutter would like to have, so far

    double lineHeight() const;
    /// How high the label of a row of this height is: rows a little lower than a line get smaller text.
    double labelHeight(double rowHeight) const;
    bool isLabelled(double rowHeight) const; ///< each of such rows can have one
    void box(const QRectF& r, const QColor& colour);
    /// Ground and, where there is room, the activity's texture in `line`.
    void texturedBox(const QRectF& r, const QColor& ground, Activity texture, const QColor& line);
    void activityBox(const QRectF& r, Activity activity);
    /// Lines above and below what is held, however pale what is done there; where there is room.
    void outline(const QRectF& r, const QColor& colour);
    void rowLabel(double y, double height, const QString& text, bool strong, bool dimmed);
    /// Thin vertical lines at the ticks; the part after `end` a shade darker: it has not happened yet.
    void timeGrid(SimTime end);
    /// Value axis of a lane: labels in the gutter, grid lines in the plot. `y` in pixels.
    void valueTick(double y, const QString& text);

private:
    QFont rowFont(double height, bool strong) const;
    void texture(const QRectF& r, Activity activity, const QColor& line);
};

/// Rows of equal height from the top of the plot, scrolled.
struct RowLayout {
    double top = 0, height = 1;
    std::size_t count = 0;
    double y(std::size_t row) const { return top + height * static_cast<double>(row); }
    /// Row at a pixel, or count.
    std::size_t rowAt(double y) const;
    static RowLayout of(const LaneCanvas& canvas, std::size_t count, double scroll);
    /// First row that is visible, and one past the last.
    std::pair<std::size_t, std::size_t> visible(const QRectF& plot) const;
};

/// A line cut into parts at most `width` pixels wide, at whole pixels; points that are not finite part it
/// too. On screen lines are drawn like this: the raster engine's time grows with the square of a path's
/// width.
std::vector<QPolygonF> linePieces(const QVector<QPointF>& line, double width);
constexpr double pieceWidth = 48; ///< narrow enough

QString activityName(Activity activity);
QString workerPhaseText(WorkerPhase phase);

} // namespace trainyard
