#pragma once
// The mouse and keys of drawing, ahead of the canvas' own: placing with a click, links from ports, holding
// Space to pan, names in place, racks that things are dropped into. Watches the canvas' events and paints
// over it.
#include "canvas/CanvasEditor.h"
#include "canvas/CanvasOverlay.h"
#include "canvas/NameEditor.h"
#include "canvas/PortDrag.h"

namespace trainyard {

class CanvasTools final : public QObject, public CanvasOverlay {
    Q_OBJECT
public:
    explicit CanvasTools(CanvasEditor& editor);
    ~CanvasTools() override;

    using Thing = CanvasEditor::Thing;
    /// The next click places one; Shift and click goes on placing, Escape ends it.
    void arm(Thing thing);
    void disarm();
    std::optional<Thing> armed() const { return m_armed; }
    /// What is armed follows the mouse to a place given from outside, as while dragging from a button.
    void follow(QPoint viewportPosition);
    void placeAt(QPoint viewportPosition);

    /// Edits the name of what is selected.
    void rename();
    NameEditor& nameEditor() { return *m_name; }
    const PortDrag& portDrag() const { return m_ports; }
    /// What is said beside the mouse; empty if nothing is.
    QString hint() const;

    void paintOver(QPainter& painter, const Theme& theme) override;

Q_SIGNALS:
    void armedChanged();
    void contextMenuRequested(trainyard::ClusterLayout::Hit hit, QPoint globalPosition);
    void spaceTapped(); ///< Space, without panning

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool onMouse(QMouseEvent* event);
    bool onMousePress(QMouseEvent* event);
    bool onKey(QKeyEvent* event);
    void onDragged(const QStringList& keys);
    void askForMenu(const QContextMenuEvent& event);
    void endPanning();
    void paintGhost(QPainter& painter, const Theme& theme) const;
    void paintHint(QPainter& painter, const Theme& theme) const;

    CanvasEditor& m_editor;
    CanvasView& m_canvas;
    PortDrag m_ports;
    NameEditor* m_name;
    std::optional<Thing> m_armed;
    QPoint m_mouse;
    QString m_dragHint;
    bool m_spaceHeld = false, m_spaceUsed = false;
};

} // namespace trainyard
