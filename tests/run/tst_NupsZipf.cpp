// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// `reproduce nups --zipf`: its settings, its numbers, and the scenario that it writes, which gives the same ones.
#include "run/Headless.h"
#include "scenario/ScenarioFile.h"
#include "studies/nups/NupsStudy.h"
#include "support/TestMain.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

using namespace trainyard;
using Json = nlohmann::ordered_json;

namespace {

StudyRequest request() {
    StudyRequest made{.registry = std::make_shared<const Registry>(Registry::builtin()), .resources = {}};
    made.scenarios = TRAINYARD_SOURCE_DIR "/scenarios";
    return made;
}

} // namespace

class tst_NupsZipf : public QObject {
    Q_OBJECT
private slots:
    void goldenNumbers();
    void theWrittenScenarioGivesTheSame_data();
    void theWrittenScenarioGivesTheSame();
    void tenTimesAsFast();
    void wrongSettings_data();
    void wrongSettings();
};

void tst_NupsZipf::goldenNumbers() {
    const auto answer =
        study::runZipf(request(), "nodes=4,threads=1,keys=100000,operations=20000,exponent=1.1,permutation_seed=5,"
                                  "worker_seed=1234,manager=static");
    QVERIFY(answer);
    const Json out = Json::parse(*answer);
    QCOMPARE(out.at("remote_pulls").get<int>(), 59'965);
    QCOMPARE(out.at("pulls_not_local").get<int>(), 59'965);
    QCOMPARE(out.at("messages").get<int>(), 239'860);
    QCOMPARE(out.at("bytes_sent").get<int>(), 54'688'080);
    QCOMPARE(out.at("replica_messages").get<int>(), 0);
    for (const char* type : {"pull-request", "pull-answer", "push", "push-answer"})
        QCOMPARE(out.at("messages_by_type").at(type).get<int>(), 59'965);
    QVERIFY(out.at("iterations_per_s").get<double>() > 0 && out.at("wall_iterations_per_s").get<double>() > 0);
}

void tst_NupsZipf::theWrittenScenarioGivesTheSame_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<double>("updates");
    QTest::newRow("values of its own")
        << "nodes=3,threads=2,keys=500,operations=300,manager=nups,replicate=20,latency_us=30,compute_us=2" << 1800.0;
    QTest::newRow("defaults of the format")
        << "nodes=4,threads=1,keys=100000,operations=20000,exponent=1.1,permutation_seed=5,worker_seed=1234,"
           "manager=static"
        << 80'000.0;
}

void tst_NupsZipf::theWrittenScenarioGivesTheSame() {
    QFETCH(QString, settings);
    QFETCH(double, updates);
    const QTemporaryDir directory;
    const std::filesystem::path path = directory.path().toStdString();
    StudyRequest asked = request();
    asked.out = path;
    const auto answer = study::runZipf(asked, settings.toStdString());
    QVERIFY(answer);
    const Json out = Json::parse(*answer);
    auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto read = readScenario(path / "scenario.json", *registry);
    QVERIFY(read);
    auto scenario = std::make_shared<const Scenario>(std::move(read).value().scenario);
    const auto again =
        simulateOnce({.scenario = scenario, .registry = registry, .resources = {}, .seed = scenario->seed}, {});
    QVERIFY(again);
    QCOMPARE(again->digest, out.at("digest").get<std::string>());
    for (const char* name :
         {"remote_pulls", "pulls_not_local", "messages", "bytes_sent", "replica_messages", "replica_bytes"})
        QCOMPARE(again->metrics.values.at(name), out.at(name).get<double>());
    QCOMPARE(again->metrics.values.at("updates"), updates);
}

/// The ratio that the study claims, at the size of its quick run.
void tst_NupsZipf::tenTimesAsFast() {
    const auto rate = [](const std::string& settings) {
        return Json::parse(*study::runZipf(request(), settings)).at("iterations_per_s").get<double>();
    };
    const double base = rate("manager=static");
    QVERIFY(rate("manager=nups,replicate=86") > 10 * base);
    QVERIFY(rate("manager=nups,replicate=1000") > 10 * base);
}

void tst_NupsZipf::wrongSettings_data() {
    QTest::addColumn<QString>("settings");
    for (const char* wrong :
         {"nodes=0", "nodes=x", "keys=", "colour=3", "exponent=-1", "exponent=nan", "manager=all", "operations=1.5",
          "worker_seed=-1", "latency_us=1e99", "manager=nups,keys=10,replicate=11", "manager=relocating,lookahead=0"})
        QTest::newRow(wrong) << QString(wrong);
}

void tst_NupsZipf::wrongSettings() {
    QFETCH(QString, settings);
    const auto answer = study::runZipf(request(), settings.toStdString());
    QVERIFY(!answer && !answer.problems().empty());
}

TRAINYARD_TEST(tst_NupsZipf)
#include "tst_NupsZipf.moc"
