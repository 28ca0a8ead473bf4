#include "canvas/CanvasTools.h"

#include "theme/Theme.h"

#include <QContextMenuEvent>
#include <QCursor>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace trainyard {

CanvasTools::CanvasTools(CanvasEditor& editor)
    : QObject(&editor), m_editor(editor), m_canvas(editor.canvas()), m_ports(editor),
      m_name(new NameEditor(m_canvas, editor.workspace().document())) {
    m_canvas.setOverlay(this);
    m_canvas.installEventFilter(this);
    m_canvas.viewport()->installEventFilter(this);
    connect(&m_canvas, &CanvasView::renameRequested, m_name, &NameEditor::open);
    connect(&m_canvas, &CanvasView::dragged, this, &CanvasTools::onDragged);
    connect(&m_canvas, &CanvasView::dropped, this,
            [this](const QStringList& keys, bool step, Qt::KeyboardModifiers modifiers) {
                m_dragHint.clear();
                m_editor.settle(keys, step, m_canvas.holdsRack() || modifiers.testFlag(Qt::ShiftModifier));
            });
    // What the ports and the link under way belong to may be gone.
    connect(&editor.workspace().document(), &ScenarioModel::documentReplaced, this,
            [this] { m_ports.cancel(); });
    connect(&editor.workspace().document(), &ScenarioModel::edited, this,
            [this](ScenarioModel::Changes changes) {
                if (changes.testFlag(ScenarioModel::structure)) m_ports.cancel();
            });
}

CanvasTools::~CanvasTools() {
    m_canvas.setOverlay(nullptr);
}

void CanvasTools::arm(Thing thing) {
    m_armed = thing;
    m_ports.cancel();
    m_mouse = m_canvas.viewport()->mapFromGlobal(QCursor::pos());
    m_canvas.viewport()->setCursor(Qt::CrossCursor);
    m_canvas.setFocus();
    m_canvas.viewport()->update();
    Q_EMIT armedChanged();
}

void CanvasTools::disarm() {
    if (!m_armed) return;
    m_armed.reset();
    m_canvas.viewport()->unsetCursor();
    m_canvas.viewport()->update();
    Q_EMIT armedChanged();
}

void CanvasTools::follow(QPoint at) {
    m_mouse = at;
    m_canvas.viewport()->update();
}

void CanvasTools::placeAt(QPoint at) {
    if (m_armed) m_editor.add(*m_armed, m_canvas.mapToScene(at));
}

void CanvasTools::rename() {
    if (m_editor.whyNotRename().isEmpty()) m_name->open(m_editor.workspace().selection().entities().first());
}

QString CanvasTools::hint() const {
    return m_ports.isActive() ? m_ports.hint() : m_dragHint;
}

void CanvasTools::onDragged(const QStringList& keys) {
    const bool keep =
        m_canvas.holdsRack() || QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
    m_dragHint = keep ? QString() : m_editor.settlingText(keys);
}

// --- Events
// ----------------------------------------------------------------------------------------------------------

bool CanvasTools::eventFilter(QObject* watched, QEvent* event) {
    const bool onViewport = watched == m_canvas.viewport();
    switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
        return onViewport && onMouse(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        return onViewport && onMousePress(static_cast<QMouseEvent*>(event));
    case QEvent::Leave:
        if (onViewport && !m_ports.isActive()) {
            m_ports.cancel();
            m_canvas.viewport()->update();
        }
        return false;
    case QEvent::ToolTip:
        return onViewport && (m_armed || m_ports.isActive() || m_ports.isOnPort());
    case QEvent::ContextMenu:
        askForMenu(*static_cast<QContextMenuEvent*>(event));
        return true;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        return !onViewport && onKey(static_cast<QKeyEvent*>(event));
    case QEvent::FocusOut:
        if (!onViewport) endPanning();
        return false;
    default:
        return false;
    }
}

