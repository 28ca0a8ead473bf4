// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The whole run in one bar under the lanes: how full the cluster was, failures and ends of jobs as marks, the
// cursor, and the window that the lanes show; dragging the window or its edges pans and zooms.
#include "lanes/TimeWidget.h"

namespace trainyard {

class Overview final : public TimeWidget {
    Q_OBJECT
public:
    Overview(TimeAxis& axis, QWidget* parent);
    void setRun(const ShownIndex* run);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override; ///< tooltips of bookmarks
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Grip { none, left, right, window };
    TimeScale wholeScale() const;
    QRectF windowRect() const;
    Grip gripAt(QPointF at) const;
    void drawMarks(QPainter& painter, const Theme& theme) const;
    void drawWindow(QPainter& painter, const Theme& theme) const;

    const ShownIndex* m_run = nullptr;
    Grip m_grip = Grip::none;
    double m_from = 0, m_to = 1, m_start = 0; ///< range and pointer (pixels) when the drag began
};

} // namespace trainyard
