// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws a picture (a chart or a diagram) on any device, and knows afterwards where everything is: what lies under
// the pointer, where an instant is. Used by PictureView, and by figures and movies.
#include "charts/PictureStyle.h"

class QPaintDevice;

namespace trainyard {

/// An element of a picture.
struct PictureHit {
    std::size_t plot = 0, series = 0, element = 0;
    QPointF at;   ///< where it lies, in pixels
    QString text; ///< one line about it
    ElementRef ref;
};

class PicturePainter {
public:
    virtual ~PicturePainter() = default;

    /// Everything but the legend, within an area of the device in its logical pixels. What follows speaks of
    /// the picture as last painted.
    virtual void paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) = 0;
    /// The last paint() of a gradual look left something for the next: to be called again soon.
    virtual bool unfinished() const { return false; }
    /// The element at a place, or the one nearest to it; nothing outside of the plots.
    virtual std::optional<PictureHit> hitAt(QPointF at) const = 0;
    /// For keys: the next element in a direction, or the first.
    virtual std::optional<PictureHit> neighbour(const PictureHit* from, int along, int across) const = 0;
    /// Names of an axis at a place beside a plot: what they stand for.
    virtual ElementRef labelAt(QPointF) const { return {}; }
    /// Where no axis knows instants: nothing.
    virtual std::optional<SimTime> instantAt(QPointF) const { return std::nullopt; }
    virtual std::vector<QLineF> cursorLines(SimTime) const { return {}; }
    /// By the user; until showAll() new values keep the part that is seen.
    virtual void zoom(QPointF about, double factor) = 0;
    virtual void pan(QPointF by) = 0;
    virtual void showAll() = 0;
    virtual bool isZoomed() const = 0;
    virtual std::size_t items() const = 0; ///< shapes drawn, about; for tests of the level of detail
};

} // namespace trainyard
