// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where things go: aligned, distributed, free room, racks joined and left, and what the commands of the
// canvas do to a scenario. Rectangles are worked by hand.
#include "canvas/Arrangement.h"
#include "canvas/ClusterEdits.h"
#include "canvas/ClusterTemplate.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_Arrangement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void alignsToTheOutermost_data();
    void alignsToTheOutermost();
    void distributesWithEqualGaps();
    void twoThingsAreNotDistributed();
    void findsFreeRoomToTheRight();
    void droppedIntoARackJoins();
    void draggedClearOfARackLeaves();
    void aWholeRackKeepsItsMembers();
    void pinningMovesNothing();
    void aNewMachineIsLikeTheOneSelected();
    void linksAreLikeTheirNeighbours();
    void obstaclesToLinks();
    void duplicatesKeepTheirLinksAndRack();
    void wholeRacksComeAlong();
    void racksLeftEmptyGo();
    void templatesMakeWhatTheySay_data();
    void templatesMakeWhatTheySay();
    void replacingTakesFaultsOfWhatIsGone();
    void addedClusterStandsBeside();
    void linksGoOverTheCardsBetween();
};

namespace {

// 0–10, 30–60 and 80–120 from left to right; tops 0, 5, 40.
const std::vector<PlacedThing> three{{QStringLiteral("a"), {0, 0, 10, 10}},
                                     {QStringLiteral("b"), {30, 5, 30, 20}},
                                     {QStringLiteral("c"), {80, 40, 40, 40}}};

QString keyed(const char* key) { return QString::fromLatin1(key); }

/// The sample: r1 holds m1 and m2, r2 holds m3 and m4, all linked with "sw"; placed, so that nothing moves.
Scenario placedSample() {
    Scenario s = test::sampleScenario();
    const auto put = [&](std::size_t i, double x) { s.cluster.machines[i].position = Position{x, 0}; };
    put(0, 0), put(1, 200), put(2, 800), put(3, 1000);
    s.cluster.switches[0].position = Position{500, -300};
    return s;
}

} // namespace

void tst_Arrangement::alignsToTheOutermost_data() {
    QTest::addColumn<int>("alignment");
    QTest::addColumn<QPointF>("a");
    QTest::addColumn<QPointF>("b");
    QTest::addColumn<QPointF>("c");
    const auto row = [](const char* name, Alignment alignment, QPointF a, QPointF b, QPointF c) {
        QTest::newRow(name) << static_cast<int>(alignment) << a << b << c;
    };
    // All together: 0–120 across, 0–80 down, the middle at (60, 40).
    row("left", Alignment::left, {0, 0}, {-30, 0}, {-80, 0});
    row("centre", Alignment::centre, {55, 0}, {15, 0}, {-40, 0});
    row("right", Alignment::right, {110, 0}, {60, 0}, {0, 0});
    row("top", Alignment::top, {0, 0}, {0, -5}, {0, -40});
    row("middle", Alignment::middle, {0, 35}, {0, 25}, {0, -20});
    row("bottom", Alignment::bottom, {0, 70}, {0, 55}, {0, 0});
}

void tst_Arrangement::alignsToTheOutermost() {
    QFETCH(int, alignment);
    const auto moves = aligningMoves(three, static_cast<Alignment>(alignment));
    QTEST(moves.value(keyed("a")), "a");
    QTEST(moves.value(keyed("b")), "b");
    QTEST(moves.value(keyed("c")), "c");
}

// Room 120 less 80 for the things leaves two gaps of 20: b goes to 30, where it is; then with b at 12, to 30.
void tst_Arrangement::distributesWithEqualGaps() {
    auto things = three;
    QVERIFY(distributingMoves(things, Qt::Horizontal).value(keyed("b")).isNull());
    things[1].rect.moveLeft(12);
    const auto moves = distributingMoves(things, Qt::Horizontal);
    QCOMPARE(moves.value(keyed("b")), QPointF(18, 0));
    QVERIFY(moves.value(keyed("a")).isNull());
    QVERIFY(moves.value(keyed("c")).isNull());
    // Down: room 80 less 70 leaves gaps of 5: b's top goes from 5 to 15.
    QCOMPARE(distributingMoves(three, Qt::Vertical).value(keyed("b")), QPointF(0, 10));
}

