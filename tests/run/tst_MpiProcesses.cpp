// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Commands that mpirun starts in several processes: exports are those of one process; a process that is killed and a signal lose nothing;
// what does not share its runs is refused. Skipped where the program is built without MPI, but for the refusal.
#include "base/WholeFile.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>

using namespace trainyard;

class tst_MpiProcesses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void alikeOfAnyNumber_data();
    void alikeOfAnyNumber();
    void goesOnAfterASignal_data();
    void goesOnAfterASignal();
    void othersAreRefused_data();
    void othersAreRefused();

private:
    struct Ended {
        int status;
        QByteArray out, problems;
    };
    /// Under mpirun with so many processes; 0: without.
    static void start(QProcess& process, int processes, QStringList arguments);
    static Ended run(int processes, const QStringList& arguments);
    QTemporaryDir m_dir;
    QString m_file;
    bool m_hasMpi = false;
};

void tst_MpiProcesses::start(QProcess& process, int processes, QStringList arguments) {
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
        environment.insert(QLatin1String(name), QStringLiteral("1"));
    process.setProcessEnvironment(environment);
    arguments.prepend(qEnvironmentVariable("TRAINYARD_CLI"));
    if (processes > 0)
        arguments = QStringList{QStringLiteral("mpirun"), QStringLiteral("--oversubscribe"), QStringLiteral("-n"),
                                QString::number(processes)} +
                    arguments;
    process.start(arguments.takeFirst(), arguments);
}

tst_MpiProcesses::Ended tst_MpiProcesses::run(int processes, const QStringList& arguments) {
    QProcess process;
    start(process, processes, arguments);
    process.waitForFinished(120'000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void tst_MpiProcesses::initTestCase() {
    m_file = m_dir.filePath(QStringLiteral("tiny.json"));
    QVERIFY(writeFileAtomically(m_file.toStdString(), writeScenario(test::tinyScenario())).empty());
    if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty()) return;
    m_hasMpi = run(2, {QStringLiteral("compare"), QStringLiteral("--help")}).status == 0;
}

void tst_MpiProcesses::alikeOfAnyNumber_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("compare") << QStringList{"compare", m_file, "--vary", "synchronization=full-sync,async",
                                            "--seeds", "1-8"};
    QTest::newRow("until") << QStringList{
        "compare", m_file,           "--vary",    "synchronization=full-sync,async", "--until-half-width",
        "5%",      "--until-metric", "mean_jct_s"};
    QTest::newRow("study") << QStringList{"reproduce", "stragglers", "--quick", "--part", "tradeoff"};
    QTest::newRow("sweep") << QStringList{"sweep", m_file, "--grid", "/jobs/0/stop/iterations=2,3,4", "--seeds", "1-3"};
}

void tst_MpiProcesses::alikeOfAnyNumber() {
    if (!m_hasMpi) QSKIP("no mpirun, or built without MPI");
    QFETCH(const QStringList, arguments);
    const std::map<QString, QString> tables{
        {"compare", "/comparison.csv"}, {"sweep", "/sweep.csv"}, {"reproduce", "/claims.json"}};
    const auto withOut = [&](const QString& out) {
        return arguments + QStringList{"--json", "--out", m_dir.filePath(QLatin1String(QTest::currentDataTag()) + out)};
    };
    const auto text = [&](const QString& out) {
        return readWholeFile((withOut(out).back() + tables.at(arguments.front())).toStdString(), 1 << 24).value();
    };
    const Ended alone = run(0, withOut("alone"));
    QCOMPARE(alone.status, 0);
    for (const int processes : {1, 2, 3, 5}) {
        const Ended shared = run(processes, withOut(QString::number(processes)));
        QVERIFY2(shared.status == 0, shared.problems.constData());
        QCOMPARE(shared.out, alone.out);
        QVERIFY(text(QString::number(processes)) == text("alone"));
    }
}

void tst_MpiProcesses::goesOnAfterASignal_data() {
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("status"); // of mpirun, docs/cluster.md
    QTest::newRow("killed") << "1" << SIGKILL << 128 + SIGKILL;
    QTest::newRow("told to stop") << "0" << SIGINT << 128 + SIGINT;
    QTest::newRow("ctrl-c") << "mpirun" << SIGINT << 1;
}

void tst_MpiProcesses::goesOnAfterASignal() {
    if (!m_hasMpi) QSKIP("no mpirun, or built without MPI");
    QFETCH(const QString, to);
    QFETCH(const int, signal);
    const QString out = m_dir.filePath(QLatin1String(QTest::currentDataTag())), file = m_dir.filePath("long.json");
    QVERIFY(writeFileAtomically(file.toStdString(), writeScenario(test::tinyScenario(5'000))).empty());
    const QStringList arguments{"compare", file, "--vary", "synchronization=full-sync,async", "--seeds", "1-20"};
    // Each process writes its number before it is the program.
    const QString script = m_dir.filePath("numbered"), numbers = m_dir.filePath("pid.");
    QVERIFY(writeFileAtomically(script.toStdString(), "#!/bin/sh\necho $$ > '" + numbers.toStdString() +
                                                          "'$OMPI_COMM_WORLD_RANK\nexec \"$@\"\n")
                .empty());
    QFile(script).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    const QString cli = qEnvironmentVariable("TRAINYARD_CLI");
    QProcess process;
    qputenv("TRAINYARD_CLI", script.toLocal8Bit());
    start(process, 2, QStringList{cli} + arguments + QStringList{"--rows", "--out", out});
    qputenv("TRAINYARD_CLI", cli.toLocal8Bit());
    QVERIFY(process.waitForReadyRead(30'000)); // some runs are over
    QFile number(numbers + to);
    const bool isNumbered = number.open(QFile::ReadOnly);
    const auto pid = isNumbered ? number.readAll().trimmed().toInt() : static_cast<int>(process.processId());
    QCOMPARE(kill(pid, signal), 0);
    QVERIFY(process.waitForFinished(30'000));
    QTEST(process.exitCode(), "status");
    const QByteArray rows = process.readAllStandardOutput();
    const Ended resumed = run(2, arguments + QStringList{"--json", "--resume", "--out", out});
    QVERIFY2(resumed.status == 0, resumed.problems.constData());
    QVERIFY(rows.count('\n') < 40);
    QCOMPARE(resumed.out, run(0, arguments + QStringList{"--json"}).out);
}

void tst_MpiProcesses::othersAreRefused_data() {
    QTest::addColumn<QList<QByteArray>>("environment"); // names of what says 2
    QTest::addColumn<QStringList>("words");
    const QStringList compare{"compare", m_file, "--vary", "synchronization=full-sync,async", "--seeds", "1"};
    QTest::newRow("other command") << QList<QByteArray>{"OMPI_COMM_WORLD_SIZE"} << QStringList{"list", "metrics"};
    QTest::newRow("by srun") << QList<QByteArray>{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}
                             << QStringList{"list", "metrics"};
    QTest::newRow("by another MPI") << QList<QByteArray>{"PMI_SIZE"} << compare;
}

void tst_MpiProcesses::othersAreRefused() {
    QFETCH(const QList<QByteArray>, environment);
    QFETCH(const QStringList, words);
    for (const QByteArray& name : environment) qputenv(name, "2");
    const Ended refused = run(0, words);
    for (const QByteArray& name : environment) qunsetenv(name);
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.problems.contains("trainyard-cli: "), refused.problems.constData());
    QVERIFY(refused.out.isEmpty());
}

TRAINYARD_TEST(tst_MpiProcesses)
#include "tst_MpiProcesses.moc"
