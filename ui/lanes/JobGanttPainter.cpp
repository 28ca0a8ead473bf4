// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/JobGanttPainter.h"

#include "analysis/AdmissionCourse.h"
#include "drawing/JobColours.h"
#include "drawing/StepLine.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace job_gantt {

/// `atOnce`: jobs that are admitted when they arrive are blocked, not rejected, as in all views.
QString endText(JobHistory::End end, bool atOnce) {
    if (end == JobHistory::End::rejected && atOnce) return QCoreApplication::translate("Lane", "blocked");
    switch (end) {
    case JobHistory::End::finished: return QCoreApplication::translate("Lane", "finished");
    case JobHistory::End::failed: return QCoreApplication::translate("Lane", "failed");
    case JobHistory::End::rejected: return QCoreApplication::translate("Lane", "rejected");
    case JobHistory::End::none: break;
    }
    return {};
}

QColor endColour(const Theme& theme, JobHistory::End end) {
    return end == JobHistory::End::finished ? theme.good : theme.problem;
}

/// First wait that ends after t.
std::size_t waitAfter(const JobHistory& job, SimTime t) {
    const auto& waits = job.waits();
    return static_cast<std::size_t>(
        std::partition_point(waits.begin(), waits.end(), [t](const auto& w) { return w.end <= t; }) - waits.begin());
}

} // namespace job_gantt

using namespace job_gantt;

JobHistory::Phase jobPhaseAt(const JobHistory& job, SimTime at) {
    if (at < job.arrived()) return JobHistory::Phase::future;
    if (at >= job.endedAt()) return JobHistory::Phase::over;
    const std::size_t i = waitAfter(job, at);
    const bool waits = i < job.waits().size() && job.waits()[i].start <= at;
    return waits ? JobHistory::Phase::waiting : JobHistory::Phase::running;
}

QString JobGanttPainter::title() const { return QCoreApplication::translate("Lane", "Gantt"); }
QString JobGanttPainter::axisTitle(const LaneInput&) const { return QCoreApplication::translate("Lane", "jobs"); }

QString JobGanttPainter::emptyText(const LaneInput& input) const {
    if (!input.run) return QCoreApplication::translate("Lane", "Press play to see when each job waits and runs.");
    for (const JobHistory& job : input.run->jobs())
        if (job.phase() != JobHistory::Phase::future) return {};
    return QCoreApplication::translate("Lane", "No job has arrived yet.");
}

std::size_t JobGanttPainter::rows(const LaneInput& input) const { return input.run ? input.run->jobs().size() : 0; }
double JobGanttPainter::leastRow(const LaneInput&, double line) const {
    return labelledRow(line); // however many jobs there are
}
std::optional<std::size_t> JobGanttPainter::rowInView(const LaneInput& input) const {
    if (!input.run || !input.job.valid()) return std::nullopt;
    return input.job.index();
}

void JobGanttPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const auto& jobs = input.run->jobs();
    const RowLayout layout = RowLayout::of(canvas, jobs.size(), input.scroll);
    const auto [first, last] = layout.visible(canvas.plot);
    const double gap = layout.height >= 10 ? 1.5 : layout.height >= 6 ? 1 : 0;
    double labelled = canvas.gutter.top() - canvas.lineHeight() / 3;
    for (std::size_t j = first; j < last; ++j) {
        const JobId id(j);
        const bool selected = input.job == id, dimmed = input.job.valid() && !selected;
        const double y = layout.y(j), label = canvas.labelHeight(layout.height);
        if (selected || y + layout.height / 2 - label / 2 >= labelled) {
            canvas.rowLabel(y, layout.height, QString::fromStdString(input.run->jobName(id)), selected, dimmed);
            labelled = y + layout.height / 2 + label / 2 - (label < canvas.lineHeight() ? 0.5 : 2);
        }
        QColor colour = jobColour(canvas.theme, *input.run, id, input.job);
        if (dimmed) colour = Theme::mix(colour, canvas.theme.surface, 0.32);
        const Row row{id, jobs[j], QRectF(canvas.plot.left(), y + gap, canvas.plot.width(), layout.height - 2 * gap),
                      colour, dimmed};
        paintWaits(canvas, input, row);
        paintWorkers(canvas, input, row);
        paintEnd(canvas, input, row);
    }
}

