// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/StepLine.h"

#include <algorithm>

namespace trainyard {

QPolygonF stepLine(const StepSeries& series, const TimeScale& time, double fromX, double toX, double bottom,
                   double top) {
    QPolygonF line;
    if (series.size() == 0) return line;
    const auto y = [&](double value) { return bottom + (top - bottom) * value; };
    double x = std::max(fromX, time.x(series.time(0)));
    std::size_t i = series.after(time.seconds(x));
    while (x < toX) {
        const double next = i < series.size() ? std::min(toX, time.x(series.time(i))) : toX;
        if (next - x >= 1 || next >= toX) {
            const double value = series.at(time.seconds((x + next) / 2));
            line << QPointF(x, y(value)) << QPointF(next, y(value));
            x = next;
            ++i;
            continue;
        }
        const double column = std::min(toX, x + 1);
        // Over a few pixels, not one: what repeats about once per pixel would turn into a solid band.
        const double mean = series.mean(time.seconds(std::max(fromX, x - 4)), time.seconds(std::min(toX, column + 4)));
        line << QPointF(x, y(mean)) << QPointF(column, y(mean));
        x = column;
        i = series.after(time.seconds(x));
    }
    return line;
}

} // namespace trainyard
