// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every command can be found, read and given other keys; conflicts are named; F1 and Shift+F1 lead to help that
// is there.
#include "canvas/CanvasView.h"
#include "forms/PolicyPanel.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/HelpBrowser.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/ShortcutsDialog.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QComboBox>
#include <QDir>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>

using namespace trainyard;

class tst_Shortcuts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void everyMenuCommandIsListed();
    void idsAndKeysAreUnique();
    void newKeysWorkAndAreRemembered();
    void conflictIsNamedAndSettled();
    void resetsOneAndAll();
    void filterFindsByTextAndKey();
    void everyPolicyHasItsPage();
    void f1ExplainsThePolicyInFocus();
    void everyPanelHasAWhatsThis();
    void helpLinksLeadSomewhere();

private:
    static QPushButton* button(QWidget& in, const QString& text);
    test::OwnSettings m_settings{"tst_Shortcuts"};
};

QPushButton* tst_Shortcuts::button(QWidget& in, const QString& text) {
    for (QPushButton* each : in.findChildren<QPushButton*>())
        if (each->text() == text) return each;
    return nullptr;
}

// Menus that list what changes (recent files, layouts, templates, themes) are not commands.
void tst_Shortcuts::everyMenuCommandIsListed() {
    test::WindowFixture w;
    const QStringList lists{QStringLiteral("Open &Recent"),  QStringLiteral("New from &Template"),
                            QStringLiteral("&Theme"),        QStringLiteral("&Layouts"),
                            QStringLiteral("&Compare With"), QStringLiteral("&Bookmarks")};
    int commands = 0;
    std::function<void(QMenu*)> visit = [&](QMenu* menu) {
        if (lists.contains(menu->title())) return;
        for (QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            if (action->menu()) {
                visit(action->menu());
                continue;
            }
            QVERIFY2(!ActionList::idOf(action).isEmpty(), qPrintable(menu->title() + action->text()));
            ++commands;
        }
    };
    for (QAction* top : w.window.menuBar()->actions()) {
        visit(top->menu());
        QVERIFY2(top->menu()->sizeHint().height() <= 560, qPrintable(top->text())); // the smallest window is 600 high
    }
    QVERIFY(commands > 30);
}

void tst_Shortcuts::idsAndKeysAreUnique() {
    test::WindowFixture w;
    QSet<QString> ids;
    for (QAction* action : w.window.commands().all()) {
        const QString id = ActionList::idOf(action);
        QVERIFY2(!ids.contains(id), qPrintable(id));
        ids.insert(id);
        if (const QAction* other = w.window.commands().holderOf(action->shortcut(), action))
            QFAIL(qPrintable(id + QStringLiteral(" and ") + ActionList::idOf(other)));
    }
}

