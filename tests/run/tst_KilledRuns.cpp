// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run replaces an earlier one, and is killed at its n-th call that changes files (tests/support/FileCalls.cpp): afterwards the directory
// holds one of the two, whole, and all that is not of a run. The gate tries every call where the directory is plain and each fifth
// elsewhere; TRAINYARD_EVERY_CALL=1 (packaging/torture) tries all.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunFiles.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

#include <csignal>
#include <fstream>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_KilledRuns : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void oneRunIsWhole_data();
    void oneRunIsWhole();
    void fullDisksLeaveTheEarlierRun_data();
    void fullDisksLeaveTheEarlierRun();

private:
    void layOut(const QString& layout) const;
    /// How often the run changes files, if nothing happens to it.
    int callsOf(const QString& layout) const;
    /// Status of a run with this seed, in which `what` happens.
    static int run(const QString& layout, int seed, const QStringList& what);
    void check(const QString& layout, int call) const;

    QTemporaryDir m_dir;
    fs::path m_run; ///< links resolved
};

namespace {

const char* const layouts[] = {"plain", "with a sub-directory", "working directory", "symbolic link", "old system"};

fs::path here(const QTemporaryDir& dir, const char* name) { return fs::path(dir.path().toStdString()) / name; }

} // namespace

void tst_KilledRuns::initTestCase() {
    if (qEnvironmentVariable("TRAINYARD_FILE_CALLS").isEmpty()) QSKIP("sanitizers do not load other libraries first");
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("s.json", writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"run", "s.json", "--seed", "1", "--no-charts", "--quiet", "--out", "earlier"}).status, 0);
    QVERIFY(writeFileAtomically("earlier/old.csv", "a file of the earlier run that the new one has not").empty());
    QVERIFY(writeRunFiles("earlier", readRecord("earlier")->digest).empty());
    m_run = here(m_dir, "run");
}

void tst_KilledRuns::layOut(const QString& layout) const {
    fs::remove_all("run");
    fs::remove_all("elsewhere");
    if (layout == QLatin1String("symbolic link")) {
        fs::create_directory("elsewhere");
        fs::create_directory_symlink("elsewhere", "run");
    }
    fs::copy("earlier", "run");
    std::ofstream("run/own") << "somebody's";
    if (layout == QLatin1String("with a sub-directory")) {
        fs::create_directory("run/frames");
        std::ofstream("run/frames/own") << "somebody's";
    }
}

int tst_KilledRuns::run(const QString& layout, int seed, const QStringList& what) {
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), qEnvironmentVariable("TRAINYARD_FILE_CALLS"));
    environment.insert(QStringLiteral("TMPDIR"), QDir::currentPath() + QStringLiteral("/tmp"));
    if (layout == QLatin1String("old system")) environment.insert(QStringLiteral("TRAINYARD_OLD_SYSTEM"), "1");
    for (const QString& entry : what)
        environment.insert(entry.section(QLatin1Char('='), 0, 0), entry.section(QLatin1Char('='), 1));
    process.setProcessEnvironment(environment);
    const bool within = layout == QLatin1String("working directory");
    if (within) process.setWorkingDirectory(QStringLiteral("run"));
    process.start(qEnvironmentVariable("TRAINYARD_CLI"),
                  {"run", within ? "../s.json" : "s.json", "--seed", QString::number(seed), "--no-charts", "--quiet",
                   "--out", within ? "." : "run"});
    if (!process.waitForFinished(patience)) return -1;
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 128 + SIGKILL;
}

int tst_KilledRuns::callsOf(const QString& layout) const {
    layOut(layout);
    if (run(layout, 2, {QStringLiteral("TRAINYARD_CALLS=%1/calls").arg(m_dir.path())}) != 0) return 0;
    return std::stoi(readWholeFile("calls", 100).value());
}

void tst_KilledRuns::check(const QString& layout, int call) const {
    const auto where = [&](const Problems& problems) {
        return QStringLiteral("%1, call %2: %3")
            .arg(layout)
            .arg(call)
            .arg(QString::fromStdString(problems.empty() ? "" : problems[0].file + ": " + problems[0].text()))
            .toLocal8Bit();
    };
    const Problems problems = verifyRunDirectory(m_run);
    QVERIFY2(!hasErrors(problems), where(problems).constData());
    const std::uint64_t seed = readRecord(m_run)->seed;
    QVERIFY(seed == 1 || seed == 2);
    QVERIFY2(fs::exists("run/old.csv") == (seed == 1), where({}).constData());
    QCOMPARE(readWholeFile("run/own", 100).value(), std::string("somebody's"));
    if (layout == QLatin1String("with a sub-directory")) QVERIFY(fs::exists("run/frames/own"));
}

void tst_KilledRuns::oneRunIsWhole_data() {
    QTest::addColumn<QString>("layout");
    for (const char* layout : layouts) QTest::newRow(layout) << QString::fromLatin1(layout);
}

void tst_KilledRuns::oneRunIsWhole() {
    QFETCH(QString, layout);
    const int calls = callsOf(layout);
    QVERIFY(calls > 40);
    check(layout, 0);
    QCOMPARE(readRecord(m_run)->seed, std::uint64_t{2});
    const bool all = layout == QLatin1String("plain") || qEnvironmentVariableIsSet("TRAINYARD_EVERY_CALL");
    int tried = 0;
    std::set<std::uint64_t> seeds;
    for (int call = all ? 1 : 1 + calls % 5; call <= calls; call += all ? 1 : 5, ++tried) {
        layOut(layout);
        QCOMPARE(run(layout, 2, {QStringLiteral("TRAINYARD_END_AT=%1").arg(call)}), 128 + SIGKILL);
        check(layout, call);
        if (QTest::currentTestFailed()) return;
        seeds.insert(readRecord(m_run)->seed);
        if (call % 7 != 0) continue; // the next run tidies up; nobody can know whose an empty directory is
        QCOMPARE(run(layout, 2, {}), 0);
        for (const auto& entry : fs::directory_iterator(m_run))
            if (entry.path().filename().string().starts_with(ownPrefix)) QVERIFY(fs::is_empty(entry));
    }
    QCOMPARE(seeds, (std::set<std::uint64_t>{1, 2}));
    qInfo("%s: %d of %d calls", qPrintable(layout), tried, calls);
}

void tst_KilledRuns::fullDisksLeaveTheEarlierRun_data() { oneRunIsWhole_data(); }

// From some call on nothing can be changed any more; then there is room again.
void tst_KilledRuns::fullDisksLeaveTheEarlierRun() {
    QFETCH(QString, layout);
    const int calls = callsOf(layout);
    const bool all = qEnvironmentVariableIsSet("TRAINYARD_EVERY_CALL");
    for (int call = all ? 1 : 1 + calls % 9; call <= calls; call += all ? 1 : 9) {
        layOut(layout);
        const int status = run(layout, 2, {QStringLiteral("TRAINYARD_FAIL_AT=%1").arg(call)});
        check(layout, call);
        if (QTest::currentTestFailed()) return;
        QVERIFY(status != 0 || readRecord(m_run)->seed == 2);
    }
}

TRAINYARD_TEST(tst_KilledRuns)
#include "tst_KilledRuns.moc"
