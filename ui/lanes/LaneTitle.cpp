// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The column at the left of a lane: title, what the axis is, switches, the lane's menu or the button that
// takes it out, and what was shortened there in full. See Lane.h.
#include "drawing/Legend.h"
#include "lanes/Lane.h"
#include "lanes/LaneHeader.h"
#include "theme/Icons.h"

#include <QAction>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard {

QAction* Lane::addSwitch(const QString& text, const QString& name, const QString& help) {
    auto* action = new QAction(name, this);
    action->setIconText(text);
    action->setToolTip(help);
    action->setCheckable(true);
    menu()->addAction(action);
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setFont(labelFont());
    button->setStyleSheet(
        QStringLiteral("QToolButton { padding: 0px 4px; border-radius: 4px; border: 1px solid palette(mid); }"));
    m_switches.push_back(button);
    layoutChildren();
    return action;
}

QToolButton* Lane::makeCorner(const QString& name, const QString& help) {
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(help);
    button->setAccessibleName(help);
    button->setObjectName(name);
    button->setStyleSheet(QStringLiteral("QToolButton { padding: 0px; } QToolButton::menu-indicator { image: none; }"));
    return button;
}

QMenu* Lane::menu() {
    if (!m_menu) {
        m_menu = makeCorner(QStringLiteral("laneMenu"), tr("What %1 shows").arg(m_painter->title()));
        m_menu->setText(QStringLiteral("⋯"));
        m_menu->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(m_menu);
        menu->setToolTipsVisible(true);
        m_menu->setMenu(menu);
        layoutChildren();
    }
    return m_menu->menu();
}

QString Lane::title() const { return m_mark.isEmpty() ? m_painter->title() : m_mark + u' ' + m_painter->title(); }

void Lane::setMark(const QString& mark) {
    m_mark = mark;
    setAccessibleName(title());
    setCollapsed(m_collapsed); // the header's name
}

void Lane::setClosable() {
    m_close = makeCorner(QStringLiteral("laneClose"), tr("Remove %1 from the timeline").arg(m_painter->title()));
    m_close->setIcon(icon("close"));
    m_close->setIconSize({12, 12});
    connect(m_close, &QToolButton::clicked, this, &Lane::closeRequested);
    layoutChildren();
}

/// Titles and switches stand in a column of their own, so that no label of a row or an axis runs into them.
double Lane::titleColumn() const { return std::round(7 * em()); }

void Lane::layoutChildren() {
    const int tall = static_cast<int>(std::ceil(em())) + 4;
    // Folded, a lane has no labels of rows: its title may stand there, too.
    const int column = static_cast<int>(m_collapsed ? gutterRect().right() : titleColumn());
    const int corner = tall * ((m_close ? 1 : 0) + (m_menu && !m_collapsed ? 1 : 0));
    const QString mark = m_collapsed ? QStringLiteral("▸ ") : QStringLiteral("▾ ");
    m_header->setTitle(mark + title(), column - corner - 8, m_collapsed || height() < 4 * tall ? 1 : 2);
    m_header->setGeometry(0, 2, std::min(m_header->sizeHint().width(), column - corner),
                          tall + static_cast<int>(std::ceil(em())) * (m_header->lines() - 1));
    if (m_close) m_close->setGeometry(column - tall, 2, tall, tall);
    if (m_menu) {
        m_menu->setGeometry(column - corner, 2, tall, tall);
        m_menu->setVisible(!m_collapsed);
    }
    layoutSwitches();
    const QRectF plot = plotRect();
    m_scroll->setGeometry(static_cast<int>(plot.right()) - 10, 2, 10, height() - 4);
}

/// From left to right under title and axis title, as many as there is room for; the menu has them all.
void Lane::layoutSwitches() {
    const int tall = static_cast<int>(QFontMetricsF(labelFont()).height()) + 3;
    const int left = 8, right = static_cast<int>(titleColumn()) - 2;
    int x = left, y = m_header->geometry().bottom() + tall + 2;
    for (auto* button : m_switches) {
        const int width = std::min(button->sizeHint().width(), right - left);
        if (x > left && x + width > right) {
            x = left;
            y += tall + 3;
        }
        button->setGeometry(x, y, width, tall);
        button->setVisible(!m_collapsed && y + tall <= height() - 2);
        x += width + 3;
    }
}

/// What the axis is, and where it is not time, what it is drawn against.
QString Lane::headerText() const {
    const QString text = m_painter->axisTitle(m_input), across = m_painter->horizontalTitle(m_input);
    return across.isEmpty() ? text : tr("%1 against %2").arg(text, across);
}

void Lane::drawHeader(LaneCanvas& canvas) const {
    canvas.painter.setPen(QPen(canvas.theme.hairline, 1));
    const double x = std::floor(canvas.plot.left()) - 0.5, right = std::floor(canvas.plot.right()) + 0.5;
    canvas.painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    canvas.painter.drawLine(QPointF(right, 0), QPointF(right, height()));
    const double top = m_header->geometry().bottom() + 1;
    if (top + canvas.lineHeight() > height()) return;
    canvas.painter.setFont(canvas.font);
    canvas.painter.setPen(canvas.theme.muted);
    const QFontMetricsF metrics(canvas.font);
    QRectF place(10, top, titleColumn() - 12, canvas.lineHeight());
    const auto write = [&](const QString& text) {
        canvas.painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                                metrics.elidedText(text, Qt::ElideRight, place.width()));
    };
    qsizetype end = m_headerText.size(); // of what the first line holds
    if (m_switches.empty() && top + 2 * canvas.lineHeight() <= height())
        while (end > 0 && metrics.horizontalAdvance(m_headerText.left(end)) > place.width())
            end = m_headerText.lastIndexOf(u' ', end - 1);
    if (end <= 0 || end == m_headerText.size()) return write(m_headerText);
    write(m_headerText.left(end));
    place.translate(0, canvas.lineHeight());
    write(m_headerText.mid(end + 1));
}

QString Lane::tipAt(QPointF at) const {
    for (const LegendPlace& place : m_legendPlaces)
        if (place.rect.contains(at)) return place.text;
    if (m_collapsed || !gutterRect().contains(at)) return {};
    if (at.x() < titleColumn()) return headerText();
    return hitAt(at).row;
}

/// What the column at the left and the legend had to shorten, in full.
bool Lane::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return TimeWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help->pos());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace trainyard
