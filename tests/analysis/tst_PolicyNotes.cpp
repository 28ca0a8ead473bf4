// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What policies note and promise, from the log to the fold and the view.
#include "analysis/PolicyNotes.h"
#include "analysis/View.h"
#include "support/DecidingScheduler.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_PolicyNotes : public QObject {
    Q_OBJECT
private slots:
    void everyNoteIsFoundAgain();
    void notesOfAllJobsSaySo();
    void withoutNotesTheViewSaysSo();
};

namespace {

const JobId first(std::size_t{0});

/// One job; series 0 of the job with two indices, series 3 of the scheduler as a whole, and a promise.
RunSource notedRun() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    scenario.policies.scheduler = {"deciding", {}};
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(DecidingScheduler::entry(
        [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
            if (context.now.ns > SimTime::seconds(0.3).ns) return;
            for (const JobId job : view.jobsIn(JobPhase::waiting)) decisions.start(job, placed({0, 1, 2}, {3}));
            const double now = context.now.toSeconds();
            context.note(0, now + 1, 2, 7, first);
            context.note(0, now + 2, 5, 7, first);
            context.note(3, -now);
            if (now == 0) context.note(4, 42);
            decisions.reserve(first, TaskRole::server, MachineId(std::size_t{3}), 9, 4);
            decisions.wakeAt(context.now + Duration::seconds(0.1));
        }));
    options.registry = std::make_shared<const Registry>(std::move(registry));
    auto simulation = std::move(Simulation::create(options)).value();
    while (simulation->step()) {}
    return {
        .scenario = options.scenario, .seed = 1, .workload = simulation->workload(), .log = simulation->sharedLog()};
}

} // namespace

// Four calls, at 0, 0.1, 0.2 and 0.3 s.
void tst_PolicyNotes::everyNoteIsFoundAgain() {
    RunIndex run(notedRun());
    run.update();
    const auto& notes = run.fold<PolicyNotes>();
    const auto values = notes.of({PolicyFamily::scheduler, 0}, first);
    QCOMPARE(values.size(), std::size_t{8});
    QVERIFY((values[2] == NotedValue{SimTime::seconds(0.1), 2, 7, 1.1}));
    QVERIFY((values[3] == NotedValue{SimTime::seconds(0.1), 5, 7, 2.1}));
    QCOMPARE(notes.of({PolicyFamily::scheduler, 3}).size(), std::size_t{4});
    QVERIFY(notes.of({PolicyFamily::synchronization, 0}, first).empty());
    QCOMPARE(notes.reservations().size(), std::size_t{4});
    QVERIFY(
        (notes.reservations()[0] == Reservation{SimTime{}, first, TaskRole::server, MachineId(std::size_t{3}), 9, 4}));
    const Chart chart =
        std::get<Chart>(wholePicture(*findView("noted"), {.run = run, .job = first, .at = SimTime::seconds(0.15)}));
    QCOMPARE(chart.plots.size(), std::size_t{2});
    QCOMPARE(chart.plots[0].series.size(), std::size_t{2}); // by the first index
    QCOMPARE(chart.plots[0].series[1].y, (std::vector<double>{2, 2.1, 2.2, 2.3}));
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::abs(chart.plots[1].series.at(0).x.at(i) - 0.1 * static_cast<double>(i)) < 1e-9);
    for (const Plot& plot : chart.plots) // what the values mean stands above the picture, not on its points
        QCOMPARE(plot.title.english(), plot.y.title.english());
    QVERIFY(chart.meaning.english().find(chart.plots[0].title.english() + ": ") != std::string::npos ||
            chart.meaning.english().ends_with(chart.plots[1].title.english()));
    QCOMPARE(chart.legend.at(0).value->value, 2.1);
    QCOMPARE(chart.legend.at(1).value->value, -0.1);
    QCOMPARE(chart.legend.size(), std::size_t{3}); // noted once: only its value is told
    QCOMPARE(chart.legend.at(2).value->value, 42.0);
}

/// The view is of one job: what the scheduler notes of all of them must not pass for that job's.
void tst_PolicyNotes::notesOfAllJobsSaySo() {
    RunSource source = notedRun();
    auto two = std::make_shared<Workload>(*source.workload);
    two->jobs.push_back(two->jobs.front());
    two->jobs.back().key = "other";
    source.workload = two;
    RunIndex run(source);
    run.update();
    const Chart chart =
        std::get<Chart>(wholePicture(*findView("noted"), {.run = run, .job = first, .at = SimTime::seconds(0.15)}));
    QCOMPARE(chart.plots.at(0).title.english(), chart.plots[0].y.title.english());
    QCOMPARE(chart.plots.at(1).title.english(), chart.plots[1].y.title.english() + ", of all jobs");
    QVERIFY(chart.legend.at(1).label.english().ends_with(", of all jobs"));
}

void tst_PolicyNotes::withoutNotesTheViewSaysSo() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trainedJob()};
    RunIndex run(sourceOfRun(std::move(scenario)));
    run.update();
    const Chart chart = std::get<Chart>(wholePicture(*findView("noted"), {.run = run, .job = first, .at = run.head()}));
    QVERIFY(chart.plots.empty() && !chart.empty.empty());
    QVERIFY(!findView("noted")->concerns(run, first));
}

TRAINYARD_TEST(tst_PolicyNotes)
#include "tst_PolicyNotes.moc"
