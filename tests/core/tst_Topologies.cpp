// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Generated clusters: counts by formula, everything reachable, positions that do not collide, and D-mod-k on
// fat trees.
#include "base/Result.h"
#include "model/Routes.h"
#include "model/Topologies.h"
#include "support/TestMain.h"

#include <algorithm>
#include <set>

using namespace trainyard;

class tst_Topologies : public QObject {
    Q_OBJECT
private slots:
    void manyRacksAreNoLine();
    void countsAndConnectivity_data();
    void countsAndConnectivity();
    void partsReachEveryMachineAndLink();
    void fatTreeSpreadsAllToAll_data();
    void fatTreeSpreadsAllToAll();
    void refusesEmptyShapes();
};

Q_DECLARE_METATYPE(Cluster)

namespace {
std::size_t count(int n) { return static_cast<std::size_t>(n); }
} // namespace

void tst_Topologies::countsAndConnectivity_data() {
    QTest::addColumn<Cluster>("cluster");
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("switches");
    QTest::addColumn<int>("racks");
    QTest::addColumn<int>("links");
    QTest::addColumn<int>("hops"); // of the longest route
    const auto row = [](const char* name, const Cluster& c, int machines, int switches, int racks, int links,
                        int hops) { QTest::newRow(name) << c << machines << switches << racks << links << hops; };
    row("one machine", starCluster(1), 1, 1, 0, 1, 0);
    row("star", starCluster(9), 9, 1, 0, 9, 2);
    row("tree", treeCluster(3, 5), 15, 4, 3, 18, 4);
    // k = 4: 16 machines, 8 edge + 8 aggregation + 4 core switches; 16 links at each of three levels.
    row("4-port fat tree", fatTreeCluster(4), 16, 20, 8, 48, 6);
    const int down[] = {16, 8, 8}, up[] = {1, 8, 8};
    row("1,024 hosts", fatTreeCluster(down, up), 1024, 192, 64, 1024 + 512 + 512, 6);
    // Two parents per machine: 12 machines, 3·2 leaf switches, 2·2 above; 12·2 links and 6·2.
    const int dual[] = {4, 3}, parents[] = {2, 2};
    row("dual-homed", fatTreeCluster(dual, parents), 12, 10, 3, 36, 4);
    row("ring", ringCluster(7), 7, 0, 0, 7, 3);
    row("ring of two", ringCluster(2), 2, 0, 0, 1, 1);
    row("torus", torusCluster(4, 5), 20, 0, 0, 40, 4);
    row("flat torus", torusCluster(2, 3), 6, 0, 0, 9, 2);
    row("mesh", meshCluster(6), 6, 0, 0, 15, 1);
    row("RAMP", rampCluster(4, 3, 2), 24, 0, 12, 276, 1); // 24·23/2 channels
}

void tst_Topologies::countsAndConnectivity() {
    QFETCH(Cluster, cluster);
    QFETCH(int, machines);
    QFETCH(int, switches);
    QFETCH(int, racks);
    QFETCH(int, links);
    QFETCH(int, hops);
    QCOMPARE(cluster.machines.size(), count(machines));
    QCOMPARE(cluster.switches.size(), count(switches));
    QCOMPARE(cluster.racks.size(), count(racks));
    QCOMPARE(cluster.links.size(), count(links));
    std::set<std::string> keys;
    std::set<std::pair<double, double>> places;
    const auto note = [&](const auto& node) {
        QVERIFY(keys.insert(node.key).second);
        QVERIFY(places.insert({node.position->x, node.position->y}).second);
        QCOMPARE(std::fmod(node.position->x, 8.0), 0.0);
        QCOMPARE(std::fmod(node.position->y, 8.0), 0.0);
        QVERIFY(node.rack.empty() ||
                std::ranges::any_of(cluster.racks, [&](const Rack& r) { return r.key == node.rack; }));
    };
    std::ranges::for_each(cluster.machines, note);
    std::ranges::for_each(cluster.switches, note);
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        for (std::size_t j = 0; j < i && machines <= 64; ++j) {
            const auto &a = *cluster.machines[i].position, &b = *cluster.machines[j].position;
            QVERIFY(std::abs(a.x - b.x) >= 160 || std::abs(a.y - b.y) >= 96); // cards do not overlap
        }
    RouteTable routes(cluster);
    std::size_t longest = 0;
    for (std::uint32_t to = 0; to < cluster.machines.size(); ++to) {
        const auto route = routes.route(0, to);
        QVERIFY(route.has_value());
        longest = std::max(longest, route->links.size());
    }
    QCOMPARE(longest, count(hops));
}

