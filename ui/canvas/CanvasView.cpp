// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasView.h"

#include "canvas/CanvasTips.h"
#include "canvas/CanvasTool.h"
#include "canvas/ClusterGround.h"
#include "canvas/ClusterPainter.h"

#include <QApplication>
#include <QGraphicsItem>
#include <QGraphicsScene>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionGraphicsItem>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace {
constexpr double sceneMargin = 4000;
constexpr std::size_t mostPaintTimes = 600;
} // namespace

/// Everything at once: a batch per kind of thing instead of an item per thing.
class CanvasView::Item final : public QGraphicsItem {
public:
    explicit Item(CanvasContent& content) : m_content(content) { setFlag(ItemUsesExtendedStyleOption); }
    QRectF boundingRect() const override {
        return m_content.layout.bounds.adjusted(-sceneMargin, -sceneMargin, sceneMargin, sceneMargin);
    }
    void boundsChanged() { prepareGeometryChange(); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override {
        const Theme theme = Theme::current();
        ClusterPainter(m_content, theme, option->exposedRect, painter->worldTransform().m11())
            .paint(*painter, &m_ground);
    }

private:
    CanvasContent& m_content;
    ClusterGround m_ground;
};

CanvasView::CanvasView(Workspace& workspace, QWidget* parent)
    : QGraphicsView(parent), m_workspace(workspace), m_item(new Item(m_content)) {
    setScene(new QGraphicsScene(this));
    scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
    scene()->addItem(m_item);
    setFrameShape(QFrame::NoFrame);
    setViewportUpdateMode(FullViewportUpdate);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // the view's own background covers all of it
    setOptimizationFlags(DontAdjustForAntialiasing | DontSavePainterState);
    setTransformationAnchor(NoAnchor);
    setResizeAnchor(NoAnchor);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 120);
    setAccessibleName(tr("Cluster"));
    setAccessibleDescription(tr("Machines, racks, switches and links, and the tasks that run on them"));
    m_motion.start();
    m_paintSoon.setSingleShot(true);
    m_paintSoon.setTimerType(Qt::PreciseTimer);
    m_paintSoon.setInterval(16); // one refresh of a screen
    connect(&m_paintSoon, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));

    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] {
        m_fitting = true;
        takeCluster();
        fit();
    });
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes.testFlag(ScenarioModel::layout)) takeCluster();
    });
    connect(&workspace, &Workspace::shownChanged, this, &CanvasView::takeState);
    connect(&workspace.selection(), &Selection::changed, this, &CanvasView::takeSelection);
    takeCluster();
    fit();
    takeState();
}

CanvasView::~CanvasView() = default;

void CanvasView::takeCluster() {
    m_content.setCluster(m_workspace.document().scenario().cluster);
    m_content.hovered = {};
    m_item->boundsChanged();
    setSceneRect(m_item->boundingRect());
    viewport()->update();
    Q_EMIT viewChanged();
}

void CanvasView::takeState() {
    m_content.setState(m_workspace.shownState());
    m_content.flowing = !m_reduceMotion && m_workspace.playback().isPlaying();
    renewTip();
    // A hand that drags or zooms has all painted with its next move: not twice while a screen shows one picture.
    if (!m_workspace.interaction().isBusy())
        viewport()->update();
    else if (!m_paintSoon.isActive())
        m_paintSoon.start();
}

/// A tip that stays on screen while the run goes on says what is, not what was.
void CanvasView::renewTip() {
    if (m_tip.isEmpty() || !QToolTip::isVisible() || QToolTip::text() != m_tip) return;
    const QString now = canvasTip(m_content, hitAt(viewport()->mapFromGlobal(m_tipAt)));
    if (now == m_tip) return;
    m_tip = now;
    QToolTip::showText(m_tipAt, m_tip, viewport());
}

void CanvasView::takeSelection() {
    m_content.selectedJob = m_workspace.selection().job();
    m_content.selectedKeys.clear();
    for (const QString& key : m_workspace.selection().entities()) m_content.selectedKeys.insert(key.toStdString());
    viewport()->update();
}

void CanvasView::setReduceMotion(bool reduce) {
    m_reduceMotion = reduce;
    takeState();
}

void CanvasView::setZoom(double zoom) {
    const double wanted = std::clamp(zoom, leastZoom, mostZoom);
    const QPointF middle = mapToScene(viewport()->rect().center());
    setTransform(QTransform::fromScale(wanted, wanted));
    centerOn(middle);
    m_fitting = false;
    Q_EMIT zoomChanged();
    Q_EMIT viewChanged();
}

void CanvasView::zoomBy(double factor) { setZoom(zoom() * factor); }

/// With some room, of which a projector has none to spare.
QRectF CanvasView::boundsToFit() const {
    const double around = Theme::scale() > 1 ? 10 : 24;
    return m_content.layout.bounds.adjusted(-around, -around, around, around);
}

