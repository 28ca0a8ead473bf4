// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The jobs table follows the instant shown, in place; the tester watches every signal.
#include "record/Events.h"
#include "session/MetricSubject.h"
#include "session/Outcome.h"
#include "shell/FileActions.h"
#include "shell/InspectorText.h"
#include "shell/Panels.h"
#include "shell/ScenarioOutline.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "support/ViewFixture.h"
#include "support/WindowFixture.h"
#include "tables/JobsModel.h"
#include "tables/ProblemsModel.h"
#include "tables/TableLook.h"
#include "theme/TimeText.h"

#include <QAbstractItemModelTester>

#include <cmath>

using namespace trainyard;

class tst_JobsModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsTheInstant();
    void updatesInPlace();
    void followsAnotherRun();
    void blockedIsCalledBlocked();
    void graphJobsSayTheirParts();
    void unknownLossesAreNotZero();
    void lossesSayAtWhichUpdate();
    void problemsAreListed();
    void timesReadAsTimes();
    void whatIsOverEndedSomeTimeAgo();
    void outcomeCountsWhatIsNotDone();
    void readingsHaveAsManyDigits();
    void selectedJobHasItsColour();
};

/// In one column: 0.1100 beside 0.1024, 1,001 as on axes.
void tst_JobsModel::readingsHaveAsManyDigits() {
    QCOMPARE(readingText(0.11), QStringLiteral("0.1100"));
    QCOMPARE(readingText(12.3), QStringLiteral("12.30"));
    QCOMPARE(readingText(-8.988), QStringLiteral("−8.988"));
    QCOMPARE(readingText(1001.4), QStringLiteral("1,001"));
    QCOMPARE(readingText(-12345678), QStringLiteral("−12,345,678"));
    QCOMPARE(readingText(4), QStringLiteral("4"));
    QCOMPARE(readingText(2.5e-7), QStringLiteral("2.5×10⁻⁷"));
    QCOMPARE(readingText(3.09e301), QStringLiteral("3.09×10³⁰¹")); // a loss that diverges, and no negative one
    QCOMPARE(metricText(-3.09e301, ""), QStringLiteral("−3.09×10³⁰¹"));
    QCOMPARE(metricText(2.5e-7, ""), QStringLiteral("2.5×10⁻⁷"));
    QCOMPARE(readingText(std::nan("")), QStringLiteral("–"));
    QCOMPARE(metricText(1001, ""), QStringLiteral("1,001"));
}

/// Of more than 36 jobs the selected one has its own colour also in lists, as in lanes and on the canvas.
void tst_JobsModel::selectedJobHasItsColour() {
    const test::OwnSettings settings("jobs-model");
    test::WindowFixture w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pdors/eight-models.json")));
    w.window.panels().show(QStringLiteral("scenario"));
    const JobsModel model(w.workspace);
    QTRY_COMPARE(model.rowCount(), 60);
    const Theme theme = Theme::current();
    const QTreeWidgetItem* jobs = nullptr;
    const auto& outline = *w.window.findChild<ScenarioOutline*>();
    for (int i = 0; i < outline.topLevelItemCount(); ++i)
        if (outline.topLevelItem(i)->text(0).startsWith(QLatin1String("Workload"))) jobs = outline.topLevelItem(i);
    QVERIFY(jobs && jobs->childCount() > 60); // its generators, too
    const ColouredJobs coloured(w.workspace.shownState()->workload());
    const auto check = [&](JobId selected) {
        for (int i = 0; i < 60; ++i) {
            const JobId job(static_cast<std::size_t>(i));
            const QColor wanted = theme.job(job, job == selected || coloured.has(job));
            const auto swatch = model.index(i, JobsModel::name).data(Qt::DecorationRole).value<QPixmap>();
            QCOMPARE(swatch.toImage().pixelColor(1, 1), wanted);
            QCOMPARE(jobs->child(i)->icon(0).pixmap(10).toImage().pixelColor(1, 1), wanted);
        }
    };
    JobId grey(std::size_t{0});
    while (coloured.has(grey)) grey = JobId(grey.index() + 1);
    check({});
    w.workspace.selection().selectJob(grey);
    check(grey);
    w.workspace.selection().selectJob({});
    check({});
}

static QString cell(const JobsModel& model, int row, JobsModel::Column column) {
    return model.index(row, column).data().toString();
}

