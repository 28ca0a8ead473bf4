// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where things go: aligning, distributing, free room, and the rack a thing is dropped into. Pure functions of
// rectangles in scene pixels; used by the commands of the canvas.
#include "canvas/ClusterLayout.h"

#include <QHash>

#include <set>
#include <string>

namespace trainyard {

struct PlacedThing {
    QString key;
    QRectF rect;
};

enum class Alignment { left, centre, right, top, middle, bottom };

/// By how much each thing has to move so that the edges (or middles) of all are on one line: the outermost
/// edge, or the middle of the rectangle around all.
QHash<QString, QPointF> aligningMoves(const std::vector<PlacedThing>& things, Alignment alignment);

/// By how much each thing has to move so that the gaps between neighbours are equal; the two outermost stay.
/// Whole pixels. Fewer than three things stay where they are.
QHash<QString, QPointF> distributingMoves(std::vector<PlacedThing> things, Qt::Orientation along);

/// The least move, first to the right, then downwards, that brings all rectangles clear of the obstacles by
/// `gap`; multiples of `gap`.
QPointF clearingMove(const std::vector<QRectF>& rects, const std::vector<QRectF>& obstacles, double gap);

/// A machine or switch that changes its rack because of where it lies; empty: no rack.
struct RackChange {
    std::string key, from, to;
    friend bool operator==(const RackChange&, const RackChange&) = default;
};

/// What moving things does to the racks. A thing whose middle lies in the frame of another rack joins it; one
/// that lies clear of its own rack's frame, by more than `rackReach`, leaves it. Frames are those around the
/// members that were not moved; a rack all of whose members were moved moves as a whole and keeps them, but a
/// single member may join another rack.
constexpr double rackReach = 64;
std::vector<RackChange> rackChanges(const Cluster& cluster, const ClusterLayout& layout,
                                    const std::set<std::string>& moved);

/// The rack whose frame contains a point; empty if none does.
std::string rackAround(const Cluster& cluster, const ClusterLayout& layout, QPointF point);

} // namespace trainyard
