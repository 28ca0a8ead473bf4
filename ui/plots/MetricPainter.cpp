// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/MetricPainter.h"

#include "base/RoundSteps.h"
#include "plots/HistoryPainter.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace metric_painter {

/// The metric's label as long as no run says more; its id where core has no such metric.
QString labelOf(const MetricOf& of) {
    for (const MetricDefinition& metric : metricDefinitions())
        if (metric.id == of.metric) return metricLabel(metric);
    return metricLabel({.id = of.metric, .label = of.metric}); // of a resource
}

/// Short: a label beside the axis, whose title has the unit.
QString tickText(double value, const std::string& unit) {
    if (value == 0) return QStringLiteral("0");
    if (unit == "s") return durationText(value);
    return std::abs(value) >= 1e4 ? shortCountText(value) : numberText(value, 3);
}

} // namespace metric_painter

using namespace metric_painter;

std::unique_ptr<LanePainter> makeHistoryPainter(const HistorySubject& subject) {
    if (subject.kind == HistorySubject::Kind::metric) return std::make_unique<MetricPainter>(subject);
    return std::make_unique<HistoryPainter>(subject);
}

MetricPainter::MetricPainter(HistorySubject subject) : m_subject(std::move(subject)) {
    const MetricOf of = metricOf(m_subject);
    m_title = of.job.empty()
                  ? labelOf(of)
                  : QCoreApplication::translate("Lane", "%1 of %2").arg(labelOf(of), QString::fromStdString(of.job));
}

QString MetricPainter::axisTitle(const LaneInput& input) const {
    const MetricHistory* metric = shown(input);
    return !metric || metric->definition().unit.empty() || metric->definition().unit == "s"
               ? QCoreApplication::translate("Lane", "so far")
               : QCoreApplication::translate("Lane", "%1, so far").arg(coreText(metric->definition().unit));
}

const MetricHistory* MetricPainter::shown(const LaneInput& input) {
    return input.history && input.history->known() ? input.history->metric() : nullptr;
}

QString MetricPainter::emptyText(const LaneInput& input) const {
    if (!input.history) return QCoreApplication::translate("Lane", "Press play to see it over time.");
    const MetricHistory* metric = shown(input);
    if (!metric) return QCoreApplication::translate("Lane", "There is no such metric, or no such job, in this run.");
    return metric->points().x.empty() ? QCoreApplication::translate("Lane", "It has no value yet.") : QString();
}

/// From 0, unless that would make a line of the curve.
MetricPainter::Scale MetricPainter::scaleOf(const MetricHistory& metric) {
    const LinePoints line = metric.points();
    const auto [low, high] = std::minmax_element(line.y.begin(), line.y.end());
    Scale scale{std::min(*low, 0.0), std::max(*high, 0.0)};
    if (*low > 0.6 * *high && *high > *low) scale.low = *low - 0.1 * (*high - *low);
    if (!(scale.high > scale.low)) scale.high = scale.low + 1; // always 0
    return scale;
}

double MetricPainter::Scale::y(const QRectF& plot, double value) const {
    const double top = plot.top() + 4, bottom = plot.bottom() - 2;
    return bottom + (value - low) / (high - low) * (top - bottom);
}

QColor MetricPainter::colourOf(const Theme& theme, const MetricHistory& metric) {
    return metric.job() ? theme.job(JobId(static_cast<std::uint32_t>(*metric.job()))) : theme.accent;
}

QString MetricPainter::whose(const MetricHistory& metric) {
    return metric.job() ? QString::fromStdString(metric.jobName()) : QCoreApplication::translate("Lane", "whole run");
}

void MetricPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const MetricHistory& metric = *shown(input);
    const Scale scale = scaleOf(metric);
    const double wanted = std::max(2.0, std::floor(canvas.plot.height() / (2.2 * canvas.lineHeight())));
    const double step = roundStep((scale.high - scale.low) / wanted);
    for (const double tick : multiplesWithin(scale.low, scale.high, step))
        canvas.valueTick(scale.y(canvas.plot, tick), tickText(tick, metric.definition().unit));
    const LinePoints points = metric.points();
    const double from = std::max(canvas.time.from, points.x.front());
    const double to = std::min(canvas.time.to, input.end.toSeconds());
    if (from >= to) return;
    const auto corner = [&](double seconds, double value) {
        return QPointF(canvas.time.x(seconds), scale.y(canvas.plot, value));
    };
    QPolygonF line{corner(from, MetricHistory::onLine(points, from))};
    for (std::size_t i = 0; i < points.x.size(); ++i)
        if (points.x[i] > from && points.x[i] < to) line << corner(points.x[i], points.y[i]);
    line << corner(to, MetricHistory::onLine(points, to));
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    QPen pen(colourOf(canvas.theme, metric), canvas.lineWidth);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::BevelJoin);
    canvas.polyline(line, pen);
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
    canvas.items += static_cast<std::size_t>(line.size());
    if (!canvas.gradual) return; // a figure has its title above
    // The column of titles in the window is too narrow for what metrics are called.
    canvas.painter.setFont(canvas.font);
    canvas.painter.setPen(canvas.theme.muted);
    canvas.painter.drawText(canvas.plot.adjusted(6, 0, -6, -2), Qt::AlignRight | Qt::AlignBottom, m_title);
}

std::vector<LegendEntry> MetricPainter::legend(const Theme& theme, const LaneInput& input) const {
    const MetricHistory* metric = shown(input);
    if (!metric) return {};
    const auto value = metric->at(input.at.toSeconds());
    LegendEntry entry{.label = whose(*metric),
                      .value = value ? metricText(*value, metric->definition().unit) : QStringLiteral("–"),
                      .swatch = LegendEntry::Swatch::line,
                      .colour = colourOf(theme, *metric)};
    if (metric->job()) entry.job = JobId(static_cast<std::uint32_t>(*metric->job()));
    return {entry};
}

LaneHit MetricPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const MetricHistory* metric = shown(input);
    if (!metric) return result;
    result.row = m_title;
    if (metric->job()) result.job = JobId(static_cast<std::uint32_t>(*metric->job()));
    const double seconds = canvas.time.seconds(pointer.x());
    if (seconds > input.end.toSeconds()) return result;
    if (const auto value = metric->at(seconds))
        result.text = QStringLiteral("%1 · %2").arg(whose(*metric), metricText(*value, metric->definition().unit));
    return result;
}

std::vector<std::pair<QPointF, QColor>> MetricPainter::markers(const LaneCanvas& canvas, const LaneInput& input) const {
    const MetricHistory* metric = shown(input);
    const double seconds = input.at.toSeconds(), x = canvas.time.x(seconds);
    if (!metric || x < canvas.plot.left() || x > canvas.plot.right()) return {};
    const auto value = metric->at(seconds);
    if (!value) return {};
    return {{QPointF(x, scaleOf(*metric).y(canvas.plot, *value)), colourOf(canvas.theme, *metric)}};
}

} // namespace trainyard
