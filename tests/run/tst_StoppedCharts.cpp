// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts of `run --out` that were not all drawn: no half of one is part of the run, and messages say what is there. The renderer beside a
// copy of trainyard-cli is a script that behaves as each case needs.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>

using namespace trainyard;
using namespace trainyard::test;

class tst_StoppedCharts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void rendererIsStopped_data();
    void rendererIsStopped();
    void rendererFails_data();
    void rendererFails();
    void messagesNameTheUsersDirectory();

private:
    QString path(const QString& name) const { return m_dir.filePath(name); }
    bool isRenderer(const QString& script) const;
    CliAnswer runOf(QProcess& process, int signal) const;
    void isWholeWithoutParts() const;
    QStringList words() const { return {"run", path("tiny.json"), "--quiet", "--out", path("out")}; }
    QTemporaryDir m_dir;
};

void tst_StoppedCharts::initTestCase() {
    QVERIFY(writeFileAtomically(path("tiny.json").toStdString(), writeScenario(tinyScenario())).empty());
    QVERIFY(QFile::copy(qEnvironmentVariable("TRAINYARD_CLI"), path("trainyard-cli")));
}

/// Of now on.
bool tst_StoppedCharts::isRenderer(const QString& script) const {
    QDir(path("out")).removeRecursively();
    QFile::remove(path("trainyard"));
    QFile file(path("trainyard"));
    return file.open(QIODevice::WriteOnly) && file.write("#!/bin/bash\nmkdir pictures\n" + script.toUtf8()) > 0 &&
           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// The run whose renderer has begun a file and then gets the signal (0: none) by way of the command line.
CliAnswer tst_StoppedCharts::runOf(QProcess& process, int signal) const {
    process.start(path("trainyard-cli"), words());
    if (!process.waitForStarted()) return {};
    const auto begun = [&] { return QFile::exists(path("begun")); };
    if (signal != 0 && !QTest::qWaitFor(begun, patience)) return {};
    if (signal != 0) ::kill(static_cast<pid_t>(process.processId()), signal);
    const CliAnswer answer = answerOf(process);
    QFile::remove(path("begun"));
    return answer;
}

void tst_StoppedCharts::isWholeWithoutParts() const {
    QVERIFY(QDir(path("out")).entryList({".trainyard-*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
    const auto list = readWholeFile(path("out/files.json").toStdString(), 1 << 20);
    QVERIFY(list.ok() && list->find("pictures/gantt.svg") != std::string::npos);
    QVERIFY2(list->find(".trainyard-") == std::string::npos, list->c_str());
    const CliAnswer verified = cli({"verify", path("out")});
    QCOMPARE(verified.status, 0);
    QVERIFY2(std::ranges::count(verified.err, '\n') == 1 &&
                 verified.err.find("warning: not all charts were drawn") != std::string::npos,
             verified.err.c_str());
}

void tst_StoppedCharts::rendererIsStopped_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("said");
    const QString line = QStringLiteral("trainyard-cli: stopped while charts were drawn: 1 is there\n");
    QTest::newRow("at once") << QStringLiteral("exec sleep 1000") << SIGINT << line;
    QTest::newRow("by SIGTERM") << QStringLiteral("exec sleep 1000") << SIGTERM << line;
    QTest::newRow("not before it is killed") << QStringLiteral("trap '' TERM; exec sleep 1000") << SIGINT << line;
    QTest::newRow("and says so itself")
        << QStringLiteral(
               "trap 'rm .trainyard-file-*; echo stopped itself >&2; exit 143' TERM; while :; do sleep 0.01; done")
        << SIGINT << QStringLiteral("stopped itself\n");
}

void tst_StoppedCharts::rendererIsStopped() {
    QFETCH(QString, how);
    QFETCH(int, signal);
    QFETCH(QString, said);
    QVERIFY(
        isRenderer(QStringLiteral("cd pictures; echo whole > gantt.svg; echo half > .trainyard-file-$$; touch %1; %2\n")
                       .arg(path("begun"), how)));
    QProcess process;
    const CliAnswer answer = runOf(process, signal);
    QCOMPARE(answer.status, 128 + signal);
    QCOMPARE(QString::fromStdString(answer.err), said);
    isWholeWithoutParts();
}

void tst_StoppedCharts::rendererFails_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("said");
    QTest::newRow("killed") << QStringLiteral(
                                   "cd pictures; echo > gantt.svg; echo half > .trainyard-file-$$; kill -KILL $$")
                            << QStringLiteral(
                                   "trainyard-cli: not all charts were drawn: trainyard --render was ended by "
                                   "signal 9; 1 is there\n");
    QTest::newRow("some") << QStringLiteral("cd pictures; echo > gantt.svg; echo > loss.png; exit 1")
                          << QStringLiteral(
                                 "trainyard-cli: not all charts were drawn: trainyard --render failed; 2 are there\n");
    QTest::newRow("none") << QStringLiteral("exit 1")
                          << QStringLiteral("trainyard-cli: no charts: trainyard --render failed\n");
}

void tst_StoppedCharts::rendererFails() {
    QFETCH(QString, script);
    QFETCH(QString, said);
    QVERIFY(isRenderer(script + QLatin1Char('\n')));
    QProcess process;
    const CliAnswer answer = runOf(process, 0);
    QCOMPARE(answer.status, 1);
    QCOMPARE(QString::fromStdString(answer.err), said);
    if (script.contains(QLatin1String("gantt"))) isWholeWithoutParts();
}

// Not the neighbour where files are made ready, nor the "." that the renderer works in.
void tst_StoppedCharts::messagesNameTheUsersDirectory() {
    QVERIFY(isRenderer(QStringLiteral("echo \"$TRAINYARD_SHOWN_DIRECTORY\" >&2\n")));
    QProcess process;
    const CliAnswer answer = runOf(process, 0);
    QCOMPARE(answer.status, 0);
    QCOMPARE(QString::fromStdString(answer.err).trimmed(),
             QDir(path("out")).canonicalPath() + QStringLiteral("/pictures"));
}

TRAINYARD_TEST(tst_StoppedCharts)
#include "tst_StoppedCharts.moc"