void JobGanttPainter::paintWaits(LaneCanvas& canvas, const LaneInput& input, const Row& row) const {
    const auto& waits = row.job.waits();
    const QColor line = Theme::mix(canvas.theme.muted, canvas.theme.surface, row.dimmed ? 0.35 : 0.75);
    double painted = row.bar.left() - 1; // waits narrower than a pixel are drawn once per pixel
    for (std::size_t i = waitAfter(row.job, SimTime::seconds(canvas.time.from)); i < waits.size();) {
        const double x0 = std::max(row.bar.left(), canvas.time.x(waits[i].start.toSeconds()));
        if (x0 >= row.bar.right() || waits[i].start >= input.end) break;
        const double x1 = std::min(row.bar.right(), canvas.time.x(std::min(waits[i].end, input.end).toSeconds()));
        if (x1 - x0 < 1 && x1 < painted + 1) {
            i = std::max(i + 1, waitAfter(row.job, SimTime::seconds(canvas.time.seconds(painted + 1))));
            continue;
        }
        QRectF box(x0, row.bar.top(), std::max(1.0, x1 - x0), row.bar.height());
        if (box.width() < 4) {
            canvas.box(box, line);
        } else {
            canvas.texturedBox(box, canvas.theme.surface, Activity::transfer,
                               Theme::mix(line, canvas.theme.surface, 0.6));
            if (!canvas.vector) box = QRectF(box.toRect()).adjusted(0.5, 0.5, -0.5, -0.5);
            canvas.painter.setPen(QPen(line, 1));
            canvas.painter.setBrush(Qt::NoBrush);
            canvas.painter.drawRect(box);
        }
        painted = std::max(painted, x1);
        ++i;
    }
}

void JobGanttPainter::paintWorkers(LaneCanvas& canvas, const LaneInput& input, const Row& row) const {
    const StepSeries& placed = row.job.placed();
    if (placed.size() == 0 || row.job.mostPlaced() == 0) return;
    const double right = std::min(row.bar.right(), canvas.time.x(input.end.toSeconds()));
    const double bottom = row.bar.bottom(), scale = row.bar.height() / row.job.mostPlaced();
    QPolygonF area = stepLine(placed, canvas.time, row.bar.left(), right, bottom, bottom - scale);
    if (area.isEmpty()) return;
    if (!canvas.vector)
        for (QPointF& p : area) p.setY(p.y() >= bottom - 0.01 ? bottom : std::min(p.y(), bottom - 1));
    canvas.items += static_cast<std::size_t>(area.size()) / 2;
    area << QPointF(area.back().x(), bottom) << QPointF(area.front().x(), bottom);
    canvas.painter.setPen(Qt::NoPen);
    canvas.painter.setBrush(row.colour);
    canvas.painter.drawPolygon(area);
    if (input.run->isColoured(row.id) &&
        canvas.theme.jobStriped(row.id)) { // hues repeat after ten jobs: a line along the foot tells them apart
        canvas.painter.setBrush(canvas.theme.surface);
        QPolygonF stripe = area;
        const double low = bottom - std::max(1.0, row.bar.height() / 6),
                     high = low - std::max(1.0, row.bar.height() / 6);
        for (QPointF& p : stripe) p.setY(p.y() < bottom - 0.01 ? high : low);
        stripe[stripe.size() - 2].setY(low);
        stripe[stripe.size() - 1].setY(low);
        canvas.painter.drawPolygon(stripe);
    }
    paintCounts(canvas, input, row);
}

void JobGanttPainter::paintCounts(LaneCanvas& canvas, const LaneInput& input, const Row& row) const {
    if (row.bar.height() < canvas.lineHeight() - 2) return;
    const StepSeries& placed = row.job.placed();
    const QFontMetricsF metrics(canvas.font);
    canvas.painter.setFont(canvas.font);
    const double right = std::min(row.bar.right(), canvas.time.x(input.end.toSeconds()));
    double x = row.bar.left();
    std::size_t i = placed.after(canvas.time.seconds(x));
    i = i > 0 ? i - 1 : 0;
    while (i < placed.size() && x < right) {
        x = std::max(x, canvas.time.x(placed.time(i)));
        const double next = i + 1 < placed.size() ? std::min(right, canvas.time.x(placed.time(i + 1))) : right;
        const int workers = static_cast<int>(placed.value(i));
        const QString text = QCoreApplication::translate("Lane", "%n worker(s)", nullptr, workers);
        const double width = metrics.horizontalAdvance(text) + 8;
        if (workers > 0 && next - x >= width + 8) {
            const QRectF chip(x + 4, row.bar.center().y() - metrics.height() / 2 + 1, width, metrics.height() - 2);
            QColor ground = canvas.theme.surface;
            ground.setAlphaF(0.86f);
            canvas.painter.fillRect(chip, ground);
            canvas.painter.setPen(row.dimmed ? canvas.theme.muted : canvas.theme.text);
            canvas.painter.drawText(chip, Qt::AlignCenter, text);
        }
        // Parts narrower than a pixel are passed over together.
        i = std::max(i + 1, placed.after(canvas.time.seconds(x + 1)) > 0 ? placed.after(canvas.time.seconds(x + 1)) - 1
                                                                         : std::size_t{0});
        x = std::max(next, x + 0.5);
    }
}

