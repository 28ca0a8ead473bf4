#pragma once
// The cluster on screen: zoom at the mouse, pan, select, drag machines (one drag is one step to undo),
// tooltips, keys. One graphics item paints everything in batches (ClusterPainter). Listens to the Workspace
// and edits only through its document.
#include "canvas/CanvasContent.h"
#include "session/Workspace.h"

#include <QElapsedTimer>
#include <QGraphicsView>

namespace trainyard {

class CanvasView final : public QGraphicsView {
    Q_OBJECT
public:
    explicit CanvasView(Workspace& workspace, QWidget* parent = nullptr);
    ~CanvasView() override;

    double zoom() const { return transform().m11(); }
    void setZoom(double zoom);
    const CanvasContent& content() const { return m_content; }
    /// Screen position of an entity's middle, in viewport pixels; for tests and scripts.
    QPoint screenPositionOf(const QString& key) const;
    /// Milliseconds of the last paints (at most 600), oldest first.
    const std::vector<double>& paintTimes() const { return m_paintTimes; }
    double medianPaintTime() const;
    void setReduceMotion(bool reduce);

public Q_SLOTS:
    void fit();
    void zoomIn() { zoomBy(1.25); }
    void zoomOut() { zoomBy(0.8); }
    void actualSize() { setZoom(1); }

Q_SIGNALS:
    void inspectRequested(); ///< Enter or double click on something
    void zoomChanged();

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    class Item;
    void zoomBy(double factor);
    void takeCluster();
    void takeState();
    void takeSelection();
    void setHovered(ClusterLayout::Hit hit);
    ClusterLayout::Hit hitAt(QPoint viewportPosition) const;
    void clickAt(ClusterLayout::Hit hit, QPointF scenePosition, bool extend);
    void beginDrag(ClusterLayout::Hit hit);
    void dragTo(QPointF scenePosition);
    void moveSelection(int key, bool extend);
    QRectF rectOf(ClusterLayout::Hit hit) const;

    Workspace& m_workspace;
    CanvasContent m_content;
    Item* m_item;          ///< owned by the scene
    bool m_fitting = true; ///< until the user zooms or pans
    bool m_reduceMotion = false;
    QElapsedTimer m_motion;
    std::vector<double> m_paintTimes;

    enum class Mode { none, pressed, dragging, panning, banding };
    Mode m_mode = Mode::none;
    QPoint m_pressedAt, m_lastAt;
    ClusterLayout::Hit m_pressedOn;
    QHash<QString, QPointF> m_dragFrom;
    ScenarioModel::Gesture m_gesture = 0;
    QRectF m_band; ///< scene
};

} // namespace trainyard
