// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Options that would change nothing beside others, or for this kind of file, are refused with a sentence that names them.
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_UselessOptions : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void areRefused_data();
    void areRefused();

private:
    QTemporaryDir m_dir;
};

void tst_UselessOptions::initTestCase() {
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("tiny.json", writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"run", "tiny.json", "--quiet", "--no-charts", "--out", "run"}).status, 0);
    QCOMPARE(cli({"compare", "tiny.json", "--vary", "scheduler=fifo", "--seeds", "1-2", "--json", "--out", "compared"})
                 .status,
             0);
}

void tst_UselessOptions::areRefused_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* words, const char* named) {
        QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(named);
    };
    row("run compared/comparison.csv --quiet", "--quiet");
    row("run compared/comparison.csv --metrics mean_jct_s", "--metrics");
    row("run compared/comparison.csv --all", "--all");
    row("run compared/comparison.csv --no-charts", "--no-charts");
    row("explain run --job a --notes --json", "--notes");
    row("explain run --against run --notes", "--notes");
    row("compare tiny.json --vary scheduler=fifo --tune-seeds 7", "--tune-seeds");
    row("compare tiny.json --vary scheduler=fifo --rows --json", "--rows");
    row("sweep tiny.json --grid /seed=1 --rows --json", "--rows");
    row("run tiny.json --seed 5 --set /seed=6", "--set /seed");
    row("sweep tiny.json --grid /jobs/0/batch=5 --seeds 1-2 --set /seed=6", "--set /seed");
    row("compare tiny.json --vary scheduler=fifo --set /seed=6", "--set /seed");
    row("run tiny.json --max-wall 0", "0 is no number above 0");
    row("fit times.csv --tail 0", "0 is no number above 0");
    row("import tiresias trace.csv --machines 1 --gpus 1 --jobs 0 -o out.json", "0 is no number above 0");
    row("compare tiny.json --vary scheduler=fifo --shard 1.0/2", "--shard");
    row("run tiny.json --metrics utilization_RESOURCE", "utilization_RESOURCE");
    row("run tiny.json --metrics utilization_gpus", "utilization_gpus");
    row("compare tiny.json --vary scheduler=fifo,,srtf", "--vary");
    row("compare tiny.json --vary scheduler=fifo --seeds 1,,2", "1,,2");
    row("compare tiny.json --vary scheduler=fifo --seeds 1-3,", "1-3,");
    row("compare tiny.json --vary scheduler=fifo --tune-rate ,", "--tune-rate");
    row("compare tiny.json --vary scheduler=fifo --until-half-width 5% --until-metric jct_s", "jct_s");
    row("compare tiny.json --vary scheduler=fifo --until-half-width 5% --until-metric busy_RESOURCE", "busy_RESOURCE");
    row("compare tiny.json --vary scheduler=fifo --mode execute --order-by attained_service_s", "attained_service_s");
    row("reproduce pdors --instances tiny.json --part ratio", "--part");
    row("reproduce pdors --instances tiny.json --quick", "--quick");
    row("import tiresias trace.csv --machines 1 --gpus 1 --cluster x -o out.json", "--cluster");
}

void tst_UselessOptions::areRefused() {
    QFETCH(QString, words);
    QFETCH(QString, named);
    const CliAnswer answer = cli(words.split(QLatin1Char(' ')));
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.find(named.toStdString()) != std::string::npos, answer.err.c_str());
    QVERIFY(answer.out.empty());
}

TRAINYARD_TEST(tst_UselessOptions)
#include "tst_UselessOptions.moc"