void tst_Arrangement::twoThingsAreNotDistributed() {
    const auto moves = distributingMoves({three[0], three[2]}, Qt::Horizontal);
    QVERIFY(moves.value(keyed("a")).isNull());
    QVERIFY(moves.value(keyed("c")).isNull());
}

void tst_Arrangement::findsFreeRoomToTheRight() {
    const std::vector<QRectF> card{{0, 0, 100, 50}};
    QCOMPARE(clearingMove(card, {}, 8), QPointF(0, 0));
    const QPointF by = clearingMove(card, {{0, 0, 100, 50}}, 8);
    QCOMPARE(by, QPointF(112, 0)); // 100 and a gap of 8, on the grid of 8
    QVERIFY(!card[0].translated(by).intersects(QRectF(0, 0, 100, 50)));
    // A wall to the right: below instead.
    const QPointF below = clearingMove(card, {{0, 0, 2000, 50}}, 8);
    QCOMPARE(below.x(), 0.0);
    QVERIFY(below.y() >= 58);
}

void tst_Arrangement::droppedIntoARackJoins() {
    Scenario s = placedSample();
    s.cluster.machines[0].position = Position{900, 0}; // between m3 and m4
    const auto changes = rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"m1"});
    QCOMPARE(changes, (std::vector<RackChange>{{"m1", "r1", "r2"}}));
    s.cluster.switches[0].position = Position{900, 0};
    QCOMPARE(rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"sw"}), (std::vector<RackChange>{{"sw", "", "r2"}}));
}

void tst_Arrangement::draggedClearOfARackLeaves() {
    Scenario s = placedSample();
    // m2's frame reaches from 108 to 292; 64 more are within reach: a card of 152 whose left edge is below
    // 356.
    s.cluster.machines[0].position = Position{430, 0}; // left edge 354
    QVERIFY(rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"m1"}).empty());
    s.cluster.machines[0].position = Position{440, 0};
    QCOMPARE(rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"m1"}), (std::vector<RackChange>{{"m1", "r1", ""}}));
}

void tst_Arrangement::aWholeRackKeepsItsMembers() {
    Scenario s = placedSample();
    s.cluster.machines[0].position = Position{850, 0};
    s.cluster.machines[1].position = Position{950, 0};
    QVERIFY(rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"m1", "m2"}).empty());
    s.cluster.machines[1].rack.clear(); // now m1 is alone in its rack and may go elsewhere
    QCOMPARE(rackChanges(s.cluster, ClusterLayout::of(s.cluster), {"m1"}),
             (std::vector<RackChange>{{"m1", "r1", "r2"}}));
}

void tst_Arrangement::pinningMovesNothing() {
    Cluster c = test::sampleScenario().cluster;
    const ClusterLayout before = ClusterLayout::of(c);
    pinPlaces(c);
    QVERIFY(c.machines[2].position.has_value());
    QCOMPARE(ClusterLayout::of(c).machines, before.machines);
    QCOMPARE(ClusterLayout::of(c).switches, before.switches);
    clearPlaces(c, {});
    QVERIFY(c == test::sampleScenario().cluster);
}

void tst_Arrangement::aNewMachineIsLikeTheOneSelected() {
    Scenario s = test::sampleScenario();
    s.cluster.devices.push_back({.key = "fast", .speed = 2});
    s.cluster.machines[1].device = "fast";
    s.cluster.machines[1].capacity = ResourceVector::of({32, 128});
    QCOMPARE(addMachine(s, {8, 16}, "r2", "m2"), std::string("m5"));
    const Machine& added = s.cluster.machines.back();
    QCOMPARE(added.device, std::string("fast"));
    QVERIFY(added.capacity == ResourceVector::of({32, 128}));
    QCOMPARE(added.rack, std::string("r2"));
    QVERIFY((added.position == Position{8, 16}));
    Scenario nothing;
    QCOMPARE(addMachine(nothing, {}, {}, {}), std::string("m1"));
    QCOMPARE(nothing.cluster.resourceNames.size(), std::size_t{3});
    QVERIFY(nothing.cluster.machines[0].capacity.amount(0) > 0);
}

