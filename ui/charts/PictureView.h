// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The widget that shows a picture: a chart or a diagram with its legend, the reading under the pointer, the cursor,
// and what is selected. Says what the user does with it; knows no run. Owned by ViewPanel.
#include "charts/ChartPainter.h"
#include "charts/DiagramPainter.h"
#include "charts/TablePainter.h"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace trainyard {

struct LegendPlace;

class PictureView final : public QWidget {
    Q_OBJECT
public:
    explicit PictureView(QWidget* parent = nullptr);
    ~PictureView() override;

    /// Another value; what the user has zoomed to stays. `goesOn`: of the same subject, further on.
    void setPicture(std::shared_ptr<const Picture> picture, bool goesOn = false);
    const Picture& picture() const { return *m_picture; }
    void showAll();
    void select(JobId job, std::vector<MachineId> machines);
    /// Drawn where an axis knows instants; nothing: no cursor.
    void setCursorAt(std::optional<SimTime> at);
    /// As charts were last painted, for tests.
    const PicturePainter& painter() const { return *m_painter; }
    std::vector<QRectF> plotRects() const { return m_chart.plotRects(); }
    qint64 paintTime() const { return m_paintTime; } ///< of the picture that was painted last, milliseconds
    /// See ChartPainter.
    std::optional<std::pair<double, double>> seenSeconds() const;

Q_SIGNALS:
    void instantChosen(trainyard::SimTime at);
    void elementChosen(const trainyard::ElementRef& ref);
    void stepRequested(int steps); ///< by keys: to another of what the view shows one of
    void endRequested(bool last);
    void seenChanged(); ///< by zooming, moving, or showing all again

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    QSize sizeHint() const override { return {600, 220}; }
    QSize minimumSizeHint() const override { return {260, 90}; }

private:
    bool isEmpty() const { return !emptyOf(*m_picture).empty(); }
    QRectF legendRect() const;
    void renderContent(const Theme& theme);
    void paintOverlay(QPainter& painter, const Theme& theme);
    void repaintAll();
    bool choose(QPointF at);
    void walk(int along, int across);
    void tell();

    ChartPainter m_chart;
    DiagramPainter m_diagram;
    TablePainter m_table;
    PicturePainter* m_painter = &m_chart;
    std::shared_ptr<const Picture> m_picture;
    PictureStyle m_look;
    std::vector<LegendPlace> m_legend;
    QPixmap m_content;
    bool m_stale = true;
    qint64 m_paintTime = 0;
    std::optional<SimTime> m_cursor;
    std::optional<QPointF> m_pointer;
    std::optional<PictureHit> m_hit; ///< under the pointer, or walked to by keys
    bool m_walked = false;
    std::optional<QPointF> m_dragged; ///< where the pointer was that moves the picture
    bool m_scrubbing = false;
    QTimer m_tellSoon; ///< words for screen readers
    QTimer m_goOn;     ///< with a picture that takes more than one frame
};

} // namespace trainyard
