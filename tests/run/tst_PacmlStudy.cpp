// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// reproduce pacml as scripts use it, and how its baselines are judged.
#include "run/CliProcess.h"
#include "studies/pacml/PacmlStudy.h"
#include "support/GraphSamples.h"

#include <QTemporaryDir>

#include <cmath>

using namespace trainyard;
using test::cli;

class tst_PacmlStudy : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void lookaheadByHand();
    void lookaheadRefuses_data();
    void lookaheadRefuses();
    void publishedLookahead();
    void wrongUse_data();
    void wrongUse();
    void blockedOnesAddUp();
    void publishedBaselines();
    void profilesAreImported();
    void agentIsMeasured();

private:
    QString written(const char* name, const QByteArray& text) const {
        const QString path = m_dir.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return path;
    }
    QTemporaryDir m_dir;
    QString m_profile;
};

namespace {
QByteArray line(int id, const char* forward) {
    return "node" + QByteArray::number(id) + " -- Op -- forward_compute_time=" + forward +
           ", backward_compute_time=6.0, activation_size=0.0, parameter_size=0.0\n";
}

QString dataFolder() {
    return QDir(qEnvironmentVariable("TRAINYARD_TEST_DATA", QStringLiteral(TRAINYARD_SOURCE_DIR "/../shared/data")))
        .filePath(QStringLiteral("pipedream"));
}
} // namespace

void tst_PacmlStudy::initTestCase() {
    QVERIFY2(!qEnvironmentVariable("TRAINYARD_CLI").isEmpty(), "TRAINYARD_CLI must name the program");
    m_profile = written("two.txt", line(1, "2.0") + line(2, "0.12") + "\tnode1 -- node2\n");
}

void tst_PacmlStudy::lookaheadByHand() {
    // 2 + 0.12 + 6 + 6 ms a step, nothing to send; two parts of each operation, 3 · 4 + 2 · 2 dependencies; 50 steps.
    const auto is =
        cli({"reproduce", "pacml", "--lookahead", m_profile, "--degree", "2", "--setting", "corrected", "--json"});
    QCOMPARE(is.status, 0);
    QVERIFY(std::abs(is.json()["jct_s"].get<double>() - 50 * 0.00706) < 1e-12);
    QVERIFY(std::abs(is.json()["sequential_jct_s"].get<double>() - 50 * 0.01412) < 1e-12);
    QCOMPARE(is.json()["nodes"].get<int>(), 8);
    QCOMPARE(is.json()["edges"].get<int>(), 16);
    QCOMPARE(is.json()["communication_s"].get<double>(), 0.0);
    QCOMPARE(is.json()["servers"].get<int>(), 2);
    // Faithfully milliseconds are seconds.
    const auto faithful =
        cli({"reproduce", "pacml", "--lookahead", m_profile, "--degree", "1", "--setting", "faithful", "--json"});
    QVERIFY(std::abs(faithful.json()["jct_s"].get<double>() - 50 * 14.12) < 1e-9);
}

void tst_PacmlStudy::lookaheadRefuses_data() {
    QTest::addColumn<QString>("degree");
    QTest::addColumn<QString>("says");
    QTest::addRow("odd") << "3"
                         << "odd";
    QTest::addRow("ten") << "10"
                         << "no block of the network has 10";
    QTest::addRow("sixteen") << "16"
                             << "12 parts"; // the second takes 12 quanta
    QTest::addRow("cluster") << "64"
                             << "32 servers";
}

void tst_PacmlStudy::lookaheadRefuses() {
    QFETCH(QString, degree);
    QFETCH(QString, says);
    const auto is =
        cli({"reproduce", "pacml", "--lookahead", m_profile, "--degree", degree, "--setting", "faithful", "--json"});
    QCOMPARE(is.status, 0);
    QVERIFY2(is.json()["refused"].get<std::string>().find(says.toStdString()) != std::string::npos, is.out.c_str());
}

