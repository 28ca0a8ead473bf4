// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every scenario in scenarios/tests keeps what its "expect" block promises, in simulate mode and with its own
// seed. A failure leaves NAME.actual with all metrics beside the expectations, and prints the difference.
#include "base/Format.h"
#include "run/Headless.h"
#include "run/RunVerdict.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDirIterator>

#include <fstream>

using namespace trainyard;

class tst_Expectations : public QObject {
    Q_OBJECT
private slots:
    void scenarioKeepsItsPromises_data();
    void scenarioKeepsItsPromises();
};

void tst_Expectations::scenarioKeepsItsPromises_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/tests"));
    for (const auto& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    QVERIFY2(!folder.entryList({QStringLiteral("*.json")}).isEmpty(), "scenarios/tests has no scenarios");
}

void tst_Expectations::scenarioKeepsItsPromises() {
    QFETCH(QString, path);
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto loaded = readScenario(path.toStdString(), *registry);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.problems().front().text().c_str());
    const auto scenario = std::make_shared<const Scenario>(loaded->scenario);
    QVERIFY2(!scenario->expect.empty(), "a test scenario without expectations cannot fail");
    const auto outcome = simulateOnce({.scenario = scenario,
                                       .registry = registry,
                                       .resources = ResourcePaths::find({}),
                                       .seed = scenario->seed,
                                       .threads = 1},
                                      {});
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.problems().front().text().c_str());
    QStringList broken;
    for (const Problem& problem : brokenExpectations(*scenario, outcome->metrics))
        broken << QString::fromStdString(problem.message.english());
    if (broken.isEmpty()) return;
    std::ofstream actual(QFileInfo(path).completeBaseName().toStdString() + ".actual");
    for (const auto& [name, value] : outcome->metrics.values) actual << name << " " << formatNumber(value) << "\n";
    QFAIL(qPrintable(broken.join(QLatin1Char('\n'))));
}

TRAINYARD_TEST(tst_Expectations)
#include "tst_Expectations.moc"
