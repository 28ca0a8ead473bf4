// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/Overview.h"

#include "drawing/BookmarkFlags.h"
#include "drawing/JobColours.h"
#include "drawing/StepLine.h"
#include "session/TimeAxis.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace overview {
constexpr double flagTop = 2; // of bookmarks, pixels
}

Overview::Overview(TimeAxis& axis, QWidget* parent) : TimeWidget(axis, parent) {
    connect(&axis, &TimeAxis::bookmarksChanged, this, qOverload<>(&QWidget::update));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the whole run"));
    setToolTip(tr("The whole run. Drag the window to move, its edges to zoom; double click shows everything."));
}

bool Overview::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const TimeMark* mark = bookmarkAt(m_axis, wholeScale(), help->pos(), overview::flagTop)) {
            QToolTip::showText(help->globalPos(), bookmarkTip(*mark), this);
            return true;
        }
    }
    return TimeWidget::event(event);
}

void Overview::setRun(const ShownIndex* run) {
    m_run = run;
    update();
}

QSize Overview::sizeHint() const { return {400, static_cast<int>(std::ceil(em() * 2))}; }

TimeScale Overview::wholeScale() const {
    const QRectF plot = plotRect();
    return {.from = 0, .to = whole(), .left = plot.left(), .right = plot.right()};
}

QRectF Overview::windowRect() const {
    const TimeScale scale = wholeScale();
    const double left = std::clamp(scale.x(m_axis.visibleFrom()), scale.left, scale.right);
    const double right = std::clamp(scale.x(m_axis.visibleTo()), scale.left, scale.right);
    const double width = std::max(6.0, right - left); // always wide enough to be grasped
    return QRectF(std::min(left, scale.right - width), 3, width, height() - 6);
}

Overview::Grip Overview::gripAt(QPointF at) const {
    const QRectF window = windowRect();
    if (std::abs(at.x() - window.left()) <= 4) return Grip::left;
    if (std::abs(at.x() - window.right()) <= 4) return Grip::right;
    return window.contains(at) ? Grip::window : Grip::none;
}

void Overview::drawMarks(QPainter& painter, const Theme& theme) const {
    const TimeScale scale = wholeScale();
    constexpr double flag = 8; // pixels of a triangle: of more failures than have room the others are short lines
    double lastFlag = -1e9;
    const auto& marks = m_run->marks();
    for (auto at = marks.begin(); at != marks.end();) {
        const RunMark& mark = *at++;
        const bool failure = mark.kind == RunMark::Kind::machineFailed || mark.kind == RunMark::Kind::linkFailed ||
                             mark.kind == RunMark::Kind::jobFailed || mark.kind == RunMark::Kind::jobRejected;
        const bool end = mark.kind == RunMark::Kind::jobFinished;
        if (!failure && !end) continue;
        const double x = std::round(scale.x(mark.at.toSeconds()));
        // Thousands of jobs end: one mark per pixel says as much.
        at = std::partition_point(
            at, marks.end(),
            [next = SimTime::seconds(scale.seconds(x + 0.5))](const RunMark& each) { return each.at < next; });
        painter.setPen(Qt::NoPen);
        if (failure) {
            painter.setBrush(theme.activity(Activity::failed));
            const bool flagged = x - lastFlag > flag;
            if (flagged) {
                painter.drawPolygon(QPolygonF{QPointF(x - 4, 4), QPointF(x + 4, 4), QPointF(x, 10)});
                lastFlag = x;
            }
            painter.fillRect(QRectF(x - 0.5, 4, 1, flagged ? height() - 8 : 4), theme.activity(Activity::failed));
        } else {
            painter.fillRect(QRectF(x - 1, height() - 9, 2, 6), jobColour(theme, *m_run, JobId(mark.id), {}));
        }
    }
}

