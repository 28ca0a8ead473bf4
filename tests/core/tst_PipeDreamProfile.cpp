// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Profiles as PipeDream writes them, and ones that are wrong.
#include "run/import/PipeDreamProfile.h"
#include "support/GraphSamples.h"

#include <cmath>

using namespace trainyard;

class tst_PipeDreamProfile : public QObject {
    Q_OBJECT
private slots:
    void smallOne();
    void profilesOfThePaper_data();
    void profilesOfThePaper();
    void wrongOnes_data();
    void wrongOnes();
    void randomBytesNeverCrash();
};

namespace {
const QByteArray node1 =
    "node1 -- Input0 -- forward_compute_time=1.500, backward_compute_time=0.000, activation_size=8.0, parameter_size=0.000\n";
const QByteArray node2 =
    "node2 -- LSTM(4 -- 8) -- forward_compute_time=2.000, backward_compute_time=4.000, activation_size=[4.0; 2.0], "
    "parameter_size=16.000 -- stage_id=3\r\n";
} // namespace

void tst_PipeDreamProfile::smallOne() {
    const auto graph = parsePipeDreamProfile((node2 + "\n" + node1 + "\tnode1 -- node2\n").toStdString(), "f");
    QVERIFY2(graph.ok(), graph.ok() ? "" : graph.problems().front().text().c_str());
    QCOMPARE(graph->operations.size(), std::size_t{2});
    QCOMPARE(graph->operations[0], (Operation{"node2: LSTM(4 -- 8)", 0.002, 0.004, 6, 16}));
    QCOMPARE(graph->operations[1], (Operation{"node1: Input0", 0.0015, 0, 8, 0}));
    QCOMPARE(graph->dependencies, (std::vector<Dependency>{{1, 0}}));
    QCOMPARE(graph->output, std::optional<std::uint32_t>(0)); // the greatest id, though the first line
    // Milliseconds taken for seconds are exactly the numbers of the file.
    QCOMPARE(parsePipeDreamProfile(node1.toStdString(), "f", 1000)->operations[0].forwardSeconds, 1.5);
    const auto twice =
        parsePipeDreamProfile((node1 + node2 + "\tnode1 -- node2\n\tnode1 -- node2\n").toStdString(), "f");
    QVERIFY(twice.ok());
    QCOMPARE(twice->dependencies.size(), std::size_t{1});
    QCOMPARE(twice.problems().front().code, std::string("repeated-dependency"));
    QCOMPARE(twice.problems().front().line, 4);
}

void tst_PipeDreamProfile::profilesOfThePaper_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("operations");
    QTest::addColumn<double>("sequential");
    QTest::addRow("alexnet") << "alexnet" << 23 << 36.06115;
    QTest::addRow("gnmt") << "gnmt" << 48 << 4.4708;
    QTest::addRow("resnet18") << "resnet18" << 71 << 36.66835;
    QTest::addRow("squeezenet1_0") << "squeezenet1_0" << 68 << 38.00015;
}

void tst_PipeDreamProfile::profilesOfThePaper() {
    QFETCH(QString, name);
    QFETCH(int, operations);
    QFETCH(double, sequential);
    const auto graph = test::profileOf(name, 1);
    if (!graph) QSKIP("the profiles are not in TRAINYARD_TEST_DATA");
    QCOMPARE(static_cast<int>(graph->operations.size()), operations);
    QVERIFY(std::abs(50 * graph->sequentialSeconds() / sequential - 1) < 1e-9);
}

void tst_PipeDreamProfile::wrongOnes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& text, const char* code, int line, const char* says) {
        QTest::addRow("%s", name) << text << code << line << says;
    };
    const auto with = [](const char* from, const char* to) { return QByteArray(node1).replace(from, to); };
    row("empty", "", "bad-profile", 0, "no operations");
    row("json", "{\"a\": 1}\n", "bad-profile", 1, "neither an operation");
    row("dot", "digraph g {\n", "bad-profile", 1, "neither an operation");
    row("negative", with("=1.500", "=-1.5"), "bad-profile", 1, "forward_compute_time is \"-1.5\"");
    row("not a number", with("=1.500", "=nan"), "bad-profile", 1, "forward_compute_time is \"nan\"");
    row("infinite", with("=1.500", "=inf"), "bad-profile", 1, "forward_compute_time");
    row("empty value", with("=1.500", "="), "bad-profile", 1, "forward_compute_time is \"\"");
    row("huge", with("=8.0", "=1e300"), "bad-profile", 1, "activation_size is \"1e300\"");
    row("open list", with("=8.0", "=[8.0"), "bad-profile", 1, "activation_size");
    row("wrong list", with("=8.0", "=[8.0; x]"), "bad-profile", 1, "activation_size is \"x\"");
    row("no size", with("activation_size", "activations"), "bad-profile", 1, "no activation_size");
    row("no time", with("forward_compute_time", "time"), "bad-profile", 1, "no forward_compute_time");
    row("no id", with("node1", "nodeA"), "bad-profile", 1, "\"nodeA\" is no id");
    row("two of one id", node1 + node1, "bad-profile", 2, "two operations node1");
    row("unknown", node1 + "\tnode1 -- node7\n", "bad-profile", 2, "no operation node7");
    row("itself", node1 + "\tnode1 -- node1\n", "cyclic", 0, "cycle");
    row("cycle", node1 + node2 + "\tnode1 -- node2\n\tnode2 -- node1\n", "cyclic", 0, "cycle");
    row("no time at all", with("=1.500", "=0"), "bad-profile", 0, "take no time");
    QByteArray many;
    for (std::size_t i = 0; i <= ComputationGraph::mostOperations; ++i)
        many += QByteArray(node1).replace("node1", "node" + QByteArray::number(qulonglong(i)));
    row("too many", many, "too-large", static_cast<int>(ComputationGraph::mostOperations) + 1,
        "at most 20000 operations");
}

void tst_PipeDreamProfile::wrongOnes() {
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    QFETCH(int, line);
    QFETCH(QString, says);
    const auto graph = parsePipeDreamProfile(text.toStdString(), "profile.txt");
    QVERIFY(!graph.ok());
    const Problem& problem = graph.problems().front();
    QCOMPARE(QString::fromStdString(problem.code), code);
    QCOMPARE(problem.line, line);
    QCOMPARE(problem.file, std::string("profile.txt"));
    QVERIFY2(problem.text().find(says.toStdString()) != std::string::npos, problem.text().c_str());
}

void tst_PipeDreamProfile::randomBytesNeverCrash() {
    // A good profile with bytes changed, removed and doubled is read or refused.
    RandomStream random(1, Purpose::test, 47);
    const std::string good = (node1 + node2 + "\tnode1 -- node2\n").toStdString();
    int read = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
            const std::size_t at = random.below(text.size());
            if (random.below(3) == 0)
                text.erase(at, 1 + random.below(8));
            else if (random.below(2) == 0)
                text.insert(at, text.substr(random.below(text.size()), random.below(30)));
            else
                text[at] = static_cast<char>(random.below(256));
        }
        const auto graph = parsePipeDreamProfile(text, "f");
        read += graph.ok() ? 1 : 0;
        QVERIFY(graph.ok() || !graph.problems().empty());
        if (graph.ok()) QVERIFY(graph->sequentialSeconds() > 0 && !graph->topologicalOrder().empty());
    }
    QVERIFY(read > 100 && read < 2900);
}

TRAINYARD_TEST(tst_PipeDreamProfile)
#include "tst_PipeDreamProfile.moc"