void tst_Arrangement::linksAreLikeTheirNeighbours() {
    Scenario s = test::sampleScenario(); // links of m1 and m2: 1.25e9; of m3 and m4: 1.25e8
    addLink(s, "m3", "m4");
    QCOMPARE(s.cluster.links.back().bandwidth, 1.25e8);
    QCOMPARE(s.cluster.links.back().key, std::string("m3--m4"));
    addLink(s, "m1", "m2");
    QCOMPARE(s.cluster.links.back().bandwidth, 1.25e9);
}

void tst_Arrangement::obstaclesToLinks() {
    const Cluster c = test::sampleScenario().cluster;
    QCOMPARE(linkObstacle(c, "m1", "m1"), LinkObstacle::itself);
    QCOMPARE(linkObstacle(c, "sw", "m1"), LinkObstacle::linkedAlready); // either way
    QCOMPARE(linkObstacle(c, "m1", "r1"), LinkObstacle::noNode);
    QCOMPARE(linkObstacle(c, "m1", "m2"), LinkObstacle::none);
}

void tst_Arrangement::duplicatesKeepTheirLinksAndRack() {
    Scenario s = placedSample();
    QCOMPARE(duplicate(s, {"m3"}, {0, 200}), (KeySet{"m5"}));
    const Machine& copy = s.cluster.machines.back();
    QCOMPARE(copy.rack, std::string("r2"));
    QCOMPARE(copy.straggler.persistentFactor, 4.0);
    QVERIFY((copy.position == Position{800, 200}));
    QCOMPARE(s.cluster.links.back().from, std::string("m5"));
    QCOMPARE(s.cluster.links.back().to, std::string("sw"));
    QCOMPARE(s.cluster.links.back().bandwidth, 1.25e8);
    // A rack brings its machines, their links and itself.
    QCOMPARE(duplicate(s, {"r1"}, {0, 400}), (KeySet{"m6", "m7", "r3"}));
    QCOMPARE(s.cluster.machines.back().rack, std::string("r3"));
    QCOMPARE(s.cluster.links.size(), std::size_t{4 + 1 + 2});
}

void tst_Arrangement::wholeRacksComeAlong() {
    const Cluster c = test::sampleScenario().cluster;
    QCOMPARE(withWholeRacks(c, {"m1", "m2", "sw"}), (KeySet{"m1", "m2", "r1", "sw"}));
    QCOMPARE(withWholeRacks(c, {"m1", "m3"}), (KeySet{"m1", "m3"}));
    Cluster alone = c;
    alone.machines[1].rack.clear();
    QCOMPARE(withWholeRacks(alone, {"m1"}), (KeySet{"m1"})); // one machine more in its rack is meant
    QCOMPARE(withWholeRacks(alone, {"m1", "m2"}), (KeySet{"m1", "m2", "r1"}));
}

void tst_Arrangement::racksLeftEmptyGo() {
    Scenario s = test::sampleScenario();
    removeWithMembers(s, {"m1", "m2"});
    QCOMPARE(s.cluster.racks.size(), std::size_t{1});
    removeWithMembers(s, {"r2"});
    QVERIFY(s.cluster.machines.empty());
    QVERIFY(s.cluster.racks.empty());
    QVERIFY(s.cluster.links.empty());
    Scenario grouped = test::sampleScenario();
    QCOMPARE(addRack(grouped, {"m1", "m2", "m3"}), std::string("r3"));
    QCOMPARE(grouped.cluster.racks.size(), std::size_t{2}); // r1 has lost both its machines
}

void tst_Arrangement::templatesMakeWhatTheySay_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<std::vector<int>>("numbers");
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("links");
    const auto row = [](const char* name, ClusterTemplate::Kind kind, std::vector<int> n, int machines, int links) {
        QTest::newRow(name) << static_cast<int>(kind) << n << machines << links;
    };
    row("star", ClusterTemplate::Kind::star, {5}, 5, 5);
    row("tree", ClusterTemplate::Kind::tree, {3, 4, 2}, 12, 12 + 3);
    row("fat tree", ClusterTemplate::Kind::fatTree, {4}, 16, 48); // 16 machines, 16 and 16 between tiers
    row("ring", ClusterTemplate::Kind::ring, {6}, 6, 6);
    row("torus", ClusterTemplate::Kind::torus, {3, 4}, 12, 24);
    row("mesh", ClusterTemplate::Kind::mesh, {5}, 5, 10);
    row("RAMP", ClusterTemplate::Kind::ramp, {2, 2, 3}, 12, 66);
}

