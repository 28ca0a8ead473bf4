// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two runs side by side as a person uses them: from the lab, from a comparison, from records; one instant for both; what
// is shown of each is what it did; the first difference is that of the command line.
#include "compare/ClusterPane.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "compare/PairedLanes.h"
#include "compare/PoliciesTab.h"
#include "compare/TwoRunsTab.h"
#include "lanes/Lane.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>

#include <nlohmann/json.hpp>

using namespace trainyard;
using Json = nlohmann::json;

class tst_TwoRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void previousRunByKeyboard();
    void previousRunByMouse();
    void oneRunIsNotEnough();
    void runUnderWayIsAwaited();
    void seedOfAComparison();
    void recordsAreTheCommandLines();
    void whyNotIsAboutTheSameJob();
    void unreadableRecordIsSaid();
    void selectionIsOfBoth();
    void timeEndsWithTheLongerRun();
    void stepsStopAtDecisionsOfEither();
    void sameRunTwiceAndSwapped();
    void otherClustersStandSideBySide();
    void executedRunsSayThatTheyVary();
    void fitsSmallWindows_data();
    void fitsSmallWindows();

private:
    /// The starter run to its end under its own policy and then under another.
    static void runTwice(test::WindowFixture& w, const char* name, const char* synchronization);
    static TwoRunsTab& goToRuns(test::WindowFixture& w);
    static TwoRunsTab& openRecords(test::WindowFixture& w, const QString& a, const QString& b);
    static TwoRunsTab& previousBesideCurrent(test::WindowFixture& w); ///< by its key
    static bool compared(TwoRunsTab& tab);
    QProcess& cli(const QStringList& arguments);
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<QProcess> m_cli;
    test::OwnSettings m_settings{"tst_TwoRuns"};
};

void tst_TwoRuns::init() {
    test::OwnSettings::clear();
    m_dir = std::make_unique<QTemporaryDir>();
}

void tst_TwoRuns::runTwice(test::WindowFixture& w, const char* name, const char* synchronization) {
    QVERIFY(w.workspace.open(test::starter(name)));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    w.workspace.document().choosePolicy(PolicyFamily::synchronization, Choice{synchronization, {}});
    const RunId before = w.workspace.runs().current().id;
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != before, test::patience);
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended() && !w.workspace.runs().current().running, test::patience);
}

TwoRunsTab& tst_TwoRuns::goToRuns(test::WindowFixture& w) {
    w.window.places().go("compare");
    w.window.compare().go("runs");
    return w.window.compare().runs();
}

TwoRunsTab& tst_TwoRuns::openRecords(test::WindowFixture& w, const QString& a, const QString& b) {
    TwoRunsTab& tab = goToRuns(w);
    tab.openRecord(0, a);
    tab.openRecord(1, b);
    return tab;
}

TwoRunsTab& tst_TwoRuns::previousBesideCurrent(test::WindowFixture& w) {
    QTest::keyClick(&w.window, Qt::Key_K, Qt::ControlModifier);
    return w.window.compare().runs();
}

bool tst_TwoRuns::compared(TwoRunsTab& tab) {
    return QTest::qWaitFor(
        [&] {
            return tab.pair().isShown() && !tab.pair().isRunning() &&
                   tab.pair().difference() >= RunPair::Difference::same;
        },
        test::patience);
}

QProcess& tst_TwoRuns::cli(const QStringList& arguments) {
    m_cli = std::make_unique<QProcess>();
    m_cli->start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
    m_cli->waitForFinished(test::patience);
    return *m_cli;
}

