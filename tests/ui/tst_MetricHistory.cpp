// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A metric over time is the metric of the run cut off at each instant; it gets onto the timeline from the
// metrics table by mouse and by keys, and what makes no curve says why.
#include "analysis/MetricHistory.h"
#include "analysis/View.h"
#include "charts/ChartLane.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "record/Metrics.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "support/BusyRun.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "tables/MetricsModel.h"
#include "tables/MetricsTable.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>

using namespace trainyard;

class tst_MetricHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void curveIsTheMetricAtEachInstant();
    void longRunsAreThinnedOut();
    void growsWithTheLog();
    void unfinishedCurvesClaimNothing();
    void namesGoBothWays();
    void unknownOnesAreSaid();
    void tableGoesOntoTheTimeline();
    void rowsAreDragged();
    void whatMakesNoCurveSaysWhy();
    void layoutKeepsThem();

private:
    struct Window : test::WindowFixture {
        MetricsTable& table;
        Window() : table(*window.findChild<MetricsTable*>()) {}
        void play();
        int rowOf(const QString& label) const;
        void choose(const QString& label);
        LaneStack& timeline() { return *window.findChild<LaneStack*>(); }
    };
    test::OwnSettings m_settings{"tst_MetricHistory"};
};

namespace {

RunData dataOf(const test::BusyRun& run) {
    return {.id = 1, .scenario = run.scenario, .seed = 11, .workload = run.workload, .log = run.log};
}

struct MetricOf {
    std::string metric, job; ///< keys; no job: of the whole run
};

void carryOn(MetricHistory& fold, const RunData& run, std::size_t limit) {
    for (std::size_t at = 0; at < run.log->size();) at = fold.carryOn(*run.log, at, run.log->size(), limit);
}

ShownIndex folded(const RunData& run) {
    ShownIndex fold(run);
    fold.update();
    return fold;
}

/// Worked out by the definition: the log cut off there.
std::optional<double> metricAt(const RunData& run, const MetricOf& of, SimTime at) {
    EventLog part;
    for (std::size_t i = 0; i < run.log->positionAfter(at); ++i) part.append((*run.log)[i]);
    const Metrics metrics = computeMetrics(*run.workload, part, at);
    const auto* values = &metrics.values;
    for (std::size_t j = 0; j < run.workload->jobs.size(); ++j)
        if (run.workload->jobs[j].key == of.job) values = &metrics.jobs[j];
    const auto it = values->find(of.metric);
    return it == values->end() ? std::nullopt : std::optional(it->second);
}

bool near(std::optional<double> a, std::optional<double> b) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= 1e-9 * std::max(1.0, std::abs(*b)));
}

} // namespace

/// Plays the starter to its end, with the metrics in front.
void tst_MetricHistory::Window::play() {
    QVERIFY(window.files().open(test::starter()));
    workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(ended(), test::patience);
    window.panels().show(QStringLiteral("metrics"));
    QTRY_VERIFY(table.isVisible());
    QTRY_VERIFY(!table.model().isComputing() && table.view().model()->rowCount() > 0);
    QTRY_VERIFY(table.model().whyNotFollow(rowOf(QStringLiteral("Updates"))).isEmpty());
}

int tst_MetricHistory::Window::rowOf(const QString& label) const {
    for (int row = 0; row < table.view().model()->rowCount(); ++row)
        if (table.view().model()->index(row, MetricsModel::metric).data().toString() == label) return row;
    return -1;
}

void tst_MetricHistory::Window::choose(const QString& label) {
    const int row = rowOf(label);
    QVERIFY2(row >= 0, qPrintable(label));
    const QModelIndex index = table.view().model()->index(row, MetricsModel::metric);
    table.view().scrollTo(index);
    QTest::mouseClick(table.view().viewport(), Qt::LeftButton, {}, table.view().visualRect(index).center());
}

