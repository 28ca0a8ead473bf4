// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The event list and the metrics over the log of a run: nothing is copied, filters find what they say, the
// cursor and the rows follow each other, hidden panels do nothing.
#include "record/EventMeanings.h"
#include "record/Metrics.h"
#include "support/TestMain.h"
#include "support/ViewFixture.h"
#include "tables/EventTable.h"
#include "tables/MetricsModel.h"
#include "tables/MetricsTable.h"
#include "theme/TimeText.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QStyle>
#include <QTableView>

#include <algorithm>

using namespace trainyard;

class tst_EventTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAreTheLog();
    void everyEventTypeHasATextAndAPlace();
    void graphJobsHaveNoUpdatesAndNoLoss();
    void filtersFindWhatTheySay();
    void machineFilterFollowsItsTasks();
    void selectionFilters();
    void growsWithTheLog();
    void doesNothingWhenHidden();
    void cursorAndRowsFollowEachOther();
    void timesAreWhole();
    void manyEventsAreNotCopied();
    void metricsAreThoseOfTheRecord();
    void metricsPerJobAndAsCsv();
    void hiddenMetricsComputeNothing();
};

static std::size_t count(const EventLog& log, const std::function<bool(const Event&)>& wanted) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < log.size(); ++i) n += wanted(log[i]);
    return n;
}

void tst_EventTable::rowsAreTheLog() {
    test::ViewFixture fixture;
    EventTableModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setActive(true);
    model.readAll();
    const EventLog& log = *fixture.workspace.runs().current().log;
    QCOMPARE(model.rowCount(), static_cast<int>(log.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        QCOMPARE(model.timeOf(row), log[static_cast<std::size_t>(row)].time);
        QCOMPARE(model.index(row, EventTableModel::event).data().toString(),
                 eventTypeText(log[static_cast<std::size_t>(row)].type));
    }
}

// Every type of event, with members that name things that are there: each says where, or needs no place.
void tst_EventTable::everyEventTypeHasATextAndAPlace() {
    test::ViewFixture fixture;
    fixture.showAt(0); // before all of them: together they are no run that can be folded
    auto log = std::make_shared<EventLog>();
    for (const EventMeaning& meaning : eventMeanings()) {
        Event e{.time = SimTime::seconds(1), .type = meaning.type, .aux = 0, .job = meaning.ofJob ? 0 : JobId::none};
        e.a = 1;
        e.b = 1;
        e.value = 1234.5;
        if (meaning.type == EventType::jobRejected) e.aux = static_cast<std::uint16_t>(RejectReason::noBlock);
        log->append(e);
    }
    RunData run = fixture.workspace.runs().current();
    run.log = log;
    auto named = std::make_shared<Workload>(*run.workload);
    named->cluster.machines.at(1).name = "Seventh";
    run.workload = named;
    fixture.workspace.runs().show(std::move(run));
    EventTableModel model(fixture.workspace);
    model.setActive(true);
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(eventMeanings().size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        const EventMeaning& meaning = eventMeanings()[static_cast<std::size_t>(row)];
        const auto cell = [&](int column) { return model.index(row, column).data().toString(); };
        QVERIFY(!cell(EventTableModel::event).isEmpty() && !cell(EventTableModel::event).contains(QLatin1Char('-')));
        QCOMPARE(cell(EventTableModel::job).isEmpty(), !meaning.ofJob);
        const bool placed = (meaning.a.kind != FieldKind::none || meaning.b.kind != FieldKind::none) &&
                            meaning.type != EventType::decision;
        QCOMPARE(!cell(EventTableModel::place).isEmpty(), placed);
        QVERIFY(meaning.value.kind == FieldKind::none || !cell(EventTableModel::value).isEmpty());
        // In words, as elsewhere: no keys, and no ids.
        if (meaning.type == EventType::taskPlaced)
            QVERIFY(cell(EventTableModel::place).contains(QLatin1String("Seventh")));
        if (meaning.type == EventType::jobRejected) QVERIFY(cell(EventTableModel::value).contains(tr("no block free")));
    }
}

/// Their steps are not logged; what is admitted at once is blocked, not rejected.
void tst_EventTable::graphJobsHaveNoUpdatesAndNoLoss() {
    test::ViewFixture fixture;
    fixture.showAt(0); // before both: together they are no run that can be folded
    auto log = std::make_shared<EventLog>();
    for (const auto type : {EventType::jobFinished, EventType::jobRejected}) {
        Event e{.time = SimTime::seconds(1), .type = type, .aux = 0, .job = 0};
        log->append(e);
    }
    RunData run = fixture.workspace.runs().current();
    const auto cells = [&](bool isGraph) {
        auto workload = std::make_shared<Workload>(*run.workload);
        if (isGraph) workload->jobs.at(0).work = GraphWork{};
        run.workload = workload;
        run.log = log;
        fixture.workspace.runs().show(RunData(run));
        EventTableModel model(fixture.workspace);
        model.setActive(true);
        model.readAll();
        QStringList out;
        for (int row = 0; row < model.rowCount(); ++row)
            for (const int column : {EventTableModel::event, EventTableModel::place, EventTableModel::value})
                out << model.index(row, column).data().toString();
        return out.join(u'|');
    };
    const QString trained = cells(false), graph = cells(true);
    QVERIFY2(trained.contains(QLatin1String("update 0")) && trained.contains(QLatin1String("loss 0")),
             qPrintable(trained));
    QVERIFY2(trained.contains(QLatin1String("job rejected")), qPrintable(trained));
    QVERIFY2(!graph.contains(QLatin1String("update")) && !graph.contains(QLatin1String("loss")), qPrintable(graph));
}

void tst_EventTable::filtersFindWhatTheySay() {
    test::ViewFixture fixture;
    const EventLog& log = *fixture.workspace.runs().current().log;
    EventTableModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setActive(true);
    model.setFilter({.type = EventType::updateApplied, .job = {}, .machine = {}});
    model.readAll();
    const auto updates = count(log, [](const Event& e) { return e.type == EventType::updateApplied; });
    QVERIFY(updates > 1);
    QCOMPARE(model.rowCount(), static_cast<int>(updates));
    QCOMPARE(model.events(), log.size());
    model.setFilter({.type = {}, .job = JobId(1), .machine = {}});
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(count(log, [](const Event& e) { return e.job == 1; })));
    model.setFilter({.type = EventType::jobArrived, .job = JobId(1), .machine = {}});
    model.readAll();
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.timeOf(0), SimTime::seconds(1));
    QCOMPARE(model.rowAt(SimTime::seconds(0.5)), -1);
    QCOMPARE(model.rowAt(SimTime::seconds(5)), 0);
    model.setFilter({});
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(log.size()));
}

