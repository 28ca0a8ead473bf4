// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One lane of the stack: a painter's picture, kept as a pixmap until data, range or size change, and over it
// what follows the pointer: hover line, cursor, readout. While a run only goes on, no more is painted than
// what its painter says is new. The header in the gutter folds it away.
#include "lanes/TimeWidget.h"

#include <QPixmap>
#include <QTimer>

#include <memory>

class QMenu;
class QScrollBar;
class QToolButton;

namespace trainyard {

class LaneHeader;
struct LegendPlace;
class Selection;

class Lane final : public TimeWidget {
    Q_OBJECT
public:
    Lane(std::unique_ptr<LanePainter> painter, TimeAxis& axis, Selection& selection, QWidget* parent);
    ~Lane() override;

    void setInput(const LaneInput& input);      ///< something that is painted has changed
    void setReadout(SimTime at, bool wholeRun); ///< only what is read out has changed
    const LaneInput& input() const { return m_input; }
    void setSubject(const HistorySubject& subject); ///< of its painter: the same view with other options
    LanePainter& painter() { return *m_painter; }

    bool collapsed() const { return m_collapsed; }
    void setCollapsed(bool collapsed);
    /// Away: not even its header is seen.
    void setAway(bool away);
    int collapsedHeight() const;
    /// A switch in the lane's menu, and a small button under the title where there is room for it.
    QAction* addSwitch(const QString& text, const QString& name, const QString& help);
    /// What can be set about the lane; its button stands beside the title from the first call on.
    QMenu* menu();
    /// Before the title, where lanes of several runs stand together: "A".
    void setMark(const QString& mark);
    /// A button that takes the lane out, beside the title.
    void setClosable();
    /// Part of the stack's height it gets, in proportion to the other open lanes.
    int share() const { return m_share; }
    void setShare(int share) { m_share = share; }
    /// At which each of its rows has a label; next to nothing where it has none or too many.
    int wantedHeight() const;
    /// How wide its legend would have to be to be read in full, as far as it has been seen.
    double legendWanted() const { return m_legendWanted; }
    void forgetLegendWanted() { m_legendWanted = 0; }
    /// What is under a pixel of the lane.
    LaneHit hitAt(QPointF at) const;
    /// Boxes drawn when it was last painted; for tests.
    std::size_t itemsDrawn() const { return m_items; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void inputTaken(); ///< what the painter shows may be other than before
    void collapsedChanged();
    void closeRequested();
    void legendWidened(); ///< legendWanted() has grown

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void styleChanged() override;
    double secondsAt(double x) const override;
    void pointed(std::optional<QPointF> at) override;
    void clicked(QPointF at) override;
    bool wheelOnRows(double pixels) override;

private:
    QToolButton* makeCorner(const QString& name, const QString& help);
    LaneCanvas canvasFor(QPainter& painter, const Theme& theme) const;
    void renderContent(const Theme& theme);
    bool renderGrowth(const Theme& theme);
    void paintData(LaneCanvas& canvas, const QRectF& within);
    QString headerText() const;
    void updateBesideTitle();
    void drawHeader(LaneCanvas& canvas) const;
    void drawCollapsed(LaneCanvas& canvas) const;
    void drawOverlay(LaneCanvas& canvas);
    void layoutChildren();
    void layoutSwitches();
    double titleColumn() const;
    QString tipAt(QPointF at) const;
    double leastRow() const;
    void updateScrollRange();
    void revealRow();

    std::unique_ptr<LanePainter> m_painter;
    Selection& m_selection;
    LaneInput m_input;
    LaneHeader* m_header = nullptr;
    QToolButton *m_menu = nullptr, *m_close = nullptr;
    std::vector<QToolButton*> m_switches;
    int m_share = 4;
    QScrollBar* m_scroll = nullptr;
    QPixmap m_content;
    QTimer m_later; ///< goes on with a picture that takes more than one frame
    bool m_stale = true, m_grown = false, m_collapsed = false,
         m_away = false;                 ///< grown: stale only where the run has gone on
    std::optional<PaintedRun> m_painted; ///< what the picture shows of the run; nothing: no data
    TimeScale m_paintedScale;
    QString title() const;

    QString m_mark;
    QString m_headerText; ///< as last drawn
    std::optional<QPointF> m_pointer;
    std::vector<LegendPlace> m_legendPlaces;
    double m_legendWanted = 0;
    std::size_t m_items = 0;
};

} // namespace trainyard
