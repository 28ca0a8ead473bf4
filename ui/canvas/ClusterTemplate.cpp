// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterTemplate.h"

#include "canvas/ClusterEdits.h"
#include "scenario/Fragment.h"
#include "scenario/References.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace cluster_template {
constexpr int mostRampMachines = 128;

Scenario pieceOf(Cluster cluster) {
    Scenario piece;
    piece.cluster = std::move(cluster);
    pinPlaces(piece.cluster);
    return piece;
}
} // namespace cluster_template

const std::vector<ClusterTemplate::Kind>& ClusterTemplate::kinds() {
    static const std::vector<Kind> all{Kind::star,  Kind::tree, Kind::fatTree, Kind::ring,
                                       Kind::torus, Kind::mesh, Kind::ramp};
    return all;
}

QString ClusterTemplate::name() const {
    switch (m_kind) {
    case Kind::star: return QCoreApplication::translate("ClusterTemplate", "Star");
    case Kind::tree: return QCoreApplication::translate("ClusterTemplate", "Tree of racks × machines");
    case Kind::fatTree: return QCoreApplication::translate("ClusterTemplate", "Fat tree");
    case Kind::ring: return QCoreApplication::translate("ClusterTemplate", "Ring");
    case Kind::torus: return QCoreApplication::translate("ClusterTemplate", "Torus");
    case Kind::mesh: return QCoreApplication::translate("ClusterTemplate", "Full mesh");
    case Kind::ramp: return QCoreApplication::translate("ClusterTemplate", "RAMP optical grid");
    }
    return {};
}

QString ClusterTemplate::help() const {
    switch (m_kind) {
    case Kind::star: return QCoreApplication::translate("ClusterTemplate", "Machines around one switch.");
    case Kind::tree:
        return QCoreApplication::translate("ClusterTemplate", "Two tiers: one switch per rack, and one core switch.");
    case Kind::fatTree:
        return QCoreApplication::translate(
            "ClusterTemplate", "Three levels of k-port switches with full bisection bandwidth: k³/4 machines.");
    case Kind::ring: return QCoreApplication::translate("ClusterTemplate", "Each machine linked to the next.");
    case Kind::torus: return QCoreApplication::translate("ClusterTemplate", "A grid whose opposite edges are linked.");
    case Kind::mesh: return QCoreApplication::translate("ClusterTemplate", "Every machine linked to every other.");
    case Kind::ramp:
        return QCoreApplication::translate(
            "ClusterTemplate", "A flat optical network: C communication groups of J racks of X machines, a channel for "
                               "every pair, one hop between all.");
    }
    return {};
}

std::vector<TemplateNumber> ClusterTemplate::numbers() const {
    switch (m_kind) {
    case Kind::star:
        return {{QCoreApplication::translate("ClusterTemplate", "Machines"),
                 QCoreApplication::translate("ClusterTemplate", "Around the switch"), 1, 1000, 8}};
    case Kind::tree:
        return {{QCoreApplication::translate("ClusterTemplate", "Racks"),
                 QCoreApplication::translate("ClusterTemplate", "Each with its switch"), 1, 60, 4},
                {QCoreApplication::translate("ClusterTemplate", "Machines per rack"),
                 QCoreApplication::translate("ClusterTemplate", "In every rack"), 1, 60, 4},
                {QCoreApplication::translate("ClusterTemplate", "Uplink factor"),
                 QCoreApplication::translate("ClusterTemplate",
                                             "Bandwidth of a rack's uplink as a multiple of one machine's"),
                 1, 100, 2}};
    case Kind::fatTree:
        return {{QCoreApplication::translate("ClusterTemplate", "Ports per switch, k"),
                 QCoreApplication::translate("ClusterTemplate", "An even number; the cluster has k³/4 machines"), 2, 16,
                 4, 2}};
    case Kind::ring:
        return {{QCoreApplication::translate("ClusterTemplate", "Machines"),
                 QCoreApplication::translate("ClusterTemplate", "In the ring"), 2, 400, 8}};
    case Kind::torus:
        return {{QCoreApplication::translate("ClusterTemplate", "Columns"),
                 QCoreApplication::translate("ClusterTemplate", "Machines from left to right"), 2, 32, 4},
                {QCoreApplication::translate("ClusterTemplate", "Rows"),
                 QCoreApplication::translate("ClusterTemplate", "Machines from top to bottom"), 2, 32, 4}};
    case Kind::mesh:
        return {{QCoreApplication::translate("ClusterTemplate", "Machines"),
                 QCoreApplication::translate("ClusterTemplate", "Each linked to all others"), 2, 100, 6}};
    case Kind::ramp:
        return {{QCoreApplication::translate("ClusterTemplate", "Communication groups, C"),
                 QCoreApplication::translate("ClusterTemplate", "At least as many as racks in a group"), 1, 8, 4},
                {QCoreApplication::translate("ClusterTemplate", "Racks per group, J"),
                 QCoreApplication::translate("ClusterTemplate", "At most as many as groups"), 1, 8, 4},
                {QCoreApplication::translate("ClusterTemplate", "Machines per rack, X"),
                 QCoreApplication::translate("ClusterTemplate", "In every rack"), 1, 32, 2}};
    }
    return {};
}

