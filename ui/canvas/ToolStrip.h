#pragma once
// What can be drawn, as buttons at the side of the canvas: a click takes a machine, switch or rack to the
// mouse for the next click, a drag from the button puts it where it is let go.
#include "canvas/CanvasTools.h"

#include <QFrame>

class QToolButton;
class QVBoxLayout;

namespace trainyard {

class ToolStrip final : public QFrame {
    Q_OBJECT
public:
    explicit ToolStrip(CanvasTools& tools, CanvasView& canvas);
    QToolButton* button(CanvasTools::Thing thing) const;

Q_SIGNALS:
    void templateRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* add(const char* iconName, const QString& name, const QString& help);
    void addThing(CanvasTools::Thing thing, const char* iconName, const QString& name, const QString& help);
    void refresh();

    CanvasTools& m_tools;
    CanvasView& m_canvas;
    QVBoxLayout* m_column;
    std::vector<std::pair<CanvasTools::Thing, QToolButton*>> m_things;
    bool m_dragging = false;
};

} // namespace trainyard
