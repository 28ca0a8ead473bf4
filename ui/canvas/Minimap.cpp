// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/Minimap.h"

#include "canvas/CanvasView.h"
#include "theme/Theme.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace trainyard {

Minimap::Minimap(Workspace& workspace, CanvasView& canvas)
    : QWidget(canvas.viewport()), m_canvas(canvas), m_workspace(workspace) {
    setAccessibleName(tr("Overview of the cluster"));
    setToolTip(tr("The whole cluster; drag the rectangle to see another part"));
    setCursor(Qt::ArrowCursor);
    hide();
    connect(&canvas, &CanvasView::viewChanged, this, &Minimap::refresh);
    const auto redraw = [this] {
        m_picture = {};
        Q_EMIT shapeChanged();
        refresh();
    };
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, redraw);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this, redraw](ScenarioModel::Changes changes) {
        // Thousands of links take longer to draw than a step of the mouse may: they follow with the drop.
        constexpr std::size_t manyLinks = 500;
        const bool later = m_canvas.isDragging() && m_canvas.content().layout.links.size() > manyLinks;
        if (changes.testFlag(ScenarioModel::layout) && !later) redraw();
    });
    connect(&canvas, &CanvasView::dropped, this, redraw);
    connect(&workspace.selection(), &Selection::changed, this, qOverload<>(&QWidget::update));
}

QSize Minimap::sizeHint() const {
    const double widest = Theme::scaled(184), highest = Theme::scaled(124), least = Theme::scaled(56);
    const QSizeF room(std::min(widest, m_canvas.viewport()->width() * 0.24),
                      std::min(highest, m_canvas.viewport()->height() * 0.30));
    const QRectF bounds = m_canvas.content().layout.bounds;
    if (bounds.isEmpty()) return room.toSize();
    const QSizeF fitted = bounds.size().scaled(room, Qt::KeepAspectRatio);
    return QSizeF(std::max(fitted.width(), least), std::max(fitted.height(), least)).toSize();
}

void Minimap::setWanted(bool wanted) {
    m_wanted = wanted;
    refresh();
}

QRectF Minimap::seen() const { return m_canvas.mapToScene(m_canvas.viewport()->rect()).boundingRect(); }

void Minimap::refresh() {
    const QRectF bounds = m_canvas.content().layout.bounds;
    setVisible(m_wanted && !bounds.isEmpty() && !seen().contains(bounds));
    update();
}

QRectF Minimap::viewRect() const { return m_fit.toPicture(seen()); }

void Minimap::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    const QRectF inside = QRectF(rect()).adjusted(6, 6, -6, -6);
    const double ratio = devicePixelRatioF();
    if (m_picture.size() != size() * ratio) {
        m_fit = ThumbnailFit::of(m_canvas.content().layout.bounds, inside);
        m_picture = QPixmap(size() * ratio);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(Qt::transparent);
        QPainter painter(&m_picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.hairline);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        painter.setClipRect(inside.adjusted(-4, -4, 4, 4));
        paintThumbnail(painter, m_canvas.content().layout, m_fit, theme, Theme::mix(theme.muted, theme.raised, 0.6));
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPixmap(0, 0, m_picture);
    painter.setClipRect(rect().adjusted(2, 2, -2, -2));
    QColor fill = theme.accent;
    fill.setAlpha(theme.dark ? 40 : 28);
    painter.setBrush(fill);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawRoundedRect(viewRect().intersected(QRectF(rect()).adjusted(3, 3, -3, -3)), 3, 3);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    const QPointF at = m_fit.toScene(event->position());
    m_grip = seen().contains(at) ? seen().center() - at : QPointF();
    mouseMoveEvent(event);
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) m_canvas.centreOn(m_fit.toScene(event->position()) + m_grip);
    event->accept();
}

void Minimap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) m_picture = {};
    QWidget::changeEvent(event);
}

} // namespace trainyard
