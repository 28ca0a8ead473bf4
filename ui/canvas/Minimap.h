// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The whole cluster in a corner of the canvas, with the part that is seen as a rectangle to drag. Away while
// all is seen, or where it is not wanted.
#include "canvas/ClusterThumbnail.h"
#include "session/Workspace.h"

#include <QPixmap>
#include <QWidget>

namespace trainyard {

class CanvasView;

class Minimap final : public QWidget {
    Q_OBJECT
public:
    Minimap(Workspace& workspace, CanvasView& canvas);

    void setWanted(bool wanted);
    /// The part of the scene that the canvas shows, in this widget's pixels.
    QRectF viewRect() const;
    /// In the shape of the cluster, and small beside the canvas.
    QSize sizeHint() const override;

Q_SIGNALS:
    void shapeChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QRectF seen() const; ///< scene
    void refresh();

    CanvasView& m_canvas;
    Workspace& m_workspace;
    QPixmap m_picture;
    ThumbnailFit m_fit;
    QPointF m_grip; ///< from the mouse to the middle of the rectangle, in the scene
    bool m_wanted = true;
};

} // namespace trainyard
