// The window and files, as a person meets them: refuses a bad one without losing the open one, asks before it
// reformats, recovers what was not saved, opens a figure as its run, and closes in the middle of one.
#include "export/ExportWork.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/MessageBar.h"
#include "support/HandMadeCopy.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QDir>
#include <QPushButton>
#include <QTemporaryDir>

using namespace trainyard;

namespace {

/// Milliseconds until a run must have ended: long, since under a sanitizer on a busy machine everything is
/// slow.
constexpr int patience = 120'000;

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
    QCOMPARE(w.workspace.document().filePath(), starterFile);
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
    QVERIFY(w.window.messages().text().contains(QStringLiteral("one-slow-worker.json")));
    w.window.messages().findChild<QPushButton*>()->click();
    QCOMPARE(w.workspace.document().scenario().title, std::string("Not saved"));
    QVERIFY(w.workspace.document().isModified());
    QVERIFY(w.workspace.leftBehind().isEmpty());
}

// Every chart is a run: what was exported opens as a modified document and ends with the same digest.
void tst_WindowFiles::exportedFigureOpensAsItsRun() {
    QTemporaryDir directory;
    QString digest;
    {
        Window w;
        QVERIFY(w.window.files().open(starterFile));
        w.workspace.runs().session()->runToEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), patience);
        digest = QString::fromStdString(w.workspace.runs().current().log->digest());
        const ExportResult result =
            exportRun(w.workspace.runs().current(), {.directory = directory.path(), .views = {QStringLiteral("loss")}});
        QVERIFY(result.problems.empty());
        QCOMPARE(result.files.size(), 4);
    }
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
        Window w;
        QVERIFY(w.window.files().open(directory.filePath(QStringLiteral("loss.%1").arg(QLatin1String(suffix)))));
        QVERIFY(w.workspace.document().isModified());
        w.workspace.runs().session()->runToEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), patience);
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

TRAINYARD_TEST(tst_WindowFiles)
#include "tst_WindowFiles.moc"
