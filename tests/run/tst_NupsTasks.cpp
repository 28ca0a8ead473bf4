// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tasks of `reproduce nups`: what a study says of a run against the run itself, and its table of skew against the model.
#include "analysis/QualityCourse.h"
#include "learning/keyed/KeyedModel.h"
#include "run/CliProcess.h"
#include "run/Headless.h"
#include "scenario/KeyedModels.h"
#include "studies/nups/NupsTasks.h"
#include "support/TestMain.h"

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <cmath>
#include <numeric>

using namespace trainyard;
using test::cli;

namespace {

StudyRequest request() {
    StudyRequest made{.registry = std::make_shared<const Registry>(Registry::builtin()), .resources = {}};
    made.scenarios = TRAINYARD_SOURCE_DIR "/scenarios";
    return made;
}

} // namespace

class tst_NupsTasks : public QObject {
    Q_OBJECT
private slots:
    void runsAreAsAsked_data();
    void runsAreAsAsked();
    void runsThatDivergeHaveNoResult();
    void skewIsThatOfTheModel();
    void triplesOfAUser();
    void publishedTriples();
};

void tst_NupsTasks::runsAreAsAsked_data() {
    QTest::addColumn<int>("task");
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("nodes");
    for (int task = 0; task < static_cast<int>(study::nupsTasks.size()); ++task)
        for (const char* policy : {"static", "adaptive"})
            QTest::addRow("%s %s", study::nupsTasks[static_cast<std::size_t>(task)].id, policy)
                << task << QString(policy) << 2 + task % 2;
}

void tst_NupsTasks::runsAreAsAsked() {
    QFETCH(int, task);
    QFETCH(QString, policy);
    QFETCH(int, nodes);
    const study::NupsTask& of = study::nupsTasks[static_cast<std::size_t>(task)];
    const StudyRequest asked = request();
    const study::TaskSettings settings{.nodes = nodes,
                                       .threads = 1,
                                       .parameters = {policy.toStdString(), {}},
                                       .sampling = {.level = Conformity::bounded},
                                       .lookAhead = 128,
                                       .epochs = 2};
    const auto scenario = study::taskScenario(asked, of, settings);
    QVERIFY(scenario);
    QCOMPARE((*scenario)->cluster.machines.size(), static_cast<std::size_t>(nodes));
    QCOMPARE((*scenario)->jobs.front().workers.maximum, nodes);
    const auto alone =
        simulateOnce({.scenario = *scenario, .registry = asked.registry, .resources = {}, .seed = 3}, {});
    QVERIFY(alone);
    StudyReport report;
    const auto results = study::runTasks(asked, {{&of, settings, 2}, {&of, settings, 3}}, report);
    QVERIFY(report.problems.empty());
    QVERIFY(results[0] && results[1]);
    QVERIFY(results[0]->quality != results[1]->quality); // of its own seed
    const auto& metrics = alone->metrics.values;
    QCOMPARE(results[1]->quality, metrics.at(std::string("final_") + of.quality));
    QCOMPARE(results[1]->epochSeconds, metrics.at("makespan_s") / 2);

    // A target that is reached, on the line between two evaluations: the first that is as good.
    RunIndex index({.workload = alone->workload, .log = alone->log});
    index.update();
    const auto& ids = alone->workload->jobs[0].keyedAccess()->qualities;
    const auto quality = static_cast<std::size_t>(std::ranges::find(ids, of.quality) - ids.begin());
    const auto& points = *index.fold<QualityCourse>().of(JobId(std::size_t{0}), quality);
    QVERIFY(points.values.size() >= 2);
    study::NupsTask reached = of;
    reached.target = 0.3 * points.values[0] + 0.7 * points.values[1];
    const double expected = points.seconds[0] + 0.7 * (points.seconds[1] - points.seconds[0]);
    const auto again = study::runTasks(asked, {{&reached, settings, 3}}, report);
    QVERIFY(again[0]);
    QVERIFY2(std::abs(again[0]->toQuality - expected) < 1e-9,
             qPrintable(QStringLiteral("%1 s, not %2 s").arg(again[0]->toQuality).arg(expected)));
    reached.target = std::string(of.quality) == "rmse" ? -1 : 2; // beyond what there can be
    QVERIFY(std::isnan(study::runTasks(asked, {{&reached, settings, 3}}, report)[0]->toQuality));
}

void tst_NupsTasks::runsThatDivergeHaveNoResult() {
    const StudyRequest asked = request();
    StudyReport report;
    // 16 machines, whose copies are made equal five times a second: more often than one can learn from.
    const study::TaskSettings settings{
        .nodes = 16,
        .threads = 2,
        .parameters = {
            "nups",
            {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{1000}}, {"syncs_per_second", 5.0}}}};
    const auto results = study::runTasks(asked, {{&study::nupsTasks[2], settings, 1}}, report, true);
    QVERIFY(!results[0]);
    QVERIFY(report.problems.empty());
}

