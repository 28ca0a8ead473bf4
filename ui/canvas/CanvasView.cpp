#include "canvas/CanvasView.h"

#include "canvas/CanvasTips.h"
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
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {
constexpr double leastZoom = 0.02, mostZoom = 4, sceneMargin = 4000;
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
        ClusterPainter(m_content, Theme::current(), option->exposedRect, painter->worldTransform().m11())
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
    setOptimizationFlags(DontAdjustForAntialiasing | DontSavePainterState);
    setTransformationAnchor(NoAnchor);
    setResizeAnchor(NoAnchor);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 140);
    setAccessibleName(tr("Cluster"));
    setAccessibleDescription(tr("Machines, racks, switches and links, and the tasks that run on them"));
    m_motion.start();

    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] {
        m_fitting = true;
        takeCluster();
    });
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes.testFlag(ScenarioModel::layout)) takeCluster();
    });
    connect(&workspace, &Workspace::shownChanged, this, &CanvasView::takeState);
    connect(&workspace.selection(), &Selection::changed, this, &CanvasView::takeSelection);
    takeCluster();
    takeState();
}

CanvasView::~CanvasView() = default;

void CanvasView::takeCluster() {
    m_content.setCluster(m_workspace.document().scenario().cluster);
    m_content.hovered = {};
    m_item->boundsChanged();
    setSceneRect(m_item->boundingRect());
    if (m_fitting) fit();
    viewport()->update();
}

void CanvasView::takeState() {
    m_content.setState(m_workspace.shownState());
    m_content.flowing = !m_reduceMotion && m_workspace.playback().isPlaying();
    viewport()->update();
}

void CanvasView::takeSelection() {
    m_content.selectedJob = m_workspace.selection().job();
    m_content.selectedKeys.clear();
    for (const QString& key : m_workspace.selection().entities())
        m_content.selectedKeys.insert(key.toStdString());
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
}

void CanvasView::zoomBy(double factor) {
    setZoom(zoom() * factor);
}

void CanvasView::fit() {
    const QRectF bounds = m_content.layout.bounds.adjusted(-24, -24, 24, 24);
    if (m_content.layout.bounds.isEmpty() || viewport()->width() < 10) return;
    const double fitted =
        std::min(viewport()->width() / bounds.width(), viewport()->height() / bounds.height());
    const double wanted = std::clamp(fitted, leastZoom, 1.5);
    setTransform(QTransform::fromScale(wanted, wanted));
    centerOn(bounds.center());
    m_fitting = true;
    Q_EMIT zoomChanged();
}

QPoint CanvasView::screenPositionOf(const QString& key) const {
    const std::string wanted = key.toStdString();
    for (std::size_t i = 0; i < m_content.cluster.machines.size(); ++i)
        if (m_content.cluster.machines[i].key == wanted)
            return mapFromScene(m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < m_content.cluster.switches.size(); ++i)
        if (m_content.cluster.switches[i].key == wanted)
            return mapFromScene(m_content.layout.switches[i].center());
    return {};
}

double CanvasView::medianPaintTime() const {
    if (m_paintTimes.empty()) return 0;
    auto sorted = m_paintTimes;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    return sorted[sorted.size() / 2];
}

QRectF CanvasView::rectOf(ClusterLayout::Hit hit) const {
    switch (hit.kind) {
    case ClusterLayout::Kind::machine:
        return m_content.layout.machines[hit.index];
    case ClusterLayout::Kind::switchNode:
        return m_content.layout.switches[hit.index];
    case ClusterLayout::Kind::rack:
        return m_content.layout.racks[hit.index];
    default:
        return {};
    }
}

ClusterLayout::Hit CanvasView::hitAt(QPoint at) const {
    return m_content.layout.at(mapToScene(at), 5 / zoom());
}

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
    m_content.flowPhase = static_cast<double>(m_motion.elapsed()) * 1e-3;
    const QBrush ground(Theme::current().window);
    if (backgroundBrush() != ground)
        setBackgroundBrush(ground); // asks for another paint, even if it is the same
    QGraphicsView::paintEvent(event);
    if (m_paintTimes.size() >= mostPaintTimes) m_paintTimes.erase(m_paintTimes.begin());
    m_paintTimes.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    const Theme theme = Theme::current();
    if (m_mode == Mode::banding) {
        QPen pen(theme.accent, 1);
        pen.setCosmetic(true);
        painter->setPen(pen);
        QColor fill = theme.accent;
        fill.setAlpha(30);
        painter->setBrush(fill);
        painter->drawRect(m_band);
    }
    if (!m_content.cluster.machines.empty()) return;
    painter->resetTransform();
    painter->setPen(theme.muted);
    painter->drawText(viewport()->rect(), Qt::AlignCenter,
                      tr("No cluster is open.\nOpen a scenario with Ctrl+O, or drop a scenario file here."));
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (m_fitting) fit();
}

// --- Mouse
// -----------------------------------------------------------------------------------------------------------

