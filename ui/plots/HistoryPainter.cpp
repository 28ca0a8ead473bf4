// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/HistoryPainter.h"

#include "plots/UtilizationPainter.h"
#include "theme/TimeText.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace history_painter {

using Kind = HistorySubject::Kind;
using What = HistoryFold::Curve::What;

/// Busy tasks are few and say little as a share; they are a line, never an area.
bool isArea(What what) { return what != What::busyTasks && what != What::computing && what != What::waiting; }

/// A machine whose jobs log no single tasks (rate model) has no busy ones to show.
bool isShown(const HistoryFold::Curve& curve) {
    return curve.series.size() > 1 || (curve.series.size() == 1 && curve.series.value(0) != 0);
}

QString percent(double share) {
    return QCoreApplication::translate("Lane", "%1 %").arg(static_cast<int>(std::lround(100 * share)));
}

} // namespace history_painter

using namespace history_painter;

QString subjectName(const HistorySubject& subject, const Workload& workload) {
    const std::string key = subject.key.toStdString();
    if (subject.kind == Kind::machine)
        for (const Machine& m : workload.cluster.machines)
            if (m.key == key && !m.name.empty()) return QString::fromStdString(m.name);
    if (subject.kind == Kind::job)
        for (const Job& j : workload.jobs)
            if (j.key == key && !j.name.empty()) return QString::fromStdString(j.name);
    return subject.key;
}

QString HistoryPainter::axisTitle(const LaneInput&) const {
    switch (m_subject.kind) {
    case Kind::machine: return QCoreApplication::translate("Lane", "machine, % of capacity");
    case Kind::link: return QCoreApplication::translate("Lane", "link, % of bandwidth");
    case Kind::job: return QCoreApplication::translate("Lane", "workers of the job");
    case Kind::metric: // these have painters of their own
    case Kind::view: break;
    }
    return {};
}

QString HistoryPainter::emptyText(const LaneInput& input) const {
    if (!input.history)
        return QCoreApplication::translate("Lane", "Press play to see the history of %1.").arg(m_subject.key);
    if (!input.history->known())
        return QCoreApplication::translate("Lane", "There is no %1 in this run.").arg(m_subject.key);
    for (const Curve& curve : input.history->curves())
        if (curve.series.size() > 0) return {};
    if (!input.history->outages().empty()) return {};
    switch (m_subject.kind) {
    case Kind::machine: return QCoreApplication::translate("Lane", "No task has been placed on it yet.");
    case Kind::link:
        return QCoreApplication::translate(
            "Lane", "It has carried nothing yet. The rate model counts bytes but does not load links.");
    case Kind::job: return QCoreApplication::translate("Lane", "It has no workers yet.");
    case Kind::metric:
    case Kind::view: break;
    }
    return {};
}

HistoryPainter::Style HistoryPainter::styleOf(const Theme& theme, const HistoryFold& fold, std::size_t index) {
    using Swatch = LegendEntry::Swatch;
    const Curve& curve = fold.curves()[index];
    switch (curve.what) {
    case What::resource: {
        // As in the utilization lane: one hue, told apart by weight and dash.
        const std::array<QColor, 2> colours{theme.accent, theme.muted};
        constexpr std::array<Swatch, 3> styles{Swatch::line, Swatch::dashes, Swatch::dots};
        return {colours[index % 2], styles[index / 2 % 3]};
    }
    case What::busyTasks: // not the blue of computing: the first resource is blue
        return {theme.text, Swatch::line};
    case What::computing: return {theme.activity(Activity::compute), Swatch::line};
    case What::load: return {curve.index == 0 ? theme.activity(Activity::transfer) : theme.muted, Swatch::line};
    case What::placed: return {Theme::mix(theme.job(JobId(fold.index())), theme.surface, 0.6), Swatch::line};
    case What::waiting: return {theme.activity(Activity::waiting), Swatch::dashes};
    }
    return {theme.text, Swatch::line};
}

QString HistoryPainter::nameOf(const HistoryFold& fold, const Curve& curve) {
    const Cluster& cluster = fold.run().workload->cluster;
    switch (curve.what) {
    case What::resource:
        return curve.index < cluster.resourceNames.size()
                   ? QString::fromStdString(cluster.resourceNames[curve.index])
                         .replace(QLatin1Char('_'), QLatin1Char(' '))
                   : QCoreApplication::translate("Lane", "resource %1").arg(curve.index + 1);
    case What::busyTasks: return QCoreApplication::translate("Lane", "busy tasks");
    case What::load: {
        const Link& link = cluster.links[fold.index()];
        return QCoreApplication::translate("Lane", "to %1")
            .arg(QString::fromStdString(curve.index == 0 ? link.to : link.from));
    }
    case What::placed: return QCoreApplication::translate("Lane", "placed");
    case What::computing: return QCoreApplication::translate("Lane", "computing");
    case What::waiting: return QCoreApplication::translate("Lane", "waiting");
    }
    return {};
}