void tst_Shortcuts::newKeysWorkAndAreRemembered() {
    {
        test::WindowFixture w;
        ShortcutsDialog dialog(w.window.commands());
        dialog.show();
        dialog.select(QStringLiteral("help.start-page"));
        dialog.keys().setFocus();
        QTest::keyClick(&dialog.keys(), Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
        // Qt waits a second for a further stroke.
        QTRY_COMPARE(w.window.commands().find(QStringLiteral("help.start-page"))->shortcut(),
                     QKeySequence(QStringLiteral("Ctrl+Alt+J")));
        QVERIFY(dialog.conflict().isEmpty());
        QVERIFY(dialog.table().currentItem()->text(1).contains(QStringLiteral("J")));
    }
    test::WindowFixture next;
    QVERIFY(QTest::qWaitForWindowExposed(&next.window));
    QApplication::setActiveWindow(&next.window);
    QVERIFY(next.window.places().isAt("lab"));
    QTest::keyClick(&next.window, Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(next.window.places().isAt("start"));
}

void tst_Shortcuts::conflictIsNamedAndSettled() {
    test::WindowFixture w;
    ActionList& commands = w.window.commands();
    ShortcutsDialog dialog(commands);
    dialog.show();
    QAction *save = commands.find(QStringLiteral("file.save")), *fit = commands.find(QStringLiteral("view.fit"));
    const QKeySequence before = fit->shortcut();
    dialog.select(QStringLiteral("view.fit"));
    QTest::keyClick(&dialog.keys(), Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY2(dialog.conflict().contains(QStringLiteral("Save")), qPrintable(dialog.conflict()));
    QCOMPARE(fit->shortcut(), before); // nothing is taken in silence
    QCOMPARE(save->shortcut(), QKeySequence(QKeySequence::Save));
    button(dialog, QStringLiteral("Use it here"))->click();
    QCOMPARE(fit->shortcut(), QKeySequence(QStringLiteral("Ctrl+S")));
    QVERIFY(save->shortcut().isEmpty());
    QVERIFY(dialog.conflict().isEmpty());
}

void tst_Shortcuts::resetsOneAndAll() {
    test::WindowFixture w;
    ActionList& commands = w.window.commands();
    ShortcutsDialog dialog(commands);
    dialog.show();
    QAction *fit = commands.find(QStringLiteral("view.fit")), *quit = commands.find(QStringLiteral("file.quit"));
    const QKeySequence usual = fit->shortcut(), usualQuit = quit->shortcut();
    dialog.select(QStringLiteral("view.fit"));
    QVERIFY(!button(dialog, QStringLiteral("Reset"))->isEnabled());
    button(dialog, QStringLiteral("No shortcut"))->click();
    QVERIFY(fit->shortcut().isEmpty());
    button(dialog, QStringLiteral("Reset"))->click();
    QCOMPARE(fit->shortcut(), usual);
    commands.setKeys(fit, QKeySequence(QStringLiteral("Ctrl+Alt+1")));
    commands.setKeys(quit, QKeySequence(QStringLiteral("Ctrl+Alt+2")));
    button(dialog, QStringLiteral("Reset all"))->click();
    QCOMPARE(fit->shortcut(), usual);
    QCOMPARE(quit->shortcut(), usualQuit);
    QVERIFY(!QSettings().childGroups().contains(QStringLiteral("shortcuts"))); // defaults are not kept
}

void tst_Shortcuts::filterFindsByTextAndKey() {
    test::WindowFixture w;
    ShortcutsDialog dialog(w.window.commands());
    const auto shown = [&] {
        QStringList names;
        for (int i = 0; i < dialog.table().topLevelItemCount(); ++i)
            if (!dialog.table().topLevelItem(i)->isHidden()) names << dialog.table().topLevelItem(i)->text(0);
        return names;
    };
    QCOMPARE(shown().size(), w.window.commands().all().size());
    dialog.filter().setText(QStringLiteral("projector"));
    QCOMPARE(shown(), QStringList{QStringLiteral("View → Projector Mode")});
    dialog.filter().setText(QStringLiteral("Ctrl+N"));
    QVERIFY(shown().contains(QStringLiteral("File → New")));
    dialog.filter().clear();
    QCOMPARE(shown().size(), w.window.commands().all().size());
}

void tst_Shortcuts::everyPolicyHasItsPage() {
    test::WindowFixture w;
    HelpBrowser& help = w.window.help();
    const QStringList pages = help.pages();
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        for (const PolicyInfo* info : w.workspace.registry().list(family))
            QVERIFY2(pages.contains(QString::fromStdString(info->id)), info->id.c_str());
    for (const QString& page : pages) {
        help.show(page);
        QVERIFY2(help.text().size() > 200, qPrintable(page));
        QVERIFY2(!help.text().contains(QStringLiteral("There is no help page")), qPrintable(page));
    }
    help.show(QStringLiteral("metrics"));
    QVERIFY(help.text().contains(QStringLiteral("straggler_wait_s")));
    help.show(QStringLiteral("nonsense"));
    QVERIFY(help.text().contains(QStringLiteral("There is no help page")));
}

void tst_Shortcuts::f1ExplainsThePolicyInFocus() {
    test::WindowFixture w;
    QVERIFY(QTest::qWaitForWindowExposed(&w.window));
    QApplication::setActiveWindow(&w.window);
    QVERIFY(w.window.files().open(test::starter()));
    w.window.policies().picker(PolicyFamily::synchronization)->setFocus();
    QTRY_VERIFY(w.window.policies().picker(PolicyFamily::synchronization)->hasFocus());
    QTest::keyClick(w.window.focusWidget(), Qt::Key_F1);
    QTRY_VERIFY(w.window.panels().find(QStringLiteral("help"))->isVisible());
    QCOMPARE(w.window.help().page(), QStringLiteral("full-sync"));
    w.window.canvas().setFocus();
    QTest::keyClick(&w.window.canvas(), Qt::Key_F1);
    QCOMPARE(w.window.help().page(), QStringLiteral("cluster"));
}

void tst_Shortcuts::everyPanelHasAWhatsThis() {
    test::WindowFixture w;
    for (const QDockWidget* dock : w.window.panels().all())
        QVERIFY2(dock->whatsThis().size() > 20, qPrintable(dock->objectName()));
}

void tst_Shortcuts::helpLinksLeadSomewhere() {
    test::WindowFixture w;
    const QRegularExpression link(QStringLiteral("\\]\\(([^)]+)\\)"));
    int links = 0;
    for (const char* folder : {"guide", "help"}) {
        const QDir dir(QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/") + QLatin1String(folder));
        const QStringList files = dir.entryList({QStringLiteral("*.md")}, QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const QString& name : files) {
            QFile file(dir.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (auto it = link.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();) {
                const QString target = it.next().captured(1);
                if (target.startsWith(QLatin1String("http"))) continue;
                QVERIFY2(w.window.help().pages().contains(target), qPrintable(name + QStringLiteral(" → ") + target));
                ++links;
            }
        }
    }
    QVERIFY(links > 3);
}

TRAINYARD_TEST(tst_Shortcuts)
#include "tst_Shortcuts.moc"