void tst_PacmlStudy::publishedLookahead() {
    const QString file = QDir(dataFolder()).filePath(QStringLiteral("gnmt.txt"));
    if (!QFile::exists(file)) QSKIP("the profiles are not in TRAINYARD_TEST_DATA");
    const auto is =
        cli({"reproduce", "pacml", "--lookahead", file, "--degree", "16", "--setting", "faithful", "--json"}).json();
    QVERIFY(std::abs(is["jct_s"].get<double>() / 308.390523893 - 1) < 1e-9);
    QVERIFY(std::abs(is["communication_s"].get<double>() - .1669) < 5e-5);
    QCOMPARE(is["nodes"].get<int>(), 466);
    QCOMPARE(is["edges"].get<int>(), 5292);
    QCOMPARE(is["servers"].get<int>(), 21);
}

void tst_PacmlStudy::wrongUse_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
        QTest::addRow("%s", name) << arguments << says;
    };
    row("no degree", {"pacml", "--lookahead", "FILE"}, "--degree D");
    row("degree 0", {"pacml", "--lookahead", "FILE", "--degree", "0"}, "from 1 on");
    row("degree x", {"pacml", "--lookahead", "FILE", "--degree", "two"}, "from 1 on");
    row("setting", {"pacml", "--lookahead", "FILE", "--degree", "2", "--setting", "exact"}, "faithful");
    row("degree alone", {"pacml", "--degree", "2"}, "of use only with --lookahead");
    row("graphs beside", {"pacml", "--lookahead", "FILE", "--degree", "2", "--graphs", "x"},
        "of no use with --lookahead");
    row("another study", {"slaq", "--graphs", "x"}, "has no option --graphs");
    row("not its question", {"slaq", "--lookahead", "FILE"}, "has no option --lookahead");
    row("no file", {"pacml", "--lookahead", "nonesuch.txt", "--degree", "2"}, "nonesuch.txt");
    row("part", {"pacml", "--lookahead", "FILE", "--part", "baselines"}, "--part");
}

void tst_PacmlStudy::wrongUse() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    arguments.replaceInStrings("FILE", m_profile);
    const auto is = cli(QStringList{"reproduce"} + arguments);
    QVERIFY2(is.status == 1 || is.status == 2, is.err.c_str());
    QVERIFY2(is.err.find(says.toStdString()) != std::string::npos, is.err.c_str());
}

