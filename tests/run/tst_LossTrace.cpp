// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The losses of a run over time: of one job as they are, of several on one scale.
#include "engine/Simulation.h"
#include "record/LossQuality.h"
#include "run/import/LossTrace.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <optional>

using namespace trainyard;
using namespace trainyard::test;

class tst_LossTrace : public QObject {
    Q_OBJECT
private slots:
    void oneJobAsItIs();
    void severalByHand();
    void severalOfARun();
    void picked();
};

namespace {

Workload workloadOf(std::vector<Job> jobs) {
    Workload out;
    out.jobs = std::move(jobs);
    return out;
}

void add(EventLog& log, double seconds, Event event) {
    event.time = SimTime{} + Duration::seconds(seconds);
    log.append(event);
}

const JobId first{std::size_t{0}}, second{std::size_t{1}};

} // namespace

// Two evaluations at one instant are one step, the later; what is not finite is none.
void tst_LossTrace::oneJobAsItIs() {
    EventLog log;
    add(log, 1, events::jobArrived(first));
    add(log, 2, events::lossEvaluated(first, 0, 700));
    add(log, 3, events::lossEvaluated(first, 1, NAN));
    add(log, 4, events::lossEvaluated(first, 2, 600));
    add(log, 4, events::lossEvaluated(first, 3, 500));
    const LossTrace trace = lossTrace(log, workloadOf({trainedJob()}));
    QVERIFY((trace == LossTrace{{2, 4}, {700, 500}, false}));
    QVERIFY(lossTraceFrom(lossTraceText(trace)) == trace);
}

// The first by the limit of its curve, 2/(k + 1) + 10, though it does not come there; the second, a thousand times as great, by its least
// loss. A graph job has no losses and does not count.
void tst_LossTrace::severalByHand() {
    Job formula = analyticJob(), graph = analyticJob();
    std::get<AnalyticWork>(formula.work).curve = {.a = 1, .b = 1, .c = 10, .p = 1};
    QCOMPARE(lossLimit(formula).value(), 10.0);
    graph.work = GraphWork{};
    EventLog log;
    add(log, 0, events::jobArrived(first));
    add(log, 0, events::jobArrived(JobId(std::size_t{2})));
    add(log, 1, events::lossEvaluated(first, 0, 12));
    add(log, 2, events::jobArrived(second));
    add(log, 3, events::lossEvaluated(first, 1, 11));
    add(log, 4, events::lossEvaluated(second, 0, 5000));
    add(log, 5, events::lossEvaluated(second, 1, 2000));
    add(log, 6, events::lossEvaluated(second, 2, 3000)); // above its least
    const LossTrace trace = lossTrace(log, workloadOf({formula, trainedJob(), graph}));
    QVERIFY(trace.normalised);
    QVERIFY((trace.seconds == std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
    const std::vector<double> expected{1, 1, 1, 0.75, 0.75, 0.25, (0.5 + 1.0 / 3) / 2};
    for (std::size_t i = 0; i < expected.size(); ++i) QVERIFY(std::abs(trace.loss[i] - expected[i]) < 1e-12);
    QVERIFY(lossTraceFrom(lossTraceText(trace)) == trace);
}

// Each step of a simulated run against all jobs looked at anew.
void tst_LossTrace::severalOfARun() {
    Scenario scenario = starScenario(8);
    for (int j = 0; j < 4; ++j) {
        Job job = j % 2 == 0 ? analyticJob() : trainedJob();
        job.key = "j" + std::to_string(j);
        job.arrival = SimTime{} + Duration::seconds(0.7 * j);
        scenario.jobs.push_back(std::move(job));
    }
    auto simulation = Simulation::create(optionsFor(std::move(scenario)));
    QVERIFY(simulation.ok());
    (*simulation)->runUntil(SimTime::never(), 1'000'000);
    const EventLog& log = (*simulation)->log();
    const Workload& workload = *(*simulation)->workload();
    const LossTrace trace = lossTrace(log, workload, 100'000);
    QVERIFY(trace.seconds.size() > 50);
    for (std::size_t step = 0; step < trace.seconds.size(); ++step) {
        double sum = 0, arrived = 0;
        for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
            std::optional<double> begin;
            double least = INFINITY, now = 1;
            bool isHere = false;
            for (const bool ended : {true, false}) // first the least of all, then the latest by now
                for (std::size_t i = 0; i < log.size(); ++i) {
                    const Event& e = log[i];
                    if (e.job != j || (!ended && e.time.toSeconds() > trace.seconds[step])) continue;
                    isHere = isHere || (!ended && e.type == EventType::jobArrived);
                    if (e.type != EventType::lossEvaluated) continue;
                    if (!begin) begin = e.value;
                    least = std::min(least, e.value);
                    if (!ended) now = normalisedLoss(e.value, *begin, lossLimit(workload.jobs[j]).value_or(least));
                }
            if (isHere) sum += now, arrived += 1;
        }
        QVERIFY(std::abs(trace.loss[step] - sum / arrived) < 1e-12);
    }
}

void tst_LossTrace::picked() {
    EventLog log;
    for (int i = 0; i < 1000; ++i) add(log, i, events::lossEvaluated(first, static_cast<std::uint64_t>(i), 1000.0 - i));
    const LossTrace trace = lossTrace(log, workloadOf({trainedJob()}), 10);
    QCOMPARE(trace.seconds.size(), std::size_t{10});
    QCOMPARE(trace.seconds.front(), 0.0);
    QCOMPARE(trace.loss.back(), 1.0);
}

TRAINYARD_TEST(tst_LossTrace)
#include "tst_LossTrace.moc"
