// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What stands on the canvas besides the cluster, each in its place: drawing tools at the left, the search
// line at the top, the minimap in the corner, and what an empty canvas says.
#include "canvas/CanvasSearch.h"
#include "canvas/EmptyCanvas.h"
#include "canvas/Minimap.h"
#include "canvas/ToolStrip.h"

namespace trainyard {

class CanvasFurniture final : public QObject {
    Q_OBJECT
public:
    CanvasFurniture(CanvasEditor& editor, CanvasTools& tools);

    ToolStrip& strip() { return *m_strip; }
    Minimap& minimap() { return *m_minimap; }
    CanvasSearch& search() { return *m_search; }
    EmptyCanvas& empty() { return *m_empty; }
    void setToolsShown(bool shown); ///< but on a projector, where the cluster needs their place

Q_SIGNALS:
    void templateRequested();
    void jobRequested(trainyard::JobKind kind);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void refreshEmpty();

    CanvasEditor& m_editor;
    CanvasTools& m_tools;
    ToolStrip* m_strip;
    Minimap* m_minimap;
    CanvasSearch* m_search;
    EmptyCanvas* m_empty;
    bool m_toolsShown = true;
};

} // namespace trainyard
