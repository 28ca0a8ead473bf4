// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Bookmarks: set and named by keyboard, shown as flags with their names, jumped to, kept in the file, undone; and no
// run ever depends on one.
#include "canvas/CanvasView.h"
#include "drawing/BookmarkFlags.h"
#include "lanes/LaneStack.h"
#include "lanes/Overview.h"
#include "lanes/TimeRuler.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/Theme.h"

#include <QApplication>
#include <QFile>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QTemporaryDir>
#include <QToolTip>

using namespace trainyard;

class tst_Bookmarks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void setsNamesRenamesRemoves();
    void everyEditIsUndone();
    void isKeptInTheFile();
    void runsNothingAnew();
    void nextAndPreviousGoThere();
    void laterThanTheRunIsComputed();
    void flagsHaveNamesAndCanBeClicked();
    void listGoesAnywhere();

private:
    static void openAtEnd(test::WindowFixture& w);
    test::OwnSettings m_settings{"tst_Bookmarks"};
};

void tst_Bookmarks::openAtEnd(test::WindowFixture& w) {
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
}

void tst_Bookmarks::setsNamesRenamesRemoves() {
    test::WindowFixture w;
    openAtEnd(w);
    QApplication::setActiveWindow(&w.window);
    const SimTime at = SimTime::seconds(1.5);
    w.workspace.axis().setCursor(at);
    QTRY_VERIFY(w.window.commands().find(QStringLiteral("bookmark.add"))->isEnabled());
    w.window.canvas().setFocus();
    QTest::keyClick(&w.window.canvas(), Qt::Key_B, Qt::ControlModifier);
    QPointer<QWidget> frame = w.window.findChild<QFrame*>(QStringLiteral("bookmarkName"));
    QVERIFY(frame && frame->isVisible());
    auto* name = frame->findChild<QLineEdit*>();
    QTest::keyClicks(name, QStringLiteral("All wait"));
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY(!frame);
    QCOMPARE(w.workspace.document().scenario().bookmarks, (std::vector<Bookmark>{{1.5, "All wait"}}));
    QCOMPARE(w.workspace.bookmarks().at(at), std::optional(QStringLiteral("All wait")));
    // At the same instant: another name, no second flag.
    w.workspace.bookmarks().add(at, QStringLiteral("Everyone waits"));
    QCOMPARE(w.workspace.document().scenario().bookmarks, (std::vector<Bookmark>{{1.5, "Everyone waits"}}));
    w.workspace.bookmarks().add(SimTime::seconds(0.3), {});
    QCOMPARE(w.workspace.document().scenario().bookmarks.front(), (Bookmark{0.3, ""})); // in order of time
    QCOMPARE(w.workspace.axis().bookmarks().front().name, QStringLiteral("00:00.300"));
    QTRY_VERIFY(w.window.commands().find(QStringLiteral("bookmark.remove"))->isEnabled());
    w.window.commands().find(QStringLiteral("bookmark.remove"))->trigger();
    QCOMPARE(w.workspace.document().scenario().bookmarks, (std::vector<Bookmark>{{0.3, ""}}));
    // Escape adds nothing.
    w.workspace.axis().setCursor(SimTime::seconds(1));
    w.window.commands().find(QStringLiteral("bookmark.add"))->trigger();
    frame = w.window.findChild<QFrame*>(QStringLiteral("bookmarkName"));
    QTest::keyClick(frame->findChild<QLineEdit*>(), Qt::Key_Escape);
    QTRY_VERIFY(!frame);
    QCOMPARE(w.workspace.document().scenario().bookmarks.size(), std::size_t{1});
}

void tst_Bookmarks::everyEditIsUndone() {
    test::WindowFixture w;
    openAtEnd(w);
    ScenarioModel& document = w.workspace.document();
    const Scenario before = document.scenario();
    w.workspace.bookmarks().add(SimTime::seconds(2), QStringLiteral("b"));
    w.workspace.bookmarks().add(SimTime::seconds(1), QStringLiteral("a"));
    w.workspace.bookmarks().add(SimTime::seconds(1), QStringLiteral("c"));
    w.workspace.bookmarks().remove(SimTime::seconds(2));
    const Scenario after = document.scenario();
    QCOMPARE(document.undoStack().count(), 4);
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Remove bookmark"));
    while (document.undoStack().canUndo()) document.undoStack().undo();
    QVERIFY(document.scenario() == before);
    QVERIFY(w.workspace.axis().bookmarks().empty());
    while (document.undoStack().canRedo()) document.undoStack().redo();
    QVERIFY(document.scenario() == after);
    QCOMPARE(w.workspace.axis().bookmarks().size(), std::size_t{1});
    // An edit of the settings leaves them alone.
    document.change(QStringLiteral("x"), [](Scenario& s) { s.horizonSeconds = 1e6; });
    QCOMPARE(document.scenario().bookmarks, after.bookmarks);
}

