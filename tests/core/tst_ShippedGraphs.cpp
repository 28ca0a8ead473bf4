// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Graphs that ship, against what is published of their architectures.
#include "planning/graphs/ShippedGraphs.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_ShippedGraphs : public QObject {
    Q_OBJECT
private slots:
    void parametersAreThePublishedOnes_data();
    void parametersAreThePublishedOnes();
    void arithmeticIsThePublishedOne_data();
    void arithmeticIsThePublishedOne();
    void oneLayerByHand();
    void graphsAreUsable();
};

void tst_ShippedGraphs::parametersAreThePublishedOnes_data() {
    QTest::addColumn<double>("parameters");
    QTest::newRow("alexnet") << 61100840.; // these as torchvision's models have them
    QTest::newRow("vgg16") << 138357544.;
    QTest::newRow("resnet18") << 11689512.;
    QTest::newRow("resnet50") << 25557032.;
    QTest::newRow("squeezenet") << 1248424.;
    // 12 layers of BERT base, 7,087,872 each, and the words' vectors.
    QTest::newRow("transformer") << 12 * 7087872. + 30522. * 768;
    // 784·4096 + 4096 + 2·(4096² + 4096) + 4096·10 + 10
    QTest::newRow("mlp") << 36818954.;
    // Two tables of 32,320 × 1024; LSTM cells of 4·((inputs + 1024)·1024 + 2·1024): five of 1024 inputs, four of 2048 (layer 2 of the encoder, three of
    // the decoder); attention 2·1024² + 1024; the projection 1024·32,320 + 32,320.
    QTest::newRow("gnmt") << 2 * 32320. * 1024 + 5 * (4. * (2048 * 1024 + 2048)) + 4 * (4. * (3072 * 1024 + 2048)) +
                                 2 * 1024. * 1024 + 1024 + 1024. * 32320 + 32320;
}

void tst_ShippedGraphs::parametersAreThePublishedOnes() {
    QFETCH(double, parameters);
    const ShippedGraph* shipped = findShippedGraph(QTest::currentDataTag());
    QVERIFY(shipped);
    double sum = 0;
    for (const Operation& op : shippedGraph(*shipped).operations) sum += op.parameterBytes / 4;
    QCOMPARE(sum, parameters);
}

void tst_ShippedGraphs::arithmeticIsThePublishedOne_data() {
    QTest::addColumn<double>("multiplications"); // billions, of a sample, forward; torchvision's documentation
    QTest::newRow("alexnet") << .71;
    QTest::newRow("vgg16") << 15.47;
    QTest::newRow("resnet18") << 1.81;
    QTest::newRow("resnet50") << 4.09;
    QTest::newRow("squeezenet") << .82;
}

/// On a device without memory traffic and launches, times are the arithmetic.
void tst_ShippedGraphs::arithmeticIsThePublishedOne() {
    QFETCH(double, multiplications);
    const ShippedGraph* shipped = findShippedGraph(QTest::currentDataTag());
    double forward = 0, backward = 0;
    for (const Operation& op : shipped->make(3, {1e9, 1e30, 0}).operations) {
        forward += op.forwardSeconds;
        backward += op.backwardSeconds;
    }
    QVERIFY2(std::abs(forward / (2 * 3 * multiplications) - 1) < 0.02, qPrintable(QString::number(forward / 6)));
    QVERIFY(std::abs(backward / forward - 2) < 1e-9);
}

void tst_ShippedGraphs::oneLayerByHand() {
    // The first layer of the perceptron, batch 10: 2·784·4096 FLOP each; (784 + 4096)·10 + 784·4096 + 4096 numbers.
    const Operation op = findShippedGraph("mlp")->make(10, {1e9, 1e9, 0.5}).operations.front();
    const double flop = 10 * 2. * 784 * 4096, bytes = 4 * ((784. + 4096) * 10 + 784. * 4096 + 4096);
    QVERIFY(flop > bytes);
    QVERIFY(std::abs(op.forwardSeconds - (flop / 1e9 + 0.5)) < 1e-12);
    QVERIFY(std::abs(op.backwardSeconds - (2 * flop / 1e9 + 0.5)) < 1e-12);
    QCOMPARE(op.activationBytes, 4. * 10 * 4096);
    QCOMPARE(op.parameterBytes, 4 * (784. * 4096 + 4096));
    const Operation slow = findShippedGraph("mlp")->make(10, {1e9, 1e6, 0}).operations.front();
    QVERIFY(std::abs(slow.forwardSeconds - bytes / 1e6) < 1e-9);
}

void tst_ShippedGraphs::graphsAreUsable() {
    QCOMPARE(shippedGraphs().size(), std::size_t{8});
    for (const ShippedGraph& shipped : shippedGraphs()) {
        const ComputationGraph graph = shippedGraph(shipped);
        QCOMPARE(graph.topologicalOrder().size(), graph.operations.size());
        QVERIFY(!shipped.source.empty() && !shipped.label.empty());
        QCOMPARE(graph.outputOperation() + 1, graph.operations.size());
        qInfo("%s: %zu operations, %zu dependencies, %.4f s, %.3g bytes", shipped.id.c_str(), graph.operations.size(),
              graph.dependencies.size(), graph.sequentialSeconds(), graph.offeredBytes());
    }
    QVERIFY(!findShippedGraph("lenet"));
}

TRAINYARD_TEST(tst_ShippedGraphs)
#include "tst_ShippedGraphs.moc"
