// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The ruler over the lanes: ticks, the cursor's handle with its time, the hovered time. Double click follows
// the head again.
#include "lanes/TimeWidget.h"

namespace trainyard {

class TimeRuler final : public TimeWidget {
    Q_OBJECT
public:
    TimeRuler(TimeAxis& axis, QWidget* parent);
    /// What the values beside the lanes are of, see LaneInput::wholeRun.
    void setReadsWholeRun(bool wholeRun, bool losses) {
        m_wholeRun = wholeRun;
        m_losses = losses;
        update();
    }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void followRequested();

protected:
    bool event(QEvent* event) override; ///< tooltips of bookmarks
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QString valuesText() const;
    void drawTicks(QPainter& painter, const Theme& theme) const;
    void drawFlag(QPainter& painter, SimTime at, const QColor& ground, const QColor& text) const;

    bool m_wholeRun = false, m_losses = false;
};

} // namespace trainyard
