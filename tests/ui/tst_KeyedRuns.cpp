// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs of keyed jobs and of graph jobs in the window: views begin with what concerns them, no worker is said to be idle of which nothing
// is logged, and a key tells why it is where it is.
#include "canvas/CanvasView.h"
#include "charts/PictureView.h"
#include "charts/ViewPanel.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/InspectorText.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "tables/ExplanationText.h"

#include <QLabel>
#include <QRegularExpression>
#include <QSpinBox>

using namespace trainyard;

namespace {

struct Fixture : test::WindowFixture {
    bool play(const char* file) {
        if (!window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/") + QLatin1String(file)))
            return false;
        workspace.playback().toEnd();
        return QTest::qWaitFor([&] { return ended(); }, test::patience);
    }
    QString emptyStragglers() const {
        for (Lane* lane : window.findChild<LaneStack*>()->lanes())
            if (lane->painter().title() == QStringLiteral("Stragglers"))
                return lane->painter().emptyText(lane->input());
        return {};
    }
};

} // namespace

class tst_KeyedRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void viewsBeginWithWhatConcerns();
    void workersAreNotSaidToBeIdle();
    void whyAKeyIsWhereItIs();
    void degreesAreComparedInWords();
    void failedChecksSayWhatIsTrue();
    void outcomeSaysHowManyAreBlocked();

private:
    test::OwnSettings m_settings{"tst_KeyedRuns"};
};

void tst_KeyedRuns::viewsBeginWithWhatConcerns() {
    Fixture w;
    QVERIFY(w.play("nups/zipf.json"));
    w.window.panels().show(QStringLiteral("views"));
    auto* panel = w.window.findChild<ViewPanel*>();
    QVERIFY(panel);
    panel->refresh();
    QVERIFY(panel->view().group.pattern != findView("iteration")->group.pattern);
    QVERIFY(emptyOf(panel->picture().picture()).pattern.empty());
    // One that is chosen stays, though it has nothing to say.
    panel->choose(QStringLiteral("iteration"));
    panel->refresh();
    QCOMPARE(panel->view().id, std::string("iteration"));
}

void tst_KeyedRuns::workersAreNotSaidToBeIdle() {
    Fixture w;
    QVERIFY(w.play("nups/zipf.json"));
    QVERIFY(w.emptyStragglers().contains(QStringLiteral("keyed job")));
    w.workspace.axis().setCursor(SimTime::seconds(0.01));
    const auto state = w.workspace.shownState();
    QVERIFY(state && state->job(JobId(0)).placedWorkers == 4);
    const QString now = inspectorNow(*state, state->now(), {JobId(0), {}});
    QVERIFY2(now.contains(QStringLiteral("Worker 4")) && !now.contains(QStringLiteral("idle")), qPrintable(now));
    std::size_t workers = 0;
    for (const auto& slots : w.window.canvas().content().slots)
        for (const TaskSlot& slot : slots) workers += !slot.isLogged;
    QCOMPARE(workers, std::size_t{4});

    QVERIFY(w.play("pacml/further-is-not-faster.json"));
    QVERIFY(w.emptyStragglers().contains(QStringLiteral("graph job")));
    const QString later = inspectorNow(*w.workspace.shownState(), w.workspace.shownTime(), {JobId(2), {}});
    QVERIFY2(later.contains(QStringLiteral("Parts")) && !later.contains(QStringLiteral("Samples")), qPrintable(later));
}

