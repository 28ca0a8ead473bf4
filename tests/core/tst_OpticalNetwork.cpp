// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Blocks of servers on an optical network, and times of its collectives, against hand-worked ones.
#include "planning/graphs/BlockPlacement.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;

class tst_OpticalNetwork : public QObject {
    Q_OBJECT
private slots:
    void shapesInOrder_data();
    void shapesInOrder();
    void blocksAreThoseOfTheirShapes();
    void firstFreeByHand();
    void allReduceUnitVectors_data();
    void allReduceUnitVectors();
    void allReduceByHand();
    void oneToOneByHand();
    void memorySpreadsOperations();
};

namespace {
QString shapesOf(const ServerBlocks& blocks, int parts) {
    QStringList out;
    for (const BlockShape& s : blocks.shapes(parts))
        out << (s.diagonal ? QStringLiteral("diagonal %1").arg(s.groups)
                           : QStringLiteral("%1,%2,%3").arg(s.groups).arg(s.racks).arg(s.servers));
    return out.join(QStringLiteral(" | "));
}
} // namespace

void tst_OpticalNetwork::shapesInOrder_data() {
    QTest::addColumn<int>("parts");
    QTest::addColumn<QString>("shapes");
    // On 4 groups of 4 racks of 2 servers.
    QTest::addRow("1") << 1 << "1,1,1";
    QTest::addRow("2") << 2 << "2,1,1 | 1,1,2 | 1,2,1 | diagonal 2";
    QTest::addRow("4") << 4 << "2,2,1 | 4,1,1 | 2,1,2 | diagonal 4";
    QTest::addRow("6") << 6 << "3,1,2 | 3,2,1";
    QTest::addRow("8") << 8 << "2,2,2 | 4,1,2 | 4,2,1";
    for (const int none : {10, 12, 14}) QTest::addRow("%d", none) << none << "";
    QTest::addRow("16") << 16 << "4,4,1";
}

void tst_OpticalNetwork::shapesInOrder() {
    QFETCH(int, parts);
    QFETCH(QString, shapes);
    QCOMPARE(shapesOf(ServerBlocks({}), parts), shapes);
}

void tst_OpticalNetwork::blocksAreThoseOfTheirShapes() {
    for (const OpticalNetwork& network : {OpticalNetwork{}, OpticalNetwork{.groups = 3, .racks = 2, .servers = 4},
                                          OpticalNetwork{.groups = 4, .racks = 4, .servers = 4}}) {
        const ServerBlocks blocks(network);
        for (int parts = 1; parts <= network.serverCount(); ++parts) {
            std::size_t expected = 0;
            for (const BlockShape& s : blocks.shapes(parts))
                expected += static_cast<std::size_t>((network.groups - s.groups + 1) * (network.racks - s.racks + 1) *
                                                     (network.servers - s.servers + 1));
            QCOMPARE(blocks.blocks(parts).size(), expected);
            for (const ServerBlock& b : blocks.blocks(parts)) {
                QCOMPARE(std::popcount(b.mask), parts);
                QCOMPARE(b.mask & ~blocks.all(), ServerMask{0});
                ServerMask again = 0;
                for (const std::uint8_t s : b.servers) again |= ServerMask{1} << s;
                QCOMPARE(again, b.mask);
                const BlockShape& shape = blocks.shapes(parts)[b.shape];
                const ServerSpread spread = spreadOf(network, b.mask);
                QCOMPARE(spread.groups, shape.groups);
                QCOMPARE(spread.racks, shape.racks);
                QCOMPARE(spread.places, shape.servers);
            }
        }
    }
}

void tst_OpticalNetwork::firstFreeByHand() {
    // Server 8·group + 2·rack + place. 16 parts: the plane of place 0, then that of place 1.
    const ServerBlocks blocks({});
    QCOMPARE(blocks.blocks(16).size(), std::size_t{2});
    QCOMPARE(blocks.blocks(16)[0].mask, ServerMask{0x55555555});
    QCOMPARE(blocks.firstFree(16, 1), 1);
    QCOMPARE(blocks.firstFree(16, 3), -1);
    // Two parts: groups 0 and 1 of rack 0; with server 0 taken the next place.
    QCOMPARE(blocks.blocks(2)[0].servers, (std::vector<std::uint8_t>{0, 8}));
    QCOMPARE(blocks.blocks(2)[static_cast<std::size_t>(blocks.firstFree(2, 1))].servers,
             (std::vector<std::uint8_t>{1, 9}));
    // Only servers 0 and 10 are free, at group 0, rack 0 and at group 1, rack 1: a diagonal.
    const int diagonal = blocks.firstFree(2, blocks.all() & ~(ServerMask{1} | ServerMask{1} << 10));
    QVERIFY(diagonal >= 0);
    QVERIFY(blocks.shapes(2)[blocks.blocks(2)[static_cast<std::size_t>(diagonal)].shape].diagonal);
    QCOMPARE(blocks.countFree(16, 0), 2);
    QCOMPARE(blocks.firstFree(99, 0), -1);
}