void JobGanttPainter::paintEnd(LaneCanvas& canvas, const LaneInput& input, const Row& row) const {
    if (row.job.end() == JobHistory::End::none || row.job.endedAt() > input.end) return;
    const double x = canvas.time.x(row.job.endedAt().toSeconds());
    if (x < row.bar.left() - 8 || x > row.bar.right() + 8) return;
    QColor colour = endColour(canvas.theme, row.job.end());
    if (row.dimmed) colour = Theme::mix(colour, canvas.theme.surface, 0.4);
    const double size = std::min(row.bar.height(), 11.0);
    if (size < 7) {
        canvas.box(QRectF(x - 1, row.bar.top(), 2, row.bar.height()), colour);
        return;
    }
    const QPointF centre(std::min(x + size / 2 + 2, row.bar.right() - size / 2 - 1), row.bar.center().y());
    const double r = size / 2 - 1.5;
    QPainterPath mark;
    if (row.job.end() == JobHistory::End::finished) {
        mark.moveTo(centre + QPointF(-r, 0));
        mark.lineTo(centre + QPointF(-0.3 * r, 0.75 * r));
        mark.lineTo(centre + QPointF(r, -0.8 * r));
    } else {
        mark.moveTo(centre + QPointF(-0.75 * r, 0.75 * r));
        mark.lineTo(centre + QPointF(0.75 * r, -0.75 * r));
        if (row.job.end() == JobHistory::End::rejected) {
            mark.addEllipse(centre, r + 0.5, r + 0.5);
        } else {
            mark.moveTo(centre + QPointF(-0.75 * r, -0.75 * r));
            mark.lineTo(centre + QPointF(0.75 * r, 0.75 * r));
        }
    }
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    canvas.painter.setBrush(Qt::NoBrush);
    canvas.painter.setPen(
        QPen(canvas.theme.surface, 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)); // stands out of any bar
    canvas.painter.drawPath(mark);
    canvas.painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    canvas.painter.drawPath(mark);
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
    ++canvas.items;
}

std::vector<LegendEntry> JobGanttPainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!input.run) return {};
    int running = 0, waiting = 0;
    std::array<int, 4> ended{};
    for (const JobHistory& job : input.run->jobs()) {
        const JobHistory::Phase phase = jobPhaseAt(job, input.at);
        running += phase == JobHistory::Phase::running;
        waiting += phase == JobHistory::Phase::waiting;
        if (phase == JobHistory::Phase::over) ++ended[static_cast<std::size_t>(job.end())];
    }
    std::vector<LegendEntry> entries{{.label = QCoreApplication::translate("Lane", "running"),
                                      .value = QString::number(running),
                                      .colour = theme.accent},
                                     {.label = QCoreApplication::translate("Lane", "in the queue"),
                                      .value = QString::number(waiting),
                                      .colour = Theme::mix(theme.muted, theme.surface, 0.45)}};
    for (const auto end : {JobHistory::End::finished, JobHistory::End::failed, JobHistory::End::rejected})
        if (const int count = ended[static_cast<std::size_t>(end)]; count > 0 || end == JobHistory::End::finished)
            entries.push_back({.label = endText(end, hasAdmissions(input.run->workload())),
                               .value = QString::number(count),
                               .swatch = LegendEntry::Swatch::line,
                               .colour = endColour(theme, end)});
    return entries;
}

LaneHit JobGanttPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    if (!input.run) return result;
    const std::size_t j = RowLayout::of(canvas, rows(input), input.scroll).rowAt(pointer.y());
    if (j >= input.run->jobs().size()) return result;
    const JobHistory& job = input.run->jobs()[j];
    result.job = JobId(j);
    result.row = QString::fromStdString(input.run->jobName(JobId(j)));
    result.text = result.row;
    const double seconds = canvas.time.seconds(pointer.x());
    const SimTime at = SimTime::seconds(std::max(0.0, seconds));
    if (at > input.end) return result;
    switch (jobPhaseAt(job, at)) {
    case JobHistory::Phase::future:
        result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "has not arrived");
        break;
    case JobHistory::Phase::waiting: {
        const double since = job.waits()[waitAfter(job, at)].start.toSeconds();
        result.text += QStringLiteral(" · ") +
                       QCoreApplication::translate("Lane", "in the queue for %1").arg(durationText(seconds - since));
        break;
    }
    case JobHistory::Phase::running: {
        const int workers = static_cast<int>(job.placed().at(seconds));
        result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "%n worker(s)", nullptr, workers);
        break;
    }
    case JobHistory::Phase::over:
        result.text += QStringLiteral(" · %1 · %2")
                           .arg(endText(job.end(), hasAdmissions(input.run->workload())),
                                clockText(job.endedAt().toSeconds(), 1e-3));
        break;
    }
    return result;
}

} // namespace trainyard