void tst_Arrangement::templatesMakeWhatTheySay() {
    QFETCH(int, kind);
    QFETCH(std::vector<int>, numbers);
    QFETCH(int, machines);
    QFETCH(int, links);
    const ClusterTemplate shape(static_cast<ClusterTemplate::Kind>(kind));
    QCOMPARE(shape.numbers().size(), numbers.size());
    QVERIFY(shape.whyNot(numbers).isEmpty());
    const Cluster cluster = shape.make(numbers, {});
    QCOMPARE(cluster.machines.size(), static_cast<std::size_t>(machines));
    QCOMPARE(cluster.links.size(), static_cast<std::size_t>(links));
    std::vector<int> usual;
    for (const TemplateNumber& number : shape.numbers()) usual.push_back(number.usual);
    QVERIFY(shape.whyNot(usual).isEmpty());
    QVERIFY(!ClusterTemplate(ClusterTemplate::Kind::ramp).whyNot({2, 3, 1}).isEmpty());
    QVERIFY(!ClusterTemplate(ClusterTemplate::Kind::fatTree).whyNot({5}).isEmpty());
}

void tst_Arrangement::replacingTakesFaultsOfWhatIsGone() {
    Scenario s = test::sampleScenario();
    s.faults.push_back({.target = Fault::Target::machine, .key = "m1", .atSeconds = 1});
    s.faults.push_back({.target = Fault::Target::machine, .meanSecondsBetween = 9});
    s.cluster.storage = "sw";
    replaceCluster(s, starCluster(2, partsLike(s, "m2")));
    QCOMPARE(s.cluster.machines.size(), std::size_t{2});
    QCOMPARE(s.cluster.links.size(), std::size_t{2});
    QCOMPARE(s.cluster.resourceNames, test::sampleScenario().cluster.resourceNames);
    QVERIFY(s.cluster.machines[0].capacity == ResourceVector::of({4, 16}));
    QVERIFY(s.cluster.racks.empty() && s.cluster.storage.empty());
    QCOMPARE(s.faults.size(), std::size_t{1}); // that of every machine stays
    QCOMPARE(s.jobs, test::sampleScenario().jobs);
    for (const Link& link : s.cluster.links) QCOMPARE(link.key, link.from + "--" + link.to);
}

void tst_Arrangement::addedClusterStandsBeside() {
    Scenario s = placedSample();
    const QRectF before = boundsOf(s.cluster);
    const auto added = addCluster(s, ringCluster(3, partsLike(s, {})));
    QCOMPARE(added, (std::set<std::string>{"m5", "m6", "m7"}));
    const ClusterLayout after = ClusterLayout::of(s.cluster);
    for (std::size_t i = 4; i < 7; ++i) QVERIFY(after.machines[i].left() > before.right());
}

/// A switch and two machines in a row: the link of the far one goes over the near one, and is found there.
void tst_Arrangement::linksGoOverTheCardsBetween() {
    Cluster cluster;
    cluster.resourceNames = {"cpu"};
    cluster.switches = {{.key = "sw", .position = Position{0, 0}}};
    for (int i = 1; i <= 2; ++i)
        cluster.machines.push_back({.key = "m" + std::to_string(i), .position = Position{200.0 * i, 0}});
    for (const Machine& machine : cluster.machines)
        cluster.links.push_back({.key = machine.key + "--sw", .from = "sw", .to = machine.key});
    const ClusterLayout layout = ClusterLayout::of(cluster);
    QVERIFY(!layout.links[0].goesOver());
    QVERIFY(layout.links[1].goesOver());
    const QPointF top = layout.links[1].at(0.5);
    QVERIFY(top.y() < layout.machines[0].top());
    QCOMPARE(top.y(), layout.links[1].from.y() - ClusterLayout::LinkLine::lift);
    const ClusterLayout::Hit hit = layout.at(top, 5);
    QVERIFY(hit.kind == ClusterLayout::Kind::link);
    QCOMPARE(hit.index, std::size_t{1});
}

TRAINYARD_TEST(tst_Arrangement)
#include "tst_Arrangement.moc"
