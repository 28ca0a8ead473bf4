// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cluster on screen: zoom at the mouse, pan, select, drag machines (one drag is one step to undo),
// tooltips, keys. One graphics item paints everything in batches (ClusterPainter). Listens to the Workspace
// and edits only through its document. What a mouse button does is one state (CanvasMouse.cpp); in two of them
// the mouse is a CanvasTool's, which draws on the canvas.
#include "canvas/CanvasContent.h"
#include "session/Workspace.h"

#include <QElapsedTimer>
#include <QGraphicsView>
#include <QTimer>

namespace trainyard {

class CanvasTool;

class CanvasView final : public QGraphicsView {
    Q_OBJECT
public:
    explicit CanvasView(Workspace& workspace, QWidget* parent = nullptr);
    ~CanvasView() override;

    static constexpr double leastZoom = 0.02, mostZoom = 4, mostFitted = 1.5;
    double zoom() const { return transform().m11(); }
    void setZoom(double zoom);
    bool isFitting() const { return m_fitting; } ///< shows the whole cluster until the user zooms or pans
    const CanvasContent& content() const { return m_content; }
    /// How high the whole cluster is, in pixels, where the view is this wide.
    int heightAt(int width) const;
    /// Screen position of an entity's middle, in viewport pixels; for tests and scripts.
    QPoint screenPositionOf(const QString& key) const;
    /// Milliseconds of the last paints (at most 600), oldest first.
    const std::vector<double>& paintTimes() const { return m_paintTimes; }
    double medianPaintTime() const;
    void setReduceMotion(bool reduce);
    /// Places of what is dragged are multiples of the grid (ClusterLayout::grid), or whole pixels.
    void setSnapping(bool on) { m_snapping = on; }
    bool isSnapping() const { return m_snapping; }
    /// A place on the grid, or on whole pixels where snapping is off.
    QPointF snapped(QPointF scenePosition) const;
    /// While Space is held, the left button moves the view.
    bool isPanning() const { return m_spaceHeld; }
    bool isDragging() const { return m_mouse == Mouse::moving; }
    /// The next clicks place what the tool holds, until endPlacing().
    void beginPlacing();
    void endPlacing();
    /// The link under way is given up: what it belonged to is gone.
    void dropLink();
    /// What is, or was last, dragged is held by the frame of its rack.
    bool holdsRack() const { return m_pressedOn.kind == ClusterLayout::Kind::rack; }
    void setTool(CanvasTool* tool) { m_tool = tool; } ///< borrowed; null: none
    ClusterLayout::Hit hitAt(QPoint viewportPosition) const;
    QRectF rectOf(ClusterLayout::Hit hit) const; ///< scene pixels; null for links
    /// Puts a machine, switch or rack into the middle of the view, at a zoom at which cards can be read.
    void showEntity(const QString& key);
    void centreOn(QPointF scenePosition);
    /// Pixels at the left that something lies over; the whole cluster is shown beside it.
    void setCoveredLeft(int pixels);

public Q_SLOTS:
    void fit();
    void zoomIn() { zoomBy(1.25); }
    void zoomOut() { zoomBy(0.8); }

Q_SIGNALS:
    void inspectRequested();                  ///< Enter, or double click on a link
    void renameRequested(const QString& key); ///< double click
    void zoomChanged();
    void viewChanged(); ///< zoom, place or size of what is seen, or the cluster
    /// What is being dragged has moved, and, at last, been let go (`step`: it is one step to undo).
    void dragged(const QStringList& keys);
    void dropped(const QStringList& keys, bool step, Qt::KeyboardModifiers modifiers);
    void contextMenuRequested(trainyard::ClusterLayout::Hit hit, QPoint globalPosition);
    void spaceTapped(); ///< Space, without panning

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
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    QRectF boundsToFit() const;
    class Item;
    /// What the mouse is doing: all that a press, a move or a release means depends on it alone.
    enum class Mouse {
        idle,
        pressed, ///< a button is down, and nothing has moved yet
        moving,  ///< things are dragged
        panning,
        banding, ///< a rubber band
        placing, ///< the tool's: the next click places something; no button need be down
        linking  ///< the tool's: a link is drawn from a port
    };
    void zoomBy(double factor);
    void takeCluster();
    void takeState();
    void renewTip();
    void takeSelection();
    void setHovered(ClusterLayout::Hit hit);
    void clickAt(ClusterLayout::Hit hit, QPointF scenePosition, bool extend);
    void beginDrag(ClusterLayout::Hit hit);
    void dragTo(QPointF scenePosition);
    void endDrag(Qt::KeyboardModifiers modifiers);
    void cancelDrag();
    void band(bool extend);
    void setMouse(Mouse state);
    void showCursor();
    void hoverAt(QPoint at);
    void pressAt(QMouseEvent& event);
    bool escape();
    void releaseSpace();
    void moveSelection(int key, bool extend);

    Workspace& m_workspace;
    CanvasContent m_content;
    Item* m_item;          ///< owned by the scene
    bool m_fitting = true; ///< until the user zooms or pans
    int m_coveredLeft = 0;
    bool m_reduceMotion = false, m_snapping = true;
    bool m_spaceHeld = false, m_spaceUsed = false; ///< used: something was pressed meanwhile
    CanvasTool* m_tool = nullptr;
    QElapsedTimer m_motion;
    std::vector<double> m_paintTimes;
    QPoint m_tipAt; ///< of the last tip, on the screen
    QString m_tip;
    QTimer m_paintSoon; ///< for a state that came while a hand moves what is shown

    Mouse m_mouse = Mouse::idle;
    QPoint m_pressedAt, m_lastAt;
    ClusterLayout::Hit m_pressedOn;
    QHash<QString, QPointF> m_dragFrom;
    QPointF m_grabbed;  ///< middle of what the mouse took hold of
    QString m_walkedTo; ///< by arrow keys
    ScenarioModel::Gesture m_gesture = 0;
    QRectF m_band; ///< scene
};

} // namespace trainyard
