// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A program that is killed while it is worked in: what it had is offered to the next one, whenever the kill
// came. The victim is this very binary, started again with a variable of the environment set.
#include "scenario/ScenarioFile.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QDir>
#include <QProcess>
#include <QPushButton>

using namespace trainyard;

namespace {

constexpr char victimJournal[] = "TRAINYARD_TEST_VICTIM_JOURNAL";
constexpr int patience = 30'000;

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
        patience));
    QVERIFY2(victim.state() == QProcess::Running, victim.readAllStandardError().constData());
    victim.kill(); // SIGKILL
    QVERIFY(victim.waitForFinished());
    listen();

    test::WindowFixture w(directory.path());
    w.window.files().offerRecovery();
    QVERIFY(w.window.messages().text().contains(QStringLiteral("An unnamed scenario"))); // a copy
    w.window.messages().findChild<QPushButton*>()->click();
    const Scenario& recovered = w.workspace.document().scenario();
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

TRAINYARD_TEST(tst_Recovery)
#include "tst_Recovery.moc"
