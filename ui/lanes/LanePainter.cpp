// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LanePainter.h"

#include <algorithm>

namespace trainyard {

double LanePainter::grownFrom(const LaneCanvas& canvas, const LaneInput&, const PaintedRun&) const {
    return canvas.plot.left();
}
LaneHit LanePainter::hit(const LaneCanvas&, const LaneInput&, QPointF) const { return {}; }
std::size_t LanePainter::rows(const LaneInput&) const { return 0; }
double LanePainter::leastRow(const LaneInput& input, double line) const {
    constexpr double least = 4, leastOfFew = 2; // few rows are seen together; they have names where these fit
    return rows(input) > mostLabelledRows ? least : std::min(leastOfFew, line);
}
double LanePainter::wantedHeight(const LaneInput& input, double line) const {
    const std::size_t count = rows(input);
    return count > mostLabelledRows ? 0 : static_cast<double>(count) * labelledRow(line);
}
std::optional<std::size_t> LanePainter::rowInView(const LaneInput&) const { return std::nullopt; }
QString LanePainter::horizontalTitle(const LaneInput&) const { return {}; }
double LanePainter::secondsAt(const LaneCanvas& canvas, const LaneInput&, double x) const {
    return canvas.time.seconds(x);
}
std::optional<double> LanePainter::pixelAt(const LaneCanvas& canvas, const LaneInput&, SimTime at) const {
    return canvas.time.x(at.toSeconds());
}
std::vector<std::pair<QPointF, QColor>> LanePainter::markers(const LaneCanvas&, const LaneInput&) const { return {}; }

} // namespace trainyard
