// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is dropped, typed, pasted and closed by mistake, and files that others change: the window stays alive,
// says what is wrong, and loses nothing.
#include "canvas/CanvasView.h"
#include "forms/EntityForm.h"
#include "forms/FieldRow.h"
#include "scenario/ScenarioFile.h"
#include "shell/ExportActions.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/PropertiesPage.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "transport/SpeedSlider.h"
#include "transport/TransportBar.h"

#include <QClipboard>
#include <QDropEvent>
#include <QImage>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <unistd.h>

using namespace trainyard;

namespace {

/// A window in which a copy of a starter scenario is open and edited, and runs.
struct AtWork : test::WindowFixture {
    QTemporaryDir directory;
    QString file = directory.filePath(QStringLiteral("mine.json"));
    std::string before;

    AtWork() {
        if (!QFile::copy(test::starter(), file)) qFatal("no starter scenario");
        QFile::setPermissions(file, QFile::permissions(file) | QFileDevice::WriteOwner);
        if (!window.files().open(file)) qFatal("the starter scenario does not open");
        workspace.document().setTitle(QStringLiteral("Edited"));
        window.activateWindow(); // shortcuts are for active windows only
        if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
        before = text();
    }
    std::string text() { return writeScenario(workspace.document().scenario()); }
    QString said() { return window.messages().isVisible() ? window.messages().text() : QString(); }
    /// Nothing was lost and the window goes on.
    bool unharmed() {
        return text() == before && workspace.document().isModified() && workspace.document().filePath() == file &&
               window.isVisible();
    }
    void drop(const QList<QUrl>& urls) {
        QMimeData data;
        data.setUrls(urls);
        const QPoint middle = window.rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QDropEvent event(QPointF(middle), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &event);
    }
    QString write(const QString& name, const QByteArray& bytes) {
        QFile out(directory.filePath(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) qFatal("cannot write");
        return out.fileName();
    }
    /// Presses a button of the next question that is asked; `asked` says whether one was.
    void answer(QMessageBox::StandardButton button, bool& asked) {
        QTimer::singleShot(0, &window, [button, &asked] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                asked = box->icon() == QMessageBox::NoIcon; // no clip art
                box->button(button)->click();
            }
        });
    }
};

QList<QUrl> urlsOf(const QStringList& files) {
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    return urls;
}

/// Runs what follows as a user without rights, where the tests are run by one who has all.
struct WithoutRights {
    uid_t before = geteuid();
    WithoutRights() {
        constexpr uid_t nobody = 65534;
        if (before == 0 && seteuid(nobody) != 0) qFatal("cannot give up rights");
    }
    ~WithoutRights() {
        if (before == 0 && seteuid(0) != 0) qFatal("cannot take rights back");
    }
};

} // namespace

class tst_BadInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        test::OwnSettings::clear();
        QGuiApplication::clipboard()->clear();
    }
    void droppedImage();
    void droppedDirectory();
    void droppedTenFiles();
    void droppedFromTheWeb();
    void droppedScenarioOfAnotherVersion();
    void editsAMachineThatARunningJobUses();
    void pastesMalformedJson_data();
    void pastesMalformedJson();
    void typesAValueOutOfRange();
    void closesWithUnsavedChanges();
    void staysWithinASmallScreen();
    void savesOverAFileThatMayNotBeWritten();
    void fileChangedOnDisk();
    void fileRemovedFromDisk();

private:
    test::OwnSettings m_settings{"tst_BadInput"};
};

void tst_BadInput::droppedImage() {
    AtWork w;
    const QString image = w.directory.filePath(QStringLiteral("holiday.png"));
    QVERIFY(QImage(8, 8, QImage::Format_RGB32).save(image));
    w.drop(urlsOf({image}));
    QVERIFY2(w.said().contains(QStringLiteral("holiday.png")), qPrintable(w.said()));
    QVERIFY(w.unharmed());
}

void tst_BadInput::droppedDirectory() {
    AtWork w;
    QVERIFY(QDir(w.directory.path()).mkdir(QStringLiteral("folder")));
    w.drop(urlsOf({w.directory.filePath(QStringLiteral("folder"))}));
    QVERIFY2(w.said().contains(QStringLiteral("folder")), qPrintable(w.said()));
    QVERIFY(w.unharmed());
}

