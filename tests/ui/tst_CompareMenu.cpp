// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which other run lies beneath the current one: chosen from a menu, pinned while others come and go, opened
// from a record; and the menus that add histories to the timeline.
#include "lanes/CompareMenu.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "run/files/RunRecord.h"
#include "session/ShownIndex.h"
#include "shell/EditorActions.h"
#include "shell/Panels.h"
#include "shell/ScenarioOutline.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QContextMenuEvent>
#include <QMenuBar>

using namespace trainyard;

class tst_CompareMenu : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void theRunBeforeIsTheGhost();
    void aChosenRunStays();
    void aRecordIsOpened();
    void contextMenusAddHistories();
    void layoutRemembersTheTimeline();

private:
    static LaneStack* stackOf(test::WindowFixture& w) { return w.window.findChild<LaneStack*>(); }
    static RunId ghostShown(test::WindowFixture& w);
    static void finish(test::WindowFixture& w);
    static void rerun(test::WindowFixture& w, std::uint64_t seed);
    static QAction* find(CompareMenu& menu, const QString& text);
    test::OwnSettings m_settings{"tst_CompareMenu"};
};

RunId tst_CompareMenu::ghostShown(test::WindowFixture& w) {
    const ShownIndex* ghost = stackOf(w)->lanes()[2]->input().ghost;
    return ghost ? ghost->run().id : 0;
}

void tst_CompareMenu::finish(test::WindowFixture& w) {
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
}

void tst_CompareMenu::rerun(test::WindowFixture& w, std::uint64_t seed) {
    const RunId before = w.workspace.runs().current().id;
    w.workspace.document().setSeed(seed);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != before && w.ended(), test::patience);
}

QAction* tst_CompareMenu::find(CompareMenu& menu, const QString& text) {
    Q_EMIT menu.aboutToShow(); // as on opening
    for (QAction* action : menu.actions())
        if (action->text().remove(QLatin1Char('&')).contains(text)) return action;
    return nullptr;
}

void tst_CompareMenu::theRunBeforeIsTheGhost() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter()));
    finish(w);
    QCOMPARE(ghostShown(w), RunId{0});
    const RunId first = w.workspace.runs().current().id;
    rerun(w, 100);
    QTRY_COMPARE(ghostShown(w), first);
    const RunId second = w.workspace.runs().current().id;
    rerun(w, 101);
    QTRY_COMPARE(ghostShown(w), second);
    // The same menu in both places.
    QCOMPARE(w.window.findChildren<CompareMenu*>().size(), 2);
}

void tst_CompareMenu::aChosenRunStays() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter()));
    finish(w);
    const RunId first = w.workspace.runs().current().id;
    for (const std::uint64_t seed : {100u, 101u}) rerun(w, seed);
    CompareMenu& menu = *w.window.findChild<CompareMenu*>();
    find(menu, QStringLiteral("Run %1:").arg(first))->trigger();
    QTRY_COMPARE(ghostShown(w), first);
    QVERIFY(find(menu, QStringLiteral("Run %1:").arg(first))->isChecked());
    w.workspace.runs().setMostEarlier(1); // the oldest go, but not the chosen one
    rerun(w, 102);
    QTRY_COMPARE(ghostShown(w), first);
    QCOMPARE(w.workspace.runs().earlier().size(), std::size_t{1});
    find(menu, QStringLiteral("None"))->trigger();
    QTRY_COMPARE(ghostShown(w), RunId{0});
    rerun(w, 103);
    QCOMPARE(ghostShown(w), RunId{0});
    find(menu, QStringLiteral("Run Before"))->trigger();
    QTRY_COMPARE(ghostShown(w), w.workspace.runs().earlier().back().id);
    // Another document begins anew.
    QVERIFY(w.workspace.open(test::starter()));
    QVERIFY(w.workspace.runs().ghostChoice() == RunModel::Ghost::before);
    QCOMPARE(ghostShown(w), RunId{0});
}

