// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window and files, as a person meets them: refuses a bad one without losing the open one, asks before it
// reformats, recovers what was not saved, opens a figure as its run, and closes in the middle of one.
#include "export/ExportWork.h"
#include "session/FileNames.h"
#include "session/Templates.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/MessageBar.h"
#include "support/HandMadeCopy.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTemporaryDir>

using namespace trainyard;

namespace {

const QString starterFile = test::starter();
using Window = test::WindowFixture;

} // namespace

class tst_WindowFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void badFileIsListedAndNothingIsLost();
    void handMadeFileAsksBeforeReformatting();
    void unsavedWorkIsRecovered();
    void exportedFigureOpensAsItsRun();
    void closesDuringARun();
    void shippedScenarioOpensAsACopy();
    void savingNeverOverwritesSilently();
    void firstRecentFileIsOffered();
    void proposedNamesArePortable();

private:
    test::OwnSettings m_settings{"tst_WindowFiles"};
};

void tst_WindowFiles::badFileIsListedAndNothingIsLost() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QTRY_VERIFY(w.head() > 0);
    const RunId run = w.workspace.runs().current().id;
    QTemporaryDir dir;
    const QString bad = dir.filePath(QStringLiteral("bad.json"));
    QFile file(bad);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[]");
    file.close();
    QVERIFY(!w.window.files().open(bad));
    QVERIFY(!w.workspace.problems().empty());
    QVERIFY(w.window.messages().text().contains(QStringLiteral("bad.json")));
    QCOMPARE(w.workspace.document().copiedFrom(), starterFile);
    QCOMPARE(w.workspace.runs().current().id, run);
    QVERIFY(w.workspace.runs().current().running);
}

void tst_WindowFiles::handMadeFileAsksBeforeReformatting() {
    QTemporaryDir dir;
    const QString copy = test::handMadeCopy(starterFile, dir.filePath(QStringLiteral("mine.json")));
    Window w;
    QVERIFY(w.window.files().open(copy));
    w.workspace.document().setTitle(QStringLiteral("Mine"));
    QVERIFY(!w.window.files().save());
    QVERIFY(w.window.messages().text().contains(QStringLiteral("reformat")));
    QVERIFY(w.workspace.document().isModified());
    w.window.messages().findChild<QPushButton*>()->click(); // save and reformat
    QVERIFY(!w.workspace.document().isModified());
    w.workspace.document().setTitle(QStringLiteral("Mine again"));
    QVERIFY(w.window.files().save()); // asked once
}

void tst_WindowFiles::unsavedWorkIsRecovered() {
    QTemporaryDir dir, copies;
    QString kept;
    {
        Window w(dir.path());
        QVERIFY(w.window.files().open(starterFile));
        w.workspace.document().setTitle(QStringLiteral("Not saved"));
        const auto journals = [&] { return QDir(dir.path()).entryInfoList({QStringLiteral("*.journal")}); };
        QTRY_VERIFY(journals().size() == 1 && journals().first().size() > 0);
        kept = copies.filePath(QStringLiteral("x.journal"));
        QVERIFY(QFile::copy(journals().first().filePath(), kept)); // as a killed program leaves it
    }
    QVERIFY(QDir(dir.path()).entryInfoList({QStringLiteral("*.journal")}).isEmpty());
    QVERIFY(QFile::copy(kept, dir.filePath(QStringLiteral("x.journal"))));
    Window w(dir.path());
    w.window.files().offerRecovery();
    QVERIFY(w.window.messages().text().contains(QStringLiteral("Not saved has changes"))); // a copy has no file
    w.window.messages().findChild<QPushButton*>()->click();
    QCOMPARE(w.workspace.document().scenario().title, std::string("Not saved"));
    QVERIFY(w.workspace.document().isModified());
    QVERIFY(w.workspace.leftBehind().isEmpty());
}

// Every chart is a run: what was exported opens as a document without a file, of which nothing is to be saved, and ends with the same
// digest.
void tst_WindowFiles::exportedFigureOpensAsItsRun() {
    QTemporaryDir directory;
    QString digest;
    {
        Window w;
        QVERIFY(w.window.files().open(starterFile));
        w.workspace.runs().session()->runToEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
        digest = QString::fromStdString(w.workspace.runs().current().log->digest());
        const ExportResult result =
            exportRun(w.workspace.runs().current(), {.directory = directory.path(), .views = {QStringLiteral("loss")}});
        QVERIFY(result.problems.empty());
        QCOMPARE(result.files.size(), 4);
    }
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
        Window w;
        QVERIFY(w.window.files().open(directory.filePath(QStringLiteral("loss.%1").arg(QLatin1String(suffix)))));
        QVERIFY(!w.workspace.document().isModified() && w.workspace.document().filePath().isEmpty());
        w.workspace.runs().session()->runToEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
        QCOMPARE(QString::fromStdString(w.workspace.runs().current().log->digest()), digest);
    }
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QFile plain(directory.filePath(QStringLiteral("plain.csv")));
    QVERIFY(plain.open(QIODevice::WriteOnly) && plain.write("a,b\n1,2\n") > 0);
    plain.close();
    QVERIFY(!w.window.files().open(plain.fileName()));
    QVERIFY(w.window.messages().isVisible());
    QVERIFY(!w.workspace.document().isModified());
}