// A worker's events belong to the machine it stands on at that moment: one task moves from machine 0 to machine 1.
void tst_EventTable::machineFilterFollowsItsTasks() {
    test::ViewFixture fixture;
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    const auto worker = static_cast<std::uint16_t>(TaskRole::worker);
    w.at(0, EventType::jobArrived, 0);
    w.at(1, EventType::taskPlaced, 0, 0, 0, 0, worker);
    w.at(2, EventType::computeStarted, 0, 0, 1, 32);
    w.at(3, EventType::taskRemoved, 0, 0, 0, 0, worker);
    w.at(4, EventType::taskPlaced, 0, 0, 1, 0, worker);
    w.at(5, EventType::computeStarted, 0, 0, 2, 32);
    w.at(6, EventType::linkLoad, JobId::none, 0, 0, 5e6); // m1--sw
    w.at(7, EventType::machineFailed, JobId::none, 1);
    RunData run = fixture.workspace.runs().current();
    run.log = log;
    fixture.workspace.runs().show(std::move(run));
    EventTableModel model(fixture.workspace);
    model.setActive(true);
    const auto times = [&](const char* machine) {
        model.setFilter({.type = {}, .job = {}, .machine = QLatin1String(machine)});
        model.readAll();
        QList<double> all;
        for (int row = 0; row < model.rowCount(); ++row) all << model.timeOf(row).toSeconds();
        return all;
    };
    QCOMPARE(times("m1"), (QList<double>{1, 2, 3, 6}));
    QCOMPARE(times("m2"), (QList<double>{4, 5, 7}));
    QCOMPARE(times("m4"), QList<double>{});
}

void tst_EventTable::selectionFilters() {
    test::ViewFixture fixture;
    const EventLog& log = *fixture.workspace.runs().current().log;
    EventTableModel model(fixture.workspace);
    model.setActive(true);
    model.setFilter({.type = {}, .job = {}, .machine = {}, .selectionOnly = true});
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(log.size())); // nothing is selected: everything
    fixture.workspace.selection().selectJob(JobId(1));
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(count(log, [](const Event& e) { return e.job == 1; })));
    fixture.workspace.selection().clear();
    model.readAll();
    QCOMPARE(model.rowCount(), static_cast<int>(log.size()));
}

