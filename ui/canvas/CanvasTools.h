// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What draws on the canvas: placing with a click, links from ports, names in place, racks that things are
// dropped into. The canvas tells it what the mouse does, and it paints over the canvas.
#include "canvas/CanvasEditor.h"
#include "canvas/CanvasTool.h"
#include "canvas/NameEditor.h"
#include "canvas/PortDrag.h"

namespace trainyard {

class CanvasTools final : public QObject, public CanvasTool {
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
    void follow(QPoint viewportPosition) override;
    void placeAt(QPoint viewportPosition) override;

    /// Edits the name of what is selected.
    void rename();
    NameEditor& nameEditor() { return *m_name; }
    const PortDrag& portDrag() const { return m_ports; }
    /// What is said beside the mouse; empty if nothing is.
    QString hint() const;

    void hover(std::optional<QPoint> at) override;
    bool isOverPort() const override { return m_ports.isOnPort(); }
    bool beginLink(QPoint at) override;
    void moveLink(QPoint at) override;
    void endLink(QPoint at) override;
    void cancel() override;
    void paintOver(QPainter& painter, const Theme& theme) override;

Q_SIGNALS:
    void armedChanged();

private:
    void onDragged(const QStringList& keys);
    void paintGhost(QPainter& painter, const Theme& theme) const;
    void paintHint(QPainter& painter, const Theme& theme) const;

    CanvasEditor& m_editor;
    CanvasView& m_canvas;
    PortDrag m_ports;
    NameEditor* m_name;
    std::optional<Thing> m_armed;
    QPoint m_mouse;
    QString m_dragHint;
};

} // namespace trainyard