int CanvasView::heightAt(int width) const {
    constexpr double ofWords = 240; // of what an empty canvas says, with its buttons
    if (m_content.layout.bounds.isEmpty()) return static_cast<int>(ofWords * Theme::scale());
    const QRectF bounds = boundsToFit();
    return static_cast<int>(bounds.height() * std::min((width - m_coveredLeft) / bounds.width(), mostFitted));
}

void CanvasView::fit() {
    const QRectF bounds = boundsToFit();
    if (viewport()->width() < 10) return;
    if (m_content.layout.bounds.isEmpty()) {
        setTransform({});
        centerOn(0, 0);
        return;
    }
    const double width = std::max(viewport()->width() - m_coveredLeft, 10);
    const double fitted = std::min(width / bounds.width(), viewport()->height() / bounds.height());
    const double wanted = std::clamp(fitted, leastZoom, mostFitted);
    setTransform(QTransform::fromScale(wanted, wanted));
    centerOn(bounds.center() - QPointF(m_coveredLeft / 2.0 / wanted, 0));
    m_fitting = true;
    Q_EMIT zoomChanged();
    Q_EMIT viewChanged();
}

void CanvasView::centreOn(QPointF scenePosition) {
    m_fitting = false;
    centerOn(scenePosition);
    viewport()->update();
}

void CanvasView::setCoveredLeft(int pixels) {
    if (std::exchange(m_coveredLeft, pixels) != pixels && m_fitting) fit();
}

void CanvasView::showEntity(const QString& key) {
    constexpr double readable = 0.75;
    const std::string wanted = key.toStdString();
    const auto look = [&](const auto& entities, ClusterLayout::Kind kind) {
        for (std::size_t i = 0; i < entities.size(); ++i)
            if (entities[i].key == wanted) {
                const QRectF rect = rectOf({kind, i});
                if (rect.isNull()) return;
                const double whole = std::min(viewport()->width() / rect.width(), viewport()->height() / rect.height());
                if (zoom() < std::min(readable, whole)) setZoom(std::min(readable, whole));
                centreOn(rect.center());
            }
    };
    look(m_content.cluster.machines, ClusterLayout::Kind::machine);
    look(m_content.cluster.switches, ClusterLayout::Kind::switchNode);
    look(m_content.cluster.racks, ClusterLayout::Kind::rack);
}

QPointF CanvasView::snapped(QPointF at) const {
    const double step = m_snapping ? ClusterLayout::grid : 1;
    return {std::round(at.x() / step) * step, std::round(at.y() / step) * step};
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    Q_EMIT viewChanged();
}

QPoint CanvasView::screenPositionOf(const QString& key) const {
    const std::string wanted = key.toStdString();
    for (std::size_t i = 0; i < m_content.cluster.machines.size(); ++i)
        if (m_content.cluster.machines[i].key == wanted) return mapFromScene(m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < m_content.cluster.switches.size(); ++i)
        if (m_content.cluster.switches[i].key == wanted) return mapFromScene(m_content.layout.switches[i].center());
    return {};
}

double CanvasView::medianPaintTime() const {
    if (m_paintTimes.empty()) return 0;
    auto sorted = m_paintTimes;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    return sorted[sorted.size() / 2];
}

QRectF CanvasView::rectOf(ClusterLayout::Hit hit) const {
    switch (hit.kind) {
    case ClusterLayout::Kind::machine: return m_content.layout.machines[hit.index];
    case ClusterLayout::Kind::switchNode: return m_content.layout.switches[hit.index];
    case ClusterLayout::Kind::rack: return m_content.layout.racks[hit.index];
    default: return {};
    }
}

ClusterLayout::Hit CanvasView::hitAt(QPoint at) const { return m_content.layout.at(mapToScene(at), 5 / zoom()); }

void CanvasView::setHovered(ClusterLayout::Hit hit) {
    if (hit.kind == m_content.hovered.kind && hit.index == m_content.hovered.index) return;
    m_content.hovered = hit;
    viewport()->update();
}

// --- Painting
// --------------------------------------------------------------------------------------------------------

void CanvasView::paintEvent(QPaintEvent* event) {
    QElapsedTimer timer;
    timer.start();
    m_paintSoon.stop();
    m_content.flowPhase = static_cast<double>(m_motion.elapsed()) * 1e-3;
    const QBrush ground(Theme::current().window);
    if (backgroundBrush() != ground) setBackgroundBrush(ground); // asks for another paint, even if it is the same
    QGraphicsView::paintEvent(event);
    if (m_paintTimes.size() >= mostPaintTimes) m_paintTimes.erase(m_paintTimes.begin());
    m_paintTimes.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    const Theme theme = Theme::current();
    if (m_mouse == Mouse::banding) {
        QPen pen(theme.accent, 1);
        pen.setCosmetic(true);
        painter->setPen(pen);
        QColor fill = theme.accent;
        fill.setAlpha(30);
        painter->setBrush(fill);
        painter->drawRect(m_band);
    }
    if (m_tool) m_tool->paintOver(*painter, theme);
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (m_fitting) fit();
    Q_EMIT viewChanged();
}

