// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What draws on the canvas: places things with a click, draws links from ports. The canvas' state machine of
// the mouse (CanvasMouse.cpp) tells it what the mouse does in its states; implemented by CanvasTools.
#include <QPoint>

#include <optional>

class QPainter;

namespace trainyard {

struct Theme;

class CanvasTool {
public:
    virtual ~CanvasTool() = default;
    /// The mouse moves, and no button is held; nothing: it has left.
    virtual void hover(std::optional<QPoint> at) = 0;
    /// What is under the mouse is the tool's, as a port is.
    virtual bool isOverPort() const = 0;
    /// A press on a port begins a link; false: there is none.
    virtual bool beginLink(QPoint at) = 0;
    virtual void moveLink(QPoint at) = 0;
    virtual void endLink(QPoint at) = 0;
    /// While something is placed: it follows the mouse, and a click puts it down.
    virtual void follow(QPoint at) = 0;
    virtual void placeAt(QPoint at) = 0;
    /// Gives up what is being placed or linked.
    virtual void cancel() = 0;
    /// Painted over everything; the painter is in scene pixels.
    virtual void paintOver(QPainter& painter, const Theme& theme) = 0;
};

} // namespace trainyard