void CanvasView::wheelEvent(QWheelEvent* event) {
    const QPointF before = mapToScene(event->position().toPoint());
    const double factor = std::pow(1.0015, event->angleDelta().y());
    const double wanted = std::clamp(zoom() * factor, leastZoom, mostZoom);
    setTransform(QTransform::fromScale(wanted, wanted));
    const QPointF after = mapToScene(event->position().toPoint());
    centerOn(mapToScene(viewport()->rect().center()) + before - after); // what is under the mouse stays there
    m_fitting = false;
    Q_EMIT zoomChanged();
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = m_lastAt = event->pos();
    m_pressedOn = hitAt(event->pos());
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier));
    if (pans) {
        m_mode = Mode::panning;
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_mode = Mode::pressed;
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint moved = event->pos() - m_lastAt;
    m_lastAt = event->pos();
    if (m_mode == Mode::none) {
        setHovered(hitAt(event->pos()));
        return;
    }
    if (m_mode == Mode::panning) {
        m_fitting = false;
        centerOn(mapToScene(viewport()->rect().center() - moved));
        return;
    }
    if (m_mode == Mode::pressed) {
        if ((event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return;
        const bool movable = m_pressedOn.kind == ClusterLayout::Kind::machine ||
                             m_pressedOn.kind == ClusterLayout::Kind::switchNode ||
                             m_pressedOn.kind == ClusterLayout::Kind::rack;
        if (movable) beginDrag(m_pressedOn);
        m_mode = movable ? Mode::dragging : Mode::banding;
    }
    if (m_mode == Mode::dragging) dragTo(mapToScene(event->pos()));
    if (m_mode == Mode::banding) {
        m_band = QRectF(mapToScene(m_pressedAt), mapToScene(event->pos())).normalized();
        viewport()->update();
    }
}

void CanvasView::beginDrag(ClusterLayout::Hit hit) {
    m_fitting = false; // the view must not move beneath the mouse
    m_gesture = m_workspace.document().beginGesture();
    m_dragFrom.clear();
    const Cluster& cluster = m_content.cluster;
    const std::string& key = m_content.keyOf(hit);
    const bool whole = m_content.isSelected(key);
    const auto taken = [&](const std::string& own, const std::string& rack) {
        if (hit.kind == ClusterLayout::Kind::rack && rack == key) return true;
        return own == key ||
               (whole && (m_content.isSelected(own) || (!rack.empty() && m_content.isSelected(rack))));
    };
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        if (taken(cluster.machines[i].key, cluster.machines[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.machines[i].key),
                              m_content.layout.machines[i].center());
    for (std::size_t i = 0; i < cluster.switches.size(); ++i)
        if (taken(cluster.switches[i].key, cluster.switches[i].rack))
            m_dragFrom.insert(QString::fromStdString(cluster.switches[i].key),
                              m_content.layout.switches[i].center());
}

void CanvasView::dragTo(QPointF scenePosition) {
    const QPointF by = scenePosition - mapToScene(m_pressedAt);
    const auto snapped = [](double v) { return std::round(v / ClusterLayout::grid) * ClusterLayout::grid; };
    QHash<QString, Position> places;
    for (auto it = m_dragFrom.begin(); it != m_dragFrom.end(); ++it)
        places.insert(it.key(), {snapped(it->x() + by.x()), snapped(it->y() + by.y())});
    m_workspace.document().moveEntities(places, m_gesture);
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    const Mode mode = std::exchange(m_mode, Mode::none);
    viewport()->unsetCursor();
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    if (mode == Mode::pressed) clickAt(m_pressedOn, mapToScene(event->pos()), extend);
    if (mode == Mode::banding) {
        QStringList keys = extend ? m_workspace.selection().entities() : QStringList();
        for (std::size_t i = 0; i < m_content.layout.machines.size(); ++i)
            if (m_band.intersects(m_content.layout.machines[i]))
                keys << QString::fromStdString(m_content.cluster.machines[i].key);
        keys.removeDuplicates();
        m_workspace.selection().selectEntities(keys);
        viewport()->update();
    }
}

void CanvasView::clickAt(ClusterLayout::Hit hit, QPointF scenePosition, bool extend) {
    Selection& selection = m_workspace.selection();
    if (hit.kind == ClusterLayout::Kind::nothing) {
        if (!extend) selection.clear();
        return;
    }
    // A slot on a card is its job.
    if (hit.kind == ClusterLayout::Kind::machine && detailAt(zoom()) <= Detail::shapes)
        if (const auto job = ClusterPainter::jobAt(m_content, hit.index, scenePosition); job.valid()) {
            selection.selectJob(job == selection.job() ? JobId() : job);
            return;
        }
    const QString key = QString::fromStdString(m_content.keyOf(hit));
    QStringList keys = extend ? selection.entities() : QStringList();
    if (extend && keys.contains(key))
        keys.removeAll(key);
    else
        keys << key;
    selection.selectEntities(keys);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (hitAt(event->pos()).kind == ClusterLayout::Kind::nothing)
        fit();
    else
        Q_EMIT inspectRequested();
}

void CanvasView::leaveEvent(QEvent* event) {
    setHovered({});
    QGraphicsView::leaveEvent(event);
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), canvasTip(m_content, hitAt(help->pos())), viewport());
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

// --- Keys
// ------------------------------------------------------------------------------------------------------------

bool CanvasView::event(QEvent* event) {
    // With something selected the arrows move the selection; otherwise they stay the window's (time).
    if (event->type() == QEvent::ShortcutOverride && !m_workspace.selection().entities().isEmpty()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) {
            event->accept();
            return true;
        }
    }
    return QGraphicsView::event(event);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        moveSelection(event->key(), event->modifiers().testFlag(Qt::ShiftModifier));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT inspectRequested();
        return;
    case Qt::Key_Escape:
        m_workspace.selection().clear();
        return;
    default:
        QGraphicsView::keyPressEvent(event);
    }
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
    const auto from = std::find_if(all.begin(), all.end(),
                                   [&](const auto& e) { return !keys.isEmpty() && e.first == keys.last(); });
    if (from == all.end()) {
        if (!all.empty()) m_workspace.selection().selectEntities({all.front().first});
        return;
    }
    QString best;
    double bestCost = 1e300;
    for (const auto& [candidate, at] : all) {
        const QPointF d = at - from->second;
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
    if (!extend) keys.clear();
    keys << best;
    m_workspace.selection().selectEntities(keys);
}

} // namespace trainyard