void tst_OpticalNetwork::allReduceUnitVectors_data() {
    QTest::addColumn<int>("parts");
    QTest::addColumn<double>("seconds");
    QTest::addRow("2") << 2 << 3.2505e-3;
    QTest::addRow("4") << 4 << 4.876e-3;
    QTest::addRow("8") << 8 << 5.689e-3;
    QTest::addRow("16") << 16 << 7.03225e-3;
}

void tst_OpticalNetwork::allReduceUnitVectors() {
    // 10⁹ bytes on the first block of so many servers, as the published implementation has it.
    QFETCH(int, parts);
    QFETCH(double, seconds);
    const ServerBlocks blocks({});
    const double all = allReduceSeconds(blocks.network(), GraphSetting::faithful(),
                                        spreadOf(blocks.network(), blocks.blocks(parts)[0].mask), 1e9);
    QVERIFY2(std::abs(all - seconds) < 1e-8, qPrintable(QString::number(all, 'g', 12)));
}

void tst_OpticalNetwork::allReduceByHand() {
    // Two groups, one rack: one step, d = 2. 8·10⁹ bytes: m = 4·10⁹; four channels of 4·10¹¹ bytes/s, 2.5 ms, and 0.25 µs; twice.
    // Adding: one round, a = 1/6: 2·10⁹ / (2·10¹²/6) = 6 ms.
    const OpticalNetwork network;
    const ServerSpread pair{.groups = 2, .racks = 1, .places = 1};
    QCOMPARE(allReduceSeconds(network, GraphSetting::corrected(), pair, 8e9), 2 * (2.5e-3 + 0.25e-6) + 6e-3);
    GraphSetting divided;
    divided.bandwidthDividedTwice = true;
    QCOMPARE(allReduceSeconds(network, divided, pair, 8e9), 2 * (10e-3 + 0.25e-6) + 6e-3);
    // Two groups, two racks: two steps, m = 4·10⁹ and 2·10⁹; two racks contend for four channels: 5 and 2.5 ms; adding 6 and 3 ms.
    const ServerSpread square{.groups = 2, .racks = 2, .places = 1};
    QVERIFY(std::abs(allReduceSeconds(network, GraphSetting::corrected(), square, 8e9) -
                     (2 * (5e-3 + 2.5e-3 + 0.5e-6) + 9e-3)) < 1e-15);
    GraphSetting one;
    one.oneContendingRack = true;
    QVERIFY(std::abs(allReduceSeconds(network, one, square, 8e9) - (2 * (2.5e-3 + 1.25e-3 + 0.5e-6) + 9e-3)) < 1e-15);
    // Servers of one rack have no step.
    QCOMPARE(allReduceSeconds(network, {}, {.groups = 1, .racks = 1, .places = 2}, 8e9), 0.0);
}

void tst_OpticalNetwork::oneToOneByHand() {
    // 0.05 µs on the way, 0.1 µs at each end, 4·10⁹ bytes at 4·10¹¹ bytes/s.
    QCOMPARE(oneToOneSeconds({}, 4e9), 0.25e-6 + 10e-3);
    QCOMPARE(oneToManySeconds({}, 4e9), oneToOneSeconds({}, 4e9));
}

void tst_OpticalNetwork::memorySpreadsOperations() {
    // Three operations in a row, whole, 30, 40 and 30 bytes, twice each: forward and backward. Of 100 bytes each server holds one of
    // them; the third goes to neither of the first two.
    ComputationGraph graph{{{"a", 1, 1, 30, 0}, {"b", 1, 1, 40, 0}, {"c", 1, 1, 30, 0}}, {{0, 1}, {1, 2}}};
    const auto split = SplitGraph::make(graph, 1, {});
    OpticalNetwork network;
    network.memoryBytes = 100;
    QVERIFY(!memoryNeverBinds(*split, 100));
    QCOMPARE(*firstFitInMemory(graph, *split, ServerBlocks(network), 0), (std::vector<std::uint16_t>{0, 1, 2}));
    QCOMPARE(*firstFitInMemory(graph, *split, ServerBlocks(network), 2), (std::vector<std::uint16_t>{0, 2, 3}));
    // A fourth of 10 bytes after c goes where c is; of 25 bytes after a, where the first has room again.
    graph.operations.push_back({"d", 1, 1, 10, 0});
    graph.dependencies.push_back({2, 3});
    QCOMPARE(*firstFitInMemory(graph, *SplitGraph::make(graph, 1, {}), ServerBlocks(network), 0),
             (std::vector<std::uint16_t>{0, 1, 2, 2}));
    network.memoryBytes = 70;
    QVERIFY(!firstFitInMemory(graph, *SplitGraph::make(graph, 1, {}), ServerBlocks(network), 0));
    // Where memory does not bind, all have the first free block.
    network.memoryBytes = 220;
    QCOMPARE(*firstFitInMemory(graph, *SplitGraph::make(graph, 1, {}), ServerBlocks(network), 1),
             (std::vector<std::uint16_t>{1, 1, 1, 1}));
}

TRAINYARD_TEST(tst_OpticalNetwork)
#include "tst_OpticalNetwork.moc"
