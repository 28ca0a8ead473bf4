// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compare, Run Elsewhere: the folder that is written runs on its own, in one go or in shards; its results open as a kept comparison, for which
// nothing is run here; what is no result is said.
#include "base/WholeFile.h"
#include "compare/BackgroundComparison.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "compare/ElsewhereBundle.h"
#include "compare/PoliciesTab.h"
#include "run/compare/ResultStore.h"
#include "run/files/AtomicFile.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/StoreLock.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>

#include <sys/stat.h>

using namespace trainyard;

class tst_RunElsewhere : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void resultsComeBack();
    void whatIsNoResultIsSaid();
    void damagedResultsAreRefused();
    void lockedStoresAreWaitedForBeside();

private:
    static void fill(test::WindowFixture& w, const QString& file);
    static bool opens(PoliciesTab& tab, const QString& directory);
    QTemporaryDir m_dir;
    test::OwnSettings m_settings{"tst_RunElsewhere"};
};

void tst_RunElsewhere::fill(test::WindowFixture& w, const QString& file) {
    QVERIFY(w.workspace.open(file));
    w.workspace.playback().pause();
    w.window.places().go("compare");
    ComparisonForm& form = w.window.compare().policies().form();
    auto* list = w.window.findChild<QListWidget*>(QStringLiteral("arms"));
    while (list->count() > 0) {
        list->setCurrentRow(0);
        w.window.findChild<QAbstractButton*>(QStringLiteral("remove-arm"))->click();
    }
    for (const char* arm : {"synchronization=full-sync", "synchronization=async"}) QVERIFY(form.addArm(arm));
    w.window.findChild<QLineEdit*>(QStringLiteral("seeds"))->setText(QStringLiteral("1-3"));
}

bool tst_RunElsewhere::opens(PoliciesTab& tab, const QString& directory) {
    QSignalSpy opened(&tab, &PoliciesTab::resultsOpened);
    tab.openResults(directory);
    return opened.wait(test::patience) && opened.front().front().toBool();
}

void tst_RunElsewhere::resultsComeBack() {
    const QString file = m_dir.filePath(QStringLiteral("slow.json")),
                  bundle = m_dir.filePath(QStringLiteral("slow-elsewhere"));
    QVERIFY(QFile::copy(test::starter("one-slow-worker"), file));
    test::WindowFixture w;
    fill(w, file);
    PoliciesTab& tab = w.window.compare().policies();
    auto* button = w.window.findChild<QToolButton*>(QStringLiteral("run-elsewhere"));
    Q_EMIT button->menu()->aboutToShow();
    QCOMPARE(button->menu()->actions().size(), 2);
    const auto request = tab.form().request();
    QVERIFY(request);
    QVERIFY(writeBundle(bundle, *request, QStringLiteral("slow.json")).empty());
    QVERIFY(!writeBundle(bundle, *request, QStringLiteral("slow.json")).empty()); // it is there
    // Another machine has the folder and the program alone.
    QVERIFY(QFile::rename(bundle, m_dir.filePath(QStringLiteral("there"))));
    const QString there = m_dir.filePath(QStringLiteral("there"));
    const QString program = qEnvironmentVariable("TRAINYARD_CLI");
    for (const QString& shard : {QStringLiteral("1/2"), QStringLiteral("2/2")}) {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), QFileInfo(program).path() + QStringLiteral(":/usr/bin:/bin"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral("/bin/sh"), {there + QStringLiteral("/run.sh"), QStringLiteral("--shard"), shard});
        QVERIFY(process.waitForFinished(test::patience));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }
    QVERIFY2(opens(tab, there + QStringLiteral("/results")), qPrintable(tab.status()));
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const auto opened = tab.comparison().result();
    QVERIFY(opened && !opened->stopped && opened->done() == 6);
    // None was done here.
    QVERIFY2(tab.status().contains(QStringLiteral("6 runs, done before")), qPrintable(tab.status()));
    QVERIFY(!opened->arms[0].traces[0].empty()); // losses over time, too
    // The same here.
    test::WindowFixture here;
    const QString other = m_dir.filePath(QStringLiteral("here.json"));
    QVERIFY(QFile::copy(file, other));
    fill(here, other);
    here.window.compare().policies().run();
    QTRY_VERIFY_WITH_TIMEOUT(!here.window.compare().policies().comparison().isRunning(), test::patience);
    for (std::size_t a = 0; a < 2; ++a)
        QCOMPARE(opened->arms[a].runs, here.window.compare().policies().comparison().result()->arms[a].runs);
}

