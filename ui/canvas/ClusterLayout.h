// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where everything of a cluster lies on the canvas: a pure function of the cluster. Entities with a position
// (of their middle) keep it; the rest are laid out: racks side by side, machines in a grid within, switches
// above what they connect. Rack frames size themselves around their members. Scene pixels; used by the canvas
// and by whoever needs to know what is under a point.
#include "model/Cluster.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <vector>

namespace trainyard {

struct ClusterLayout {
    std::vector<QRectF> machines; ///< by MachineId
    std::vector<QRectF> switches; ///< by SwitchId
    std::vector<QRectF> racks;    ///< by position in Cluster::racks; null where a rack is empty
    /// Ends of each link, by LinkId; equal ends where a link dangles.
    struct LinkLine {
        QPointF from, to;
        /// As a cubic curve: it leaves a card upwards or downwards and bends towards the other end; within a row of cards it
        /// goes over those between.
        std::array<QPointF, 4> curve() const;
        QPointF at(double share) const; ///< on the curve
        bool goesOver() const;
        static constexpr double lift =
            56; ///< of the middle of a curve that goes over cards: 0.75 of what its ends point to
    };
    std::vector<LinkLine> links;
    QRectF bounds;

    static constexpr double cardWidth = 152 /* at least */, gap = 24, rackTitle = 28, rackPadding = 16, grid = 8;
    /// Most kinds of resources that a machine of the cluster has: a bar each.
    static std::size_t barsOf(const Cluster& cluster);
    static double cardHeight(std::size_t resources) { return 56 + 8 * static_cast<double>(resources); }
    static constexpr double switchWidth = 96, switchHeight = 32; ///< at least
    static QSizeF switchSize() { return {switchWidth, switchHeight}; }
    /// What stands on the card of a machine or switch: its name, or its key; in a rack without the rack's name.
    static QString labelOf(const Cluster& cluster, const std::string& name, const std::string& key,
                           const std::string& rack);
    /// What stands on the cards of all machines, by MachineId; long names without what all begin or end with.
    static std::vector<QString> machineLabels(const Cluster& cluster);
    /// As wide as a name needs once the cluster is so small on screen that cards lose all other text.
    static double widthFor(const QString& label, double least);

    /// The frame of a rack whose members fill a rectangle.
    static QRectF frameAround(const QRectF& members);
    static ClusterLayout of(const Cluster& cluster);

    /// What lies under a point, topmost first: a machine, then a switch, then a rack (its title or frame);
    /// empty if nothing.
    enum class Kind { nothing, machine, switchNode, rack, link };
    struct Hit {
        Kind kind = Kind::nothing;
        std::size_t index = 0;
    };
    /// `reach`: how far from a link a point still counts, in scene pixels.
    Hit at(QPointF point, double reach) const;
};

} // namespace trainyard
