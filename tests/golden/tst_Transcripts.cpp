// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Scenario in, transcript out: tests/golden/NAME.json is run and compared with NAME.expected, which holds the
// metrics (name value relative-tolerance) and the number of events of each type. A failure leaves NAME.actual
// and prints the lines that differ; a change of behaviour that is wanted replaces the .expected by it, in a
// commit that says why.
#include "base/Format.h"
#include "engine/Simulation.h"
#include "record/Metrics.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace trainyard;

class tst_Transcripts : public QObject {
    Q_OBJECT
private slots:
    void transcriptAgrees_data();
    void transcriptAgrees();
};

namespace {

const QDir& goldenFolder() {
    static const QDir folder(QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/golden"));
    return folder;
}

std::map<std::string, double> transcriptOf(const QString& path, QString& problem) {
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    auto loaded = readScenario(path.toStdString(), *registry);
    if (!loaded) {
        problem = QString::fromStdString(loaded.problems().front().text());
        return {};
    }
    auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(loaded->scenario),
                                    .registry = registry,
                                    .resources = ResourcePaths::find({}),
                                    .seed = loaded->scenario.seed,
                                    .threads = 1});
    if (!made) {
        problem = QString::fromStdString(made.problems().front().text());
        return {};
    }
    Simulation& simulation = *made.value();
    while (simulation.step()) {}
    std::map<std::string, double> out =
        computeMetrics(*simulation.workload(), simulation.log(), simulation.state().now()).values;
    for (std::size_t i = 0; i < simulation.log().size(); ++i)
        ++out["events " + std::string(eventName(simulation.log()[i].type))];
    return out;
}

} // namespace

void tst_Transcripts::transcriptAgrees_data() {
    QTest::addColumn<QString>("name");
    for (const auto& name : goldenFolder().entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(name)) << name.chopped(5);
}

void tst_Transcripts::transcriptAgrees() {
    QFETCH(QString, name);
    QString problem;
    auto actual = transcriptOf(goldenFolder().filePath(name + QStringLiteral(".json")), problem);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    const auto all = actual;
    QStringList differences;
    std::ifstream expected(goldenFolder().filePath(name + QStringLiteral(".expected")).toStdString());
    for (std::string line; std::getline(expected, line);) {
        const auto tabs = QString::fromStdString(line).split(QLatin1Char('\t'));
        if (tabs.size() != 3) continue;
        const std::string key = tabs[0].toStdString();
        const double value = parseNumber(tabs[1].toStdString()).value_or(NAN),
                     tolerance = parseNumber(tabs[2].toStdString()).value_or(0);
        const auto it = actual.find(key);
        if (it == actual.end())
            differences << QStringLiteral("- %1 %2").arg(tabs[0], tabs[1]);
        else if (!(std::abs(it->second - value) <= tolerance * std::max(1.0, std::abs(value))))
            differences << QStringLiteral("- %1 %2\n+ %1 %3")
                               .arg(tabs[0], tabs[1], QString::fromStdString(formatNumber(it->second)));
        if (it != actual.end()) actual.erase(it);
    }
    for (const auto& [key, value] : actual)
        differences << QString::fromStdString("+ " + key + " " + formatNumber(value));
    if (differences.isEmpty()) return;
    std::ofstream out((name + QStringLiteral(".actual")).toStdString());
    // Counts of events are exact; the rest may differ in the last digits between processors.
    for (const auto& [key, value] : all)
        out << key << "\t" << formatNumber(value) << "\t" << (key.rfind("events ", 0) == 0 ? "0" : "1e-9") << "\n";
    QFAIL(qPrintable(differences.join(QLatin1Char('\n'))));
}

TRAINYARD_TEST(tst_Transcripts)
#include "tst_Transcripts.moc"