void tst_RunElsewhere::whatIsNoResultIsSaid() {
    test::WindowFixture w;
    const QString file = m_dir.filePath(QStringLiteral("none.json")),
                  results = m_dir.filePath(QStringLiteral("results"));
    QVERIFY(QFile::copy(test::starter("one-slow-worker"), file) && QDir().mkdir(results));
    fill(w, file);
    PoliciesTab& tab = w.window.compare().policies();
    QVERIFY(!opens(tab, results));
    QVERIFY2(tab.status().contains(QStringLiteral("no results")), qPrintable(tab.status()));
    // Of another version, whose runs may differ.
    const QString bundle = m_dir.filePath(QStringLiteral("bundle"));
    QVERIFY(writeBundle(bundle, tab.form().request().value(), QStringLiteral("none.json")).empty());
    std::string text = readWholeFile((bundle + QStringLiteral("/comparison.csv")).toStdString(), 1 << 20).value();
    const std::string own = TRAINYARD_VERSION;
    int replaced = 0;
    for (auto at = text.find(own); at != std::string::npos; at = text.find(own, at + 1), ++replaced)
        text.replace(at, own.size(), "0.0.1");
    QVERIFY(replaced > 0);
    QVERIFY(writeFileAtomically((bundle + QStringLiteral("/comparison.csv")).toStdString(), text).empty());
    QVERIFY(!opens(tab, bundle));
    QVERIFY2(tab.status().contains(QStringLiteral("0.0.1")), qPrintable(tab.status()));
}

// The kept comparisons stay as they were, and the next results open.
void tst_RunElsewhere::damagedResultsAreRefused() {
    test::WindowFixture w;
    const QString file = m_dir.filePath(QStringLiteral("damaged.json"));
    QVERIFY(QFile::copy(test::starter("one-slow-worker"), file));
    fill(w, file);
    PoliciesTab& tab = w.window.compare().policies();
    const auto folderOf = [&](const char* name) {
        const QString folder = m_dir.filePath(QString::fromLatin1(name));
        if (!writeBundle(folder, tab.form().request().value(), QStringLiteral("damaged.json")).empty())
            qFatal("bundle");
        return folder;
    };
    const auto isRefused = [&](const QString& folder) {
        return !opens(tab, folder) && tab.status().contains(QStringLiteral("results.db"));
    };
    const auto storeIn = [](const QString& folder) { return folder.toStdString() + "/results.db"; };
    const QString whole = folderOf("whole"), text = folderOf("text"), half = folderOf("half"), pipe = folderOf("pipe"),
                  link = folderOf("link");
    {
        const auto store = ResultStore::open(storeIn(whole));
        QVERIFY(store && (*store)->numberOf("{}").ok());
    }
    const std::string bytes = readWholeFile(storeIn(whole), 1 << 26).value();
    QVERIFY(writeFileAtomically(storeIn(text), "no store of results").empty());
    QVERIFY(writeFileAtomically(storeIn(half), bytes.substr(0, bytes.size() / 2)).empty());
    QCOMPARE(mkfifo(storeIn(pipe).c_str(), 0600), 0);
    std::filesystem::create_symlink(m_dir.filePath(QStringLiteral("nowhere.db")).toStdString(), storeIn(link));
    for (const QString& folder : {text, half, pipe, link})
        QVERIFY2(isRefused(folder), qPrintable(folder + QLatin1Char(' ') + tab.status()));
    QVERIFY(!QFile::exists(m_dir.filePath(QStringLiteral("nowhere.db"))));
    QVERIFY2(opens(tab, whole), qPrintable(tab.status()));
}

// The store of kept results is locked by another process: the window does not wait for it.
void tst_RunElsewhere::lockedStoresAreWaitedForBeside() {
    test::WindowFixture w;
    const QString file = m_dir.filePath(QStringLiteral("locked.json")), from = m_dir.filePath(QStringLiteral("from"));
    QVERIFY(QFile::copy(test::starter("one-slow-worker"), file));
    fill(w, file);
    PoliciesTab& tab = w.window.compare().policies();
    QVERIFY(writeBundle(from, tab.form().request().value(), QStringLiteral("locked.json")).empty());
    const QString folder = BackgroundComparison::folderFor(file, {});
    QVERIFY(QDir().mkpath(folder));
    const std::string store = (folder + QStringLiteral("/results.db")).toStdString();
    QVERIFY(ResultStore::open(store).ok() && ResultStore::open(from.toStdString() + "/results.db").ok());
    test::StoreLock lock(store);
    QSignalSpy opened(&tab, &PoliciesTab::resultsOpened);
    tab.openResults(from);
    QVERIFY2(tab.status().contains(QStringLiteral("Opening the results")), qPrintable(tab.status()));
    QVERIFY(!opened.wait(200)); // the event loop goes on
    lock.release();
    QVERIFY(opened.wait(test::patience) && opened.front().front().toBool());
}

TRAINYARD_TEST(tst_RunElsewhere)
#include "tst_RunElsewhere.moc"