void tst_WindowFiles::closesDuringARun() {
    auto w = std::make_unique<Window>();
    QVERIFY(w->window.files().open(starterFile));
    QTRY_VERIFY(w->head() > 0);
    QVERIFY(w->workspace.runs().current().running);
    QVERIFY(w->window.close());
    w.reset(); // stops and joins
}

// Saving cannot overwrite what comes with Trainyard; a copy of the user's own is a file like any other.
void tst_WindowFiles::shippedScenarioOpensAsACopy() {
    Window w;
    QVERIFY(w.window.files().open(starterFile));
    QVERIFY(w.workspace.document().filePath().isEmpty());
    QCOMPARE(w.workspace.document().copiedFrom(), QFileInfo(starterFile).absoluteFilePath());
    QVERIFY(!w.workspace.document().isModified());
    QVERIFY(w.window.windowTitle().contains(QStringLiteral("One slow worker")));
    QVERIFY(!w.workspace.document().save()); // the window would ask for a name
    const auto papers = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/stragglers/c1.json");
    QVERIFY(isShippedScenario(papers, w.workspace.resources()));
    QTemporaryDir dir;
    const QString own = dir.filePath(QStringLiteral("own.json"));
    QVERIFY(QFile::copy(starterFile, own));
    QVERIFY(!isShippedScenario(own, w.workspace.resources()));
    QVERIFY(w.window.files().open(own));
    QCOMPARE(w.workspace.document().filePath(), own);
    w.workspace.document().setTitle(QStringLiteral("Mine"));
    QVERIFY(w.window.files().save());
}

// Another program has written the file: Ctrl+S asks by the bar, and does what is answered.
void tst_WindowFiles::savingNeverOverwritesSilently() {
    QTemporaryDir dir;
    const QString own = dir.filePath(QStringLiteral("own.json"));
    QVERIFY(QFile::copy(starterFile, own));
    QFile::setPermissions(own, QFile::ReadOwner | QFile::WriteOwner);
    Window w;
    QVERIFY(w.window.files().open(own));
    const auto writeTheirs = [&] {
        QFile file(own);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray theirs = file.readAll().replace("One slow worker", "Theirs");
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(theirs) > 0);
    };
    const auto answer = [&](const char* text) {
        for (auto* button : w.window.messages().findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text)) return button->click(), true;
        return false;
    };
    const auto titleOnDisk = [&] {
        return QString::fromStdString(readScenario(own.toStdString(), w.workspace.registry())->scenario.title);
    };
    writeTheirs();
    w.workspace.document().setTitle(QStringLiteral("Mine"));
    QVERIFY(!w.window.files().save());
    QCOMPARE(titleOnDisk(), QStringLiteral("Theirs"));
    QVERIFY(w.window.messages().text().contains(QStringLiteral("another program")));
    QVERIFY(answer("Keep mine"));
    QCOMPARE(titleOnDisk(), QStringLiteral("Mine"));
    QVERIFY(w.window.files().save()); // nothing has come between
    w.workspace.document().setTitle(QStringLiteral("One slow worker"));
    QVERIFY(w.window.files().save());
    writeTheirs();
    w.workspace.document().setTitle(QStringLiteral("Mine again"));
    QVERIFY(!w.window.files().save());
    QVERIFY(answer("Take theirs"));
    QCOMPARE(w.workspace.document().scenario().title, std::string("Theirs"));
    QVERIFY(!w.workspace.document().isModified());
}

/// Also in the window that had none when it opened.
void tst_WindowFiles::firstRecentFileIsOffered() {
    Window w;
    QMenu* files = w.window.menuBar()->actions().front()->menu();
    QMenu* recent = nullptr;
    for (QMenu* each : files->findChildren<QMenu*>())
        if (each->title().contains(QStringLiteral("Recent"))) recent = each;
    QVERIFY(recent && !recent->isEnabled());
    QVERIFY(w.window.files().open(starterFile));
    Q_EMIT files->aboutToShow();
    QVERIFY(recent->isEnabled());
    QCOMPARE(recent->actions().size(), 1);
}

void tst_WindowFiles::proposedNamesArePortable() {
    QCOMPARE(portableName(QStringLiteral("SLAQ: cores to the jobs.html")),
             QStringLiteral("SLAQ - cores to the jobs.html"));
    QCOMPARE(portableName(QStringLiteral("a/b\\c?.pdf")), QStringLiteral("a-b-c-.pdf"));
    QCOMPARE(portableName(QStringLiteral("Größe, β 2.svg")), QStringLiteral("Größe, β 2.svg"));
    QVERIFY(QFileInfo(proposedFile(QStringLiteral("a.pdf"))).isAbsolute());
}

TRAINYARD_TEST(tst_WindowFiles)
#include "tst_WindowFiles.moc"
