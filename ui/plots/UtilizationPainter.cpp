// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/UtilizationPainter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trainyard {

QString UtilizationPainter::title() const { return QCoreApplication::translate("Lane", "Utilization"); }
QString UtilizationPainter::axisTitle(const LaneInput&) const {
    return QCoreApplication::translate("Lane", "% of capacity");
}

QString UtilizationPainter::emptyText(const LaneInput& input) const {
    if (!input.run) return QCoreApplication::translate("Lane", "Press play to see how busy the cluster is.");
    for (const auto& series : input.run->utilization())
        if (series.size() > 0) return {};
    return QCoreApplication::translate("Lane", "Nothing has been allocated yet.");
}

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

std::vector<UtilizationPainter::Curve> UtilizationPainter::curves(const Theme& theme, const LaneInput& input) const {
    using Swatch = LegendEntry::Swatch;
    std::vector<Curve> result;
    const auto& names = input.run->workload().cluster.resourceNames;
    // Resources are no jobs and no activities: a hue each. What is allocated is dashed, what computes is solid.
    const std::array<QColor, 2> colours{theme.accent, theme.muted};
    const auto add = [&](const StepSeries& allocated, const StepSeries& busy, const QString& name,
                         const QColor& colour) {
        result.push_back(
            {&allocated, QCoreApplication::translate("Lane", "%1 allocated").arg(name), colour, Swatch::dashes});
        if (busy.size() > 0)
            result.push_back({&busy, QCoreApplication::translate("Lane", "%1 busy").arg(name), colour, Swatch::line});
    };
    const bool many = input.run->meanUtilization().size() > 0;
    if (many)
        add(input.run->meanUtilization(), input.run->meanBusy(), QCoreApplication::translate("Lane", "all resources"),
            theme.accent);
    std::size_t k = 0;
    for (std::size_t r = 0; r < input.run->utilization().size() && !many; ++r) {
        const StepSeries& series = input.run->utilization()[r];
        if (series.size() == 0) continue;
        const QString name = r < names.size()
                                 ? QString::fromStdString(names[r]).replace(QLatin1Char('_'), QLatin1Char(' '))
                                 : QCoreApplication::translate("Lane", "resource %1").arg(r + 1);
        add(series, input.run->busy()[r], name, colours[k++ % 2]);
    }
    if (input.run->busiestLink().size() > 0)
        result.push_back({&input.run->busiestLink(), QCoreApplication::translate("Lane", "busiest link"),
                          theme.activity(Activity::transfer), Swatch::line});
    return result;
}

void UtilizationPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const double top = canvas.plot.top() + 4, bottom = canvas.plot.bottom() - 2;
    const bool room = bottom - top > 3 * canvas.lineHeight();
    for (const int percent : {0, 50, 100})
        if (percent != 50 || room)
            canvas.valueTick(bottom + (top - bottom) * percent / 100,
                             QCoreApplication::translate("Lane", "%1 %").arg(percent));
    const double right = std::min(canvas.plot.right(), canvas.time.x(input.end.toSeconds()));
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    const auto list = curves(canvas.theme, input);
    for (auto it = list.rbegin(); it != list.rend(); ++it) { // the first resource on top
        const QPolygonF line = stepLine(*it->series, canvas.time, canvas.plot.left(), right, bottom, top);
        if (line.isEmpty()) continue;
        if (it->style == LegendEntry::Swatch::line) {
            QColor fill = it->colour;
            fill.setAlphaF(it->colour == canvas.theme.accent ? 0.16f : 0.08f);
            canvas.painter.setPen(Qt::NoPen);
            canvas.painter.setBrush(fill);
            canvas.painter.drawPolygon(QPolygonF(line)
                                       << QPointF(line.back().x(), bottom) << QPointF(line.front().x(), bottom));
        }
        QPen pen(it->colour, canvas.lineWidth);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::MiterJoin);
        if (it->style == LegendEntry::Swatch::dashes) pen.setDashPattern({4, 3});
        if (it->style == LegendEntry::Swatch::dots) pen.setDashPattern({1, 2});
        canvas.polyline(line, pen);
        canvas.items += static_cast<std::size_t>(line.size()) / 2;
    }
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<LegendEntry> UtilizationPainter::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    if (!input.run) return entries;
    for (const Curve& curve : curves(theme, input)) {
        const double share =
            input.wholeRun ? curve.series->mean(0, input.end.toSeconds()) : curve.series->at(input.at.toSeconds());
        entries.push_back(
            {.label = curve.name,
             .value = QCoreApplication::translate("Lane", "%1 %").arg(static_cast<int>(std::lround(100 * share))),
             .swatch = curve.style,
             .colour = curve.colour});
    }
    return entries;
}

} // namespace trainyard