QString ClusterTemplate::whyNot(const std::vector<int>& n) const {
    if (m_kind == Kind::fatTree && n[0] % 2 != 0)
        return QCoreApplication::translate("ClusterTemplate", "The number of ports must be even");
    if (m_kind != Kind::ramp) return {};
    if (n[1] > n[0])
        return QCoreApplication::translate("ClusterTemplate",
                                           "There can be at most as many racks in a group as groups (J ≤ C)");
    if (n[0] * n[1] * n[2] > cluster_template::mostRampMachines)
        return QCoreApplication::translate(
                   "ClusterTemplate", "%n machines need a channel for every pair; at most %1 machines can be drawn",
                   nullptr, n[0] * n[1] * n[2])
            .arg(cluster_template::mostRampMachines);
    return {};
}

Cluster ClusterTemplate::make(const std::vector<int>& n, const TopologyParts& parts) const {
    switch (m_kind) {
    case Kind::star: return starCluster(n[0], parts);
    case Kind::tree: return treeCluster(n[0], n[1], n[2], parts);
    case Kind::fatTree: return fatTreeCluster(n[0], parts);
    case Kind::ring: return ringCluster(n[0], parts);
    case Kind::torus: return torusCluster(n[0], n[1], parts);
    case Kind::mesh: return meshCluster(n[0], parts);
    case Kind::ramp: return rampCluster(n[0], n[1], n[2], parts);
    }
    return {};
}

TopologyParts partsLike(const Scenario& s, const std::string& like) {
    TopologyParts parts;
    if (s.cluster.resourceNames.empty()) return parts;
    // A scratch copy answers what a new machine would be like.
    Scenario scratch;
    scratch.cluster.resourceNames = s.cluster.resourceNames;
    scratch.cluster.machines = s.cluster.machines;
    addMachine(scratch, {}, {}, like);
    parts.resourceNames = scratch.cluster.resourceNames;
    parts.capacity = scratch.cluster.machines.back().capacity;
    return parts;
}

void replaceCluster(Scenario& s, Cluster cluster) {
    std::set<std::string> gone = nodeKeysOf(s.cluster);
    for (const Rack& rack : s.cluster.racks) gone.insert(rack.key);
    for (const Link& link : s.cluster.links) gone.insert(link.key);
    removeFromCluster(s, gone);
    insertFragment(s, cluster_template::pieceOf(std::move(cluster)), {});
}

std::set<std::string> addCluster(Scenario& s, Cluster cluster) {
    constexpr double between = 96;
    pinPlaces(s.cluster);
    const QRectF there = boundsOf(s.cluster);
    Scenario piece = cluster_template::pieceOf(std::move(cluster));
    const QRectF added = boundsOf(piece.cluster);
    Position offset;
    if (!there.isEmpty()) {
        const auto onGrid = [](double v) { return std::ceil(v / ClusterLayout::grid) * ClusterLayout::grid; };
        offset = {onGrid(there.right() + between - added.left()), onGrid(there.top() - added.top())};
    }
    return insertFragment(s, std::move(piece), offset).keys;
}

} // namespace trainyard