void tst_TwoRuns::previousRunByKeyboard() {
    test::WindowFixture w;
    runTwice(w, "one-slow-worker", "async");
    QTest::keyClick(&w.window, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(w.window.places().isAt("compare"));
    TwoRunsTab& tab = w.window.compare().runs();
    QVERIFY(tab.isVisible());
    QVERIFY(compared(tab));
    QCOMPARE(tab.pair().run(0).log, w.workspace.runs().earlier().back().log);
    QCOMPARE(tab.pair().run(1).log, w.workspace.runs().current().log);
    const auto expected = firstDifference(*tab.pair().run(0).log, *tab.pair().run(1).log, true);
    QVERIFY(expected && tab.pair().firstDifference());
    QCOMPARE(tab.pair().firstDifference()->at, expected->at);

    auto* go = w.window.findChild<QPushButton*>(QStringLiteral("go-to-difference"));
    QVERIFY(go->isVisible() && go->isEnabled());
    go->setFocus();
    QTest::keyClick(go, Qt::Key_Space);
    QCOMPARE(tab.pair().axis().cursor(), std::optional(expected->at));
    QCOMPARE(tab.pair().shownTime(), expected->at);
    // The slowest of all is not waited for any more.
    const QString sentence = QStringLiteral("takes the gradient of worker");
    QVERIFY2(tab.why(0).contains(sentence) && !tab.why(0).contains(QStringLiteral("gradient used")),
             qPrintable(tab.why(0)));
    QVERIFY2(tab.why(1).contains(sentence), qPrintable(tab.why(1)));
    QVERIFY2(tab.why(1).contains(QStringLiteral("Asynchronous")), qPrintable(tab.why(1)));
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        ClusterState replayed(tab.pair().run(side).workload);
        const EventLog& log = *tab.pair().run(side).log;
        for (std::size_t i = 0; i < log.positionAfter(expected->at); ++i) replayed.apply(log[i]);
        QCOMPARE(tab.pane(side)->content().state->job(JobId(0)).updates, replayed.job(JobId(0)).updates);
    }
    QVERIFY(tab.pane(0)->content().state->job(JobId(0)).updates != tab.pane(1)->content().state->job(JobId(0)).updates);
    // The lab's own time has not moved.
    QVERIFY(!w.workspace.axis().cursor());
}

void tst_TwoRuns::previousRunByMouse() {
    test::WindowFixture w;
    runTwice(w, "one-slow-worker", "fastest-k");
    w.window.places().go("compare");
    auto* tabs = w.window.findChild<QTabWidget*>(QStringLiteral("compare-tabs"))->tabBar();
    int place = -1;
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Two Runs")) place = i;
    QVERIFY(place >= 0);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(place).center());
    TwoRunsTab& tab = w.window.compare().runs();
    QVERIFY(compared(tab)); // with nothing chosen, the last two
    auto* go = w.window.findChild<QPushButton*>(QStringLiteral("go-to-difference"));
    QTest::mouseClick(go, Qt::LeftButton);
    QCOMPARE(tab.pair().axis().cursor(), std::optional(tab.pair().firstDifference()->at));
    const auto click = [&](const char* button) {
        QTest::mouseClick(w.window.findChild<QToolButton*>(QLatin1String(button)), Qt::LeftButton);
    };
    click("pair-to-start");
    QCOMPARE(tab.pair().shownTime(), SimTime::zero());
    click("pair-play");
    QVERIFY(tab.pair().playback().isPlaying());
    QTRY_VERIFY(tab.pair().shownTime() > SimTime::zero());
    click("pair-play");
    QVERIFY(!tab.pair().playback().isPlaying());
    click("pair-to-end");
    QVERIFY(!tab.pair().axis().cursor());
    QCOMPARE(tab.pair().shownTime(), tab.pair().end());
}

void tst_TwoRuns::oneRunIsNotEnough() {
    test::WindowFixture w;
    TwoRunsTab& tab = w.window.compare().runs();
    QVERIFY(!tab.whyNoPrevious().isEmpty());
    QVERIFY(w.workspace.open(test::starter("one-slow-worker")));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    goToRuns(w);
    QVERIFY(!tab.pair().isShown());
    QVERIFY2(tab.status().contains(QStringLiteral("record")), qPrintable(tab.status())); // what can be done about it
    QVERIFY(tab.whyNoPrevious().contains(QStringLiteral("no run before")));
}

