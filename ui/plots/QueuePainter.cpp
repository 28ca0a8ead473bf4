// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/QueuePainter.h"

#include "plots/UtilizationPainter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace queue_painter {

double greatest(const StepSeries& series) {
    double most = 0;
    for (std::size_t i = 0; i < series.size(); ++i) most = std::max(most, series.value(i));
    return most;
}

} // namespace queue_painter

using namespace queue_painter;

QString QueuePainter::title() const { return QCoreApplication::translate("Lane", "Queue"); }
QString QueuePainter::axisTitle(const LaneInput&) const { return QCoreApplication::translate("Lane", "jobs"); }

QString QueuePainter::emptyText(const LaneInput& input) const {
    if (!input.run) return QCoreApplication::translate("Lane", "Press play to see how many jobs wait and run.");
    return input.run->waitingJobs().size() == 0 ? QCoreApplication::translate("Lane", "No job has arrived yet.")
                                                : QString();
}

void QueuePainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const StepSeries &waiting = input.run->waitingJobs(), &running = input.run->runningJobs();
    const double most = std::max({1.0, greatest(waiting), greatest(running)});
    const double top = canvas.plot.top() + 4, bottom = canvas.plot.bottom() - 2;
    canvas.valueTick(bottom, QStringLiteral("0"));
    canvas.valueTick(top, countText(static_cast<qint64>(most)));
    const double right = std::min(canvas.plot.right(), canvas.time.x(input.end.toSeconds()));
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    const auto draw = [&](const StepSeries& series, const QColor& colour, bool dashed) {
        const QPolygonF line =
            stepLine(series, canvas.time, canvas.plot.left(), right, bottom, bottom + (top - bottom) / most);
        if (line.isEmpty()) return;
        QColor fill = colour;
        fill.setAlphaF(0.16f);
        canvas.painter.setPen(Qt::NoPen);
        canvas.painter.setBrush(fill);
        canvas.painter.drawPolygon(QPolygonF(line)
                                   << QPointF(line.back().x(), bottom) << QPointF(line.front().x(), bottom));
        QPen pen(colour, canvas.lineWidth);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::MiterJoin);
        if (dashed) pen.setDashPattern({4, 3});
        canvas.polyline(line, pen);
        canvas.items += static_cast<std::size_t>(line.size()) / 2;
    };
    draw(running, canvas.theme.accent, false);
    draw(waiting, canvas.theme.text, true); // neither of a job nor of an activity
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<LegendEntry> QueuePainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!input.run) return {};
    const double at = input.at.toSeconds();
    const auto count = [&](const StepSeries& series) {
        return input.wholeRun ? numberText(series.mean(0, input.end.toSeconds()), 2)
                              : countText(static_cast<qint64>(series.at(at)));
    };
    return {{.label = QCoreApplication::translate("Lane", "waiting"),
             .value = count(input.run->waitingJobs()),
             .swatch = LegendEntry::Swatch::dashes,
             .colour = theme.text},
            {.label = QCoreApplication::translate("Lane", "running"),
             .value = count(input.run->runningJobs()),
             .swatch = LegendEntry::Swatch::line,
             .colour = theme.accent}};
}

LaneHit QueuePainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const double seconds = canvas.time.seconds(pointer.x());
    if (!input.run || seconds < 0 || seconds > input.end.toSeconds()) return result;
    result.text = QCoreApplication::translate("Lane", "%1 waiting · %2 running")
                      .arg(countText(static_cast<qint64>(input.run->waitingJobs().at(seconds))),
                           countText(static_cast<qint64>(input.run->runningJobs().at(seconds))));
    return result;
}

} // namespace trainyard