void tst_MetricHistory::curveIsTheMetricAtEachInstant() {
    const RunData run = dataOf(test::busyRun(6));
    // The first are steps or go up evenly between events: true at any instant. The others bend.
    const std::vector<std::pair<MetricOf, bool>> metrics{
        {{"updates", ""}, true},          {{"updates", "ranking"}, true},
        {{"bytes_sent", ""}, true},       {{"queueing_s", "ranking"}, true},
        {{"straggler_wait_s", ""}, true}, {{"discarded_samples", "digits"}, true},
        {{"final_loss", "digits"}, true}, {{"finished_jobs", ""}, true},
        {{"utilization_cpu", ""}, false}, {{"updates_per_s", "digits"}, false},
        {{"jain_fairness", ""}, false}};
    for (const auto& [of, everywhere] : metrics) {
        MetricHistory fold(sourceOf(run), of.metric, of.job);
        QVERIFY2(fold.known(), of.metric.c_str());
        carryOn(fold, run, 5000);
        int values = 0;
        const std::size_t size = run.log->size();
        for (std::size_t i = 0; i < size; i += 7) {
            const SimTime at = (*run.log)[i].time;
            const auto expected = metricAt(run, of, at);
            values += expected.has_value();
            QVERIFY2(near(fold.at(at.toSeconds()), expected), of.metric.c_str());
            const SimTime next = i + 1 < size ? (*run.log)[i + 1].time : at;
            if (!everywhere || next == at) continue;
            const SimTime between{at.ns + (next - at).ns / 3};
            QVERIFY2(near(fold.at(between.toSeconds()), metricAt(run, of, between)), of.metric.c_str());
        }
        QVERIFY2(values > 10, of.metric.c_str());
    }
}

void tst_MetricHistory::longRunsAreThinnedOut() {
    const RunData run = dataOf(test::busyRun(1500));
    MetricHistory fold(sourceOf(run), "updates", "digits");
    carryOn(fold, run, 1 << 20);
    const LinePoints line = fold.points();
    QVERIFY(run.log->size() > 20 * MetricHistory::mostSamples);
    QVERIFY(line.x.size() > MetricHistory::mostSamples / 4);
    QVERIFY(line.x.size() <= 2 * MetricHistory::mostSamples + 2);
    QVERIFY(std::is_sorted(line.x.begin(), line.x.end()));
    QCOMPARE(line.y.back(), 1500.0);
    std::vector<double> updates;
    run.log->walk(0, run.log->size(), [&](const Event& e) {
        if (e.type == EventType::updateApplied && e.job == 0) updates.push_back(e.time.toSeconds());
    });
    for (std::size_t i = 0; i < line.x.size(); ++i) { // what is left is true: before or after that instant
        const auto [before, after] = std::equal_range(updates.begin(), updates.end(), line.x[i]);
        QVERIFY(line.y[i] == static_cast<double>(before - updates.begin()) ||
                line.y[i] == static_cast<double>(after - updates.begin()));
    }
}

// The same curve, whether the log was there or came bit by bit.
void tst_MetricHistory::growsWithTheLog() {
    const test::BusyRun whole = test::busyRun(8);
    const auto log = std::make_shared<EventLog>();
    RunData live = dataOf(whole);
    live.log = log;
    MetricHistory grown(sourceOf(live), "bytes_sent", ""), atOnce(sourceOf(dataOf(whole)), "bytes_sent", "");
    std::size_t at = 0;
    for (std::size_t i = 0; i < whole.log->size(); ++i) {
        log->append((*whole.log)[i]);
        if (i % 13 == 0) at = grown.carryOn(*log, at, log->size(), 1 << 20);
    }
    grown.carryOn(*log, at, log->size(), 1 << 20);
    carryOn(atOnce, dataOf(whole), 3000);
    QCOMPARE(grown.points().x, atOnce.points().x);
    QCOMPARE(grown.points().y, atOnce.points().y);
}