QString HistoryPainter::valueOf(const HistoryFold& fold, const Curve& curve, double seconds) {
    const double value = curve.series.at(seconds);
    switch (curve.what) {
    case What::resource:
        return QCoreApplication::translate("Lane", "%1 of %2").arg(numberText(value, 3), numberText(curve.full, 3));
    case What::busyTasks:
        return QCoreApplication::translate("Lane", "%1 of %2").arg(value).arg(fold.tasks().at(seconds));
    case What::load: return QCoreApplication::translate("Lane", "%1B/s").arg(shortCountText(value));
    default: return QString::number(value);
    }
}

void HistoryPainter::paintOutages(LaneCanvas& canvas, const LaneInput& input) const {
    const QColor failed = canvas.theme.activity(Activity::failed);
    for (const Outage& outage : input.history->outages()) {
        const double x0 = std::max(canvas.plot.left(), canvas.time.x(outage.start.toSeconds()));
        const double x1 = std::min(canvas.plot.right(), canvas.time.x(std::min(outage.end, input.end).toSeconds()));
        if (x1 <= canvas.plot.left() || x0 >= canvas.plot.right()) continue;
        canvas.texturedBox(QRectF(x0, canvas.plot.top(), x1 - x0, canvas.plot.height()),
                           Theme::mix(failed, canvas.theme.surface, 0.14), Activity::failed,
                           Theme::mix(failed, canvas.theme.surface, 0.35));
    }
}

void HistoryPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const HistoryFold& fold = *input.history;
    const double top = canvas.plot.top() + 4, bottom = canvas.plot.bottom() - 2;
    const bool ofJob = m_subject.kind == Kind::job;
    if (ofJob) {
        const double most = fold.curves().front().full;
        canvas.valueTick(bottom, QStringLiteral("0"));
        canvas.valueTick(top, QString::number(most));
    } else {
        const bool room = bottom - top > 3 * canvas.lineHeight();
        for (const int share : {0, 50, 100})
            if (share != 50 || room) canvas.valueTick(bottom + (top - bottom) * share / 100, percent(share / 100.0));
    }
    paintOutages(canvas, input);
    const double right = std::min(canvas.plot.right(), canvas.time.x(input.end.toSeconds()));
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = fold.curves().size(); i-- > 0;) { // the first on top
        const Curve& curve = fold.curves()[i];
        if (!isShown(curve) || !(curve.full > 0)) continue;
        const QPolygonF line = stepLine(curve.series, canvas.time, canvas.plot.left(), right, bottom,
                                        bottom + (top - bottom) / curve.full);
        if (line.isEmpty()) continue;
        const Style style = styleOf(canvas.theme, fold, i);
        if (isArea(curve.what) && style.swatch == LegendEntry::Swatch::line) {
            QColor fill = style.colour;
            fill.setAlphaF(0.16f);
            canvas.painter.setPen(Qt::NoPen);
            canvas.painter.setBrush(fill);
            canvas.painter.drawPolygon(QPolygonF(line)
                                       << QPointF(line.back().x(), bottom) << QPointF(line.front().x(), bottom));
        }
        QPen pen(style.colour, canvas.lineWidth);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::MiterJoin);
        if (style.swatch == LegendEntry::Swatch::dashes) pen.setDashPattern({4, 3});
        if (style.swatch == LegendEntry::Swatch::dots) pen.setDashPattern({1, 2});
        canvas.polyline(line, pen);
        canvas.items += static_cast<std::size_t>(line.size()) / 2;
    }
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<LegendEntry> HistoryPainter::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    if (!input.history || !input.history->known()) return entries;
    const HistoryFold& fold = *input.history;
    const double at = input.at.toSeconds();
    for (std::size_t i = 0; i < fold.curves().size(); ++i) {
        const Curve& curve = fold.curves()[i];
        if (!isShown(curve)) continue;
        const Style style = styleOf(theme, fold, i);
        const bool share = curve.what == What::resource || curve.what == What::load;
        entries.push_back(
            {.label = nameOf(fold, curve),
             .value = share && curve.full > 0 ? percent(curve.series.at(at) / curve.full) : valueOf(fold, curve, at),
             .swatch = style.swatch,
             .colour = style.colour});
    }
    return entries;
}

LaneHit HistoryPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    if (!input.history || !input.history->known()) return result;
    const HistoryFold& fold = *input.history;
    const double seconds = canvas.time.seconds(pointer.x());
    result.row = subjectName(m_subject, *fold.run().workload);
    if (m_subject.kind == Kind::job) result.job = JobId(fold.index());
    if (m_subject.kind == Kind::machine) result.machine = m_subject.key;
    if (seconds < 0 || seconds > input.end.toSeconds()) return result;
    QStringList parts{result.row};
    const SimTime at = SimTime::seconds(seconds);
    for (const Outage& outage : fold.outages())
        if (outage.start <= at && at < outage.end) parts << QCoreApplication::translate("Lane", "down");
    for (const Curve& curve : fold.curves()) {
        if (!isShown(curve)) continue;
        QString text = QStringLiteral("%1 %2").arg(nameOf(fold, curve), valueOf(fold, curve, seconds));
        if (curve.full > 0 && (curve.what == What::load || curve.what == What::resource))
            text += QStringLiteral(" (%1)").arg(percent(curve.series.at(seconds) / curve.full));
        parts << text;
    }
    result.text = parts.join(QStringLiteral(" · "));
    return result;
}

} // namespace trainyard
