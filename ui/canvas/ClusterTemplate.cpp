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

QString tr(const char* text) {
    return QCoreApplication::translate("ClusterTemplate", text);
}

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
    using cluster_template::tr;
    switch (m_kind) {
    case Kind::star:
        return tr("Star");
    case Kind::tree:
        return tr("Tree of racks × machines");
    case Kind::fatTree:
        return tr("Fat tree");
    case Kind::ring:
        return tr("Ring");
    case Kind::torus:
        return tr("Torus");
    case Kind::mesh:
        return tr("Full mesh");
    case Kind::ramp:
        return tr("RAMP optical grid");
    }
    return {};
}

QString ClusterTemplate::help() const {
    using cluster_template::tr;
    switch (m_kind) {
    case Kind::star:
        return tr("Machines around one switch.");
    case Kind::tree:
        return tr("Two tiers: a switch in every rack, and one above them.");
    case Kind::fatTree:
        return tr("Three levels of k-port switches, with as much bandwidth above as below: k³/4 machines.");
    case Kind::ring:
        return tr("Each machine linked to the next.");
    case Kind::torus:
        return tr("A grid whose edges are linked around.");
    case Kind::mesh:
        return tr("Every machine linked to every other.");
    case Kind::ramp:
        return tr("A flat optical network of C communication groups of J racks of X machines: a channel for "
                  "every pair, so all are one hop apart.");
    }
    return {};
}

std::vector<TemplateNumber> ClusterTemplate::numbers() const {
    using cluster_template::tr;
    switch (m_kind) {
    case Kind::star:
        return {{tr("Machines"), tr("Around the switch"), 1, 1000, 8}};
    case Kind::tree:
        return {{tr("Racks"), tr("Each with its switch"), 1, 60, 4},
                {tr("Machines per rack"), tr("In every rack"), 1, 60, 4},
                {tr("Uplink factor"), tr("Bandwidth of a rack's uplink, in bandwidths of one machine"), 1,
                 100, 2}};
    case Kind::fatTree:
        return {
            {tr("Ports per switch, k"), tr("An even number; the cluster has k³/4 machines"), 2, 16, 4, 2}};
    case Kind::ring:
        return {{tr("Machines"), tr("In the circle"), 2, 400, 8}};
    case Kind::torus:
        return {{tr("Columns"), tr("Machines from left to right"), 2, 32, 4},
                {tr("Rows"), tr("Machines from top to bottom"), 2, 32, 4}};
    case Kind::mesh:
        return {{tr("Machines"), tr("Each linked to all others"), 2, 100, 6}};
    case Kind::ramp:
        return {{tr("Communication groups, C"), tr("At least as many as racks in a group"), 1, 8, 4},
                {tr("Racks per group, J"), tr("At most as many as groups"), 1, 8, 4},
                {tr("Machines per rack, X"), tr("In every rack"), 1, 32, 2}};
    }
    return {};
}

QString ClusterTemplate::whyNot(const std::vector<int>& n) const {
    using cluster_template::tr;
    if (m_kind == Kind::fatTree && n[0] % 2 != 0) return tr("The number of ports must be even");
    if (m_kind != Kind::ramp) return {};
    if (n[1] > n[0]) return tr("There can be at most as many racks in a group as groups (J ≤ C)");
    if (n[0] * n[1] * n[2] > cluster_template::mostRampMachines)
        return tr("%1 machines need a channel for every pair; at most %2 machines can be drawn")
            .arg(n[0] * n[1] * n[2])
            .arg(cluster_template::mostRampMachines);
    return {};
}

Cluster ClusterTemplate::make(const std::vector<int>& n, const TopologyParts& parts) const {
    switch (m_kind) {
    case Kind::star:
        return starCluster(n[0], parts);
    case Kind::tree:
        return treeCluster(n[0], n[1], n[2], parts);
    case Kind::fatTree:
        return fatTreeCluster(n[0], parts);
    case Kind::ring:
        return ringCluster(n[0], parts);
    case Kind::torus:
        return torusCluster(n[0], n[1], parts);
    case Kind::mesh:
        return meshCluster(n[0], parts);
    case Kind::ramp:
        return rampCluster(n[0], n[1], n[2], parts);
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
