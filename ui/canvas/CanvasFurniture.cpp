// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasFurniture.h"

#include "theme/Theme.h"

#include <QEvent>
#include <QPushButton>

namespace trainyard {

CanvasFurniture::CanvasFurniture(CanvasEditor& editor, CanvasTools& tools)
    : QObject(&editor), m_editor(editor), m_tools(tools), m_strip(new ToolStrip(tools, editor.canvas())),
      m_minimap(new Minimap(editor.workspace(), editor.canvas())),
      m_search(new CanvasSearch(editor.workspace(), editor.canvas())),
      m_empty(new EmptyCanvas(editor.canvas().viewport())) {
    editor.canvas().viewport()->installEventFilter(this);
    connect(m_strip, &ToolStrip::templateRequested, this, &CanvasFurniture::templateRequested);
    connect(m_strip, &ToolStrip::jobRequested, this, &CanvasFurniture::jobRequested);
    connect(m_empty->templateButton(), &QPushButton::clicked, this, &CanvasFurniture::templateRequested);
    connect(m_empty->machineButton(), &QPushButton::clicked, this, [this] {
        const CanvasView& canvas = m_editor.canvas();
        m_editor.add(CanvasEditor::Thing::machine, canvas.mapToScene(canvas.viewport()->rect().center()));
        m_editor.canvas().setFocus();
    });
    connect(m_minimap, &Minimap::shapeChanged, this, &CanvasFurniture::place);
    connect(&tools, &CanvasTools::armedChanged, this, &CanvasFurniture::refreshEmpty);
    connect(&editor.workspace().document(), &ScenarioModel::documentReplaced, this, &CanvasFurniture::refreshEmpty);
    connect(&editor.workspace().document(), &ScenarioModel::edited, this, &CanvasFurniture::refreshEmpty);
    setToolsShown(true);
    refreshEmpty();
}

void CanvasFurniture::setToolsShown(bool shown) {
    m_toolsShown = shown;
    place();
}

void CanvasFurniture::refreshEmpty() {
    const Cluster& cluster = m_editor.workspace().document().scenario().cluster;
    m_empty->setVisible(cluster.machines.empty() && cluster.switches.empty() && !m_tools.armed());
}

void CanvasFurniture::place() {
    const QRect room = m_editor.canvas().viewport()->rect();
    m_strip->setVisible(m_toolsShown && Theme::scale() <= 1);
    m_strip->fitInto(room.height() - 16);
    m_strip->move(0, 8);
    m_editor.canvas().setCoveredLeft(m_strip->isHidden() ? 0 : m_strip->width() + 8);
    m_search->move(m_strip->isHidden() ? 8 : m_strip->width() + 8, 8);
    m_minimap->resize(m_minimap->sizeHint());
    m_minimap->move(room.right() - m_minimap->width() - 7, 8);
    m_empty->adjustSize(); // the theme's buttons are higher than those it was made with
    m_empty->move(room.center() - m_empty->rect().center());
}

bool CanvasFurniture::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) place();
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