void tst_TwoRuns::runUnderWayIsAwaited() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter("one-slow-worker")));
    w.workspace.playback().setSpeed(0.01); // a run takes twenty minutes, if nobody lets it go
    QTRY_VERIFY(w.workspace.runs().current().log && w.workspace.runs().current().running);
    TwoRunsTab& tab = goToRuns(w);
    QVERIFY(!tab.pair().isShown());
    tab.show(w.workspace.runs().current(), w.workspace.runs().current());
    QVERIFY(compared(tab));
    QCOMPARE(tab.pair().difference(), RunPair::Difference::same);
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        const RunData& run = tab.pair().run(side);
        QVERIFY(!run.running);
        QCOMPARE(tab.pane(side)->content().state->job(JobId(0)).phase, JobPhase::finished);
    }
    // What runs on threads cannot be hurried: it is waited for.
    ScenarioModel& document = w.workspace.document();
    document.change(QStringLiteral("fewer iterations"), [](Scenario& s) { s.jobs[0].stop.iterations = 8; });
    QTRY_VERIFY(w.ended());
    document.setMode(RunMode::execute);
    QTRY_VERIFY(w.workspace.runs().current().running && w.workspace.runs().current().log);
    tab.showPrevious();
    QCOMPARE(tab.pair().run(1).mode, RunMode::simulate);
    QVERIFY(QTest::qWaitFor([&] { return tab.pair().run(1).mode == RunMode::execute; }, test::patience));
    QVERIFY(compared(tab));
    QVERIFY(!tab.pair().isTimed());
}

void tst_TwoRuns::seedOfAComparison() {
    test::WindowFixture w;
    QVERIFY(w.workspace.open(test::starter("one-slow-worker")));
    w.workspace.playback().pause();
    w.window.places().go("compare");
    PoliciesTab& policies = w.window.compare().policies();
    policies.form().setArms({});
    for (const char* arm : {"synchronization=full-sync", "synchronization=fastest-k", "synchronization=async"})
        QVERIFY(policies.form().addArm(arm));
    policies.run();
    QTRY_VERIFY_WITH_TIMEOUT(policies.comparison().result() && !policies.comparison().isRunning(), test::patience);
    auto* button = w.window.findChild<QToolButton*>(QStringLiteral("side-by-side"));
    QVERIFY(button->isVisible());
    Q_EMIT button->menu()->aboutToShow();
    QCOMPARE(button->menu()->actions().size(), qsizetype{2});
    QMenu* async = button->menu()->actions().at(1)->menu();
    QCOMPARE(async->actions().size(), static_cast<qsizetype>(policies.comparison().result()->seeds.size()));
    const std::size_t chosen = 1;
    async->actions().at(static_cast<qsizetype>(chosen))->trigger();
    TwoRunsTab& tab = w.window.compare().runs();
    QVERIFY(tab.isVisible());
    QVERIFY(compared(tab));
    const std::array<std::size_t, 2> arms{0, 2};
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        const RunData& run = tab.pair().run(side);
        const EventLog& log = *run.log;
        const Metrics metrics = computeMetrics(*run.workload, log, log[log.size() - 1].time);
        const auto& kept = policies.comparison().result()->arms[arms[side]].runs[chosen];
        QCOMPARE(metrics.values.at("makespan_s"), kept.at("makespan_s"));
        QCOMPARE(metrics.values.at("final_loss"), kept.at("final_loss"));
        QCOMPARE(run.seed, policies.comparison().result()->seeds[chosen]);
    }
}

void tst_TwoRuns::recordsAreTheCommandLines() {
    const QString a = m_dir->filePath(QStringLiteral("a")), b = m_dir->filePath(QStringLiteral("b"));
    const QString file = test::starter("five-ways-to-wait");
    QCOMPARE(cli({QStringLiteral("run"), file, QStringLiteral("--out"), a}).exitCode(), 0);
    QCOMPARE(
        cli({QStringLiteral("run"), file, QStringLiteral("--seed"), QStringLiteral("3"), QStringLiteral("--out"), b})
            .exitCode(),
        0);
    const Json told =
        Json::parse(cli({QStringLiteral("explain"), a, QStringLiteral("--against"), b, QStringLiteral("--json")})
                        .readAllStandardOutput()
                        .toStdString());
    test::WindowFixture w;
    TwoRunsTab& tab = openRecords(w, a, b);
    QVERIFY(compared(tab));
    QCOMPARE(tab.pair().firstDifference()->at.toSeconds(), told.at("time_s").get<double>());
    QVERIFY(w.workspace.runs().opened().empty()); // the lab compares with what it did before
}

