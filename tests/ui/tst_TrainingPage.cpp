// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The place Training: tiny trainings are started, paused, stopped, resumed and closed, and their agents are those of the core, byte for byte;
// the window's thread is never kept waiting.
#include "support/TrainingFixture.h"
#include "training/TrainingFigures.h"
#include "training/TrainingPictures.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QToolButton>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_TrainingPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_directory.begin()); }
    void cleanup() { m_directory.end(); }
    void trainsWhatTheCoreTrains();
    void pausedAndContinued();
    void stoppedAndResumed();
    void closedWhileItRuns();
    void continuesWhatTheCommandLineBegan();
    void windowIsNotKeptWaiting();

private:
    OwnDirectory m_directory;
    OwnSettings m_settings{"tst_TrainingPage"};
};

namespace {

/// Long enough to be interrupted on any machine; an iteration is as short as a tiny one's.
AgentPlan longPlan() { return tinyPlan(400); }

} // namespace

void tst_TrainingPage::trainsWhatTheCoreTrains() {
    TrainingFixture w;
    TrainingPage& page = w.page;
    QVERIFY(w.fill(tinyPlan(), "out"));
    QVERIFY(w.window.places().isAt("training"));
    const QString words = w.text("training-words");
    for (const char* said :
         {"alexnet, gnmt", "deadlines uniform, mostly loose", "1001 to 1002", "1 to 20", "8 iterations", "2 × 2 × 2"})
        QVERIFY2(words.contains(QString::fromUtf8(said)), qPrintable(words));
    w.find<QLineEdit>("training-seed")->setText(QStringLiteral("7"));
    QVERIFY(w.click("training-go"));
    QVERIFY(page.training().isRunning());
    QVERIFY(w.hasEnded());
    QVERIFY2(page.training().isDone(), qPrintable(w.text("training-failure")));
    AgentPlan plan = tinyPlan();
    plan.seed = 7;
    QCOMPARE(contents("out/agent.json"), trained(plan));
    QVERIFY2(page.status().contains(QStringLiteral("agent.json")), qPrintable(page.status()));
    QVERIFY2(page.status().contains(QStringLiteral("of 2 laws")), qPrintable(page.status()));
    QVERIFY(w.text("training-title").contains(QStringLiteral("seed 7")));
    // Its charts as files, each with what was trained.
    QVERIFY(w.find<QToolButton>("training-export")->isVisible());
    for (const auto which : {TrainingPictures::reward, TrainingPictures::validation, TrainingPictures::degrees})
        for (const char* name : {"c.svg", "c.pdf", "c.png", "c.csv"}) {
            const TitledChart chart = page.pictures().chart(which);
            QVERIFY(chart.chart);
            QVERIFY(writeTrainingChart(QLatin1String(name), chart, plan).empty());
            const std::string file = contents(name);
            QVERIFY2(file.size() > 300, name);
            QVERIFY2(file.find("trainyard training=") != std::string::npos && file.find("seed=7 ") != std::string::npos,
                     name);
        }
    QCOMPARE(writeTrainingChart(QStringLiteral("c.xyz"), page.pictures().chart(TrainingPictures::reward), plan)[0].code,
             std::string("bad-usage"));
    // Another directory is needed for another one.
    QTRY_VERIFY(page.form().isFinished());
    QVERIFY(!w.find<QComboBox>("training-configuration")->isEnabled());
}

void tst_TrainingPage::pausedAndContinued() {
    TrainingFixture w;
    AgentPlan plan = tinyPlan(12);
    TrainingPage& page = w.page;
    QVERIFY(w.fill(plan, "out"));
    int pauses = 0;
    QVERIFY(w.click("training-go"));
    while (!page.training().isDone()) {
        page.training().pause();
        QVERIFY(w.hasEnded());
        if (page.training().isDone()) break;
        QVERIFY(page.training().isPaused());
        QVERIFY(fs::exists(fs::path("out") / checkpointName));
        auto* go = w.find<QPushButton>("training-go");
        QCOMPARE(QString(go->text()).remove(u'&'), QStringLiteral("Continue"));
        QVERIFY(page.status().startsWith(QStringLiteral("Paused")));
        const int before = page.training().watched() ? page.training().watched()->progress.iterationsDone : 0;
        QTest::qWait(20);
        QCOMPARE(page.training().watched() ? page.training().watched()->progress.iterationsDone : 0, before);
        QVERIFY(w.click("training-go"));
        const int wanted = before + 3;
        QVERIFY(QTest::qWaitFor(
            [&] {
                return !page.training().isRunning() ||
                       (page.training().watched() && page.training().watched()->progress.iterationsDone >= wanted);
            },
            patience));
        ++pauses;
    }
    QVERIFY(pauses >= 1);
    QCOMPARE(contents("out/agent.json"), trained(plan));
}

