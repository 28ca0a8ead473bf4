// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Preferences are in effect at once, are remembered, and survive a settings file that makes no sense; what was
// open comes back where it was left.
#include "canvas/CanvasView.h"
#include "export/ExportSettings.h"
#include "session/RecentFiles.h"
#include "session/Templates.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Places.h"
#include "shell/PreferencesDialog.h"
#include "shell/RunProgress.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/Theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>

#include <cmath>
#include <random>

using namespace trainyard;

class tst_Preferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void cleanup() { QApplication::setFont(m_font); }
    void themesAreAppliedAtOnce();
    void projectorMakesEverythingLarger();
    void hatchesCanBeLeftOut();
    void motionFollowsMenuAndDialog();
    void ghostsAreForgottenAtOnce();
    void undoLimitHoldsAtOnce();
    void journalWaitsAsLongAsIsSet();
    void nonsenseInTheSettingsIsPassedOver();
    void damagedSettingsAreReadSafely();
    void resetIsUsual();
    void sessionComesBack();
    void sessionOfANewerVersionIsLeftAlone();
    void longComputationsShowProgressAndCanBeCancelled();

private:
    test::OwnSettings m_settings{"tst_Preferences"};
    QFont m_font = QApplication::font();
};

void tst_Preferences::themesAreAppliedAtOnce() {
    test::WindowFixture w;
    PreferencesDialog dialog(w.workspace.preferences(), w.theme);
    dialog.show();
    auto* kind = dialog.findChild<QComboBox*>(QStringLiteral("theme"));
    kind->setCurrentIndex(kind->findData(ThemeChoice::highContrast));
    Q_EMIT kind->activated(kind->currentIndex());
    QVERIFY(Theme::current().highContrast);
    QCOMPARE(w.window.palette().color(QPalette::Window), QColor(Qt::black));
    w.theme.choose(ThemeChoice::light); // from the menu: the dialog follows
    QCOMPARE(kind->currentData().toInt(), static_cast<int>(ThemeChoice::light));
    QVERIFY(!Theme::current().highContrast);
    w.theme.choose(ThemeChoice::highContrast);
    ThemeChoice remembered;
    QCOMPARE(remembered.kind(), ThemeChoice::highContrast);
    QCOMPARE(ThemeChoice::kindOf(QStringLiteral("purple")), ThemeChoice::system);
}

void tst_Preferences::projectorMakesEverythingLarger() {
    test::WindowFixture w;
    const double before = QApplication::font().pointSizeF();
    QAction* projector = w.window.commands().find(QStringLiteral("view.projector"));
    projector->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), before * 1.5);
    QCOMPARE(Theme::scale(), 1.5);
    QVERIFY(qApp->styleSheet().contains(QStringLiteral("20pt"))); // titles: 13 pt, half as large again
    projector->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), before); // and exactly back
    QCOMPARE(Theme::scale(), 1.0);
}

void tst_Preferences::hatchesCanBeLeftOut() {
    test::WindowFixture w;
    QVERIFY(Theme::current().activityPattern(Activity::waiting).style() != Qt::NoBrush); // the default
    PreferencesDialog dialog(w.workspace.preferences(), w.theme);
    auto* hatches = dialog.findChild<QCheckBox*>(QStringLiteral("hatches"));
    QVERIFY(hatches->isChecked());
    hatches->click();
    QCOMPARE(Theme::current().activityPattern(Activity::waiting).style(), Qt::NoBrush);
    ThemeChoice remembered;
    QVERIFY(!remembered.hatches());
    QVERIFY(Theme::print().hatches); // figures keep theirs
    hatches->click();
    QVERIFY(Theme::current().hatches);
}

void tst_Preferences::motionFollowsMenuAndDialog() {
    test::WindowFixture w;
    PreferencesDialog dialog(w.workspace.preferences(), w.theme);
    auto* box = dialog.findChild<QCheckBox*>(QStringLiteral("reduce-motion"));
    QAction* menu = w.window.commands().find(QStringLiteral("view.reduce-motion"));
    box->click();
    QVERIFY(menu->isChecked());
    menu->trigger();
    QVERIFY(!box->isChecked());
    QVERIFY(!w.workspace.preferences().reduceMotion());
}

void tst_Preferences::ghostsAreForgottenAtOnce() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    QTRY_VERIFY(w.workspace.runs().current().log != nullptr);
    for (std::uint64_t seed = 50; seed < 53; ++seed) {
        const RunId before = w.workspace.runs().current().id;
        w.workspace.document().setSeed(seed);
        QTRY_VERIFY(w.workspace.runs().current().id != before);
        QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().log != nullptr, 20000);
    }
    QCOMPARE(w.workspace.runs().earlier().size(), std::size_t{3});
    const RunId newest = w.workspace.runs().earlier().back().id;
    PreferencesDialog dialog(w.workspace.preferences(), w.theme);
    dialog.findChild<QSpinBox*>(QStringLiteral("ghost-runs"))->setValue(1);
    QCOMPARE(w.workspace.runs().earlier().size(), std::size_t{1});
    QCOMPARE(w.workspace.runs().earlier().back().id, newest);
}

