// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The views of a scheduler that plans in slots, on a case worked by hand, and the utility that jobs earn.
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_SlotViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void schedulesAreThoseWeighed();
    void reservationsReachIntoTheFuture();
    void pricesRiseWithPromises();
    void utilityAddsUp();
    void othersSayThatTheyPlanNoSlots();

private:
    Chart chartOf(const char* view, double at, JobId job = {});
    std::optional<RunIndex> m_run;
};

namespace {

/// One machine of 10 cpu; two equal jobs that come at 0, each with 1 or 2 workers and a server of 1 cpu, and with 4 worker-slots of
/// work, worth 10/(1 + 1) = 5 whenever they end. N = 4 · (1 + 1) = 8, μ = 4 · 10/8 = 5, L = 5/(2 · 5 · 8) = 1/16, U = 5/2.
Scenario twoJobs() {
    Scenario scenario = starScenario(1);
    scenario.network = NetworkModel::rate;
    scenario.cluster.machines[0].capacity = ResourceVector::of({10});
    Job job = analyticJob();
    job.workers = {1, 2};
    job.workersPerServer = 2;
    job.workerDemand = job.serverDemand = ResourceVector::of({1});
    job.stop.iterations = 4;
    job.utility = Utility{10, 0, 0, 1};
    auto& work = std::get<AnalyticWork>(job.work);
    work.parameterBytes = 1e-3;
    work.batchOf = BatchOf::job;
    work.rates = LocalityRates{100, 100};
    for (const char* key : {"a", "b"}) {
        job.key = key;
        scenario.jobs.push_back(job);
    }
    scenario.policies.scheduler = {"pdors",
                                   {{"slot_s", 1.0}, {"horizon", std::int64_t{4}}, {"quanta", std::int64_t{4}}}};
    return scenario;
}

const JobId a(std::size_t{0}), b(std::size_t{1});
const double low = 1.0 / 16, raised = low * std::pow(2.5 / low, 0.3); // 3 of 10 cpu are promised

bool near(double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(y)); }

} // namespace

void tst_SlotViews::initTestCase() {
    m_run.emplace(sourceOfRun(twoJobs()));
    m_run->update();
}

Chart tst_SlotViews::chartOf(const char* view, double at, JobId job) {
    return std::get<Chart>(wholePicture(*findView(view), {.run = *m_run, .job = job, .at = SimTime::seconds(at)}));
}

// The first job costs 2 slots of 3 cpu at L, wherever they lie, and ends in slot 1, the earliest. The second pays the raised price
// in slots 0 and 1, and L in 2 and 3: to end in slot 2 it takes one of either.
void tst_SlotViews::schedulesAreThoseWeighed() {
    const Chart first = chartOf("schedules", 4, a), second = chartOf("schedules", 4, b);
    for (const Chart* chart : {&first, &second}) {
        QCOMPARE(chart->plots[0].series[0].x, (std::vector<double>{1, 2, 3}));
        for (const double utility : chart->plots[0].series[0].y) QVERIFY(near(utility, 5));
    }
    for (const double cost : first.plots[0].series[1].y) QVERIFY(near(cost, 6 * low));
    const auto& costs = second.plots[0].series[1].y;
    QVERIFY(near(costs[0], 6 * raised) && near(costs[1], 3 * raised + 3 * low) && near(costs[2], 6 * low));
    QCOMPARE(first.plots[0].lines.at(0).value, 1.0);
    QCOMPARE(second.plots[0].lines.at(0).value, 3.0);
    QVERIFY(chartOf("schedules", 4).plots == second.plots); // the last that was weighed
}

void tst_SlotViews::reservationsReachIntoTheFuture() {
    const Chart chart = chartOf("reservations", 0);
    const auto& spans = chart.plots[0].series[0].spans;
    QCOMPARE(spans.size(), std::size_t{4});
    QVERIFY(spans[0].from == 0 && spans[1].to == 2 && spans[0].row == 0);
    QVERIFY(spans[2].from == 2 && spans[3].to == 4 && spans[3].row == 1);
    QCOMPARE(chart.plots[0].series[0].labels[0].english(), std::string("2"));
    QCOMPARE(chart.legend[0].value->value, 4.0); // on the one machine there is
}

void tst_SlotViews::pricesRiseWithPromises() {
    const Chart chart = chartOf("prices", 0);
    QCOMPARE(chart.plots[0].series[0].cells.values.size(), std::size_t{4});
    for (const double price : chart.plots[0].series[0].cells.values) QVERIFY(near(price, raised));
    QVERIFY(near(chart.legend[0].value->value, low) && near(chart.legend[1].value->value, 2.5));
}

void tst_SlotViews::utilityAddsUp() {
    const Chart chart = chartOf("utility", 3);
    const auto& line = chart.plots[0].series[0];
    QCOMPARE(line.x.size(), std::size_t{4});
    QVERIFY(near(line.x[1], 2) && near(line.y[1], 5) && near(line.x[2], 4) && near(line.y[2], 10));
    QVERIFY(near(chart.legend[0].value->value, 5)); // at 3 s
}

void tst_SlotViews::othersSayThatTheyPlanNoSlots() {
    Scenario scenario = twoJobs();
    scenario.policies.scheduler = {"fifo", {}};
    RunIndex run(sourceOfRun(scenario));
    run.update();
    for (const char* view : {"prices", "schedules", "reservations"}) {
        const Chart chart = std::get<Chart>(wholePicture(*findView(view), {.run = run, .job = a, .at = run.head()}));
        QVERIFY(chart.plots.empty() && !chart.empty.empty() && !findView(view)->concerns(run, a));
    }
    QVERIFY(findView("utility")->concerns(run, a));
}

TRAINYARD_TEST(tst_SlotViews)
#include "tst_SlotViews.moc"