void tst_Bookmarks::isKeptInTheFile() {
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("kept.json"));
    test::WindowFixture w;
    openAtEnd(w);
    w.workspace.bookmarks().add(SimTime::seconds(1.25), QStringLiteral("Here"));
    QVERIFY(w.workspace.document().saveAs(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY2(text.contains("\"bookmarks\": [\n    {\"at_s\": 1.25, \"name\": \"Here\"}\n  ]"), text.constData());
    test::WindowFixture other;
    QVERIFY(other.window.files().open(path));
    QCOMPARE(other.workspace.axis().bookmarks(),
             (std::vector<TimeMark>{{SimTime::seconds(1.25), QStringLiteral("Here")}}));
    QVERIFY(other.window.files().open(test::starter()));
    QVERIFY(other.workspace.axis().bookmarks().empty()); // those of another document
}

void tst_Bookmarks::runsNothingAnew() {
    test::WindowFixture w;
    openAtEnd(w);
    const RunId run = w.workspace.runs().current().id;
    const std::string digest = w.workspace.runs().current().log->digest();
    w.workspace.bookmarks().add(SimTime::seconds(1), QStringLiteral("a"));
    QTest::qWait(50); // longer than an edit waits before it runs
    QCOMPARE(w.workspace.runs().current().id, run);
    w.workspace.restart();
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QCOMPARE(w.workspace.runs().current().log->digest(), digest);
}

void tst_Bookmarks::nextAndPreviousGoThere() {
    test::WindowFixture w;
    openAtEnd(w);
    const auto seconds = [](double s) { return std::optional(SimTime::seconds(s)); };
    for (const double s : {1.0, 2.0, 3.0}) w.workspace.bookmarks().add(SimTime::seconds(s), {});
    const auto press = [&](const char* id) {
        QAction* action = w.window.commands().find(QLatin1String(id));
        QTRY_VERIFY(action->isEnabled());
        action->trigger();
    };
    w.workspace.axis().setCursor(SimTime::seconds(1.5));
    press("bookmark.next");
    QCOMPARE(w.workspace.axis().cursor(), seconds(2));
    press("bookmark.next");
    QCOMPARE(w.workspace.axis().cursor(), seconds(3));
    QTRY_VERIFY(!w.window.commands().find(QStringLiteral("bookmark.next"))->isEnabled());
    QVERIFY(
        w.window.commands().find(QStringLiteral("bookmark.next"))->toolTip().contains(QStringLiteral("no bookmark")));
    press("bookmark.previous");
    press("bookmark.previous");
    QCOMPARE(w.workspace.axis().cursor(), seconds(1));
}

void tst_Bookmarks::laterThanTheRunIsComputed() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().pause();
    QTRY_VERIFY(w.workspace.runs().latestFrame() && w.workspace.runs().latestFrame()->status == RunStatus::paused);
    const SimTime later = w.workspace.shownTime() + Duration::seconds(2);
    w.workspace.bookmarks().add(later, QStringLiteral("later"));
    w.workspace.bookmarks().jump(later);
    QTRY_COMPARE(w.workspace.shownTime(), later);
    QTRY_VERIFY(!w.workspace.playback().isPlaying());
}

void tst_Bookmarks::flagsHaveNamesAndCanBeClicked() {
    test::WindowFixture w;
    openAtEnd(w);
    auto* lanes = w.window.findChild<LaneStack*>();
    QVERIFY(lanes);
    const SimTime at = SimTime::seconds(w.head() / 2);
    const QPixmap plain = lanes->ruler()->grab(), plainOverview = lanes->overview()->grab();
    w.workspace.bookmarks().add(at, QStringLiteral("<Half> way"));
    QVERIFY(lanes->ruler()->grab().toImage() != plain.toImage());
    QVERIFY(lanes->overview()->grab().toImage() != plainOverview.toImage());
    for (QWidget* widget : {static_cast<QWidget*>(lanes->ruler()), static_cast<QWidget*>(lanes->overview())}) {
        const double x = static_cast<TimeWidget*>(widget)->plotRect().center().x();
        const double right = static_cast<TimeWidget*>(widget)->plotRect().right();
        // Where the flag is depends on what is visible: look for it.
        bool found = false;
        for (double p = x - 300; p < right && !found; ++p) {
            QHelpEvent help(QEvent::ToolTip, QPoint(int(p), 4), widget->mapToGlobal(QPoint(int(p), 4)));
            QToolTip::hideText();
            QApplication::sendEvent(widget, &help);
            found = QToolTip::text().contains(QStringLiteral("&lt;Half&gt; way"));
            if (!found || widget != lanes->ruler()) continue;
            QTest::mouseClick(widget, Qt::LeftButton, {}, QPoint(int(p) + 2, 4));
            QCOMPARE(w.workspace.axis().cursor(), std::optional(at)); // exactly, not the pixel's time
        }
        QVERIFY(found);
    }
}

void tst_Bookmarks::listGoesAnywhere() {
    test::WindowFixture w;
    openAtEnd(w);
    w.workspace.bookmarks().add(SimTime::seconds(1), QStringLiteral("Here & there"));
    QMenu* list = nullptr;
    for (QMenu* menu : w.window.findChildren<QMenu*>())
        if (menu->title() == QStringLiteral("&Bookmarks")) list = menu;
    QVERIFY(list);
    Q_EMIT list->aboutToShow();
    QCOMPARE(list->actions().size(), 1);
    QVERIFY(list->actions()[0]->text().startsWith(QStringLiteral("Here && there")));
    list->actions()[0]->trigger();
    QCOMPARE(w.workspace.axis().cursor(), std::optional(SimTime::seconds(1)));
}

TRAINYARD_TEST(tst_Bookmarks)
#include "tst_Bookmarks.moc"
