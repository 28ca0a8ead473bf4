#pragma once
// A plot within a chart of the waiting views: two axes of its own, linear or logarithmic, in either
// direction, with ticks and labels, and how values become pixels. Made anew for every painting.
#include "plots/LanePainter.h"

namespace trainyard {

/// `from` lies at the left or the bottom; it may be the greater one. Logarithmic: both positive.
struct ChartAxis {
    double from = 0, to = 1;
    bool logarithmic = false;
    bool whole = false; ///< ticks at whole numbers only: counts

    double share(double value) const; ///< 0 at `from`, 1 at `to`
    double value(double share) const;
    /// Round values within the range, about so many.
    std::vector<double> ticks(int wanted) const;
};

struct ChartArea {
    QRectF rect;
    ChartAxis x, y;

    double px(double value) const { return rect.left() + x.share(value) * rect.width(); }
    double py(double value) const { return rect.bottom() - y.share(value) * rect.height(); }
    QPointF at(double vx, double vy) const { return {px(vx), py(vy)}; }
    double xAt(double pixel) const { return x.value((pixel - rect.left()) / rect.width()); }
    double yAt(double pixel) const { return y.value((rect.bottom() - pixel) / rect.height()); }

    /// Grid lines, numbers left of the area and, if wanted, beneath it.
    void drawAxes(LaneCanvas& canvas, bool numbersBeneath = true) const;
    /// Only what lies in the area; points that are not finite part the line.
    void drawLine(LaneCanvas& canvas, const QPolygonF& line, QPen pen) const;
    void drawVertical(LaneCanvas& canvas, double value, const QPen& pen) const;
    /// Text in the area, with its middle at x as far as there is room.
    void drawText(LaneCanvas& canvas, double pixel, double top, const QString& text, const QColor& colour,
                  bool strong = false) const;
};

/// Room that numbers beneath an area need.
double numbersHeight(const LaneCanvas& canvas);
/// 0 and a round number at or above `most`, so that its ticks are round: for axes of counts and times.
ChartAxis axisFromZero(double most, bool whole = false);

} // namespace trainyard
