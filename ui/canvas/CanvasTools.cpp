// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasTools.h"

#include "theme/Theme.h"

#include <QCursor>
#include <QGuiApplication>
#include <QPainter>

namespace trainyard {

CanvasTools::CanvasTools(CanvasEditor& editor)
    : QObject(&editor), m_editor(editor), m_canvas(editor.canvas()), m_ports(editor),
      m_name(new NameEditor(m_canvas, editor.workspace().document())) {
    m_canvas.setTool(this);
    connect(&m_canvas, &CanvasView::renameRequested, m_name, &NameEditor::open);
    connect(&m_canvas, &CanvasView::dragged, this, &CanvasTools::onDragged);
    connect(&m_canvas, &CanvasView::dropped, this,
            [this](const QStringList& keys, bool step, Qt::KeyboardModifiers modifiers) {
                m_dragHint.clear();
                m_editor.settle(keys, step, m_canvas.holdsRack() || modifiers.testFlag(Qt::ShiftModifier));
            });
    // What the ports and the link under way belong to may be gone.
    connect(&editor.workspace().document(), &ScenarioModel::documentReplaced, this, [this] { m_canvas.dropLink(); });
    connect(&editor.workspace().document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes.testFlag(ScenarioModel::structure)) m_canvas.dropLink();
    });
}

CanvasTools::~CanvasTools() { m_canvas.setTool(nullptr); }

void CanvasTools::arm(Thing thing) {
    m_canvas.beginPlacing();
    m_armed = thing;
    m_ports.cancel();
    m_mouse = m_canvas.viewport()->mapFromGlobal(QCursor::pos());
    m_canvas.setFocus();
    Q_EMIT armedChanged();
}

void CanvasTools::disarm() {
    if (!m_armed) return;
    m_armed.reset();
    m_canvas.endPlacing();
    Q_EMIT armedChanged();
}

void CanvasTools::cancel() {
    m_ports.cancel();
    disarm();
}

void CanvasTools::follow(QPoint at) {
    m_mouse = at;
    m_canvas.viewport()->update();
}

void CanvasTools::hover(std::optional<QPoint> at) {
    if (at) m_mouse = *at;
    if (!at)
        m_ports.cancel();
    else if (!m_ports.hover(*at))
        return;
    m_canvas.viewport()->update();
}

bool CanvasTools::beginLink(QPoint at) {
    m_mouse = at;
    return m_ports.press(at);
}

void CanvasTools::moveLink(QPoint at) {
    m_ports.move(at);
    follow(at);
}

void CanvasTools::endLink(QPoint at) {
    m_ports.release(at);
    follow(at);
}

void CanvasTools::placeAt(QPoint at) {
    if (m_armed) m_editor.add(*m_armed, m_canvas.mapToScene(at));
}

void CanvasTools::rename() {
    if (m_editor.whyNotRename().isEmpty()) m_name->open(m_editor.workspace().selection().entities().first());
}

QString CanvasTools::hint() const { return m_ports.isActive() ? m_ports.hint() : m_dragHint; }

void CanvasTools::onDragged(const QStringList& keys) {
    const bool keep = m_canvas.holdsRack() || QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
    m_dragHint = keep ? QString() : m_editor.settlingText(keys);
}

// --- Painting
// --------------------------------------------------------------------------------------------------------

void CanvasTools::paintOver(QPainter& painter, const Theme& theme) {
    if (m_armed) paintGhost(painter, theme);
    m_ports.paint(painter, theme);
    if (!hint().isEmpty()) paintHint(painter, theme);
}

void CanvasTools::paintGhost(QPainter& painter, const Theme& theme) const {
    const QPointF at = m_canvas.snapped(m_canvas.mapToScene(m_mouse));
    const bool isSwitch = *m_armed == Thing::switchNode;
    QRectF rect(QPointF(), isSwitch
                               ? ClusterLayout::switchSize()
                               : QSizeF(ClusterLayout::cardWidth,
                                        ClusterLayout::cardHeight(ClusterLayout::barsOf(m_canvas.content().cluster))));
    rect.moveCenter(at);
    QPen pen(theme.accent, 1.5, Qt::DashLine);
    pen.setCosmetic(true);
    painter.setPen(pen);
    QColor fill = theme.accent;
    fill.setAlpha(26);
    painter.setBrush(fill);
    const auto& racks = m_canvas.content().layout.racks;
    if (*m_armed != Thing::rack)
        for (const QRectF& rack : racks)
            if (rack.contains(at)) painter.drawRoundedRect(rack, 8, 8);
    const double corner = isSwitch ? rect.height() / 2 : 8;
    painter.drawRoundedRect(rect, corner, corner);
    if (*m_armed == Thing::rack) painter.drawRoundedRect(ClusterLayout::frameAround(rect), 8, 8);
}

/// Words beside the mouse, inside the view.
void CanvasTools::paintHint(QPainter& painter, const Theme& theme) const {
    painter.save();
    painter.resetTransform();
    QFont font = m_canvas.font();
    font.setPointSizeF(9.5 * Theme::scale());
    painter.setFont(font);
    const QSize text = painter.fontMetrics().size(Qt::TextSingleLine, hint());
    QRect box(QPoint(), text + QSize(20, 10));
    box.moveTopLeft(m_mouse + QPoint(16, 18));
    const QRect view = m_canvas.viewport()->rect().adjusted(4, 4, -4, -4);
    if (box.right() > view.right()) box.moveRight(view.right());
    if (box.bottom() > view.bottom()) box.moveBottom(m_mouse.y() - 12);
    const bool problem = m_ports.isActive() && !m_ports.mayEndHere();
    painter.setPen(QPen(problem ? theme.problem : theme.hairline, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setPen(problem ? theme.problem : theme.text);
    painter.drawText(box, Qt::AlignCenter, hint());
    painter.restore();
}

} // namespace trainyard