// Two jobs of which only one fits: the runs begin with different ones, and each says why the other's does not start.
void tst_TwoRuns::whyNotIsAboutTheSameJob() {
    const QString a = m_dir->filePath(QStringLiteral("a")), b = m_dir->filePath(QStringLiteral("b"));
    for (const auto& [out, scheduler] : {std::pair(a, "fifo"), std::pair(b, "srtf")})
        QCOMPARE(
            cli({QStringLiteral("run"), test::starter("first-steps"), QStringLiteral("--no-charts"),
                 QStringLiteral("--set"), QStringLiteral("/jobs/0/workers=7"), QStringLiteral("--set"),
                 QStringLiteral("/jobs/1/arrival_s=0"), QStringLiteral("--set"),
                 QStringLiteral("/jobs/0/stop={\"iterations\": 9}"), QStringLiteral("--set"),
                 QStringLiteral("/policies/scheduler=%1").arg(QLatin1String(scheduler)), QStringLiteral("--out"), out})
                .exitCode(),
            0);
    test::WindowFixture w;
    TwoRunsTab& tab = openRecords(w, a, b);
    QVERIFY(compared(tab));
    tab.pair().goToDifference();
    QCoreApplication::processEvents();
    const QString digits = QStringLiteral("Digits, softmax"), cancer = QStringLiteral("Breast cancer, logistic");
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        const QString why = tab.why(side), does = side == 0 ? cancer : digits, doesNot = side == 0 ? digits : cancer;
        QVERIFY2(why.contains(does + QStringLiteral(" starts on Machine ")), qPrintable(why));
        const auto title = why.indexOf(QStringLiteral("Why %1 does not start here").arg(doesNot));
        QVERIFY2(title > 0 && why.indexOf(QStringLiteral("cpu"), title) > title, qPrintable(why));
    }
}

void tst_TwoRuns::unreadableRecordIsSaid() {
    test::WindowFixture w;
    runTwice(w, "one-slow-worker", "async");
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    const auto shown = tab.pair().run(0).log;
    tab.openRecord(0, m_dir->filePath(QStringLiteral("nothing")));
    auto* said = w.window.findChild<QLabel*>(QStringLiteral("pair-outcome"));
    QTRY_VERIFY2(said->toolTip().contains(QStringLiteral("cannot be shown")) ||
                     said->text().contains(QStringLiteral("cannot be shown")),
                 qPrintable(said->text()));
    QCOMPARE(tab.pair().run(0).log, shown);
}

void tst_TwoRuns::selectionIsOfBoth() {
    test::WindowFixture w;
    runTwice(w, "two-racks", "async");
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    ClusterPane* pane = tab.pane(0);
    const MachineId machine(1);
    QTest::mouseClick(pane, Qt::LeftButton, {}, pane->positionOf(machine).toPoint() - QPoint(0, 8));
    const QString key = QString::fromStdString(pane->content().cluster.machines[machine.index()].key);
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        const bool isMachine = tab.pair().selection(side).entities() == QStringList{key};
        const bool isJob = tab.pair().selection(side).job().valid();
        QVERIFY(isMachine || isJob);
    }
    const JobId job(tab.pair().run(1).workload->jobs.size() - 1);
    tab.pair().selection(1).selectJob(job);
    const JobId other = tab.pair().selection(0).job();
    QVERIFY(other.valid());
    QCOMPARE(tab.pair().run(0).workload->job(other).key, tab.pair().run(1).workload->job(job).key);
    QCOMPARE(pane->content().selectedJob, other);
    tab.lanes()->setFocus();
    QTest::keyClick(tab.lanes(), Qt::Key_Escape);
    QVERIFY(!tab.pair().selection(0).job().valid() && !tab.pair().selection(1).job().valid());
}