void tst_Topologies::partsReachEveryMachineAndLink() {
    const TopologyParts parts{
        .resourceNames = {"slots"}, .capacity = ResourceVector::of({3}), .bandwidth = 5e8, .latency = Duration{2000}};
    const Cluster cluster = treeCluster(2, 2, 4, parts);
    QCOMPARE(cluster.resourceNames, std::vector<std::string>{"slots"});
    for (const Machine& m : cluster.machines) QCOMPARE(m.capacity.amount(0), 3.0);
    for (const Link& l : cluster.links) {
        QCOMPARE(l.latency.ns, 2000);
        QCOMPARE(l.bandwidth, l.to == "s1" ? 2e9 : 5e8);
    }
    QCOMPARE(cluster.machines[3].rack, std::string("r2"));
}

void tst_Topologies::fatTreeSpreadsAllToAll_data() {
    QTest::addColumn<Cluster>("cluster");
    const int down[] = {16, 8, 8}, up[] = {1, 8, 8};
    const int small[] = {4, 3}, narrow[] = {1, 2};
    QTest::newRow("1,024 hosts") << fatTreeCluster(down, up);
    QTest::newRow("8 ports") << fatTreeCluster(8);
    QTest::newRow("two levels") << fatTreeCluster(small, narrow);
}

// D-mod-k: in all-to-all every up-link of a level carries the same number of routes, and so does every
// down-link.
void tst_Topologies::fatTreeSpreadsAllToAll() {
    QFETCH(Cluster, cluster);
    RouteTable routes(cluster);
    std::vector<int> uses(2 * cluster.links.size());
    const auto machines = static_cast<std::uint32_t>(cluster.machines.size());
    for (std::uint32_t from = 0; from < machines; ++from)
        for (std::uint32_t to = 0; to < machines; ++to) {
            const auto route = routes.route(from, to);
            for (const DirectedLink link : route->links) ++uses[link];
        }
    // The level of a link is told by the height of its upper switch; links come level by level.
    std::map<double, std::set<int>> byLevel;
    for (std::size_t l = 0; l < cluster.links.size(); ++l) {
        const auto& upper = *std::ranges::find(cluster.switches, cluster.links[l].to, &Switch::key);
        byLevel[upper.position->y].insert(uses[2 * l]);
        byLevel[upper.position->y].insert(uses[2 * l + 1]);
    }
    for (const auto& [height, different] : byLevel) {
        QCOMPARE(different.size(), std::size_t{1});
        QVERIFY(*different.begin() > 0);
    }
}

void tst_Topologies::refusesEmptyShapes() {
    QVERIFY_EXCEPTION_THROWN(starCluster(0), InvariantError);
    QVERIFY_EXCEPTION_THROWN(treeCluster(2, 0), InvariantError);
    QVERIFY_EXCEPTION_THROWN(fatTreeCluster(5), InvariantError);
    QVERIFY_EXCEPTION_THROWN(torusCluster(3, 0), InvariantError);
    const int down[] = {2, 2}, up[] = {1};
    QVERIFY_EXCEPTION_THROWN(fatTreeCluster(down, up), InvariantError);
}

/// A thousand machines read as a picture: not one row of racks that is thirty times as wide as high.
void tst_Topologies::manyRacksAreNoLine() {
    for (const auto& [racks, each] : {std::pair(40, 25), std::pair(60, 4), std::pair(20, 50)}) {
        const Cluster cluster = treeCluster(racks, each);
        const auto [left, right] =
            std::ranges::minmax(cluster.machines, {}, [](const Machine& m) { return m.position->x; });
        const auto [top, bottom] =
            std::ranges::minmax(cluster.machines, {}, [](const Machine& m) { return m.position->y; });
        const double ratio = (right.position->x - left.position->x) / (bottom.position->y - top.position->y);
        QVERIFY2(ratio > 1 && ratio < 4, qPrintable(QString::number(ratio)));
        std::set<std::pair<double, double>> places;
        for (const Machine& m : cluster.machines) places.emplace(m.position->x, m.position->y);
        QCOMPARE(places.size(), cluster.machines.size());
    }
}

TRAINYARD_TEST(tst_Topologies)
#include "tst_Topologies.moc"