/// While it is worked out the curve ends where it has come to; of later instants nothing is told.
void tst_MetricHistory::unfinishedCurvesClaimNothing() {
    const RunData run = dataOf(test::busyRun(60));
    ShownIndex index(run);
    index.update();
    const auto chart = [&] {
        return std::get<Chart>(pictureNow(*findView("metric"), {.run = index, .job = {}, .at = index.head()}).picture);
    };
    const double end = index.head().toSeconds();
    Chart drawn = chart();
    QVERIFY(index.areFoldsBehind());
    QVERIFY(drawn.plot().series.front().x.back() < end);
    QVERIFY(!drawn.legend.front().value);
    QVERIFY(!drawn.caution.empty());
    for (int i = 0; i < 1000 && index.areFoldsBehind(); ++i, drawn = chart()) index.update();
    drawn = chart();
    QCOMPARE(drawn.plot().series.front().x.back(), end);
    QVERIFY(drawn.legend.front().value);
    QVERIFY(drawn.caution.empty());
}

void tst_MetricHistory::namesGoBothWays() {
    for (const auto& [metric, job] : {std::pair<std::string, std::string>{"updates", ""},
                                      {"updates", "digits"},
                                      {"updates", "a@b"},
                                      {"utilization_gpu@left", ""},
                                      {"utilization_a&b=c?d %25", "größer"}}) {
        const HistorySubject subject = metricSubject(metric, job);
        QCOMPARE(subject.view(), QStringLiteral("metric"));
        std::map<QString, QString> options;
        for (const auto& [name, value] : subject.options()) options[name] = value;
        QCOMPARE(options[QStringLiteral("metric")], QString::fromStdString(metric));
        QCOMPARE(options[QStringLiteral("job")], QString::fromStdString(job));
    }
    const std::unique_ptr<QMimeData> data(Histories::toMime({metricSubject("updates", "digits")}));
    QVERIFY(Histories::fromMime(data.get()) == std::vector{metricSubject("updates", "digits")});
}

void tst_MetricHistory::unknownOnesAreSaid() {
    const RunData run = dataOf(test::busyRun(2));
    const ShownIndex fold = folded(run);
    for (const auto& [subject, what] : {std::pair{metricSubject("updates", "nobody"), "no job"},
                                        {metricSubject("no_such_metric", ""), "no metric"},
                                        {metricSubject("utilization_gpu", ""), "no metric"}}) {
        const Computation now = pictureNow(subject, {.run = fold, .job = {}, .at = fold.head()});
        QVERIFY2(emptyOf(now.picture).english().find(what) != std::string::npos,
                 emptyOf(now.picture).english().c_str());
    }
}

// By keys alone; then the lane says what the table says, wherever the cursor is.
void tst_MetricHistory::tableGoesOntoTheTimeline() {
    Window w;
    w.play();
    const std::size_t usual = w.timeline().lanes().size();
    for (const QString& label : {QStringLiteral("Updates"), QStringLiteral("Share of waiting")}) {
        const int row = w.rowOf(label);
        w.table.view().setFocus();
        w.table.view().setCurrentIndex(w.table.view().model()->index(row, MetricsModel::metric));
        QVERIFY(w.table.addButton().isEnabled());
        w.table.addButton().setFocus();
        QTest::keyClick(&w.table.addButton(), Qt::Key_Space);
        QVERIFY(!w.table.addButton().isEnabled()); // it is there now
        QVERIFY(w.table.addButton().toolTip().contains(QStringLiteral("already")));
    }
    QCOMPARE(w.timeline().lanes().size(), usual + 2);
    Lane* lanes[] = {w.timeline().lanes()[usual], w.timeline().lanes()[usual + 1]};
    QCOMPARE(lanes[0]->painter().title(), QStringLiteral("Updates"));
    for (const double share : {0.25, 0.5, 1.0}) {
        QSignalSpy computed(&w.table.model(), &MetricsModel::computed);
        w.workspace.axis().setCursor(SimTime::seconds(share * w.head()));
        QVERIFY(computed.wait(test::patience));
        for (Lane* lane : lanes) {
            const auto legend = lane->painter().legend(Theme::current(), lane->input());
            QCOMPARE(legend.size(), std::size_t{1});
            QCOMPARE(
                legend[0].value,
                w.table.view().model()->index(w.rowOf(lane->painter().title()), MetricsModel::now).data().toString());
        }
    }
    const ShownIndex& run = *w.workspace.shownRuns().current(); // and so does its picture
    const Computation now = pictureNow(*lanes[0]->painter().subject(), {.run = run, .job = {}, .at = run.head()});
    QCOMPARE(std::get<Chart>(now.picture).plots.at(0).series.at(0).y.back(),
             static_cast<double>(w.workspace.runs().latestFrame()->state->job(JobId(0)).updates));
}