void tst_TwoRuns::timeEndsWithTheLongerRun() {
    test::WindowFixture w;
    runTwice(w, "one-slow-worker", "async"); // twelve times as fast
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    const auto endOf = [&](std::size_t side) {
        const EventLog& log = *tab.pair().run(side).log;
        return log[log.size() - 1].time;
    };
    QVERIFY(endOf(1) < endOf(0));
    QCOMPARE(tab.pair().end(), endOf(0));
    QVERIFY(std::abs(tab.pair().axis().visibleTo() - endOf(0).toSeconds()) < 1e-9);
    // Long after the end of B, B stands at its end and A goes on.
    const SimTime late = SimTime::seconds(0.5 * endOf(0).toSeconds());
    tab.pair().axis().setCursor(late);
    QCOMPARE(tab.pane(1)->content().state->job(JobId(0)).phase, JobPhase::finished);
    QCOMPARE(tab.pane(0)->content().state->job(JobId(0)).phase, JobPhase::running);
    QVERIFY(tab.lanes()->lanes().at(0)->shown() > tab.lanes()->lanes().at(1)->shown());
    tab.pair().playback().setSpeed(1e5);
    tab.pair().playback().play();
    QTRY_VERIFY(!tab.pair().playback().isPlaying());
    QCOMPARE(tab.pair().shownTime(), endOf(0));
}

void tst_TwoRuns::stepsStopAtDecisionsOfEither() {
    test::WindowFixture w;
    runTwice(w, "two-racks", "async");
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    std::set<SimTime> decisions;
    for (std::size_t side = 0; side < RunPair::sides; ++side)
        for (std::size_t i = 0; i < tab.pair().run(side).log->size(); ++i)
            if (const Event& e = (*tab.pair().run(side).log)[i];
                e.type == EventType::decision && e.time > SimTime::zero())
                decisions.insert(e.time);
    tab.pair().playback().toStart();
    std::vector<SimTime> forward, back;
    for (int i = 0; i < 10'000 && tab.pair().axis().cursor(); ++i) {
        tab.pair().playback().step(StepKind::decision);
        if (tab.pair().axis().cursor()) forward.push_back(*tab.pair().axis().cursor());
    }
    QCOMPARE(forward, std::vector<SimTime>(decisions.begin(), decisions.end()));
    for (int i = 0; i < 10'000 && tab.pair().shownTime() > SimTime::zero(); ++i) {
        tab.pair().playback().stepBack(StepKind::decision);
        if (tab.pair().shownTime() > SimTime::zero()) back.push_back(tab.pair().shownTime());
    }
    QCOMPARE(back, std::vector<SimTime>(decisions.rbegin(), decisions.rend()));
}

void tst_TwoRuns::sameRunTwiceAndSwapped() {
    test::WindowFixture w;
    runTwice(w, "one-slow-worker", "async");
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    const auto a = tab.pair().run(0).log, b = tab.pair().run(1).log;
    const SimTime first = tab.pair().firstDifference()->at;
    for (auto* button : tab.findChildren<QToolButton*>())
        if (button->accessibleName() == QStringLiteral("Swaps A and B")) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(compared(tab));
    QCOMPARE(tab.pair().run(0).log, b);
    QCOMPARE(tab.pair().run(1).log, a);
    QCOMPARE(tab.pair().firstDifference()->at, first);
    auto* choice = w.window.findChild<QComboBox*>(QStringLiteral("run-b"));
    auto* other = w.window.findChild<QComboBox*>(QStringLiteral("run-a"));
    QVERIFY(choice->currentIndex() != other->currentIndex());
    choice->setFocus();
    QTest::keyClick(choice, other->currentIndex() < choice->currentIndex() ? Qt::Key_Up : Qt::Key_Down);
    QVERIFY(compared(tab));
    QCOMPARE(tab.pair().run(1).log, b);
    QCOMPARE(tab.pair().difference(), RunPair::Difference::same);
    QVERIFY(!w.window.findChild<QPushButton*>(QStringLiteral("go-to-difference"))->isEnabled());
}

