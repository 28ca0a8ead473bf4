// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterLayout.h"

#include "canvas/LayoutPlan.h"
#include "theme/SharedParts.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

double distanceToLine(QPointF p, const ClusterLayout::LinkLine& line) {
    if (line.goesOver()) {
        constexpr int steps = 24;
        double least = QLineF(p, line.from).length();
        for (int i = 1; i <= steps; ++i) least = std::min(least, QLineF(p, line.at(double(i) / steps)).length());
        return least;
    }
    const QPointF d = line.to - line.from, v = p - line.from;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(v, d) / length, 0.0, 1.0) : 0;
    return QLineF(p, line.from + t * d).length();
}

} // namespace

bool ClusterLayout::LinkLine::goesOver() const {
    constexpr double sameRow = 8, neighbours = cardWidth; // nothing fits between them
    return std::abs(to.y() - from.y()) < sameRow && std::abs(to.x() - from.x()) > neighbours;
}

std::array<QPointF, 4> ClusterLayout::LinkLine::curve() const {
    if (goesOver()) return {from, from - QPointF(0, lift / 0.75), to - QPointF(0, lift / 0.75), to};
    const double dy = to.y() - from.y();
    const QPointF bend(0, std::abs(dy) < 8 ? 0 : dy * 0.45);
    return {from, from + bend, to - bend, to};
}

QPointF ClusterLayout::LinkLine::at(double t) const {
    const auto c = curve();
    const double u = 1 - t;
    return u * u * u * c[0] + 3 * u * u * t * c[1] + 3 * u * t * t * c[2] + t * t * t * c[3];
}

ClusterLayout ClusterLayout::of(const Cluster& cluster) { return LayoutPlan(cluster).place(cluster); }

QRectF ClusterLayout::frameAround(const QRectF& members) {
    constexpr double p = rackPadding;
    return members.adjusted(-p, -p / 2 - rackTitle, p, p);
}

QString ClusterLayout::labelOf(const Cluster& cluster, const std::string& name, const std::string& key,
                               const std::string& rack) {
    const QString whole = QString::fromStdString(name.empty() ? key : name);
    if (rack.empty()) return whole;
    const auto it = std::ranges::find(cluster.racks, rack, &Rack::key);
    if (it == cluster.racks.end()) return whole;
    const QString prefix = QString::fromStdString(it->name.empty() ? it->key : it->name);
    if (!whole.startsWith(prefix) || whole.size() == prefix.size() || whole[prefix.size()].isLetterOrNumber())
        return whole;
    qsizetype from = prefix.size();
    while (from < whole.size() && !whole[from].isLetterOrNumber()) ++from;
    if (from == whole.size()) return whole;
    return whole[from].toUpper() + whole.mid(from + 1);
}

std::vector<QString> ClusterLayout::machineLabels(const Cluster& cluster) {
    std::vector<std::string> names;
    for (const Machine& each : cluster.machines)
        names.push_back(labelOf(cluster, each.name, each.key, each.rack).toStdString());
    const SharedParts shared = SharedParts::of(names);
    std::vector<QString> labels;
    for (const std::string& name : names) labels.push_back(QString::fromStdString(shared.without(name)));
    return labels;
}

std::size_t ClusterLayout::barsOf(const Cluster& cluster) {
    std::size_t most = cluster.machines.empty() ? cluster.resourceNames.size() : 0;
    for (const Machine& machine : cluster.machines) {
        std::size_t bars = 0;
        for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r) bars += machine.capacity.amount(r) > 0;
        most = std::max(most, bars);
    }
    return most;
}

double ClusterLayout::widthFor(const QString& label, double least) {
    constexpr double type = 20, padding = 24, most = 184; // 8.5 pixels at 42 %; hand-made grids are 200 wide
    QFont font = QGuiApplication::font();
    font.setPixelSize(static_cast<int>(type));
    font.setWeight(QFont::DemiBold);
    const double wanted = std::ceil((QFontMetricsF(font).horizontalAdvance(label) + padding) / grid) * grid;
    return std::clamp(wanted, least, most);
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