void tst_BadInput::droppedTenFiles() {
    AtWork w;
    w.workspace.document().undoStack().setClean(); // nothing unsaved: no question on the way
    QStringList files;
    for (int i = 0; i < 10; ++i) {
        files << w.directory.filePath(QStringLiteral("s%1.json").arg(i));
        QVERIFY(QFile::copy(test::starter("two-racks"), files.last()));
    }
    w.drop(urlsOf(files));
    QVERIFY2(w.said().contains(QStringLiteral("10")), qPrintable(w.said()));
    QCOMPARE(w.text(), w.before);
    const auto offers = w.window.messages().findChildren<QPushButton*>();
    QVERIFY(!offers.isEmpty());
    offers.first()->click();
    QCOMPARE(w.workspace.document().filePath(), files.first());
}

void tst_BadInput::droppedFromTheWeb() {
    AtWork w;
    w.drop({QUrl(QStringLiteral("https://example.org/scenario.json"))});
    QVERIFY(!w.said().isEmpty());
    QVERIFY(w.unharmed());
}

void tst_BadInput::droppedScenarioOfAnotherVersion() {
    AtWork w;
    w.workspace.document().undoStack().setClean();
    QByteArray text = QByteArray::fromStdString(w.text());
    const QByteArray version("\"version\": 1,");
    QVERIFY(text.contains(version));
    text.replace(text.indexOf(version), version.size(), "\"version\": 999,");
    w.drop(urlsOf({w.write(QStringLiteral("future.json"), text)}));
    QVERIFY2(w.said().contains(QStringLiteral("future.json")), qPrintable(w.said()));
    QCOMPARE(w.text(), w.before);
    QVERIFY(!w.workspace.problems().empty());
}

void tst_BadInput::editsAMachineThatARunningJobUses() {
    AtWork w;
    QTRY_VERIFY(w.head() > 0);
    const auto& machines = w.workspace.document().scenario().cluster.machines;
    const auto used = [&] {
        return w.workspace.shownState() && w.workspace.shownState()->job(JobId(0)).phase == JobPhase::running;
    };
    QTRY_VERIFY(used());
    const QString key = QString::fromStdString(machines.front().key);
    w.workspace.selection().selectEntities({key});
    w.window.canvas().setFocus();
    const RunId run = w.workspace.runs().current().id;
    QTest::keyClick(&w.window.canvas(), Qt::Key_Delete); // from under the job
    QVERIFY(
        std::none_of(machines.begin(), machines.end(), [&](const Machine& m) { return m.key == key.toStdString(); }));
    QTest::qWait(50);
    QTest::keyClick(&w.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w.unharmed());
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != run && w.head() > 0, test::patience);
}