void tst_TrainingPage::stoppedAndResumed() {
    AgentPlan plan = tinyPlan(200);
    plan.seed = 5;
    {
        TrainingFixture w;
        TrainingPage& page = w.page;
        QVERIFY(w.fill(plan, "out"));
        QVERIFY(w.click("training-go"));
        QTRY_VERIFY_WITH_TIMEOUT(page.training().watched() && page.training().watched()->progress.iterationsDone > 0,
                                 patience);
        QVERIFY(w.click("training-stop"));
        QVERIFY(w.hasEnded());
        QVERIFY(!page.training().isDone() && !page.training().isPaused());
        QVERIFY(!fs::exists("out/agent.json"));
        QTRY_VERIFY(page.form().resumes());
        QVERIFY(page.status().startsWith(QStringLiteral("Stopped")));
    }
    // Another window knows by the directory alone what goes on there.
    TrainingFixture w;
    TrainingPage& page = w.page;
    page.form().setDirectory(QStringLiteral("out"));
    QTRY_VERIFY_WITH_TIMEOUT(page.form().resumes(), 10'000);
    QVERIFY(w.text("training-words").contains(QStringLiteral("tiny")));
    auto* seed = w.find<QLineEdit>("training-seed");
    QCOMPARE(seed->text(), QStringLiteral("5"));
    QVERIFY(!seed->isEnabled() && !seed->toolTip().isEmpty());
    auto* go = w.find<QPushButton>("training-go");
    QCOMPARE(QString(go->text()).remove(u'&'), QStringLiteral("Resume"));
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    QVERIFY2(page.training().isDone(), qPrintable(w.text("training-failure")));
    QCOMPARE(contents("out/agent.json"), trained(plan));
    // Back to a directory of its own, with the configuration that was chosen before.
    page.form().setDirectory(QStringLiteral("new"));
    QTRY_VERIFY(!page.form().resumes() && page.form().whyNot().isEmpty());
    QVERIFY(page.form().request()->plan.title != "tiny");
}

void tst_TrainingPage::closedWhileItRuns() {
    const AgentPlan plan = longPlan();
    {
        TrainingFixture w;
        TrainingPage& page = w.page;
        QVERIFY(w.fill(plan, "out"));
        QVERIFY(w.click("training-go"));
        QTRY_VERIFY_WITH_TIMEOUT(page.training().watched() && page.training().watched()->progress.iterationsDone > 1,
                                 patience);
        w.window.close();
    }
    const auto begun = begunTraining("out");
    QVERIFY2(begun.ok(), begun.ok() ? "" : begun.problems().front().text().c_str());
    AgentTraining training(plan, inputsOf(plan));
    QVERIFY(resumeFrom("out", training).empty());
    QVERIFY(training.progress().iterationsDone > 1);
    // Nobody holds the directory any more.
    QVERIFY(KeptTraining::open(plan, inputsOf(plan), "out", KeptTraining::Begin::fromCheckpoint).ok());
}

void tst_TrainingPage::continuesWhatTheCommandLineBegan() {
    const AgentPlan plan = tinyPlan();
    AgentTraining training(plan, inputsOf(plan));
    for (int i = 0; i < 3; ++i) training.step(Parallel(1));
    fs::create_directories("half");
    QVERIFY(saveCheckpoint("half", training).empty());
    TrainingFixture w;
    TrainingPage& page = w.page;
    QVERIFY(w.fill(plan, "half"));
    QVERIFY(page.form().resumes());
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    QCOMPARE(contents("half/agent.json"), trained(plan));
    // All laws have their candidates and rules, those trained before too.
    for (const WatchedStage& stage : page.training().watched()->stages)
        if (!stage.law.empty()) QVERIFY(stage.best && stage.constant && stage.floor && stage.netShares);
}

void tst_TrainingPage::windowIsNotKeptWaiting() {
    TrainingFixture w;
    AgentPlan plan = longPlan();
    plan.tasks[0].settings.episodes = plan.tasks[0].settings.arrivals = 64; // iterations that are felt
    TrainingPage& page = w.page;
    QVERIFY(w.fill(plan, "out"));
    QElapsedTimer press;
    press.start();
    page.findChild<QPushButton*>(QStringLiteral("training-go"))->click();
    QVERIFY2(press.elapsed() < 1000, "Start returns at once");
    QElapsedTimer clock;
    qint64 longest = 0, last = 0, ticks = 0;
    QTimer tick;
    tick.setInterval(5);
    connect(&tick, &QTimer::timeout, this, [&] {
        longest = std::max(longest, clock.elapsed() - last);
        last = clock.elapsed();
        ++ticks;
    });
    clock.start();
    tick.start();
    QVERIFY(QTest::qWaitFor(
        [&] { return page.training().watched() && page.training().watched()->progress.iterationsDone > 40; },
        patience));
    tick.stop();
    const qint64 all = clock.elapsed();
    QVERIFY(page.training().isRunning());
    // On the window's thread the forty iterations would have been one wait.
    QVERIFY2(ticks > 20, qPrintable(QString::number(ticks)));
    QVERIFY2(longest < all / 2, qPrintable(QStringLiteral("%1 of %2 ms").arg(longest).arg(all)));
    QVERIFY(w.click("training-stop"));
    QVERIFY(w.hasEnded());
}

TRAINYARD_TEST(tst_TrainingPage)
#include "tst_TrainingPage.moc"
