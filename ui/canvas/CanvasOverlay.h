#pragma once
// What is painted over the canvas while something is drawn on it: ports, a link on its way, what a click
// would place. Set by whoever handles the mouse (CanvasTools), called by the canvas.

class QPainter;

namespace trainyard {

struct Theme;

class CanvasOverlay {
public:
    virtual ~CanvasOverlay() = default;
    /// The painter is in scene pixels.
    virtual void paintOver(QPainter& painter, const Theme& theme) = 0;
};

} // namespace trainyard