void tst_BadInput::pastesMalformedJson_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("cut off") << QStringLiteral(R"({"machines": [{"id": "a")");
    QTest::newRow("no JSON") << QStringLiteral("a shopping list");
    QTest::newRow("another kind") << QStringLiteral("[1, 2, 3]");
    QTest::newRow("wrong types") << QStringLiteral(R"({"machines": [{"id": 7}]})");
    QTest::newRow("deep") << QString(100'000, QLatin1Char('['));
}

void tst_BadInput::pastesMalformedJson() {
    QFETCH(QString, text);
    AtWork w;
    QGuiApplication::clipboard()->setText(text);
    w.window.canvas().setFocus();
    QTest::qWait(100); // what can be pasted is looked at now and then
    QTest::keyClick(&w.window.canvas(), Qt::Key_V, Qt::ControlModifier);
    QVERIFY(!w.said().isEmpty());
    QVERIFY(w.unharmed());
}

void tst_BadInput::typesAValueOutOfRange() {
    AtWork w;
    QTRY_VERIFY(w.head() > 0);
    PropertiesPage& page = *w.window.findChild<PropertiesPage*>();
    page.jumpTo({EntityRef::Kind::job, 0}, "/seconds_per_sample");
    QWidget* field = page.form().control("/seconds_per_sample");
    QVERIFY(field);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("-5"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(QString::fromStdString(w.text()).contains(QStringLiteral("\"seconds_per_sample\": -5"))); // kept
    QTRY_VERIFY(!w.workspace.whyNotRun().isEmpty());                                                  // explained
    const QString reason = w.window.transport().playAction()->toolTip();
    QVERIFY(!w.window.transport().playAction()->isEnabled());
    QVERIFY2(reason.size() > 20, qPrintable(reason));
    w.workspace.document().undoStack().undo();
    QVERIFY(w.unharmed());
    QTRY_VERIFY(w.workspace.whyNotRun().isEmpty());
}

void tst_BadInput::closesWithUnsavedChanges() {
    AtWork w;
    bool asked = false;
    w.answer(QMessageBox::Cancel, asked);
    QVERIFY(!w.window.close());
    QVERIFY(asked && w.unharmed());
    asked = false;
    w.answer(QMessageBox::Save, asked);
    const bool closed = w.window.close();
    QVERIFY(asked);
    if (!closed) { // the first save of a hand-made file says that it will be reformatted
        QVERIFY(w.said().contains(QStringLiteral("reformat")));
        w.window.messages().findChild<QPushButton*>()->click();
        QVERIFY(w.window.close());
    }
    const auto saved = readScenario(w.file.toStdString(), w.workspace.registry());
    QVERIFY(saved.ok());
    QCOMPARE(writeScenario(saved.value().scenario), w.before);
}

// Everything that can be operated lies within the window, and the canvas and the lanes have room.
void tst_BadInput::staysWithinASmallScreen() {
    AtWork w;
    constexpr QSize screen{1024, 600};
    const QSize least = w.window.minimumSizeHint();
    QVERIFY2(least.width() <= screen.width() && least.height() <= screen.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    w.window.resize(screen);
    QTest::qWait(20);
    QCOMPARE(w.window.size(), screen);
    for (const QDockWidget* dock : w.window.panels().all()) {
        if (dock->visibleRegion().isEmpty() || dock->isFloating()) continue; // behind another tab
        const QRect place(dock->mapTo(&w.window, QPoint()), dock->size());
        QVERIFY2(w.window.rect().contains(place), qPrintable(dock->objectName()));
    }
    QVERIFY(w.window.canvas().height() >= 100);
    // Nor do a long title and the panel with the widest form make it wider.
    w.workspace.document().setTitle(
        QStringLiteral("A title that is longer than any caption has room for, ").repeated(3));
    w.window.exports().show();
    const QDockWidget* dock = w.window.panels().find(QStringLiteral("export"));
    QTRY_VERIFY2(dock->height() > 250, qPrintable(QString::number(dock->height()))); // once it has its place
    QCOMPARE(w.window.size(), screen);
    QVERIFY(w.window.rect().contains(QRect(dock->mapTo(&w.window, QPoint()), dock->size())));
    const TransportBar& bar = w.window.transport(); // nothing of it behind an arrow
    const auto* seed = bar.findChild<QSpinBox*>();
    QVERIFY(seed->isVisible() && bar.rect().contains(QRect(seed->mapTo(&bar, QPoint()), seed->size())));
    const auto* speed = bar.findChild<SpeedSlider*>(); // the captions go before anything else
    QVERIFY(!speed->isShort() || !speed->captionShown());
}

void tst_BadInput::savesOverAFileThatMayNotBeWritten() {
    AtWork w;
    w.directory.setAutoRemove(true);
    QFile::setPermissions(w.file, QFileDevice::ReadOwner | QFileDevice::ReadOther);
    QVERIFY(QFile::setPermissions(w.directory.path(), QFileDevice::ReadOwner | QFileDevice::ExeOwner |
                                                          QFileDevice::ReadOther | QFileDevice::ExeOther));
    const auto original = [&] {
        QFile in(w.file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    };
    const QByteArray onDisk = original();
    {
        const WithoutRights limited;
        for (int attempt = 0; attempt < 2 && !w.said().contains(QStringLiteral("mine.json")); ++attempt) {
            QVERIFY(!w.window.files().save());
            if (w.said().contains(QStringLiteral("reformat"))) w.window.messages().findChild<QPushButton*>()->click();
        }
        QVERIFY2(w.said().contains(QStringLiteral("mine.json")), qPrintable(w.said()));
    }
    QVERIFY(w.unharmed());
    QCOMPARE(original(), onDisk);
    QFile::setPermissions(w.directory.path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
}

void tst_BadInput::fileChangedOnDisk() {
    AtWork w;
    Scenario other = w.workspace.document().scenario();
    other.title = "By somebody else";
    w.write(QStringLiteral("mine.json"), QByteArray::fromStdString(writeScenario(other)));
    w.window.files().watch().look();
    QVERIFY2(w.said().contains(QStringLiteral("mine.json")), qPrintable(w.said()));
    QVERIFY(w.unharmed());
    QList<QPushButton*> answers = w.window.messages().findChildren<QPushButton*>();
    QCOMPARE(answers.size(), 3);
    answers[1]->click(); // keep mine
    QVERIFY(w.unharmed());
}

void tst_BadInput::fileRemovedFromDisk() {
    AtWork w;
    QVERIFY(QFile::remove(w.file));
    w.window.files().watch().look();
    QVERIFY(!w.said().isEmpty());
    QVERIFY(w.unharmed());
    QVERIFY(w.window.files().save() || w.said().contains(QStringLiteral("reformat")));
    QVERIFY(w.text() == w.before);
}

TRAINYARD_TEST(tst_BadInput)
#include "tst_BadInput.moc"