void tst_EventTable::growsWithTheLog() {
    test::ViewFixture fixture;
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    w.at(0, EventType::jobArrived, 0);
    RunData run = fixture.workspace.runs().current();
    run.log = log;
    fixture.workspace.runs().show(std::move(run));
    EventTableModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setActive(true);
    model.setFilter({.type = EventType::jobArrived, .job = {}, .machine = {}});
    model.readAll();
    QCOMPARE(model.rowCount(), 1);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), reset(&model, &QAbstractItemModel::modelReset);
    w.at(1, EventType::jobArrived, 1);
    w.at(2, EventType::schedulerWoken);
    model.readAll();
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(reset.count(), 0);
}

void tst_EventTable::doesNothingWhenHidden() {
    test::ViewFixture fixture;
    EventTable table(fixture.workspace);
    table.model().readAll();
    QCOMPARE(table.model().events(), std::size_t{0});
    table.show();
    QTRY_VERIFY(table.model().rowCount() > 0);
    table.hide();
    RunData run = fixture.workspace.runs().current();
    fixture.workspace.runs().show(std::move(run)); // another run, unseen
    QTest::qWait(1);
    QCOMPARE(table.model().events(), std::size_t{0});
}

void tst_EventTable::cursorAndRowsFollowEachOther() {
    test::ViewFixture fixture;
    EventTable table(fixture.workspace);
    table.resize(800, 300);
    table.show();
    QTRY_VERIFY(table.model().rowCount() > 0);
    fixture.showAt(1.5);
    QTRY_COMPARE(table.view().currentIndex().row(), table.model().rowAt(SimTime::seconds(1.5)));
    QVERIFY(table.view().visualRect(table.view().currentIndex()).isValid());           // scrolled to
    QCOMPARE(fixture.workspace.axis().cursor(), std::optional(SimTime::seconds(1.5))); // following sets nothing
    const int row = 3;
    table.view().scrollToTop();
    QTest::mouseClick(table.view().viewport(), Qt::LeftButton, {},
                      table.view().visualRect(table.model().index(row, 1)).center());
    QCOMPARE(fixture.workspace.axis().cursor(), std::optional(table.model().timeOf(row)));
    QTest::keyClick(&table.view(), Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(fixture.workspace.axis().cursor(), std::optional(table.model().timeOf(table.model().rowCount() - 1)));
    table.types().setCurrentIndex(table.types().findData(static_cast<int>(EventType::updateApplied)));
    QTRY_VERIFY(table.model().rowCount() > 0 && table.model().events() > 0);
    QCOMPARE(table.model().index(0, EventTableModel::event).data().toString(), QStringLiteral("update applied"));
}

// Two million events: rows appear at once, and a filter needs four bytes for each event it keeps.
/// After the first hour, too: of times cut to "3:19:10.3…" many are alike.
void tst_EventTable::timesAreWhole() {
    test::ViewFixture fixture;
    EventTable table(fixture.workspace);
    QTableView& view = table.view();
    const int padding = 2 * (view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &view) + 1) + 4;
    for (const int hours : {1, 30, 200}) {
        const QString text = clockText(SimTime::seconds(3600 * hours + 1150.353));
        QVERIFY2(view.columnWidth(EventTableModel::time) >= view.fontMetrics().horizontalAdvance(text) + padding,
                 qPrintable(text));
    }
}

void tst_EventTable::manyEventsAreNotCopied() {
    test::ViewFixture fixture;
    constexpr int events = 2'000'000, every = 1000;
    auto log = std::make_shared<EventLog>();
    for (int i = 0; i < events; ++i)
        log->append({.time = SimTime{i}, .type = i % every == 0 ? EventType::schedulerWoken : EventType::linkLoad});
    RunData run = fixture.workspace.runs().current();
    run.log = log;
    fixture.workspace.runs().show(std::move(run));
    EventTableModel model(fixture.workspace);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.setActive(true);
    model.readAll();
    QCOMPARE(model.rowCount(), events);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(model.rowAt(SimTime{events / 2}), events / 2);
    model.setFilter({.type = EventType::schedulerWoken, .job = {}, .machine = {}});
    model.readAll();
    QCOMPARE(model.rowCount(), events / every);
    QCOMPARE(model.timeOf(7), SimTime{7 * every});
    QCOMPARE(model.rowAt(SimTime{7 * every + 1}), 7);
}