/// Nobody is "rejected for two hours".
void tst_JobsModel::whatIsOverEndedSomeTimeAgo() {
    const auto told = [](EventType type) {
        ClusterState state(test::sampleWorkload());
        state.apply({.time = SimTime::seconds(0), .type = EventType::jobArrived, .job = 0});
        if (type != EventType::jobArrived) state.apply({.time = SimTime::seconds(1), .type = type, .aux = 0, .job = 0});
        return inspectorNow(state, SimTime::seconds(5), {.job = JobId(std::size_t{0})});
    };
    QVERIFY2(told(EventType::jobRejected).contains(QLatin1String("rejected 4 s ago")),
             qPrintable(told(EventType::jobRejected)));
    QVERIFY2(told(EventType::jobArrived).contains(QLatin1String(" for 5 s")), qPrintable(told(EventType::jobArrived)));
}

/// Times of the jobs that finished are not compared as if all had: one of two finished, with the other run both.
void tst_JobsModel::outcomeCountsWhatIsNotDone() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs.resize(1);
    workload->jobs.push_back(workload->jobs.front());
    workload->jobs.back().key = "second";
    const auto run = [&](std::size_t finished) {
        auto log = std::make_shared<EventLog>();
        for (std::uint32_t job = 0; job < 2; ++job) log->append({.type = EventType::jobArrived, .job = job});
        for (std::uint32_t job = 0; job < finished; ++job)
            log->append({.time = SimTime::seconds(job + 1), .type = EventType::jobFinished, .job = job});
        RunData data;
        data.workload = workload;
        data.log = log;
        return data;
    };
    const QString fewer = Outcome::compare(run(1), run(2)), all = Outcome::compare(run(2), run(2));
    QVERIFY2(fewer.startsWith(QLatin1String("1 of 2 job")), qPrintable(fewer));
    QVERIFY2(fewer.contains(QLatin1String(" finished instead of 2; a job takes")), qPrintable(fewer));
    QVERIFY2(all.startsWith(QLatin1String("2 s, as before; a job takes")), qPrintable(all));
}

void tst_JobsModel::showsTheInstant() {
    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    fixture.showAt(0.5);
    model.refreshNow();
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(cell(model, 0, JobsModel::name), QStringLiteral("Digits"));
    QCOMPARE(cell(model, 0, JobsModel::state), QStringLiteral("running"));
    QCOMPARE(cell(model, 0, JobsModel::workers), QStringLiteral("3 + 1"));
    QCOMPARE(cell(model, 0, JobsModel::progress), QStringLiteral("0 / 20"));
    QCOMPARE(cell(model, 0, JobsModel::loss), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, JobsModel::state), QStringLiteral("not arrived"));
    fixture.showAt(1.95); // two updates, at 0.9 and 1.9; losses 2.3/1.3, 2.3/1.6 = 1.4375, a shade below in binary
    model.refreshNow();
    QCOMPARE(cell(model, 0, JobsModel::progress), QStringLiteral("2 / 20"));
    QCOMPARE(cell(model, 0, JobsModel::loss), QStringLiteral("1.437"));
    QCOMPARE(model.index(0, JobsModel::progress).data(JobsModel::progressRole).toDouble(), 0.1);
    QCOMPARE(cell(model, 1, JobsModel::state), QStringLiteral("queued"));
    fixture.workspace.axis().setCursor(std::nullopt);
    model.refreshNow();
    QCOMPARE(cell(model, 0, JobsModel::state), QStringLiteral("finished"));
    QCOMPARE(cell(model, 0, JobsModel::progress), QStringLiteral("20")); // not of how many: its loss may have ended it
    QCOMPARE(cell(model, 0, JobsModel::time), QStringLiteral("20 s"));
    QCOMPARE(cell(model, 1, JobsModel::time), QStringLiteral("19 s")); // arrived at 1 s
}

void tst_JobsModel::updatesInPlace() {
    test::ViewFixture fixture;
    fixture.showAt(2.5);
    JobsModel model(fixture.workspace);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    fixture.showAt(2.95);
    model.refreshNow();
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed.count(), 1);
    model.refreshNow();
    QCOMPARE(changed.count(), 1);
}

void tst_JobsModel::followsAnotherRun() {
    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    RunData other;
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs.resize(1);
    auto log = std::make_shared<EventLog>();
    test::LogWriter(*log).at(0, EventType::jobArrived, 0);
    other.workload = workload;
    other.log = log;
    fixture.workspace.runs().show(std::move(other));
    model.refreshNow();
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(cell(model, 0, JobsModel::state), QStringLiteral("queued"));
}

/// What is refused when it arrives is blocked, in the table as in the views; what a scheduler refuses is rejected.
void tst_JobsModel::blockedIsCalledBlocked() {
    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->cluster.ramp.emplace();
    workload->jobs[1].work = GraphWork{.admission = Admission::immediate};
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (const std::uint32_t job : {0u, 1u}) w.at(0, EventType::jobArrived, job);
    for (const std::uint32_t job : {0u, 1u}) w.at(1, EventType::jobRejected, job);
    fixture.workspace.runs().show({.label = QStringLiteral("run"), .workload = workload, .log = log});
    model.refreshNow();
    QCOMPARE(cell(model, 0, JobsModel::state), QStringLiteral("rejected"));
    QCOMPARE(cell(model, 1, JobsModel::state), QStringLiteral("blocked"));
}