void tst_CompareMenu::aRecordIsOpened() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter()));
    finish(w);
    const std::string digest = w.workspace.runs().current().log->digest();
    QTemporaryDir dir;
    const auto session = w.workspace.runs().session();
    QVERIFY(session);
    QVERIFY(writeRecord(recordOf(*session, "starter.json"), dir.path().toStdString()).empty());
    rerun(w, 100);
    w.workspace.runs().compareWithRecord(dir.path());
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().opened().size() == 1, test::patience);
    QTRY_COMPARE(ghostShown(w), w.workspace.runs().opened()[0].id);
    const LaneInput& input = stackOf(w)->lanes()[2]->input();
    QCOMPARE(input.ghost->run().log->digest(), digest);
    QVERIFY(input.ghostName.contains(QStringLiteral("starter.json")));
    QVERIFY(find(*w.window.findChild<CompareMenu*>(), QStringLiteral("starter.json"))->isChecked());
    // What is no record is refused, and says why.
    QSignalSpy refused(&w.workspace.runs(), &RunModel::recordRefused);
    QTemporaryDir empty;
    w.workspace.runs().compareWithRecord(empty.path());
    QTRY_COMPARE(refused.count(), 1);
    QVERIFY(!refused[0][0].toString().isEmpty());
    QCOMPARE(w.workspace.runs().opened().size(), std::size_t{1});
}

void tst_CompareMenu::contextMenusAddHistories() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter()));
    finish(w);
    const Cluster& cluster = w.workspace.document().scenario().cluster;
    using Hit = ClusterLayout::Kind;
    for (const auto kind : {Hit::machine, Hit::link}) {
        const std::unique_ptr<QMenu> menu(w.window.editing().contextMenu({kind, 0}, {}));
        auto* add = menu->findChild<QAction*>(QStringLiteral("addToTimeline"));
        QVERIFY(add && add->isEnabled());
        add->trigger();
        const std::unique_ptr<QMenu> again(w.window.editing().contextMenu({kind, 0}, {}));
        add = again->findChild<QAction*>(QStringLiteral("addToTimeline"));
        QVERIFY(!add->isEnabled() && add->toolTip().contains(QStringLiteral("already")));
    }
    const auto& all = w.workspace.histories().all();
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(all[0] == machineSubject(cluster.machines[0].key));
    QVERIFY(all[1] == linkSubject(cluster.links[0].key));
    // A job, from the outline, by the keyboard's menu key.
    w.window.panels().show(QStringLiteral("scenario"));
    auto* outline = w.window.findChild<ScenarioOutline*>();
    QTreeWidgetItem* leaf = nullptr;
    for (int g = 0; g < outline->topLevelItemCount(); ++g)
        if (outline->topLevelItem(g)->text(0).startsWith(QStringLiteral("Workload")))
            leaf = outline->topLevelItem(g)->child(0);
    QVERIFY(leaf);
    outline->setCurrentItem(leaf);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QCoreApplication::sendEvent(outline->viewport(), &event);
    auto* menu = outline->findChild<QMenu*>();
    QVERIFY(menu);
    menu->findChild<QAction*>(QStringLiteral("addToTimeline"))->trigger();
    menu->close();
    QCOMPARE(all.size(), std::size_t{3});
    QCOMPARE(all[2].view(), QStringLiteral("workers"));
    QCOMPARE(stackOf(w)->lanes().back()->painter().subject()->key, all[2].key);
}

void tst_CompareMenu::layoutRemembersTheTimeline() {
    {
        test::WindowFixture w;
        w.workspace.histories().add({machineSubject("m1")});
        w.window.panels().keepLayout(QStringLiteral("mine"));
        w.workspace.histories().set({});
        w.window.panels().useLayout(QStringLiteral("mine"));
        QCOMPARE(w.workspace.histories().all().size(), std::size_t{1});
        w.window.panels().reset();
        QVERIFY(w.workspace.histories().all().empty());
        w.window.panels().useLayout(QStringLiteral("mine"));
        w.window.close();
    }
    test::WindowFixture next;
    next.window.restoreLayout();
    QCOMPARE(next.workspace.histories().all().size(), std::size_t{1});
    next.window.panels().forgetLayout(QStringLiteral("mine"));
    QVERIFY(next.window.panels().layouts().isEmpty());
}

TRAINYARD_TEST(tst_CompareMenu)
#include "tst_CompareMenu.moc"