bool CanvasTools::onMouse(QMouseEvent* event) {
    m_mouse = event->pos();
    if (m_armed) {
        m_canvas.viewport()->update();
        return true;
    }
    if (m_ports.isActive()) {
        if (event->type() == QEvent::MouseMove)
            m_ports.move(event->pos());
        else if (event->button() == Qt::LeftButton)
            m_ports.release(event->pos());
        m_canvas.viewport()->update();
        return true;
    }
    if (event->buttons() == Qt::NoButton && !m_canvas.isPanning() && m_ports.hover(event->pos())) {
        if (m_ports.isOnPort())
            m_canvas.viewport()->setCursor(Qt::CrossCursor);
        else
            m_canvas.viewport()->unsetCursor();
        m_canvas.viewport()->update();
    }
    return false;
}

bool CanvasTools::onMousePress(QMouseEvent* event) {
    m_mouse = event->pos();
    m_spaceUsed = true;
    if (m_armed) {
        if (event->button() == Qt::LeftButton) placeAt(event->pos());
        if (event->button() != Qt::LeftButton || !event->modifiers().testFlag(Qt::ShiftModifier)) disarm();
        return true;
    }
    if (m_ports.isActive()) { // another button gives the link up
        m_ports.cancel();
        m_canvas.viewport()->update();
        return true;
    }
    if (event->button() == Qt::RightButton) {
        const ClusterLayout::Hit hit = m_canvas.hitAt(event->pos());
        const std::string& key = m_canvas.content().keyOf(hit);
        if (hit.kind != ClusterLayout::Kind::nothing && !m_canvas.content().isSelected(key))
            m_editor.workspace().selection().selectEntities({QString::fromStdString(key)});
        return false;
    }
    const bool plain = event->button() == Qt::LeftButton && !m_canvas.isPanning() &&
                       !event->modifiers().testFlag(Qt::ControlModifier);
    if (!plain || !m_ports.press(event->pos())) return false;
    m_canvas.setFocus();
    m_canvas.viewport()->update();
    return true;
}

bool CanvasTools::onKey(QKeyEvent* event) {
    const bool escapes = event->key() == Qt::Key_Escape && (m_armed || m_ports.isActive());
    const bool space = event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier;
    if (!escapes && !space) return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (escapes && event->type() == QEvent::KeyPress) {
        m_ports.cancel();
        disarm();
        m_canvas.viewport()->update();
    }
    if (space && !event->isAutoRepeat()) {
        if (event->type() == QEvent::KeyPress) {
            m_spaceHeld = true;
            m_spaceUsed = false;
            m_canvas.setPanning(true);
        } else {
            const bool tapped = m_spaceHeld && !m_spaceUsed;
            endPanning();
            if (tapped) Q_EMIT spaceTapped();
        }
    }
    return true;
}

void CanvasTools::endPanning() {
    if (std::exchange(m_spaceHeld, false)) m_canvas.setPanning(false);
}

void CanvasTools::askForMenu(const QContextMenuEvent& event) {
    if (event.reason() == QContextMenuEvent::Mouse) {
        Q_EMIT contextMenuRequested(m_canvas.hitAt(m_canvas.viewport()->mapFromGlobal(event.globalPos())),
                                    event.globalPos());
        return;
    }
    // By key: for what is selected, beside it.
    const QStringList keys = m_editor.workspace().selection().entities();
    const QPoint at =
        keys.isEmpty() ? m_canvas.viewport()->rect().center() : m_canvas.screenPositionOf(keys.first());
    Q_EMIT contextMenuRequested(keys.isEmpty() ? ClusterLayout::Hit{} : m_canvas.hitAt(at),
                                m_canvas.viewport()->mapToGlobal(at));
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
    QRectF rect(QPointF(),
                isSwitch
                    ? ClusterLayout::switchSize()
                    : QSizeF(ClusterLayout::cardWidth,
                             ClusterLayout::cardHeight(m_canvas.content().cluster.resourceNames.size())));
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