void tst_EventTable::metricsAreThoseOfTheRecord() {
    test::ViewFixture fixture;
    const RunData& run = fixture.workspace.runs().current();
    MetricsModel model(fixture.workspace);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    fixture.showAt(5.5);
    QSignalSpy computed(&model, &MetricsModel::computed);
    model.setActive(true);
    QTRY_COMPARE(computed.count(), 1);
    const SimTime last = (*run.log)[run.log->size() - 1].time;
    const Metrics end = computeMetrics(*run.workload, *run.log, last);
    EventLog half;
    for (std::size_t i = 0; i < run.log->positionAfter(SimTime::seconds(5.5)); ++i) half.append((*run.log)[i]);
    const Metrics now = computeMetrics(*run.workload, half, SimTime::seconds(5.5));
    QVERIFY(now.values.at("updates") < end.values.at("updates"));
    int compared = 0;
    const auto definitions = metricDefinitionsFor(*run.workload); // one more per resource
    for (int row = 0; row < model.rowCount(); ++row) {
        const MetricDefinition& definition = definitions[static_cast<std::size_t>(row) % definitions.size()];
        if (model.index(row, 0).data(MetricsModel::jobRole).toInt() >= 0) break;
        for (const auto& [column, expected] : {std::pair{MetricsModel::now, &now}, {MetricsModel::end, &end}}) {
            const auto it = expected->values.find(definition.id);
            QCOMPARE(model.index(row, column).data().toString(),
                     it == expected->values.end() ? QStringLiteral("–") : metricText(it->second, definition.unit));
            ++compared;
        }
        QCOMPARE(model.index(row, MetricsModel::definition).data().toString(),
                 QString::fromStdString(definition.definition));
    }
    QVERIFY(definitions.size() >= metricDefinitions().size());
    QVERIFY(end.values.contains("utilization_cpu"));
    QCOMPARE(compared, static_cast<int>(2 * definitions.size()));
    fixture.showAt(2.5); // back: the fold to the cursor starts anew
    QTRY_COMPARE(computed.count(), 2);
    EventLog less;
    for (std::size_t i = 0; i < run.log->positionAfter(SimTime::seconds(2.5)); ++i) less.append((*run.log)[i]);
    const Metrics before = computeMetrics(*run.workload, less, SimTime::seconds(2.5));
    for (int row = 0; row < model.rowCount(); ++row)
        if (definitions[static_cast<std::size_t>(row)].id == "updates") {
            QCOMPARE(model.index(row, MetricsModel::now).data().toString(),
                     metricText(before.values.at("updates"), definitions[static_cast<std::size_t>(row)].unit));
            return;
        }
    QFAIL("no metric named updates");
}

void tst_EventTable::metricsPerJobAndAsCsv() {
    test::ViewFixture fixture;
    MetricsTable table(fixture.workspace);
    table.resize(900, 300);
    table.show();
    QSignalSpy computed(&table.model(), &MetricsModel::computed);
    QTRY_VERIFY(computed.count() > 0);
    const auto definitions = metricDefinitionsFor(*fixture.workspace.runs().current().workload);
    QCOMPARE(table.view().model()->rowCount(), static_cast<int>(definitions.size()));
    const auto perJob = std::ranges::count_if(definitions, [](const MetricDefinition& d) { return d.perJob(); });
    table.scope().setCurrentIndex(1); // each job
    QCOMPARE(table.view().model()->rowCount(), static_cast<int>(2 * perJob));
    table.scope().setCurrentIndex(table.scope().findText(QStringLiteral("Batch")));
    QCOMPARE(table.view().model()->rowCount(), static_cast<int>(perJob));
    QStringList lines = table.csv().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QVERIFY(lines[0].startsWith(QStringLiteral("# trainyard scenario=")));
    QVERIFY(lines.last().startsWith(QStringLiteral("#+")) && lines.last().endsWith(u'}'));
    lines.removeIf([](const QString& line) { return line.startsWith(QStringLiteral("#+")); });
    QCOMPARE(lines.size(), static_cast<int>(perJob) + 2);
    QCOMPARE(lines[1], QStringLiteral("metric,of,at_cursor,at_end,unit,meaning"));
    const auto jct = std::find_if(lines.begin(), lines.end(),
                                  [](const QString& l) { return l.startsWith(QLatin1String("jct_s,")); });
    QVERIFY(jct != lines.end());
    QVERIFY2(jct->startsWith(QStringLiteral("jct_s,Batch,19,19,s,")), qPrintable(*jct)); // 1 s … 20 s
}

void tst_EventTable::hiddenMetricsComputeNothing() {
    test::ViewFixture fixture;
    MetricsTable table(fixture.workspace);
    QSignalSpy computed(&table.model(), &MetricsModel::computed);
    fixture.showAt(3);
    fixture.showAt(4);
    QTest::qWait(1);
    QVERIFY(!table.model().isComputing());
    QCOMPARE(computed.count(), 0);
    QCOMPARE(table.model().rowCount(), 0);
}

TRAINYARD_TEST(tst_EventTable)
#include "tst_EventTable.moc"
