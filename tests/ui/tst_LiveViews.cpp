// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The lanes beyond the usual ones: Gantt by job, the queue, histories that are added and taken out, and the
// ways to look at the loss. What they show is compared with the log, folded or worked out by hand.
#include "analysis/EntityHistory.h"
#include "lanes/GanttPainter.h"
#include "lanes/JobGanttPainter.h"
#include "lanes/Lane.h"
#include "lanes/TimeRuler.h"
#include "record/ClusterState.h"
#include "record/GradientNorm.h"
#include "record/Metrics.h"
#include "support/BusyRun.h"
#include "support/LaneFixture.h"
#include "support/LossLogs.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QAction>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

using namespace trainyard;

class tst_LiveViews : public QObject, test::LaneFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(openLanes(560)); }
    void cleanup() { closeLanes(); }
    void jobsInTheGantt();
    void jobGanttReadsOut();
    void aThousandJobsScroll();
    void queueCountsTheLog();
    void machineHistoryIsTheStates();
    void linkHistoryIsTheLogs();
    void jobHistoryCountsItsWorkers();
    void historiesComeAndGo();
    void historiesAreDroppedHere();
    void layoutKeepsHistoriesAndSwitches();
    void smoothingByTheSlider();
    void gradientNormsAreShown();
    void waitingCostIsReadOut();
    void logarithmicTimeTellsTheTime();
    void logarithmicWhereTheLossFallsFar();
    void titlesNeverOverlap();

private:
    RunData show(const test::BusyRun& run);
    void showSample();
    Lane* lane(const char* title) const;
    QAction* option(Lane* lane, const char* text) const;
    void choose(Lane* lane, const char* option, const char* value) const;
};

namespace {

using Kind = EntityHistory::Kind;

EntityHistory historyOf(const RunData& run, Kind kind, const char* key) {
    EntityHistory fold(sourceOf(run), kind, key);
    for (std::size_t at = 0; at < run.log->size();) at = fold.carryOn(*run.log, at, run.log->size(), 1000);
    return fold;
}

ClusterState stateOf(const RunData& run, double seconds) {
    ClusterState state(run.workload);
    const std::size_t end = run.log->positionAfter(SimTime::seconds(seconds));
    for (std::size_t i = 0; i < end; ++i) state.apply((*run.log)[i]);
    return state;
}

LaneHit hitAt(const Lane* lane, double seconds, double y) {
    return lane->hitAt(QPointF(lane->timeScale().x(seconds), y));
}

} // namespace

RunData tst_LiveViews::show(const test::BusyRun& run) {
    m_run->show({.label = QStringLiteral("busy"),
                 .scenario = run.scenario,
                 .seed = 11,
                 .workload = run.workload,
                 .log = run.log});
    return m_run->current();
}

void tst_LiveViews::showSample() {
    m_run->show({.label = QStringLiteral("sample"), .workload = test::sampleWorkload(), .log = test::sampleLog()});
}

Lane* tst_LiveViews::lane(const char* title) const {
    for (Lane* lane : m_stack->lanes())
        if (lane->painter().title() == QLatin1String(title)) return lane;
    return nullptr;
}

QAction* tst_LiveViews::option(Lane* lane, const char* text) const {
    for (QAction* action : lane->menu()->actions())
        if (action->text().remove(QLatin1Char('&')) == QLatin1String(text)) return action;
    return nullptr;
}

void tst_LiveViews::choose(Lane* lane, const char* option, const char* value) const {
    for (QAction* action : this->option(lane, option)->menu()->actions())
        if (action->text() == QLatin1String(value)) action->trigger();
}

