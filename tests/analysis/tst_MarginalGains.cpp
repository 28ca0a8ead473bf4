// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The view of marginal gains: its lines are the scheduler's notes, until the cursor, with the first of them worked by hand.
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_MarginalGains : public QObject {
    Q_OBJECT
private slots:
    void newJobsAreWorthTheSame();
    void linesAreTheNotes();
    void linesEndWithTheirJobs();
    void othersNoteNoGains();
};

namespace {

/// 8 cpu, three jobs whose updates take 6 core-seconds; losses 1/(1 + 0.2 k), 3·0.9^k and 5 − 0.01 k (recorded), evaluated with every
/// update; slaq divides anew each second. The first has 12 updates, the others 60.
Scenario threeJobs(const char* scheduler) {
    Scenario scenario = starScenario(1);
    scenario.network = NetworkModel::rate;
    scenario.policies.scheduler = {scheduler, {}};
    if (std::string(scheduler) == "slaq") scenario.policies.scheduler.parameters = {{"epoch_s", 1.0}};
    RecordedCurve line{.key = "line", .updates = {0, 100}, .losses = {5, 4}};
    scenario.curves.push_back(line);
    const LossCurve curves[] = {{.a = 1, .b = 0.2, .c = 0, .p = 1},
                                {.family = LossCurve::Family::geometric, .a = 3, .b = 0.9, .c = 0},
                                {.family = LossCurve::Family::recorded, .name = "line"}};
    for (int j = 0; j < 3; ++j) {
        Job job{.key = "j" + std::to_string(j + 1)};
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 8};
        job.servers = {0, 0};
        job.stop.iterations = j == 0 ? 12 : 60;
        AnalyticWork work;
        work.parameterBytes = 0;
        work.batch = 8;
        work.batchOf = BatchOf::job;
        work.law = UpdateLaw{0, 6, 0};
        work.evaluation.everyIterations = 1;
        work.curve = curves[j];
        job.work = work;
        scenario.jobs.push_back(job);
    }
    return scenario;
}

std::unique_ptr<RunIndex> foldedGains(const char* scheduler) {
    auto run = std::make_unique<RunIndex>(sourceOfRun(threeJobs(scheduler)));
    run->update();
    return run;
}

Chart gainsAt(const RunIndex& run, double at, std::size_t mostPoints = 4000) {
    return std::get<Chart>(wholePicture(
        *findView("marginal-gains"),
        {.run = run, .job = {}, .at = std::min(SimTime::seconds(at), run.head()), .mostPoints = mostPoints}));
}

const Series& lineOf(const Chart& chart, const std::string& key) {
    for (const Series& series : chart.plots.front().series)
        if (series.key == key) return series;
    throw std::runtime_error(key);
}

/// Independent of the view: notes of the series "marginal_gain" in the log.
std::vector<std::pair<double, double>> notedGains(const RunIndex& run, JobId job, double until) {
    std::uint16_t number = 0;
    const Registry registry = Registry::builtin();
    const auto& series = registry.find(PolicyFamily::scheduler, "slaq")->series;
    while (series[number].name != "marginal_gain") ++number;
    std::vector<std::pair<double, double>> out;
    const EventLog& log = *run.source().log;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (const Event e = log[i]; e.type == EventType::note && e.job == job.value &&
                                    e.aux == NoteSeries{PolicyFamily::scheduler, number}.packed() &&
                                    e.time.toSeconds() <= until)
            out.emplace_back(e.time.toSeconds(), e.value);
    return out;
}

} // namespace

// 8 workers for three new jobs: 3, 3 and 2. With n workers an epoch of 1 s has n/6 updates, and x updates are worth (1 − 0.7^x)/0.3:
// (0.7^(3/6) − 0.7^(4/6))/0.3 and (0.7^(2/6) − 0.7^(3/6))/0.3.
void tst_MarginalGains::newJobsAreWorthTheSame() {
    const auto run = foldedGains("slaq");
    const Chart chart = gainsAt(*run, 0.5);
    const double three = (std::pow(0.7, 0.5) - std::pow(0.7, 4.0 / 6)) / 0.3;
    const double two = (std::pow(0.7, 2.0 / 6) - std::pow(0.7, 0.5)) / 0.3;
    const double expected[] = {three, three, two};
    QCOMPARE(chart.legend.size(), std::size_t{3});
    for (int j = 0; j < 3; ++j) {
        const double shown = lineOf(chart, "job-" + std::to_string(j + 1)).y.at(0);
        QVERIFY2(std::abs(shown - expected[j]) < 1e-6, qPrintable(QStringLiteral("%1: %2").arg(j).arg(shown)));
    }
    QVERIFY(std::abs(chart.legend.front().value->value - two) < 1e-6); // the greatest first
    QCOMPARE(chart.legend.front().ref.job, JobId(2));
}

void tst_MarginalGains::linesAreTheNotes() {
    const auto run = foldedGains("slaq");
    for (const double at : {4.2, 9.9, 1000.0})
        for (const std::uint32_t j : {0u, 1u, 2u}) {
            const Series line = lineOf(gainsAt(*run, at), "job-" + std::to_string(j + 1));
            const auto expected = notedGains(*run, JobId(j), at);
            QVERIFY(expected.size() > 3);
            QCOMPARE(line.y.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY(line.x[i] == expected[i].first && line.y[i] == expected[i].second);
        }
    const Series thin = lineOf(gainsAt(*run, 1000, 5), "job-2");
    QVERIFY(thin.y.size() <= 5 && thin.y.size() >= 2);
}

// The last value holds until the job is over; then the legend does not name it.
void tst_MarginalGains::linesEndWithTheirJobs() {
    const auto run = foldedGains("slaq");
    const double ended = run->jobs()[0].endedAt().toSeconds();
    const Chart chart = gainsAt(*run, ended + 1.5);
    const Series &first = lineOf(chart, "job-1"), &second = lineOf(chart, "job-2");
    QCOMPARE(first.x.size(), first.y.size() + 1);
    QCOMPARE(first.x.back(), ended);
    QVERIFY(std::abs(second.x.back() - (ended + 1.5)) < 1e-9);
    for (const LegendItem& item : chart.legend) QVERIFY(item.ref.job != JobId(0));
    QCOMPARE(chart.legend.size(), std::size_t{2});
}

void tst_MarginalGains::othersNoteNoGains() {
    const auto run = foldedGains("fair");
    QVERIFY(!findView("marginal-gains")->concerns(*run, {}));
    QVERIFY(!gainsAt(*run, 1000).empty.english().empty());
}

TRAINYARD_TEST(tst_MarginalGains)
#include "tst_MarginalGains.moc"
