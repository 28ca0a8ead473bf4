// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterGround.h"

#include <QPainter>

namespace trainyard {

void ClusterGround::paint(QPainter& painter, const CanvasContent& content, const Theme& theme,
                          const std::function<void(QPainter&, const QRectF&)>& draw) {
    const QSize size(painter.device()->width(), painter.device()->height());
    const double ratio = painter.device()->devicePixelRatioF();
    static const std::vector<bool> noneDown;
    const auto& linksUp = content.state ? content.state->linksUp() : noneDown;
    const bool kept = m_pixels.size() == size * ratio && m_view == painter.worldTransform() &&
                      m_cluster == content.groundRevision && m_window == theme.window && m_type == Theme::scale() &&
                      m_linksUp == linksUp && m_selected == content.selectedKeys;
    if (!kept) {
        m_view = painter.worldTransform();
        m_cluster = content.groundRevision;
        m_window = theme.window;
        m_type = Theme::scale();
        m_linksUp = linksUp;
        m_selected = content.selectedKeys;
        m_pixels = QPixmap(size * ratio);
        m_pixels.setDevicePixelRatio(ratio);
        // Nothing lies under it but the window's colour, unless racks are dragged there: without transparency
        // pixels are merely copied.
        m_pixels.fill(content.isAnyLifted() ? QColor(Qt::transparent) : theme.window);
        QPainter beneath(&m_pixels);
        beneath.setFont(painter.font());
        beneath.setRenderHints(painter.renderHints());
        beneath.setWorldTransform(m_view);
        draw(beneath, m_view.inverted().mapRect(QRectF(QPointF(), size)));
    }
    painter.save();
    painter.resetTransform();
    painter.drawPixmap(0, 0, m_pixels);
    painter.restore();
}

} // namespace trainyard