/// How far each graph was split is read without a click on every job, also when it is over.
void tst_JobsModel::graphJobsSayTheirParts() {
    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs[1].work = GraphWork{};
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (const std::uint32_t job : {0u, 1u}) w.at(0, EventType::jobArrived, job);
    w.at(0, EventType::jobPartitioned, 1, 4);
    w.at(1, EventType::jobFinished, 1);
    fixture.workspace.runs().show({.label = QStringLiteral("run"), .workload = workload, .log = log});
    model.refreshNow();
    QVERIFY2(cell(model, 1, JobsModel::kind).startsWith(QStringLiteral("graph, 4 part")),
             qPrintable(cell(model, 1, JobsModel::kind)));
    QVERIFY(!cell(model, 0, JobsModel::kind).contains(QStringLiteral("part")));
}

/// A trace knows when its jobs ran, not what they lost: 0 would be the best of all losses.
void tst_JobsModel::unknownLossesAreNotZero() {
    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    AnalyticWork work;
    work.curve.a = 0;
    workload->jobs[0].work = work;
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (const std::uint32_t job : {0u, 1u}) w.at(0, EventType::jobArrived, job);
    for (const std::uint32_t job : {0u, 1u}) w.at(1, EventType::lossEvaluated, job);
    fixture.workspace.runs().show({.label = QStringLiteral("run"), .workload = workload, .log = log});
    model.refreshNow();
    QCOMPARE(cell(model, 0, JobsModel::loss), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, JobsModel::loss), QStringLiteral("0"));
}

/// A loss that was evaluated forty updates ago is not the present one.
void tst_JobsModel::lossesSayAtWhichUpdate() {
    ClusterState state(test::sampleWorkload());
    state.apply(events::lossEvaluated(JobId(0), 2, 0.5));
    for (std::uint64_t update = 1; update <= 2; ++update) state.apply(events::updateApplied(JobId(0), update, 8));
    const auto inspected = [&] { return inspectorNow(state, state.now(), {JobId(0), {}}); };
    QVERIFY2(inspected().contains(QStringLiteral("0.5<")), qPrintable(inspected()));
    for (std::uint64_t update = 3; update <= 42; ++update) state.apply(events::updateApplied(JobId(0), update, 8));
    QVERIFY2(inspected().contains(QStringLiteral("0.5, at update 2<")), qPrintable(inspected()));

    test::ViewFixture fixture;
    JobsModel model(fixture.workspace);
    fixture.showAt(1.95);
    model.refreshNow();
    QVERIFY(model.index(0, JobsModel::loss).data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("at update 2")));
    QVERIFY(!model.index(1, JobsModel::loss).data(Qt::ToolTipRole).isValid());
}

void tst_JobsModel::problemsAreListed() {
    ProblemsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProblems(
        {{.code = "x", .message = {"{0} is wrong", {"it"}}, .file = "/a/b.json", .pointer = "/jobs/0", .line = 12}});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, ProblemsModel::message).data().toString(), QStringLiteral("it is wrong"));
    QCOMPARE(model.index(0, ProblemsModel::place).data().toString(), QStringLiteral("/jobs/0"));
    QCOMPARE(model.index(0, ProblemsModel::file).data().toString(), QStringLiteral("b.json:12"));
    model.setProblems({});
    QCOMPARE(model.rowCount(), 0);
}

void tst_JobsModel::timesReadAsTimes() {
    QCOMPARE(clockText(SimTime::seconds(192.45)), QStringLiteral("03:12.450"));
    QCOMPARE(clockText(SimTime::seconds(3600 + 192.45)), QStringLiteral("1:03:12.450"));
    QCOMPARE(clockText(SimTime::seconds(2 * 86400 + 3661)), QStringLiteral("2 d 01:01:01"));
    QCOMPARE(timeSpanText(0.0042), QStringLiteral("4.2 ms"));
    QCOMPARE(timeSpanText(12.34), QStringLiteral("12.3 s"));
    QCOMPARE(timeSpanText(245), QStringLiteral("4:05 min"));
    QCOMPARE(timeSpanText(7800), QStringLiteral("2 h 10 min"));
    QCOMPARE(countText(1234567), QStringLiteral("1,234,567"));
    QCOMPARE(shortCountText(1234567), QStringLiteral("1.2 M"));
}

TRAINYARD_TEST(tst_JobsModel)
#include "tst_JobsModel.moc"