void CanvasView::leaveEvent(QEvent* event) {
    setHovered({});
    if (m_tool && m_mouse != Mouse::linking) m_tool->hover(std::nullopt);
    QGraphicsView::leaveEvent(event);
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        if (m_mouse == Mouse::placing || m_mouse == Mouse::linking || (m_tool && m_tool->isOverPort())) return true;
        const auto* help = static_cast<QHelpEvent*>(event);
        m_tipAt = help->globalPos();
        m_tip = canvasTip(m_content, hitAt(help->pos()));
        QToolTip::showText(m_tipAt, m_tip, viewport());
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

// --- Keys
// ------------------------------------------------------------------------------------------------------------

bool CanvasView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const auto modifiers = static_cast<QKeyEvent*>(event)->modifiers();
        // With something selected the arrows move the selection; otherwise they stay the window's (time).
        const bool plain = !(modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
        const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
        const bool gesture = m_mouse == Mouse::placing || m_mouse == Mouse::linking;
        if ((plain && arrow && !m_workspace.selection().entities().isEmpty()) || (key == Qt::Key_Escape && gesture) ||
            (key == Qt::Key_Space && modifiers == Qt::NoModifier)) {
            event->accept();
            return true;
        }
    }
    return QGraphicsView::event(event);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        if (event->isAutoRepeat()) return;
        m_spaceHeld = true;
        m_spaceUsed = false;
        return showCursor();
    }
    // With these keys arrows are commands; what is left of them here could not be done.
    if (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier | Qt::MetaModifier)) return event->ignore();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: moveSelection(event->key(), event->modifiers().testFlag(Qt::ShiftModifier)); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT inspectRequested(); return;
    case Qt::Key_Escape:
        if (!escape()) m_workspace.selection().clear();
        return;
    default: QGraphicsView::keyPressEvent(event);
    }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QGraphicsView::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    const bool tapped = m_spaceHeld && !m_spaceUsed;
    releaseSpace();
    if (tapped) Q_EMIT spaceTapped();
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    releaseSpace();
    QGraphicsView::focusOutEvent(event);
}

void CanvasView::releaseSpace() {
    m_spaceHeld = false;
    showCursor();
}

/// To the nearest machine or switch in the direction of the arrow; sideways distance counts double.
void CanvasView::moveSelection(int key, bool extend) {
    QStringList keys = m_workspace.selection().entities();
    std::vector<std::pair<QString, QPointF>> all;
    for (std::size_t i = 0; i < m_content.cluster.machines.size(); ++i)
        all.emplace_back(QString::fromStdString(m_content.cluster.machines[i].key),
                         m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < m_content.cluster.switches.size(); ++i)
        all.emplace_back(QString::fromStdString(m_content.cluster.switches[i].key),
                         m_content.layout.switches[i].center());
    const QString origin = keys.contains(m_walkedTo) ? m_walkedTo : keys.isEmpty() ? QString() : keys.last();
    std::optional<QPointF> from;
    for (const auto& [candidate, at] : all)
        if (candidate == origin) from = at;
    for (std::size_t i = 0; i < m_content.cluster.racks.size(); ++i)
        if (!from && QString::fromStdString(m_content.cluster.racks[i].key) == origin)
            from = m_content.layout.racks[i].center();
    if (!from) {
        if (!all.empty()) m_workspace.selection().selectEntities({all.front().first});
        return;
    }
    QString best;
    double bestCost = 1e300;
    for (const auto& [candidate, at] : all) {
        const QPointF d = at - *from;
        const double along = key == Qt::Key_Left    ? -d.x()
                             : key == Qt::Key_Right ? d.x()
                             : key == Qt::Key_Up    ? -d.y()
                                                    : d.y();
        const double across = key == Qt::Key_Left || key == Qt::Key_Right ? std::abs(d.y()) : std::abs(d.x());
        if (along < 1) continue;
        if (const double cost = along + 2 * across; cost < bestCost) {
            bestCost = cost;
            best = candidate;
        }
    }
    if (best.isEmpty()) return;
    m_walkedTo = best;
    if (!extend) keys.clear();
    keys << best;
    keys.removeDuplicates();
    m_workspace.selection().selectEntities(keys);
    if (const QPoint at = screenPositionOf(best); !viewport()->rect().contains(at)) centreOn(mapToScene(at));
}

} // namespace trainyard
