#pragma once
// The widget that shows one of the views of waiting: axis titles, legend, hover, and the cursor where an axis
// is time. Owned by WaitingPanel, which gives it what the lanes are given.
#include "waiting/WaitingPainter.h"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <memory>

namespace trainyard {

class TimeAxis;

class WaitingChart final : public QWidget {
    Q_OBJECT
public:
    explicit WaitingChart(TimeAxis& axis, QWidget* parent = nullptr);
    ~WaitingChart() override;

    void setPainter(WaitingPainter* painter); ///< borrowed
    WaitingPainter* painter() const { return m_painter; }
    void setInput(const LaneInput& input);
    const LaneInput& input() const { return m_input; }
    /// What is drawn where, for tests; nothing is painted on it.
    QRectF plotRect() const;
    LaneHit hitAt(QPointF at) const;
    /// The readings of the legend in words: "k: 3, β: 0.5".
    QString readings() const;

Q_SIGNALS:
    void stepRequested(int iterations); ///< by keys: back or on
    void endRequested(bool last);       ///< by keys: to the first or the last

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    QSize sizeHint() const override { return {600, 220}; }
    QSize minimumSizeHint() const override { return {260, 90}; }

private:
    LaneCanvas canvasFor(QPainter& painter, const Theme& theme) const;
    QRectF legendRect() const;
    QFont labelFont() const;
    double lineHeight() const;
    void renderContent(const Theme& theme);
    void drawTitles(LaneCanvas& canvas) const;
    void drawOverlay(LaneCanvas& canvas);
    void setCursorAt(double x);

    TimeAxis& m_axis;
    WaitingPainter* m_painter = nullptr;
    LaneInput m_input;
    QPixmap m_content;
    QTimer m_later, m_tell; ///< a picture that is computed elsewhere; words for screen readers
    bool m_stale = true;
    double m_labels = 60; ///< width of the column of numbers and names
    std::optional<QPointF> m_pointer;
};

} // namespace trainyard