void tst_Preferences::undoLimitHoldsAtOnce() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    ScenarioModel& document = w.workspace.document();
    QUndoStack& stack = document.undoStack();
    const std::string original = document.scenario().title;
    for (const char* title : {"a", "b", "c", "d", "e"}) document.setTitle(QLatin1String(title));
    document.change(QStringLiteral("Horizon"), [](Scenario& s) { s.horizonSeconds = 5; });
    stack.setIndex(3);
    stack.setClean();
    stack.setIndex(4); // two steps to do again
    const Scenario before = document.scenario();
    w.workspace.preferences().setUndoLimit(2);
    QVERIFY(document.scenario() == before);
    QCOMPARE(stack.count(), 2); // those to be undone: b to d
    QCOMPARE(stack.index(), 2);
    QVERIFY(!stack.isClean());
    stack.undo();
    QVERIFY(stack.isClean()); // still where it was saved
    stack.undo();
    QVERIFY(!stack.canUndo());
    QCOMPARE(document.scenario().title, std::string("b"));
    w.workspace.preferences().setUndoLimit(0);
    stack.setIndex(2);
    for (const char* title : {"x", "y", "z"}) document.setTitle(QLatin1String(title));
    QCOMPARE(stack.count(), 5);
    stack.setIndex(0);
    QCOMPARE(document.scenario().title, std::string("b"));
    QVERIFY(document.scenario().title != original); // forgotten for good
    QAction* undo = w.window.commands().find(QStringLiteral("edit.undo"));
    QVERIFY(!undo->isEnabled());
    w.workspace.preferences().setUndoLimit(3);
    QCOMPARE(stack.count(), 3); // of the five to do again
    QVERIFY(w.window.commands().find(QStringLiteral("edit.redo"))->isEnabled());
}

void tst_Preferences::journalWaitsAsLongAsIsSet() {
    QTemporaryDir dir;
    test::WindowFixture w(dir.path());
    const auto size = [&] { return QDir(dir.path()).entryInfoList({QStringLiteral("*.journal")}).value(0).size(); };
    w.workspace.preferences().setAutosaveSeconds(600);
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.document().setTitle(QStringLiteral("Kept later"));
    QTest::qWait(300); // at every change it would be there after 100 ms
    QCOMPARE(size(), 0);
    w.workspace.preferences().setAutosaveSeconds(0);
    QTRY_VERIFY(size() > 0);
}

void tst_Preferences::nonsenseInTheSettingsIsPassedOver() {
    QSettings settings;
    settings.setValue(QStringLiteral("preferences/ghostRuns"), QStringLiteral("many"));
    settings.setValue(QStringLiteral("preferences/undoLimit"), -5);
    settings.setValue(QStringLiteral("preferences/autosaveSeconds"), 1e12);
    settings.setValue(QStringLiteral("theme"), QStringLiteral("plaid"));
    Preferences preferences;
    QCOMPARE(preferences.ghostRuns(), Preferences::usualGhostRuns);
    QCOMPARE(preferences.undoLimit(), 0);
    QVERIFY(preferences.autosaveSeconds() <= Preferences::mostAutosaveSeconds);
    QCOMPARE(ThemeChoice().kind(), ThemeChoice::system);
}

