// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What ruler, lanes and overview share: the same left gutter and right legend column, so that times align to
// the pixel, and the same hands: press or drag sets the cursor, the wheel zooms at the pointer, shift-wheel
// and middle drag pan.
#include "lanes/LanePainter.h"

#include <QWidget>

#include <functional>

namespace trainyard {

class TimeAxis;

class TimeWidget : public QWidget {
    Q_OBJECT
public:
    TimeWidget(TimeAxis& axis, QWidget* parent);

    /// Columns of every lane: row labels left, data, legend right. In pixels of this widget.
    QRectF gutterRect() const;
    QRectF plotRect() const;
    QRectF legendRect() const;
    TimeScale timeScale() const;
    /// At least as wide, where the widget has the room: the same for all that share the axis.
    void setLegendColumn(double pixels);
    /// `shown`: where the run ends now; `whole`: where the axis ends when everything is shown (seconds).
    void setExtent(SimTime shown, double whole);
    double whole() const { return m_whole; }
    SimTime shown() const { return m_shown; }

    /// Makes the visible range `factor` times as long, keeping the instant at pixel x where it is.
    void zoomAt(double x, double factor);
    void panBy(double pixels);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

    virtual double secondsAt(double x) const { return timeScale().seconds(x); }
    virtual void pointed(std::optional<QPointF>) {}    ///< the pointer is here, or has left
    virtual void clicked(QPointF) {}                   ///< pressed and released without moving
    virtual bool wheelOnRows(double) { return false; } ///< the wheel over the gutter, in pixels
    virtual void styleChanged() {}                     ///< font or palette are others now
    QFont labelFont() const;
    /// Height of a line of the application's font: one measure for all lanes, whatever style sheets do to
    /// single widgets.
    static double em();
    /// Cursor and hover; `pixelAt`: where an instant lies, if anywhere.
    void drawTimeLines(QPainter& painter, const Theme& theme, const QRectF& within,
                       const std::function<std::optional<double>(SimTime)>& pixelAt = {}) const;

    TimeAxis& m_axis;

private:
    void scrub(double x);

    SimTime m_shown;
    double m_whole = 1, m_legendColumn = 0;
    QPointF m_pressed, m_last;
    bool m_scrubbing = false, m_panning = false, m_moved = false;
};

} // namespace trainyard
