// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said of wrong words names what is wrong with them, at its place, and short.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QRegularExpression>
#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_ErrorMessages : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void wrongWords_data();
    void wrongWords();
    void warningsBeginAsErrorsDo();
    void noScenariosAreNoSuccess();
    void runNamesWhatValidateNames();

private:
    QTemporaryDir m_dir;
};

void tst_ErrorMessages::initTestCase() {
    QVERIFY(QDir::setCurrent(m_dir.path()));
    Scenario scenario = tinyScenario();
    QVERIFY(writeFileAtomically("tiny.json", writeScenario(scenario)).empty());
    scenario.mode = RunMode::execute;
    QVERIFY(writeFileAtomically("executed.json", writeScenario(scenario)).empty());
}

void tst_ErrorMessages::wrongWords_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("said");
    const QString nines(309, QLatin1Char('9'));
    const QString compare = QStringLiteral("compare tiny.json --vary scheduler=fifo --seeds ");
    QTest::newRow("an option that is none") << "run --bogus"
                                            << "not expected: --bogus";
    QTest::newRow("an option that is none, and its value") << "run tiny.json --bogus value"
                                                           << "not expected: --bogus\n";
    QTest::newRow("an option of no command") << "--bogus"
                                             << "not expected: --bogus";
    QTest::newRow("words too many") << "run tiny.json first second"
                                    << "not expected: first\n";
    QTest::newRow("a policy twice") << "compare tiny.json --vary scheduler=fifo,srtf,fifo"
                                    << "fifo is named twice";
    QTest::newRow("an arm twice") << "compare tiny.json --arm scheduler=fifo --arm scheduler=fifo"
                                  << "fifo is named twice";
    QTest::newRow("nothing") << "run"
                             << "FILE is required";
    QTest::newRow("executed, by the scenario") << "sweep executed.json --grid /jobs/0/batch=10"
                                               << "add --mode simulate";
    QTest::newRow("executed, by the option") << "sweep tiny.json --mode execute --grid /jobs/0/batch=10"
                                             << "leave out --mode execute";
    QTest::newRow("a large seed") << compare + nines << "at most 2^64 - 1";
    QTest::newRow("a large range") << compare + "1-" + nines << "at most 2^64 - 1";
    QTest::newRow("many seeds") << compare + "1-9999999"
                                << "1-9999999 is too many";
    QTest::newRow("a range that falls") << compare + "5-1"
                                        << "ends no lower than it begins";
    QTest::newRow("no seeds") << compare + "one"
                              << "ranges such as 1-20";
    QTest::newRow("a range of values") << "sweep tiny.json --grid /jobs/0/batch=1-20"
                                       << "--grid takes no ranges";
    QTest::newRow("a large range of values")
        << "sweep tiny.json --grid /jobs/0/batch=1-" + nines << "--grid takes no ranges";
    QTest::newRow("a large value") << "sweep tiny.json --grid /jobs/0/batch=" + nines << "9… is too large";
}

void tst_ErrorMessages::wrongWords() {
    QFETCH(QString, words);
    QFETCH(QString, said);
    const CliAnswer answer = cli(words.split(QLatin1Char(' ')));
    const QString all = QString::fromStdString(answer.err);
    QCOMPARE(answer.status, 2);
    QVERIFY2(all.contains(said), qPrintable(all));
    for (const QString& line : all.split(QLatin1Char('\n'))) QVERIFY2(line.size() < 250, qPrintable(line));
}

void tst_ErrorMessages::warningsBeginAsErrorsDo() {
    Scenario scenario = tinyScenario();
    TrainedWork work;
    work.model = {"linear-regression", {}};
    work.dataset = {"gaussian-stream", {{"features", std::int64_t{5}}, {"gradients", std::string("law")}}};
    work.optimizer = {"sgd", {{"learning_rate", 1.9}}}; // warned of
    work.batch = 10;
    work.secondsPerSample = 0.01;
    scenario.jobs[0].work = work;
    QVERIFY(writeFileAtomically("warned.json", writeScenario(scenario)).empty());
    const QString warning = QString::fromStdString(cli({"validate", "warned.json"}).err);
    const QRegularExpression form(
        QStringLiteral("^warned\\.json:\\d+: warning: /jobs/0/optimizer/parameters/learning_rate: "));
    QVERIFY2(form.match(warning).hasMatch(), qPrintable(warning));
    scenario.jobs[1].weight = -1;
    QVERIFY(writeFileAtomically("warned.json", writeScenario(scenario)).empty());
    const QString error = QString::fromStdString(cli({"validate", "warned.json"}).err);
    QVERIFY2(error.contains(QRegularExpression(QStringLiteral("(^|\\n)warned\\.json:\\d+: /jobs/1"))),
             qPrintable(error));
}

void tst_ErrorMessages::noScenariosAreNoSuccess() {
    for (const QStringList& words : {QStringList{"list", "scenarios"}, {"list", "scenarios", "--json"}}) {
        const CliAnswer answer = cli(words, {QStringLiteral("TRAINYARD_RESOURCES=/nowhere")});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.find("TRAINYARD_RESOURCES") != std::string::npos, answer.err.c_str());
    }
    QCOMPARE(cli({"list", "metrics"}, {QStringLiteral("TRAINYARD_RESOURCES=/nowhere")}).status, 0);
    QCOMPARE(cli({"list", "scenarios"}).status, 0);
}

// Two kinds of problems: of the file, and of what a run needs.
void tst_ErrorMessages::runNamesWhatValidateNames() {
    const auto text = readWholeFile(TRAINYARD_SOURCE_DIR "/scenarios/tests/sync-async.json", 1 << 20);
    QString scenario = QString::fromStdString(*text);
    scenario.replace(QStringLiteral("\"linear-regression\""), QStringLiteral("\"boosted-trees\""));
    scenario.replace(QStringLiteral("\"batch\": 10"), QStringLiteral("\"batch\": 1e-9"));
    QVERIFY(writeFileAtomically("two.json", scenario.toStdString()).empty());
    const CliAnswer run = cli({"run", "two.json"}), validated = cli({"validate", "two.json"});
    QCOMPARE(run.status, 2);
    QCOMPARE(validated.status, 2);
    QCOMPARE(run.err, validated.err);
    QVERIFY2(run.err.find("/batch") != std::string::npos && run.err.find("/optimizer") != std::string::npos,
             run.err.c_str());
}

TRAINYARD_TEST(tst_ErrorMessages)
#include "tst_ErrorMessages.moc"