void tst_PacmlStudy::blockedOnesAddUp() {
    // Jobs of 32 s without communication, one each second; 16 ways each takes 2 s, which two blocks just serve. Constant 16, deadline .07 of it: all are
    // in time but those of the last two seconds, which are in flight when the tenth has come; deadline .05: none can be.
    GraphPricer pricer({}, {});
    pricer.add(std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", 16, 16, 0, 0}}, {}}), 1);
    std::vector<GraphArrival> arrivals;
    for (int t = 0; t < 10; ++t) arrivals.push_back({0, double(t), .07});
    const auto served = study::played(pricer, arrivals, 9, study::chooserOf({DegreeRule::Kind::constant, 16}, 1));
    QCOMPARE(served.blocked[static_cast<std::size_t>(BlockedReason::inFlight)], std::size_t{2});
    QCOMPARE(served.served(), std::size_t{8});
    QCOMPARE(served.blocking(true), 0.2);
    QVERIFY(std::abs(served.blocking(false)) < 1e-12);
    QCOMPARE(served.degrees, 8 * 16.0);
    QVERIFY(std::abs(served.speedUps - 8 * 16) < 1e-9);
    for (GraphArrival& a : arrivals) a.beta = .05;
    const auto none = study::played(pricer, arrivals, 9, study::chooserOf({DegreeRule::Kind::constant, 16}, 1));
    QCOMPARE(none.blocked[static_cast<std::size_t>(BlockedReason::impossible)], std::size_t{10});
}

void tst_PacmlStudy::publishedBaselines() {
    if (!QFile::exists(QDir(dataFolder()).filePath(QStringLiteral("vgg16.txt"))))
        QSKIP("the profiles are not in TRAINYARD_TEST_DATA");
    const auto is = cli({"reproduce", "pacml", "--part", "baselines", "--quick", "--graphs", dataFolder(), "--json"});
    QCOMPARE(is.status, 0);
    int judged = 0;
    const nlohmann::json report = is.json();
    for (const auto& claim : report["claims"]) {
        // Five seeds here: where the standard error is a third of the tolerance all the same.
        QVERIFY2(std::abs(claim["measured"].get<double>() - claim["expected"].get<double>()) < .025,
                 claim.dump().c_str());
        ++judged;
    }
    QCOMPARE(judged, 4 * 8 + 4);
}

void tst_PacmlStudy::profilesAreImported() {
    const QString scenario = m_dir.filePath(QStringLiteral("two.json"));
    const auto is = cli({"import", "pipedream", m_profile, "-o", scenario});
    QVERIFY2(is.status == 0, is.err.c_str());
    // 16 ways a step of 14.12 ms takes 0.8825 ms, and what two empty messages take, there and back.
    const auto run = cli({"run", scenario, "--json"});
    QVERIFY2(run.status == 0, run.err.c_str());
    QVERIFY(std::abs(run.json()["metrics"]["mean_jct_s"].get<double>() - 50 * (0.01412 / 16 + 2 * 0.25e-6)) < 1e-7);
    // Its cluster is an optical network, for those who want it admitted at once: it then takes what the look-ahead says.
    const auto admitted = cli({"run", scenario, "--set", "/jobs/0/admission=immediate", "--json"});
    QVERIFY2(admitted.status == 0, admitted.err.c_str());
    const nlohmann::json metrics = admitted.json()["metrics"];
    const std::string degree = std::to_string(metrics["mean_degree"].get<int>());
    const auto ahead = cli({"reproduce", "pacml", "--lookahead", m_profile, "--degree", degree.c_str(), "--setting",
                            "corrected", "--json"});
    QVERIFY2(ahead.status == 0, ahead.err.c_str());
    QVERIFY(std::abs(metrics["mean_jct_s"].get<double>() - ahead.json()["jct_s"].get<double>()) < 1e-8);
    QCOMPARE(cli({"import", "pipedream", m_profile, "--machines", "2", "-o", scenario}).status, 2);
    const auto wrong = cli({"import", "pipedream", written("wrong.txt", line(1, "-2")), "-o", "-"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.find("wrong.txt:1: ") != std::string::npos, wrong.err.c_str());
    const auto trace = cli({"import", "tiresias", m_profile, "-o", scenario});
    QCOMPARE(trace.status, 2);
    QVERIFY2(trace.err.find("--machines is required") != std::string::npos, trace.err.c_str());
}

/// The agent that ships, on the graphs that it was trained on and others; one of another shape, and none.
void tst_PacmlStudy::agentIsMeasured() {
    const QString out = m_dir.filePath(QStringLiteral("agent"));
    const auto is = cli({"reproduce", "pacml", "--part", "agent", "--quick", "--json", "--out", out});
    QVERIFY2(is.status == 0, is.err.c_str());
    const auto claims = is.json()["claims"];
    QVERIFY(claims.size() > 20);
    for (const auto& claim : claims) {
        QVERIFY(claim["id"].get<std::string>().starts_with("agent/"));
        QVERIFY(std::isfinite(claim["measured"].get<double>()));
    }
    // Each difference of the table is that of its two levels.
    QFile table(out + QStringLiteral("/pacml-agent.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const auto lines = QString::fromUtf8(table.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    double agent = -1;
    int differences = 0;
    for (const QString& line : lines.mid(1)) {
        if (line.startsWith(QLatin1Char('#'))) continue;
        const auto cells = line.split(QLatin1Char(','));
        if (cells.size() < 14) continue;
        if (cells[6] == QLatin1String("agent")) agent = cells[8].toDouble();
        if (cells[11].isEmpty() || agent < 0) continue;
        QVERIFY2(std::abs(agent - cells[8].toDouble() - cells[11].toDouble()) < 2e-4, qPrintable(line));
        ++differences;
    }
    QVERIFY(differences > 100);
    const auto none = cli({"reproduce", "pacml", "--part", "agent", "--quick", "--agent", "no-such-agent"});
    QVERIFY(none.status != 0);
    QVERIFY(none.err.find("no-such-agent") != std::string::npos);
}

TRAINYARD_TEST(tst_PacmlStudy)
#include "tst_PacmlStudy.moc"
