#include "canvas/ClusterLayout.h"

#include "canvas/LayoutPlan.h"

#include <QLineF>

#include <algorithm>

namespace trainyard {

namespace {

double distanceToLine(QPointF p, const ClusterLayout::LinkLine& line) {
    const QPointF d = line.to - line.from, v = p - line.from;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(v, d) / length, 0.0, 1.0) : 0;
    return QLineF(p, line.from + t * d).length();
}

} // namespace

ClusterLayout ClusterLayout::of(const Cluster& cluster) {
    return LayoutPlan(cluster).place(cluster);
}

QRectF ClusterLayout::frameAround(const QRectF& members) {
    constexpr double p = rackPadding;
    return members.adjusted(-p, -p / 2 - rackTitle, p, p);
}

ClusterLayout::Hit ClusterLayout::at(QPointF point, double reach) const {
    for (std::size_t i = machines.size(); i-- > 0;)
        if (machines[i].contains(point)) return {Kind::machine, i};
    for (std::size_t i = switches.size(); i-- > 0;)
        if (switches[i].contains(point)) return {Kind::switchNode, i};
    Hit nearest;
    double best = reach;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (const double d = distanceToLine(point, links[i]); links[i].from != links[i].to && d < best) {
            best = d;
            nearest = {Kind::link, i};
        }
    if (nearest.kind != Kind::nothing) return nearest;
    for (std::size_t i = 0; i < racks.size(); ++i)
        if (racks[i].contains(point)) return {Kind::rack, i};
    return {};
}

} // namespace trainyard
