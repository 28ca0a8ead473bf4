// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A program that is killed while it is worked in: what it had is offered to the next one, whenever the kill
// came. The victim is this very binary, started again with a variable of the environment set.
#include "scenario/ScenarioFile.h"
#include "session/Journal.h"
#include "session/JournalPlace.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "support/FullDisk.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QDir>
#include <QProcess>
#include <QPushButton>

using namespace trainyard;

namespace {

constexpr char victimJournal[] = "TRAINYARD_TEST_VICTIM_JOURNAL";
std::string titleOfEdit(int edit) { return "Edit " + std::to_string(edit); }

/// Opens a scenario and edits its title without end, telling of each edit on standard output.
[[noreturn]] void beTheVictim() {
    test::WindowFixture w(qEnvironmentVariable(victimJournal));
    if (!w.window.files().open(test::starter())) std::exit(1);
    w.workspace.preferences().setAutosaveSeconds(0);
    for (int edit = 1;; ++edit) {
        w.workspace.document().setTitle(QString::fromStdString(titleOfEdit(edit)));
        std::printf("%d\n", edit);
        std::fflush(stdout);
        QTest::qWait(5);
    }
}

} // namespace

class tst_Recovery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariableIsSet(victimJournal)) beTheVictim();
    }
    void init() { test::OwnSettings::clear(); }
    void killedAtAnyMoment_data();
    void killedAtAnyMoment();
    void fullDiskEmptiesAgain_data();
    void fullDiskEmptiesAgain();
    void recoveredWorkIsNotDiscardedBeforeItIsKept();
    void stateDirectoryIsTheUsers();
    void olderPlaceIsTakenOver();

private:
    test::OwnSettings m_settings{"tst_Recovery"};
};

void tst_Recovery::killedAtAnyMoment_data() {
    QTest::addColumn<int>("edits");
    for (const int edits : {20, 33, 47, 150}) QTest::addRow("after %d edits", edits) << edits;
}

void tst_Recovery::killedAtAnyMoment() {
    QFETCH(int, edits);
    QTemporaryDir directory;
    QProcess victim;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(victimJournal), directory.path());
    victim.setProcessEnvironment(environment);
    victim.start(QCoreApplication::applicationFilePath(), {QStringLiteral("tst_Recovery")});
    QVERIFY(victim.waitForStarted());
    int told = 0;
    const auto listen = [&] {
        while (victim.canReadLine())
            if (const int edit = victim.readLine().trimmed().toInt()) told = edit;
    };
    const auto written = [&] {
        const auto journals = QDir(directory.path()).entryInfoList({QStringLiteral("*.journal")});
        return !journals.isEmpty() && journals.first().size() > 0;
    };
    QVERIFY(QTest::qWaitFor(
        [&] {
            listen();
            return (told >= edits && written()) || victim.state() == QProcess::NotRunning;
        },
        test::patience));
    QVERIFY2(victim.state() == QProcess::Running, victim.readAllStandardError().constData());
    victim.kill(); // SIGKILL
    QVERIFY(victim.waitForFinished(test::patience));
    listen();

    test::WindowFixture w(directory.path());
    w.window.files().offerRecovery();
    const QString said = w.window.messages().text();
    w.window.messages().findChild<QPushButton*>()->click();
    const Scenario& recovered = w.workspace.document().scenario();
    QVERIFY2(said.contains(QString::fromStdString(recovered.title)), qPrintable(said)); // a copy has no file
    QVERIFY(w.workspace.document().isModified());
    int edit = 0;
    QVERIFY(std::sscanf(recovered.title.c_str(), "Edit %d", &edit) == 1);
    QCOMPARE(recovered.title, titleOfEdit(edit));
    // The last edits may not have been written yet.
    QVERIFY2(edit >= 1 && edit <= told + 1, qPrintable(QString::number(edit)));
    auto original = readScenario(test::starter().toStdString(), w.workspace.registry());
    QVERIFY(original.ok());
    Scenario expected = original.value().scenario;
    expected.title = recovered.title;
    QCOMPARE(writeScenario(recovered), writeScenario(expected)); // nothing but the edit
    QVERIFY(w.workspace.leftBehind().isEmpty());
}

// No file may grow past a kilobyte, as if the disk were full: the window says so, what was kept before stays, and once there is room every
// edit is kept again.
void tst_Recovery::fullDiskEmptiesAgain_data() {
    QTest::addColumn<int>("notes"); ///< characters
    QTest::newRow("within a buffer of QFile") << 10;
    QTest::newRow("written in several pieces") << 50'000;
}

