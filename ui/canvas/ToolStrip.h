// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What can be drawn, as buttons at the side of the canvas: a click takes a machine, switch or rack to the
// mouse for the next click, a drag from the button puts it where it is let go. A job is added by a menu.
#include "canvas/CanvasTools.h"
#include "model/Job.h"

#include <QFrame>

class QGridLayout;
class QToolButton;

namespace trainyard {

class ToolStrip final : public QFrame {
    Q_OBJECT
public:
    explicit ToolStrip(CanvasTools& tools, CanvasView& canvas);
    QToolButton* button(CanvasTools::Thing thing) const;
    /// One column if it is high enough, else as many as it takes; resizes itself.
    void fitInto(int height);

Q_SIGNALS:
    void templateRequested();
    void jobRequested(trainyard::JobKind kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override; ///< another scale

private:
    QToolButton* add(const char* iconName, const QString& name, const QString& help);
    void addThing(CanvasTools::Thing thing, const char* iconName, const QString& name, const QString& help);
    void addJobButton();
    void refresh();
    void takeScale();

    CanvasTools& m_tools;
    CanvasView& m_canvas;
    QGridLayout* m_grid;
    std::vector<QToolButton*> m_buttons; ///< in order
    int m_rows = 0;
    std::vector<std::pair<CanvasTools::Thing, QToolButton*>> m_things;
    bool m_dragging = false;
};

} // namespace trainyard