// Any bytes of the file are changed, doubled or gone; lists are nested, wide and long: what is read of it is possible.
void tst_Preferences::damagedSettingsAreReadSafely() {
    ExportSettings usual;
    usual.remember();
    rememberRecentFile(QStringLiteral("/tmp/a.json"));
    Preferences preferences;
    preferences.setGhostRuns(3);
    preferences.setUndoLimit(7);
    QSettings().setValue(QStringLiteral("export/size"), QSizeF(std::nan(""), 1e300));
    QSettings().sync();
    QFile file(QSettings().fileName());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    const auto check = [&] {
        QSettings().sync();
        const ExportSettings read = ExportSettings::remembered();
        QVERIFY(read.size.width() >= leastSide && read.size.width() <= mostSide);
        QVERIFY(read.size.height() >= leastSide && read.size.height() <= mostSide);
        QVERIFY(read.dotsPerInch >= leastDots && read.dotsPerInch <= mostDots);
        for (const QString& format : read.formats) QVERIFY(exportFormats().contains(format));
        QVERIFY(preferences.ghostRuns() >= 1 && preferences.ghostRuns() <= Preferences::mostGhostRuns);
        QVERIFY(preferences.undoLimit() >= 0 && preferences.undoLimit() <= Preferences::mostUndoSteps);
        (void)recentFiles();
    };
    check();
    const auto write = [&](const QByteArray& bytes) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        check();
    };
    // TRAINYARD_FUZZ_SECONDS: for so long, with bytes of its own.
    const int seconds = qEnvironmentVariableIntValue("TRAINYARD_FUZZ_SECONDS");
    std::mt19937 random(seconds > 0 ? std::random_device{}() : 1);
    QElapsedTimer since;
    since.start();
    int round = 0;
    for (; round < 1500 || since.elapsed() < seconds * qint64{1000}; ++round) {
        QByteArray bytes = whole;
        for (auto left = random() % 8 + 1; left > 0 && !bytes.isEmpty(); --left) {
            const auto at = static_cast<qsizetype>(random() % static_cast<std::uint32_t>(bytes.size()));
            switch (random() % 3) {
            case 0: bytes[at] = static_cast<char>(random()); break;
            case 1: bytes.insert(at, bytes.mid(at, static_cast<qsizetype>(random() % 40))); break;
            default: bytes.remove(at, static_cast<qsizetype>(random() % 20)); break;
            }
        }
        write(bytes + QByteArray("\n; ") + QByteArray::number(round)); // another size, so that it is read anew
        if (QTest::currentTestFailed()) {
            qWarning("after %s", bytes.toPercentEncoding().constData());
            return;
        }
    }
    if (seconds > 0) qInfo("%d settings in %lld s", round, static_cast<long long>(since.elapsed() / 1000));
    write("[export]\nsize=" + QByteArray(200'000, '(') + "\nformats=" + QByteArray(500'000, ',') +
          "\nfolder=" + QByteArray(1'000'000, 'a') + "\n");
}

void tst_Preferences::resetIsUsual() {
    test::WindowFixture w;
    PreferencesDialog dialog(w.workspace.preferences(), w.theme);
    w.workspace.preferences().setGhostRuns(3);
    w.workspace.preferences().setRestoreSession(true);
    w.theme.setProjector(true);
    dialog.findChild<QPushButton*>()->click();
    QCOMPARE(w.workspace.preferences().ghostRuns(), Preferences::usualGhostRuns);
    QVERIFY(!w.workspace.preferences().restoreSession());
    QVERIFY(!w.theme.projector());
    QCOMPARE(dialog.findChild<QSpinBox*>(QStringLiteral("ghost-runs"))->value(), Preferences::usualGhostRuns);
}

void tst_Preferences::sessionComesBack() {
    {
        test::WindowFixture w;
        w.workspace.preferences().setRestoreSession(true);
        QVERIFY(w.window.files().open(test::starter("two-racks")));
        w.window.canvas().setZoom(0.75);
        QVERIFY(w.window.close());
    }
    test::WindowFixture next;
    QVERIFY(next.window.restoreSession());
    QCOMPARE(next.workspace.document().copiedFrom(), test::starter("two-racks"));
    QCOMPARE(next.window.canvas().zoom(), 0.75);
    QVERIFY(next.window.windowTitle().startsWith(QStringLiteral("Two racks")));
    next.workspace.preferences().setRestoreSession(false);
    test::WindowFixture fresh;
    QVERIFY(!fresh.window.restoreSession());
    fresh.window.places().go("start");
    QCOMPARE(fresh.window.windowTitle(), QStringLiteral("Trainyard"));
}

void tst_Preferences::sessionOfANewerVersionIsLeftAlone() {
    QSettings settings;
    settings.setValue(QStringLiteral("session/version"), 99);
    settings.setValue(QStringLiteral("session/file"), test::starter());
    test::WindowFixture w;
    w.workspace.preferences().setRestoreSession(true);
    QVERIFY(!w.window.restoreSession());
    QVERIFY(w.window.files().open(test::starter("bottleneck")));
    QVERIFY(w.window.close());
    QCOMPARE(QSettings().value(QStringLiteral("session/file")).toString(), test::starter()); // not written over
}

// A run of many hours as fast as possible: it takes long enough to be seen, and is ended by the button.
void tst_Preferences::longComputationsShowProgressAndCanBeCancelled() {
    test::WindowFixture w;
    auto* progress = w.window.findChild<RunProgress*>();
    QVERIFY(progress && !progress->isVisible());
    Scenario s = documentTemplates()[1].scenario;
    s.jobs[0].stop.iterations = 50'000'000;
    w.workspace.create(s);
    w.workspace.playback().setSpeed(Playback::unlimited);
    QVERIFY(w.workspace.runs().session());
    QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), 20000);
    QVERIFY(progress->text().contains(QLatin1Char('%')));
    progress->cancel().click();
    QTRY_VERIFY_WITH_TIMEOUT(!w.workspace.runs().current().running, 20000);
    QTRY_VERIFY(!progress->isVisible());
    QCOMPARE(w.workspace.runs().latestFrame()->status, RunStatus::stopped);
    QVERIFY(w.workspace.runs().current().log->size() > 0); // what has been computed stays
}

TRAINYARD_TEST(tst_Preferences)
#include "tst_Preferences.moc"
