// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/TimeRuler.h"

#include "drawing/BookmarkFlags.h"
#include "session/TimeAxis.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace time_ruler {
constexpr double flagTop = 1; // of bookmarks, pixels
}

TimeRuler::TimeRuler(TimeAxis& axis, QWidget* parent) : TimeWidget(axis, parent) {
    connect(&axis, &TimeAxis::bookmarksChanged, this, qOverload<>(&QWidget::update));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time ruler"));
    setToolTip(tr("Drag to go back in time. Wheel zooms, Shift and wheel moves. Double click follows the run again."));
}

QSize TimeRuler::sizeHint() const { return {400, static_cast<int>(std::ceil(em())) + 8}; }

bool TimeRuler::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const TimeMark* mark = bookmarkAt(m_axis, timeScale(), help->pos(), time_ruler::flagTop)) {
            QToolTip::showText(help->globalPos(), bookmarkTip(*mark), this);
            return true;
        }
    }
    return TimeWidget::event(event);
}

/// On a flag the cursor goes to its instant exactly, not to the pixel's.
void TimeRuler::mousePressEvent(QMouseEvent* event) {
    const TimeMark* mark = event->button() == Qt::LeftButton
                               ? bookmarkAt(m_axis, timeScale(), event->position(), time_ruler::flagTop)
                               : nullptr;
    if (!mark || mark->at > shown()) return TimeWidget::mousePressEvent(event);
    m_axis.setCursor(mark->at);
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) Q_EMIT followRequested();
}

void TimeRuler::drawTicks(QPainter& painter, const Theme& theme) const {
    const TimeScale scale = timeScale();
    const QRectF plot = plotRect();
    const QFontMetricsF metrics(labelFont());
    // Labels decide how close ticks may be; finer ticks need longer labels.
    double step = scale.tickStep(84);
    for (int i = 0; i < 4; ++i) {
        const double needed = metrics.horizontalAdvance(clockText(scale.to, step)) + 24;
        const double wider = scale.tickStep(std::max(84.0, needed));
        if (wider <= step) break;
        step = wider;
    }
    painter.setFont(labelFont());
    constexpr double apart = 6;
    double free = plot.left(); // labels at the ends are moved inwards and may take a neighbour's place
    for (const double t : scale.ticks(step)) {
        const double x = std::floor(scale.x(t)) + 0.5;
        painter.setPen(QPen(theme.hairline, 1));
        painter.drawLine(QPointF(x, height() - 5), QPointF(x, height() - 1));
        painter.setPen(theme.muted);
        const QString text = clockText(t, step);
        const double half = metrics.horizontalAdvance(text) / 2;
        const double centre = std::clamp(x, plot.left() + half + 2, plot.right() - half - 2);
        if (centre - half < free) continue;
        painter.drawText(QRectF(centre - half - 2, 0, 2 * half + 4, height() - 5), Qt::AlignCenter, text);
        free = centre + half + apart;
    }
}

void TimeRuler::drawFlag(QPainter& painter, SimTime at, const QColor& ground, const QColor& textColour) const {
    const TimeScale scale = timeScale();
    const QRectF plot = plotRect();
    const double x = std::floor(scale.x(at.toSeconds())) + 0.5;
    if (x < plot.left() - 1 || x > plot.right() + 1) return;
    // As fine as a pixel, and at least to the millisecond.
    const QString text = clockText(at.toSeconds(), std::min(1e-3, 1 / scale.pixelsPerSecond()));
    const QFontMetricsF metrics(labelFont());
    const double width = metrics.horizontalAdvance(text) + 12;
    const double left = std::clamp(x - width / 2, plot.left(), std::max(plot.left(), plot.right() - width));
    const QRectF flag(left, 2, width, height() - 7);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(flag, 4, 4);
    painter.drawPolygon(
        QPolygonF{QPointF(x - 4, flag.bottom() - 0.5), QPointF(x + 4, flag.bottom() - 0.5), QPointF(x, height())});
    painter.setPen(textColour);
    painter.setFont(labelFont());
    painter.drawText(flag, Qt::AlignCenter, text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString TimeRuler::valuesText() const {
    if (m_axis.hover()) return tr("Values at pointer");
    if (m_axis.cursor()) return tr("Values at cursor");
    return !m_wholeRun ? tr("Values now") : m_losses ? tr("Means, last loss") : tr("Means");
}

void TimeRuler::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    drawTicks(painter, theme);
    painter.setPen(QPen(theme.hairline, 1));
    painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
    painter.setFont(labelFont());
    painter.setPen(theme.muted);
    const QRectF gutter = gutterRect().adjusted(10, 0, -8, -4);
    painter.drawText(gutter, Qt::AlignLeft | Qt::AlignVCenter, tr("Time (%1)").arg(clockUnit(timeScale().to)));
    painter.drawText(legendRect().adjusted(12, 0, -10, -4), Qt::AlignLeft | Qt::AlignVCenter, valuesText());
    if (m_axis.hover()) drawFlag(painter, *m_axis.hover(), Theme::mix(theme.muted, theme.surface, 0.25), theme.text);
    if (m_axis.cursor()) drawFlag(painter, *m_axis.cursor(), theme.accent, theme.surface);
    drawBookmarks(painter, theme, m_axis, timeScale(), time_ruler::flagTop, height());
}

} // namespace trainyard