void tst_TwoRuns::otherClustersStandSideBySide() {
    test::WindowFixture w;
    const QString a = m_dir->filePath(QStringLiteral("a")), b = m_dir->filePath(QStringLiteral("b"));
    QCOMPARE(cli({QStringLiteral("run"), test::starter("one-slow-worker"), QStringLiteral("--out"), a}).exitCode(), 0);
    QCOMPARE(cli({QStringLiteral("run"), test::starter("two-racks"), QStringLiteral("--out"), b}).exitCode(), 0);
    TwoRunsTab& tab = openRecords(w, a, b);
    QVERIFY(compared(tab));
    QVERIFY(tab.pane(0)->content().cluster.machines.size() != tab.pane(1)->content().cluster.machines.size());
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        const Workload& workload = *tab.pair().run(side).workload;
        for (std::size_t j = 0; j < workload.jobs.size(); ++j) tab.pair().selection(side).selectJob(JobId(j));
        tab.pair().selection(side).selectEntities({QString::fromStdString(workload.cluster.machines.back().key)});
    }
    tab.pair().goToDifference();
    QCoreApplication::processEvents();
    QVERIFY(!tab.why(0).isEmpty() && !tab.why(1).isEmpty());
}

void tst_TwoRuns::executedRunsSayThatTheyVary() {
    const QString a = m_dir->filePath(QStringLiteral("a")), b = m_dir->filePath(QStringLiteral("b"));
    for (const QString& out : {a, b})
        QCOMPARE(cli({QStringLiteral("run"), test::starter("one-slow-worker"), QStringLiteral("--mode"),
                      QStringLiteral("execute"), QStringLiteral("--set"),
                      QStringLiteral("/jobs/0/stop={\"iterations\": 5}"), QStringLiteral("--out"), out})
                     .exitCode(),
                 0);
    test::WindowFixture w;
    TwoRunsTab& tab = openRecords(w, a, b);
    QVERIFY(compared(tab));
    QVERIFY(!tab.pair().isTimed());
}

void tst_TwoRuns::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1280, 800);
    QTest::newRow("1366x768") << QSize(1366, 749);
    QTest::newRow("1024x700") << QSize(1024, 700);
}

void tst_TwoRuns::fitsSmallWindows() {
    QFETCH(const QSize, size);
    test::WindowFixture w;
    w.window.resize(size);
    runTwice(w, "five-ways-to-wait", "async");
    TwoRunsTab& tab = previousBesideCurrent(w);
    QVERIFY(compared(tab));
    QCoreApplication::processEvents();
    QCOMPARE(w.window.size(), size);
    QVERIFY(std::abs(tab.pane(0)->width() - tab.pane(1)->width()) <= 1);
    for (const QWidget* part : {static_cast<QWidget*>(tab.pane(1)), static_cast<QWidget*>(tab.lanes())})
        QVERIFY(part->mapTo(&w.window, QPoint(part->width(), part->height())).x() <= size.width());
    // A decision with its reasons is read without scrolling, and no lane is half in sight.
    if (size.width() > 1024)
        for (const char* name : {"why-a", "why-b"})
            QVERIFY(tab.findChild<QTextBrowser*>(QLatin1String(name))->verticalScrollBar()->maximum() == 0);
    QTest::qWait(100);
    const Lane* last = tab.lanes()->lanes().back();
    const int seen = last->visibleRegion().boundingRect().height();
    if (size.width() > 1024)
        QVERIFY2(seen == last->height(), qPrintable(QStringLiteral("%1 of %2").arg(seen).arg(last->height())));
    // The two Gantt charts and the losses are there to be seen.
    for (const std::size_t i : {0u, 1u, 4u}) QVERIFY(!tab.lanes()->lanes().at(i)->collapsed());
}

TRAINYARD_TEST(tst_TwoRuns)
#include "tst_TwoRuns.moc"