namespace overview {

/// A frame of a pixel's width with round corners. The raster engine's time grows with the square of a path's
/// width: the ends are painted on their own, and what is straight is filled.
void drawFrame(QPainter& painter, const QRectF& r, const QColor& colour) {
    constexpr double corner = 3;
    painter.setPen(QPen(colour, 1, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    const QRectF line = r.adjusted(0.5, 0.5, -0.5, -0.5);
    const double left = std::ceil(line.left() + corner), right = std::floor(line.right() - corner);
    if (right - left < 2 * corner) {
        painter.drawRoundedRect(line, corner, corner);
        return;
    }
    const QSizeF round(2 * corner, 2 * corner);
    QPainterPath begin(QPointF(left, line.top())), end(QPointF(right, line.top()));
    begin.lineTo(line.left() + corner, line.top());
    begin.arcTo(QRectF(line.topLeft(), round), 90, 90);
    begin.arcTo(QRectF(line.bottomLeft() - QPointF(0, round.height()), round), 180, 90);
    begin.lineTo(left, line.bottom());
    end.arcTo(QRectF(line.topRight() - QPointF(round.width(), 0), round), 90, -90);
    end.arcTo(QRectF(line.bottomRight() - QPointF(round.width(), round.height()), round), 0, -90);
    end.lineTo(right, line.bottom());
    painter.drawPath(begin);
    painter.drawPath(end);
    painter.fillRect(QRectF(left, r.top(), right - left, 1), colour);
    painter.fillRect(QRectF(left, r.bottom() - 1, right - left, 1), colour);
}

} // namespace overview

void Overview::drawWindow(QPainter& painter, const Theme& theme) const {
    const QRectF plot = plotRect(), window = windowRect();
    QColor veil = theme.surface;
    veil.setAlphaF(0.6f);
    painter.fillRect(QRectF(plot.left(), 1, window.left() - plot.left(), height() - 2), veil);
    painter.fillRect(QRectF(window.right(), 1, plot.right() - window.right(), height() - 2), veil);
    const bool everything = window.width() >= plot.width() - 1;
    overview::drawFrame(painter, window, everything ? theme.hairline : theme.accent);
    if (everything) return;
    painter.setBrush(theme.accent);
    painter.setPen(Qt::NoPen);
    for (const double x : {window.left(), window.right()})
        painter.drawRoundedRect(QRectF(x - 2, window.center().y() - 6, 4, 12), 2, 2);
}

void Overview::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    painter.setPen(QPen(theme.hairline, 1));
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    painter.setFont(labelFont());
    painter.setPen(theme.muted);
    painter.drawText(gutterRect().adjusted(10, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, tr("Whole run"));
    if (!m_run) return;
    painter.drawText(legendRect().adjusted(12, 0, -10, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     clockText(shown().toSeconds(), 1e-3));
    painter.setRenderHint(QPainter::Antialiasing, true);
    const TimeScale scale = wholeScale();
    const double end = shown().toSeconds();
    const auto& all = m_run->utilization(); // the most used resource stands for all
    const auto most = std::ranges::max_element(
        all, {}, [&](const StepSeries& series) { return series.size() == 0 ? -1 : series.mean(0, end); });
    if (most != all.end() && most->size() > 0) {
        const double right = std::min(scale.right, scale.x(end));
        const QPolygonF line = stepLine(*most, scale, scale.left, right, height() - 3, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::mix(theme.muted, theme.surface, 0.28));
        if (!line.isEmpty())
            painter.drawPolygon(QPolygonF(line)
                                << QPointF(line.back().x(), height() - 3) << QPointF(line.front().x(), height() - 3));
    }
    drawMarks(painter, theme);
    drawWindow(painter, theme);
    drawBookmarks(painter, theme, m_axis, scale, overview::flagTop, height() - 3);
    if (m_axis.cursor()) {
        const double x = std::floor(scale.x(m_axis.cursor()->toSeconds())) + 0.5;
        painter.setPen(QPen(theme.accent, 1.5));
        painter.drawLine(QPointF(x, 1), QPointF(x, height()));
    }
}

void Overview::wheelEvent(QWheelEvent* event) {
    event->accept();
    const double seconds =
        wholeScale().seconds(std::clamp(event->position().x(), plotRect().left(), plotRect().right()));
    const TimeScale lanes = timeScale();
    zoomAt(std::clamp(lanes.x(seconds), lanes.left, lanes.right), std::pow(0.8, event->angleDelta().y() / 120.0));
}

void Overview::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !plotRect().contains(event->position())) return;
    m_from = m_axis.visibleFrom();
    m_to = m_axis.visibleTo();
    m_start = event->position().x();
    m_grip = gripAt(event->position());
    if (m_grip != Grip::none) return;
    // Outside the window: it comes here.
    const double span = m_to - m_from;
    m_from = std::clamp(wholeScale().seconds(m_start) - span / 2, 0.0, std::max(0.0, whole() - span));
    m_to = m_from + span;
    m_axis.setVisible(m_from, m_to);
    m_grip = Grip::window;
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
    const Grip under = m_grip != Grip::none ? m_grip : gripAt(event->position());
    if (under == Grip::left || under == Grip::right)
        setCursor(Qt::SizeHorCursor);
    else
        unsetCursor();
    if (m_grip == Grip::none) return;
    const double moved = (event->position().x() - m_start) / wholeScale().pixelsPerSecond();
    const double least = std::min(whole(), 1e-6);
    if (m_grip == Grip::left) m_axis.setVisible(std::clamp(m_from + moved, 0.0, m_to - least), m_to);
    if (m_grip == Grip::right) m_axis.setVisible(m_from, std::clamp(m_to + moved, m_from + least, whole()));
    if (m_grip == Grip::window && m_to - m_from < whole()) {
        const double from = std::clamp(m_from + moved, 0.0, whole() - (m_to - m_from));
        m_axis.setVisible(from, from + (m_to - m_from));
    }
}

void Overview::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::none; }

void Overview::mouseDoubleClickEvent(QMouseEvent*) {
    m_axis.setFitting(true);
    m_axis.fitTo(whole());
}

} // namespace trainyard