void tst_MetricHistory::rowsAreDragged() {
    Window w;
    w.play();
    w.table.scope().setCurrentIndex(2); // of the job
    w.choose(QStringLiteral("Samples used"));
    const auto selected = w.table.view().selectionModel()->selectedIndexes();
    QVERIFY(!selected.isEmpty() && selected.first().flags().testFlag(Qt::ItemIsDragEnabled));
    const std::unique_ptr<QMimeData> data(w.table.view().model()->mimeData(selected));
    QVERIFY(data);
    const QPoint at(600, 100);
    QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(&w.timeline(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(at), Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QCoreApplication::sendEvent(&w.timeline(), &drop);
    Lane* lane = w.timeline().lanes().back();
    QVERIFY2(lane->painter().title().startsWith(QStringLiteral("Samples used, ")), qPrintable(lane->painter().title()));
    w.window.panels().show(QStringLiteral("lanes"));
    QTRY_VERIFY(lane->isVisible());
    QVERIFY(!lane->grab().isNull()); // it can be painted
    const QRectF plot = lane->plotRect();
    const LaneHit hit = lane->hitAt(plot.center());
    QVERIFY2(hit.text.contains(QStringLiteral("samples")), qPrintable(hit.text));
}

void tst_MetricHistory::whatMakesNoCurveSaysWhy() {
    Window w;
    QVERIFY(!w.table.addButton().isEnabled());
    QVERIFY(w.table.addButton().toolTip().contains(QStringLiteral("Choose a metric")));
    w.play();
    const std::pair<QString, QString> rows[] = {
        {QStringLiteral("Makespan"), QStringLiteral("time since the first job arrived")},
        {QStringLiteral("First loss"), QStringLiteral("single number")},
        {QStringLiteral("Job completion time"), QStringLiteral("Each job")},
        {QStringLiteral("Mean staleness"), QString()}};
    for (const auto& [label, why] : rows) {
        w.choose(label);
        const QModelIndex index = w.table.view().currentIndex();
        QCOMPARE(index.siblingAtColumn(MetricsModel::metric).data().toString(), label);
        QCOMPARE(w.table.addButton().isEnabled(), why.isEmpty());
        QCOMPARE(index.flags().testFlag(Qt::ItemIsDragEnabled), why.isEmpty());
        QVERIFY2(w.table.addButton().toolTip().contains(why), qPrintable(w.table.addButton().toolTip()));
        QVERIFY(index.data(Qt::ToolTipRole).toString().contains(why.toHtmlEscaped()));
    }
    // The menu has the same line, and what exports a table.
    const QPoint at = w.table.rect().center();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, at, w.table.mapToGlobal(at));
    QCoreApplication::sendEvent(&w.table, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QCOMPARE(menu->actions().first()->objectName(), QStringLiteral("addToTimeline"));
    QVERIFY(menu->actions().size() > 3);
    const std::size_t lanes = w.timeline().lanes().size();
    menu->actions().first()->trigger();
    menu->close();
    QCOMPARE(w.timeline().lanes().size(), lanes + 1);
}

void tst_MetricHistory::layoutKeepsThem() {
    QByteArray layout;
    {
        Window w;
        w.play();
        w.workspace.histories().add({metricSubject("updates", ""), machineSubject("m1")});
        layout = w.timeline().saveLayout();
    }
    Window w;
    w.timeline().restoreLayout(layout);
    QCOMPARE(w.workspace.histories().all().size(), std::size_t{2});
    QVERIFY(w.workspace.histories().all()[0] == metricSubject("updates", ""));
    QCOMPARE(w.timeline().lanes().back()->painter().title(), QStringLiteral("m1"));
}

TRAINYARD_TEST(tst_MetricHistory)
#include "tst_MetricHistory.moc"