void tst_LiveViews::jobsInTheGantt() {
    // Digits arrives at 0 and starts at 0.8; Ranking arrives at 3, starts at 4, loses a machine at 12 and
    // starts again at 14: two waits, and none, one, none, one placement of three workers.
    const RunData run = show(test::busyRun());
    const auto& jobs = m_stack->lanes()[0]->input().run->jobs();
    QCOMPARE(jobs[0].waits().size(), std::size_t{1});
    QCOMPARE(jobs[0].waits()[0].end, SimTime::seconds(0.8));
    QCOMPARE(jobs[1].waits().size(), std::size_t{2});
    QCOMPARE(jobs[1].waits()[0].start, SimTime::seconds(3));
    QCOMPARE(jobs[1].waits()[1].start, SimTime::seconds(12));
    QCOMPARE(jobs[1].waits()[1].end, SimTime::seconds(14));
    QCOMPARE(jobs[1].placed().at(13), 0.0);
    QCOMPARE(jobs[1].placed().at(14.5), 3.0);
    QCOMPARE(jobs[0].mostPlaced(), 6);
    QVERIFY(jobs[1].end() == JobHistory::End::finished);
    for (double t = 0.0501; t < 24; t += 0.39917) { // the phase at any instant is the state's
        const ClusterState state = stateOf(run, t);
        for (std::size_t j = 0; j < 2; ++j) {
            const JobPhase phase = state.job(JobId(j)).phase;
            const JobHistory::Phase expected = phase == JobPhase::future    ? JobHistory::Phase::future
                                               : phase == JobPhase::waiting ? JobHistory::Phase::waiting
                                               : phase == JobPhase::running ? JobHistory::Phase::running
                                                                            : JobHistory::Phase::over;
            QVERIFY(jobPhaseAt(jobs[j], SimTime::seconds(t)) == expected);
        }
    }
}

void tst_LiveViews::jobGanttReadsOut() {
    show(test::busyRun());
    Lane* gantt = lane("Gantt");
    QToolButton* byJob = nullptr;
    for (auto* button : gantt->findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("by job")) byJob = button;
    QVERIFY(byJob && byJob->isVisible());
    QTest::mouseClick(byJob, Qt::LeftButton);
    QVERIFY(gantt->input().byJob);
    QCOMPARE(gantt->painter().rows(gantt->input()), std::size_t{2});
    QVERIFY(hitAt(gantt, 9, 10).text.contains(QStringLiteral("Digits · 6 workers")));
    const QString waits = hitAt(gantt, 13, gantt->height() - 8).text;
    QVERIFY2(waits.contains(QStringLiteral("Ranking")) || gantt->height() > 70, qPrintable(waits));
    // The bar of a job selects it, as in the view by machine.
    QTest::mouseClick(gantt, Qt::LeftButton, {}, QPoint(static_cast<int>(gantt->timeScale().x(9)), 10));
    QCOMPARE(m_selection->job(), JobId(0));
    const auto entries = gantt->painter().legend(Theme::light(), gantt->input());
    QCOMPARE(entries[0].label, QStringLiteral("running"));
    // Its colour is there, and goes when another job is selected.
    const auto strength = [&] {
        const QImage image = gantt->grab().toImage();
        const QRgb wanted = Theme::current().job(JobId(0)).rgb();
        int n = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = static_cast<int>(gantt->plotRect().left()); x < gantt->plotRect().right(); ++x)
                n += image.pixel(x, y) == wanted;
        return n;
    };
    QVERIFY(strength() > 500);
    m_selection->selectJob(JobId(1));
    QCOMPARE(strength(), 0);
    QTest::mouseClick(byJob, Qt::LeftButton);
    QVERIFY(!gantt->input().byJob);
}