/// As `trainyard-cli explain --rank` says it.
void tst_KeyedRuns::whyAKeyIsWhereItIs() {
    Fixture w;
    QVERIFY(w.play("nups/zipf.json"));
    auto* inspector = w.window.findChild<Inspector*>();
    auto* rank = inspector->findChild<QSpinBox*>(QStringLiteral("rankOfKey"));
    auto* why = inspector->findChild<QLabel*>(QStringLiteral("whyKey"));
    QVERIFY(rank && why && rank->isHidden() == false);
    inspector->setCurrentIndex(2);
    QTRY_VERIFY2(why->text().contains(QStringLiteral("Rank 1 is key")), qPrintable(why->text()));
    QVERIFY(why->text().contains(QStringLiteral("replica")));
    rank->setValue(1001); // the first without a replica
    QVERIFY2(why->text().contains(QStringLiteral("Rank 1001")), qPrintable(why->text()));
    QVERIFY2(why->text().contains(QStringLiteral("home")), qPrintable(why->text()));
    QCOMPARE(rank->maximum(), 100'000);
    // Of a job without keys there is nothing to ask.
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QVERIFY(QTest::qWaitFor([&] { return w.ended(); }, test::patience));
    QTRY_VERIFY(rank->parentWidget()->isHidden());
}

/// What a partitioner checks of a number of parts is said in words, not as 0 ≥ 1.
void tst_KeyedRuns::degreesAreComparedInWords() {
    Explanation why{.family = PolicyFamily::partitioner, .policy = "learned"};
    why.candidates.push_back(
        {.label = "2 parts", .checks = {{"in time", 0, Comparison::atLeast, 1}, {"chosen", 0, Comparison::equal, 1}}});
    why.candidates.push_back(
        {.label = "4 parts", .checks = {{"in time", 1, Comparison::atLeast, 1}, {"chosen", 1, Comparison::equal, 1}}});
    const QString html = explanationHtml(why, nullptr);
    for (const char* words : {"✗ not in time", "✗ not chosen", "✓ in time", "✓ chosen"})
        QVERIFY2(html.contains(QString::fromUtf8(words)), qPrintable(html));
}

/// A failed check says what is true, and of room no more than is asked for.
void tst_KeyedRuns::failedChecksSayWhatIsTrue() {
    Explanation why{.family = PolicyFamily::partitioner, .policy = "constant"};
    why.candidates.push_back({.label = "1 part",
                              .checks = {{"parts", 1, Comparison::equal, 8},
                                         {"completion_s", 27.2, Comparison::atMost, 2.72},
                                         {"free blocks", 0, Comparison::atLeast, 1}}});
    why.candidates.push_back({.label = "8 parts",
                              .checks = {{"parts", 8, Comparison::equal, 8},
                                         {"parts", 8, Comparison::atLeast, 2},
                                         {"room for workers", 32, Comparison::atLeast, 32},
                                         {"keys", 13469.7, Comparison::less, 2e4}}});
    why.candidates.push_back({.label = "job", .checks = {{"room for workers", 3, Comparison::atLeast, 4}}});
    const QString html = explanationHtml(why, nullptr);
    for (const char* words :
         {"✗ parts 1 ≠ 8", "✗ completion 27.2 s &gt; 2.72 s", "✗ no block of servers is free", "✓ parts 8 = 8",
          "✓ parts 8 ≥ 2", "✓ room for 32 workers", "✓ keys 13,470 &lt; 20,000", "✗ room for 3 of 4 workers"})
        QVERIFY2(html.contains(QString::fromUtf8(words)), qPrintable(html));
}

/// Of jobs that are admitted or blocked, and of models, what a change has changed is said first.
void tst_KeyedRuns::outcomeSaysHowManyAreBlocked() {
    Fixture w;
    QVERIFY(w.play("pacml/corrected-light.json"));
    w.workspace.document().choosePolicy(PolicyFamily::partitioner, {"constant", {{"degree", std::int64_t{8}}}});
    QTRY_VERIFY_WITH_TIMEOUT(!w.workspace.outcome().text().isEmpty(), test::patience);
    const QString said = w.workspace.outcome().text();
    QVERIFY2(QRegularExpression(QStringLiteral("^[0-9.]+ % of the jobs blocked instead of [0-9.]+ %"))
                 .match(said)
                 .hasMatch(),
             qPrintable(said));
}

TRAINYARD_TEST(tst_KeyedRuns)
#include "tst_KeyedRuns.moc"
