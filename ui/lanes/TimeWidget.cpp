// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/TimeWidget.h"

#include "session/TimeAxis.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

TimeWidget::TimeWidget(TimeAxis& axis, QWidget* parent) : QWidget(parent), m_axis(axis) {
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
}

QFont TimeWidget::labelFont() const {
    QFont font = Theme::current().tabular();
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(QFontInfo(QApplication::font()).pixelSize() * 0.88))));
    return font;
}

double TimeWidget::em() { return QFontMetricsF(QApplication::font()).height(); }

bool TimeWidget::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange || event->type() == QEvent::ApplicationFontChange) {
        styleChanged();
        updateGeometry();
        update();
    }
    return QWidget::event(event);
}

QRectF TimeWidget::gutterRect() const {
    const double share = Theme::scale() > 1 ? 0.25 : 0.19; // names in large type
    return QRectF(0, 0, std::round(std::clamp(share * width(), 11.5 * em(), 15.0 * em())), height());
}

QRectF TimeWidget::legendRect() const {
    const bool narrow = width() < 60 * em(); // names need as much room as in a wide one
    const double mostShare = narrow ? 0.3 : 0.22, usual = (narrow ? 8.0 : 10.0) * em();
    const double column = std::round(std::max(usual, std::min(m_legendColumn, mostShare * width())));
    return QRectF(width() - column, 0, column, height());
}

void TimeWidget::setLegendColumn(double pixels) {
    if (std::exchange(m_legendColumn, pixels) == pixels) return;
    styleChanged();
    update();
}

QRectF TimeWidget::plotRect() const {
    const double left = gutterRect().right();
    return QRectF(left, 0, std::max(1.0, legendRect().left() - left), height());
}

TimeScale TimeWidget::timeScale() const {
    const QRectF plot = plotRect();
    return {.from = m_axis.visibleFrom(), .to = m_axis.visibleTo(), .left = plot.left(), .right = plot.right()};
}

void TimeWidget::setExtent(SimTime shown, double whole) {
    m_shown = shown;
    m_whole = whole;
}

void TimeWidget::zoomAt(double x, double factor) {
    const TimeScale scale = timeScale();
    const double at = scale.seconds(x);
    const double span = std::clamp((scale.to - scale.from) * factor, 1e-7, m_whole);
    if (span >= m_whole * (1 - 1e-12)) {
        m_axis.setFitting(true);
        m_axis.fitTo(m_whole);
        return;
    }
    const double share = (at - scale.from) / (scale.to - scale.from);
    const double from = std::clamp(at - share * span, 0.0, m_whole - span);
    m_axis.setVisible(from, from + span);
}

void TimeWidget::panBy(double pixels) {
    const TimeScale scale = timeScale();
    const double span = scale.to - scale.from;
    if (span >= m_whole) return;
    const double from = std::clamp(scale.from + pixels / scale.pixelsPerSecond(), 0.0, m_whole - span);
    m_axis.setVisible(from, from + span);
}

void TimeWidget::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint angle = event->angleDelta();
    const bool sideways = std::abs(angle.x()) > std::abs(angle.y());
    if (!sideways && gutterRect().contains(event->position())) {
        if (!wheelOnRows(angle.y() / 2.0)) event->ignore(); // the lanes scroll, if there are more than fit
        return;
    }
    if (sideways || event->modifiers() & Qt::ShiftModifier) {
        panBy(-(sideways ? angle.x() : angle.y()) * 0.8);
        return;
    }
    zoomAt(std::clamp(event->position().x(), plotRect().left(), plotRect().right()), std::pow(0.8, angle.y() / 120.0));
}

void TimeWidget::scrub(double x) {
    const QRectF plot = plotRect();
    const double seconds = secondsAt(std::clamp(x, plot.left(), plot.right()));
    m_axis.setCursor(std::clamp(SimTime::seconds(seconds), SimTime::zero(), m_shown));
}

void TimeWidget::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position();
    m_moved = false;
    if (event->button() == Qt::MiddleButton) {
        m_panning = true;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && plotRect().contains(event->position())) {
        m_scrubbing = true;
        scrub(event->position().x());
    }
}

void TimeWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if ((at - m_pressed).manhattanLength() >= QApplication::startDragDistance()) m_moved = true;
    if (m_panning) panBy(m_last.x() - at.x());
    if (m_scrubbing) scrub(at.x());
    m_last = at;
    const double seconds = secondsAt(at.x());
    const bool inside = plotRect().contains(at) && seconds >= 0 && SimTime::seconds(seconds) <= m_shown;
    m_axis.setHover(inside ? std::optional(SimTime::seconds(seconds)) : std::nullopt);
    pointed(at);
}

void TimeWidget::mouseReleaseEvent(QMouseEvent* event) {
    const bool left = event->button() == Qt::LeftButton;
    if (m_panning && event->button() == Qt::MiddleButton) {
        m_panning = false;
        unsetCursor();
    }
    if (left) m_scrubbing = false;
    if (left && !m_moved) clicked(event->position());
}

void TimeWidget::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void TimeWidget::leaveEvent(QEvent*) {
    m_axis.setHover(std::nullopt);
    pointed(std::nullopt);
}

void TimeWidget::drawTimeLines(QPainter& painter, const Theme& theme, const QRectF& within,
                               const std::function<std::optional<double>(SimTime)>& pixelAt) const {
    const TimeScale scale = timeScale();
    const auto line = [&](SimTime t, const QColor& colour, double width) {
        const auto at = pixelAt ? pixelAt(t) : scale.x(t.toSeconds());
        const double x = std::floor(at.value_or(-1)) + 0.5;
        if (!at || x < within.left() || x > within.right()) return;
        painter.setPen(QPen(colour, width));
        painter.drawLine(QPointF(x, within.top()), QPointF(x, within.bottom()));
    };
    if (m_axis.cursor()) line(*m_axis.cursor(), theme.accent, 1.5);
    if (m_axis.hover()) line(*m_axis.hover(), Theme::mix(theme.muted, theme.surface, 0.7), 1);
}

} // namespace trainyard