void tst_NupsTasks::skewIsThatOfTheModel() {
    const StudyRequest asked = request();
    StudyReport report;
    study::nupsSkew(asked, report);
    QCOMPARE(report.tables.size(), std::size_t{1});
    for (const study::NupsTask& task : study::nupsTasks) {
        const auto scenario = study::taskScenario(asked, task, {.parameters = {"static", {}}});
        QVERIFY(scenario);
        const auto workload = withKeyedModels(**scenario, expandWorkload(**scenario, 1), 1);
        QVERIFY(workload);
        std::vector<double> accesses = (*workload)->jobs.front().keyedAccess()->model->accesses();
        std::ranges::sort(accesses, std::greater{});
        const double sum = std::accumulate(accesses.begin(), accesses.end(), 0.0);
        const double mean = sum / static_cast<double>(accesses.size());
        const auto row = std::ranges::find_if(report.tables[0].rows, [&](const auto& r) { return r[0] == task.id; });
        QVERIFY(row != report.tables[0].rows.end());
        const auto shown = [&](std::size_t column) { return std::stod((*row)[column]); };
        const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); };
        QCOMPARE(shown(1), static_cast<double>(accesses.size()));
        QVERIFY(near(shown(2), accesses[0] / mean));
        std::size_t column = 3;
        for (const double part : {0.001, 0.01, 0.1}) {
            const auto first = static_cast<std::ptrdiff_t>(std::ceil(part * static_cast<double>(accesses.size())));
            QVERIFY(near(shown(column++), std::accumulate(accesses.begin(), accesses.begin() + first, 0.0) / sum));
        }
        for (const double times : {10.0, 100.0})
            QCOMPARE(shown(column++),
                     static_cast<double>(std::ranges::count_if(accesses, [&](double a) { return a > times * mean; })));
    }
}

// Neighbours on a ring, both ways: what is to the right of one is known from what is to the left of the other.
void tst_NupsTasks::triplesOfAUser() {
    const QTemporaryDir directory;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(directory.path()));
    const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
    QFile facts(QStringLiteral("ring.tsv"));
    QVERIFY(facts.open(QIODevice::WriteOnly));
    for (int n = 0; n < 40; ++n) {
        const int right = (n + 1) % 40;
        facts.write(QStringLiteral("e%1\tright\te%2\ne%2\tleft\te%1\n").arg(n).arg(right).toUtf8());
    }
    facts.close();
    QCOMPARE(cli({"import", "triples", "ring.tsv", "-o", "ring.keyed", "--test-share", "0.1"}).status, 0);
    const auto answer = cli({"reproduce", "nups", "--triples", "ring.keyed", "--json"});
    QVERIFY2(answer.status == 0, answer.err.c_str());
    const auto out = answer.json();
    QCOMPARE(out["entities"].get<int>(), 40);
    QCOMPARE(out["relations"].get<int>(), 2);
    for (const std::string way : {"one_machine", "four_static", "four_adaptive"})
        QVERIFY(out[way + "_mrr"].get<double>() > 0.15); // by chance: Σ 1/r / 40 = 0.107
    QVERIFY(!out.contains("published_mrr"));
    for (const char* wrong : {"../ring.keyed", "ring.tsv", "none.keyed"}) {
        const auto refused = cli({"reproduce", "nups", "--triples", wrong});
        QVERIFY2(refused.status == 1 || refused.status == 2, wrong);
        QVERIFY(!refused.err.empty());
    }
}

void tst_NupsTasks::publishedTriples() {
    const QString data = qEnvironmentVariable("TRAINYARD_TEST_DATA");
    if (data.isEmpty()) QSKIP("TRAINYARD_TEST_DATA names no folder with triples");
    const QTemporaryDir directory;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(directory.path()));
    const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
    for (const char* name : {"umls", "kinships"}) {
        QCOMPARE(cli({"import", "triples", data + "/triples/" + name, "-o", "data.keyed"}).status, 0);
        const auto out = cli({"reproduce", "nups", "--triples", "data.keyed", "--json"}).json();
        const double published = out["published_mrr"].get<double>();
        for (const std::string way : {"one_machine", "four_static", "four_adaptive"}) {
            const double mrr = out[way + "_mrr"].get<double>();
            qInfo("%s, %s: %.3f, published %.3f", name, way.c_str(), mrr, published);
            QVERIFY(mrr > published - 0.03);
        }
    }
}

TRAINYARD_TEST(tst_NupsTasks)
#include "tst_NupsTasks.moc"