void tst_LiveViews::aThousandJobsScroll() {
    auto workload = std::make_shared<Workload>(*test::busyRun().workload);
    const Job one = workload->jobs[0];
    workload->jobs.clear();
    auto log = std::make_shared<EventLog>();
    constexpr std::uint32_t jobs = 1000;
    for (std::uint32_t j = 0; j < jobs; ++j) {
        workload->jobs.push_back(one);
        workload->jobs.back().key = "job-" + std::to_string(j);
        workload->jobs.back().name.clear();
    }
    for (std::uint32_t j = 0; j < jobs; ++j)
        log->append({.time = SimTime::seconds(j), .type = EventType::jobArrived, .job = j});
    m_run->show({.scenario = test::busyRun().scenario, .workload = workload, .log = log});
    Lane* gantt = lane("Gantt");
    option(gantt, "A Row per Job")->trigger();
    auto* bar = gantt->findChild<QScrollBar*>();
    QVERIFY(bar->isVisible() && bar->maximum() > 5000);
    gantt->grab();
    QVERIFY(gantt->itemsDrawn() < 400); // the rows in view only
    QCOMPARE(hitAt(gantt, 500, 10).row, QStringLiteral("job-0"));
    // The wheel over the labels scrolls.
    const QPointF at(gantt->plotRect().left() - 20, 30);
    QWheelEvent wheel(at, gantt->mapToGlobal(at), {}, QPoint(0, -1200), Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(gantt, &wheel);
    QVERIFY(bar->value() > 0);
    // A job selected elsewhere comes into view.
    m_selection->selectJob(JobId(900));
    bool found = false;
    for (int y = 4; y < gantt->height() - 4; ++y) found = found || hitAt(gantt, 950, y).job == JobId(900);
    QVERIFY(found);
}

void tst_LiveViews::queueCountsTheLog() {
    const RunData run = show(test::busyRun());
    Lane* queue = lane("Queue");
    queue->setCollapsed(false);
    for (double t = 0.0501; t < 24; t += 0.34913) {
        const ClusterState state = stateOf(run, t);
        double waiting = 0, running = 0;
        for (const auto& job : state.jobs()) {
            waiting += job.phase == JobPhase::waiting;
            running += job.phase == JobPhase::running;
        }
        QCOMPARE(queue->input().run->waitingJobs().at(t), waiting);
        QCOMPARE(queue->input().run->runningJobs().at(t), running);
    }
    QCoreApplication::processEvents();
    QCOMPARE(hitAt(queue, 13, 20).text, QStringLiteral("waiting: 1, running: 1"));
    QVERIFY(hitAt(queue, 500, 20).text.isEmpty()); // after the end nothing is known
}

void tst_LiveViews::machineHistoryIsTheStates() {
    const RunData run = show(test::busyRun());
    for (const char* key : {"m1", "m2", "m7"}) {
        const EntityHistory fold = historyOf(run, Kind::machine, key);
        QVERIFY(fold.known());
        for (double t = 0.0301; t < 24; t += 0.36913) {
            const ClusterState state = stateOf(run, t);
            const MachineId id(fold.index());
            const ResourceVector& capacity = run.workload->machine(id).capacity;
            double computing = 0, tasks = 0;
            for (const auto& job : state.jobs())
                for (std::size_t w = 0; w < job.workers.size(); ++w)
                    if (w < job.placement.workers.size() && job.placement.workers[w] == id)
                        computing += job.workers[w].phase == WorkerPhase::computing;
            for (const auto& job : state.jobs())
                for (const auto* list : {&job.placement.workers, &job.placement.servers})
                    tasks += static_cast<double>(std::count(list->begin(), list->end(), id));
            QCOMPARE(fold.tasks().at(t), tasks);
            for (const auto& curve : fold.curves()) {
                if (curve.what == EntityHistory::Curve::What::resource)
                    QCOMPARE(curve.series.at(t),
                             capacity.amount(curve.index) - state.machine(id).free.amount(curve.index));
                else
                    QCOMPARE(curve.series.at(t), computing);
            }
        }
    }
    const EntityHistory failed = historyOf(run, Kind::machine, "m7");
    QCOMPARE(failed.outages().size(), std::size_t{1});
    QCOMPARE(failed.outages()[0].start, SimTime::seconds(12));
    QCOMPARE(failed.outages()[0].end, SimTime::seconds(18));
}

void tst_LiveViews::linkHistoryIsTheLogs() {
    showSample(); // m1 sends 0.9e8 of 1.25e9 bytes/s up its link in the first 50 ms of every second
    const EntityHistory fold = historyOf(m_run->current(), Kind::link, "m3--sw");
    const auto& curves = fold.curves();
    QCOMPARE(curves.size(), std::size_t{2});
    QCOMPARE(curves[0].full, 1.25e8);
    for (int second = 0; second < 20; ++second) {
        QCOMPARE(curves[1].series.at(second + 0.02), 0.9e8); // directed link 2·2 + 1
        QCOMPARE(curves[1].series.at(second + 0.5), 0.0);
        QCOMPARE(curves[0].series.at(second + 0.02), 0.0);
    }
    m_histories->add({linkSubject("m3--sw")});
    Lane* link = lane("m3--sw");
    QVERIFY(link);
    QCoreApplication::processEvents();
    const QString text = hitAt(link, 4.02, 10).text;
    QVERIFY2(text.contains(QStringLiteral("90 MB/s (72 %)")), qPrintable(text));
}

void tst_LiveViews::jobHistoryCountsItsWorkers() {
    const RunData run = show(test::busyRun());
    const EntityHistory fold = historyOf(run, Kind::job, "ranking");
    for (double t = 0.0301; t < 24; t += 0.36913) {
        const ClusterState state = stateOf(run, t);
        const JobState& job = state.job(JobId(1));
        double computing = 0, placed = 0;
        for (std::size_t w = 0; w < job.placement.workers.size(); ++w)
            if (job.placement.workers[w].valid()) {
                placed += 1;
                computing += w < job.workers.size() && job.workers[w].phase == WorkerPhase::computing;
            }
        QCOMPARE(fold.curves()[0].series.at(t), placed);
        QCOMPARE(fold.curves()[1].series.at(t), computing);
    }
}

void tst_LiveViews::historiesComeAndGo() {
    show(test::busyRun());
    const std::size_t usual = m_stack->lanes().size();
    m_histories->add({machineSubject("m1"), jobSubject("digits")});
    m_histories->add({machineSubject("m1")}); // once is enough
    QCOMPARE(m_stack->lanes().size(), usual + 2);
    Lane* machine = lane("m1");
    QVERIFY(machine->isVisible());
    QVERIFY(machine->painter().emptyText(machine->input()).isEmpty());
    QVERIFY(
        hitAt(machine, 9, 10).text.contains(QStringLiteral("cpu: 3 of 4 (75 %)"))); // a worker of 2 and the server of 1
    QCOMPARE(machine->plotRect().left(), m_stack->ruler()->plotRect().left());
    QCOMPARE(machine->plotRect().right(), m_stack->ruler()->plotRect().right());
    // Another run: the lanes stay and show it.
    showSample();
    machine = lane("m1");
    QVERIFY(machine);
    QCOMPARE(machine->input().run->run().id, m_run->current().id);
    Lane* job = lane("Workers, digits");
    QVERIFY(job->painter().emptyText(job->input()).contains(QStringLiteral("no job \"digits\" in this run")));
    // The small button takes it out.
    QTest::mouseClick(machine->findChild<QToolButton*>(QStringLiteral("laneClose")), Qt::LeftButton);
    QVERIFY(!lane("m1"));
    QCOMPARE(m_stack->lanes().size(), usual + 1);
    QCOMPARE(m_histories->all().size(), std::size_t{1});
    m_histories->remove(jobSubject("digits"));
    QCOMPARE(m_stack->lanes().size(), usual);
    QCoreApplication::processEvents();
    QVERIFY(!m_stack->grab().isNull());
}

void tst_LiveViews::historiesAreDroppedHere() {
    show(test::busyRun());
    const std::unique_ptr<QMimeData> data(Histories::toMime({machineSubject("m2")}));
    const QPoint at(600, 200);
    QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(m_stack.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(at), Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_stack.get(), &drop);
    QVERIFY(lane("m2"));
    QMimeData text;
    text.setText(QStringLiteral("m3"));
    QDragEnterEvent other(at, Qt::CopyAction, &text, Qt::LeftButton, {});
    other.ignore();
    QCoreApplication::sendEvent(m_stack.get(), &other);
    QVERIFY(!other.isAccepted()); // a file, for the window
    QMimeData damaged;
    damaged.setData(data->formats().first(), QByteArrayLiteral("damaged"));
    QVERIFY(Histories::fromMime(&damaged).empty());
    for (int i = 0; i < 40; ++i) m_histories->add({machineSubject("m" + std::to_string(i))});
    QCOMPARE(m_histories->all().size(), Histories::most);
    QVERIFY(!m_histories->whyNotAdd().isEmpty());
}

void tst_LiveViews::layoutKeepsHistoriesAndSwitches() {
    show(test::busyRun());
    m_histories->add({linkSubject("m2--sw"), jobSubject("ranking")});
    option(lane("Gantt"), "A Row per Job")->trigger();
    choose(lane("Loss"), "Values", "gradient norm");
    lane("m2--sw")->setCollapsed(true);
    lane("Loss")->findChild<QSlider*>(QStringLiteral("smoothing"))->setValue(60);
    const QByteArray saved = m_stack->saveLayout();
    m_histories->set({});
    option(lane("Gantt"), "A Row per Job")->trigger();
    choose(lane("Loss"), "Values", "loss");
    m_stack->restoreLayout(saved);
    QVERIFY(lane("m2--sw") && lane("m2--sw")->collapsed());
    QVERIFY(lane("Workers, ranking") && !lane("Workers, ranking")->collapsed());
    QVERIFY(lane("Gantt")->input().byJob);
    QCOMPARE(lane("Loss")->painter().subject()->key, QStringLiteral("loss?smoothing=0.6&values=gradient-norm"));
    for (qsizetype n = 0; n < saved.size(); ++n) m_stack->restoreLayout(saved.left(n)); // cut short: no harm
    QVERIFY(!m_stack->grab().isNull());
}

void tst_LiveViews::smoothingByTheSlider() {
    show(test::busyRun());
    Lane* loss = lane("Loss");
    const auto value = [&] { return loss->painter().legend(Theme::light(), loss->input())[0].value; };
    const QString plain = value();
    auto* slider = loss->findChild<QSlider*>(QStringLiteral("smoothing"));
    slider->setValue(80);
    QCOMPARE(loss->painter().subject()->key, QStringLiteral("loss?smoothing=0.8"));
    QVERIFY(value() != plain);
    QVERIFY(hitAt(loss, 8, 20).text.isEmpty() || hitAt(loss, 8, 20).text.contains(QStringLiteral("unsmoothed")));
    slider->setValue(0);
    QCOMPARE(loss->painter().subject()->key, QStringLiteral("loss"));
    QCOMPARE(value(), plain);
    // By keyboard, as everything else.
    QTest::keyClick(slider, Qt::Key_PageUp);
    QCOMPARE(loss->painter().subject()->key, QStringLiteral("loss?smoothing=0.1"));
}

void tst_LiveViews::gradientNormsAreShown() {
    m_run->show({.workload = test::sampleWorkload(), .log = test::logOfNorms()});
    Lane* loss = lane("Loss");
    choose(loss, "Values", "gradient norm");
    m_axis->setCursor(SimTime::seconds(4));
    QCOMPARE(loss->painter().legend(Theme::light(), loss->input())[0].value, QStringLiteral("2"));
    QVERIFY(loss->painter().axisTitle(loss->input()).contains(QStringLiteral("orm of the gradient")));
    m_axis->setCursor(SimTime::zero()); // not known before the first update
    QCOMPARE(loss->painter().legend(Theme::light(), loss->input())[0].value, QString());
    QVERIFY(!option(loss, "Loss lost to waiting")->isEnabled());
    QVERIFY(option(loss, "Loss lost to waiting")->toolTip().contains(QStringLiteral("norm")));
    showSample(); // hand-made: it has losses, and no norms
    QVERIFY(!loss->painter().emptyText(loss->input()).isEmpty());
    choose(loss, "Values", "loss");
    QVERIFY(loss->painter().emptyText(loss->input()).isEmpty());
}

void tst_LiveViews::waitingCostIsReadOut() {
    showSample();
    Lane* loss = lane("Loss");
    Lane* strip = lane("Stragglers");
    QVERIFY(!hitAt(loss, 4, 20).text.contains(QStringLiteral("lost to waiting")));
    const auto orange = [&] {
        const QImage image = loss->grab().toImage();
        int n = 0;
        for (int y = 2; y < image.height() - 2; ++y)
            for (int x = static_cast<int>(loss->timeScale().x(1)); x < loss->timeScale().x(19); ++x) {
                const QColor colour = image.pixelColor(x, y);
                n += colour.hsvHue() > 25 && colour.hsvHue() < 55 && colour.hsvSaturation() > 40;
            }
        return n;
    };
    QCOMPARE(orange(), 0);
    QToolButton* button = nullptr;
    for (auto* found : loss->findChildren<QToolButton*>())
        if (found->text() == QStringLiteral("waiting")) button = found;
    QVERIFY(button);
    button->click();
    QVERIFY(orange() > 500);
    const LossSeries& losses = loss->input().run->jobs()[0].losses;
    const QString expected =
        QStringLiteral("%1 of loss lost to waiting").arg(numberText(losses.loss[3] - losses.loss[6], 2));
    const QString text = hitAt(loss, 4.2, 20).text;
    QVERIFY2(text.contains(expected), qPrintable(text));
    // Cursor and job are those of the strip: Batch has no losses, so that neither shows Digits any more.
    QTest::mouseMove(strip, QPoint(static_cast<int>(strip->timeScale().x(4)), 20));
    QCOMPARE(loss->input().at, *m_axis->hover());
    const auto isReadOut = [&] {
        return loss->painter().legend(Theme::light(), loss->input()).back().label == QStringLiteral("lost to waiting");
    };
    QVERIFY(isReadOut());
    m_selection->selectJob(JobId(1));
    QVERIFY(!isReadOut());
    QCOMPARE(strip->painter().rows(strip->input()), std::size_t{2});
    m_selection->clear();
    // Against updates both curves are one: the switch says so.
    QAction* option = this->option(loss, "Loss lost to waiting");
    this->option(loss, "Against: updates")->trigger();
    QVERIFY(!option->isEnabled());
    QVERIFY(option->toolTip().contains(QStringLiteral("updates")));
    QVERIFY(!isReadOut());
}

void tst_LiveViews::logarithmicTimeTellsTheTime() {
    showSample();
    Lane* loss = lane("Loss");
    option(loss, "Logarithmic horizontal axis")->trigger();
    loss->grab();
    QCoreApplication::processEvents(); // the column of the legend has its width
    loss->grab();                      // the axis is known once painted
    // From the first evaluation, 0.9 s, to the end, 20.5 s: the middle is their geometric mean.
    const QRectF plot = loss->plotRect();
    QTest::mouseMove(loss, QPoint(static_cast<int>(std::lround(plot.center().x())), 20));
    QVERIFY(m_axis->hover());
    const double middle = std::sqrt(0.9 * 20.5);
    const double pixel = middle * std::log(20.5 / 0.9) / plot.width();
    QVERIFY(std::abs(m_axis->hover()->toSeconds() - middle) < 1.5 * pixel);
    QVERIFY(loss->painter().horizontalTitle(loss->input()).contains(QStringLiteral("log")));
    // With updates as well.
    option(loss, "Against: updates")->trigger();
    loss->grab();
    QTest::mouseMove(loss, QPoint(static_cast<int>(std::lround(plot.center().x())) + 1, 20));
    QVERIFY(m_axis->hover());
    const double step = std::sqrt(20.0) * std::log(20.0) / plot.width();
    QVERIFY(std::abs(m_axis->hover()->toSeconds() - (std::sqrt(20.0) - 0.1)) <
            2.5 * step); // update n comes at n − 0.1 s
    // The cursor is there, too.
    QPainter nowhere;
    const Theme theme = Theme::light();
    LaneCanvas canvas(nowhere, theme, QFont());
    canvas.plot = plot.adjusted(0, 3, 0, -3);
    canvas.time = loss->timeScale();
    const auto pixel20 = loss->painter().pixelAt(canvas, loss->input(), SimTime::seconds(19.9));
    QVERIFY(pixel20 && std::abs(*pixel20 - plot.right()) < 1);
}

// By default where the loss falls by more than a factor of ten; a user who chose otherwise is obeyed until the choice is
// taken back.
void tst_LiveViews::logarithmicWhereTheLossFallsFar() {
    const auto showFalling = [&](double last) {
        auto log = std::make_shared<EventLog>();
        for (const auto& [at, loss] : {std::pair(1.0, 5.0), std::pair(2.0, last)})
            log->append({.time = SimTime::seconds(at), .type = EventType::lossEvaluated, .job = 0, .value = loss});
        m_run->show({.scenario = test::busyRun().scenario, .workload = test::busyRun().workload, .log = log});
    };
    QAction* logarithmic = option(lane("Loss"), "Scale: logarithmic");
    const auto isLogarithmic = [&] {
        const bool is = lane("Loss")->painter().axisTitle(lane("Loss")->input()).contains(QStringLiteral("log"));
        return is == logarithmic->isChecked() && is;
    };
    showFalling(0.6);
    QVERIFY(!isLogarithmic());
    m_run->forgetEarlier();
    showFalling(0.4);
    QVERIFY(isLogarithmic());
    QVERIFY(logarithmic->isChecked());
    logarithmic->trigger();
    QVERIFY(!isLogarithmic());
    const QByteArray layout = m_stack->saveLayout();
    showFalling(0.3);
    QVERIFY(!isLogarithmic());
    logarithmic->trigger(); // as it would be by itself: nothing is chosen any more
    m_run->forgetEarlier();
    showFalling(0.6);
    m_run->forgetEarlier();
    m_run->compareWith(RunModel::Ghost::none);
    QVERIFY(!isLogarithmic());
    showFalling(0.4);
    QVERIFY(isLogarithmic());
    m_stack->restoreLayout(layout);
    QVERIFY(!isLogarithmic());
}

void tst_LiveViews::titlesNeverOverlap() {
    show(test::busyRun());
    m_histories->add({linkSubject("m2--sw")});
    for (const QSize size : {QSize(1024, 210), QSize(1280, 320), QSize(2560, 700), QSize(700, 200)}) {
        m_stack->resize(size);
        // The scroll bar narrows all alike, as soon as it comes or goes.
        QTRY_COMPARE(m_stack->lanes()[0]->width(), m_stack->ruler()->width());
        const int end = m_stack->ruler()->width();
        for (const Lane* lane : m_stack->lanes()) {
            QCOMPARE(lane->width(), end);
            QCOMPARE(lane->plotRect().left(), m_stack->ruler()->plotRect().left());
            std::vector<QRect> seen;
            for (const auto* button : lane->findChildren<QToolButton*>()) {
                if (!button->isVisible()) continue;
                const QRect rect = button->geometry();
                QVERIFY(rect.right() < lane->plotRect().left() - 40); // labels have room beside them
                QVERIFY(rect.bottom() <= lane->height());
                for (const QRect& other : seen) QVERIFY(!rect.intersects(other));
                seen.push_back(rect);
            }
            if (!lane->collapsed()) QVERIFY(lane->height() >= lane->minimumSizeHint().height());
        }
    }
}

TRAINYARD_TEST(tst_LiveViews)
#include "tst_LiveViews.moc"
