#pragma once
// Where everything of a cluster lies on the canvas: a pure function of the cluster. Entities with a position
// (of their middle) keep it; the rest are laid out: racks side by side, machines in a grid within, switches
// above what they connect. Rack frames size themselves around their members. Scene pixels; used by the canvas
// and by whoever needs to know what is under a point.
#include "model/Cluster.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

namespace trainyard {

struct ClusterLayout {
    std::vector<QRectF> machines; ///< by MachineId
    std::vector<QRectF> switches; ///< by SwitchId
    std::vector<QRectF> racks;    ///< by position in Cluster::racks; null where a rack is empty
    /// Ends of each link, by LinkId; equal ends where a link dangles.
    struct LinkLine {
        QPointF from, to;
    };
    std::vector<LinkLine> links;
    QRectF bounds;

    static constexpr double cardWidth = 152, gap = 24, rackTitle = 28, rackPadding = 16, grid = 8;
    static double cardHeight(std::size_t resources) { return 56 + 8 * static_cast<double>(resources); }
    static QSizeF switchSize() { return {96, 32}; }

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