void tst_Recovery::fullDiskEmptiesAgain() {
    QFETCH(int, notes);
    QTemporaryDir directory;
    test::WindowFixture w(directory.path());
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.preferences().setAutosaveSeconds(0);
    w.workspace.document().change(QStringLiteral("Notes"), [&](Scenario& s) { s.notes.assign(size_t(notes), 'n'); });
    const auto kept = [&]() -> std::string { // what would be offered, had this program been killed
        QTemporaryDir other;
        const QString name = QDir(directory.path()).entryList({QStringLiteral("*.journal")}).value(0);
        QFile::copy(directory.filePath(name), other.filePath(QStringLiteral("killed.journal")));
        const auto left = Journal::leftBehind(other.path());
        const auto loaded = parseDraft(left.value(0).text.toStdString(), "killed");
        return loaded ? loaded->scenario.title : "";
    };
    const auto edit = [&](const char* title) { w.workspace.document().setTitle(QString::fromLatin1(title)); };
    edit("before");
    QTRY_COMPARE_WITH_TIMEOUT(kept(), std::string("before"), test::patience);
    {
        const test::FullDisk full(1000);
        edit("during");
        QVERIFY(QTest::qWaitFor([&] { return !w.workspace.whyNotKept().isEmpty(); }, test::patience));
        QVERIFY2(w.window.messages().text().contains(QStringLiteral("would be lost in a crash")),
                 qPrintable(w.window.messages().text()));
    }
    QCOMPARE(kept(), std::string("before"));
    QTRY_COMPARE_WITH_TIMEOUT(kept(), std::string("during"), test::patience); // by itself
    QVERIFY(w.workspace.whyNotKept().isEmpty());
    QVERIFY(w.window.messages().text().contains(QStringLiteral("outlives a crash again")));
    for (const char* title : {"after", "and after that"}) {
        edit(title);
        QTRY_COMPARE_WITH_TIMEOUT(kept(), std::string(title), test::patience);
    }
}

void tst_Recovery::recoveredWorkIsNotDiscardedBeforeItIsKept() {
    QTemporaryDir directory, other;
    Scenario edited = readScenario(test::starter().toStdString(), Registry::builtin()).value().scenario;
    edited.title = "Not saved";
    const QString killed = directory.filePath(QStringLiteral("killed.journal"));
    {
        Journal journal(other.path());
        QVERIFY(journal.write({}, QByteArray::fromStdString(writeScenario(edited))).empty());
        QVERIFY(
            QFile::copy(other.filePath(QDir(other.path()).entryList({QStringLiteral("*.journal")}).value(0)), killed));
    }
    test::WindowFixture w(directory.path());
    const auto left = w.workspace.leftBehind();
    QCOMPARE(left.size(), 1);
    {
        const test::FullDisk full(1000);
        QVERIFY(w.workspace.recover(left[0]));
    }
    QCOMPARE(w.workspace.document().scenario().title, edited.title);
    QCOMPARE(w.workspace.leftBehind().size(), 1);
    QVERIFY(w.workspace.recover(left[0]));
    QVERIFY(!QFile::exists(killed));
}

void tst_Recovery::stateDirectoryIsTheUsers() {
    const QByteArray before = qgetenv("XDG_STATE_HOME");
    const QString usual = QDir::homePath() + QStringLiteral("/.local/state/trainyard/journal");
    qputenv("XDG_STATE_HOME", "/somewhere/state");
    QCOMPARE(journalDirectory(), QStringLiteral("/somewhere/state/trainyard/journal"));
    qputenv("XDG_STATE_HOME", "relative"); // not allowed: as if it were not set
    QCOMPARE(journalDirectory(), usual);
    qunsetenv("XDG_STATE_HOME");
    QCOMPARE(journalDirectory(), usual);
    if (!before.isEmpty()) qputenv("XDG_STATE_HOME", before);
}

// Two programs of an earlier version: one was killed, its work is offered at the new place; one still runs, and keeps its journal.
void tst_Recovery::olderPlaceIsTakenOver() {
    QTemporaryDir home;
    const QString older = home.filePath(QStringLiteral("share/journal"));
    const QString now = home.filePath(QStringLiteral("state/trainyard/journal"));
    const QString killed = older + QStringLiteral("/killed.journal");
    const auto journals = [](const QString& directory) {
        return QDir(directory).entryList({QStringLiteral("*.journal")}, QDir::Files);
    };
    {
        Journal living(older);
        living.write(QString(), "{}");
        const QString name = journals(older).value(0);
        Scenario edited = readScenario(test::starter().toStdString(), Registry::builtin()).value().scenario;
        edited.title = "Not saved";
        living.write(QString(), QByteArray::fromStdString(writeScenario(edited)));
        QVERIFY(QFile::copy(QDir(older).filePath(name), killed)); // as a killed program leaves it
        takeOverJournals(older, now);
        QCOMPARE(journals(older), QStringList{name});
        QCOMPARE(journals(now), QStringList{QStringLiteral("killed.journal")});
        test::WindowFixture w(now);
        QCOMPARE(w.workspace.leftBehind().size(), 1);
        w.window.files().offerRecovery();
        w.window.messages().findChild<QPushButton*>()->click();
        QCOMPARE(w.workspace.document().scenario().title, std::string("Not saved"));
    }
    takeOverJournals(older, now); // the other one has ended in order
    QVERIFY(!QDir(older).exists());
}

TRAINYARD_TEST(tst_Recovery)
#include "tst_Recovery.moc"
