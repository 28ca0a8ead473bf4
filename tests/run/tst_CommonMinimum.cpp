// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs that are compared are measured by one minimum of each trained job's losses: the least of all runs with the same seed.
#include "run/compare/Comparison.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <algorithm>
#include <limits>

using namespace trainyard;

class tst_CommonMinimum : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void armsShareTheLeastLoss();
    void oneAfterAnotherIsTheSame();
    void keptRunsAreMeasuredAlike();
    void stoppedSeedsAreMeasuredByWhatThereIs();

private:
    std::shared_ptr<const Scenario> m_scenario;
    std::shared_ptr<const Registry> m_registry = std::make_shared<const Registry>(Registry::builtin());
    ComparisonRequest request() const;
};

void tst_CommonMinimum::initTestCase() {
    const std::filesystem::path file(TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json");
    auto loaded = readScenario(file, *m_registry);
    QVERIFY(loaded.ok());
    Scenario scenario = std::move(loaded).value().scenario;
    for (Job& job : scenario.jobs) job.stop = {.iterations = 40};
    m_scenario = std::make_shared<const Scenario>(std::move(scenario));
}

ComparisonRequest tst_CommonMinimum::request() const {
    ComparisonRequest out{.scenario = m_scenario, .registry = m_registry, .resources = ResourcePaths::find({})};
    for (const char* arm : {"synchronization=full-sync", "synchronization=async", "synchronization=fastest-k"})
        out.arms.push_back(armFrom(*m_scenario, *m_registry, arm).value());
    out.seeds = {1, 2, 3};
    out.threads = 2;
    out.everyJob = true;
    return out;
}

namespace {

/// Of a job: evaluated losses and their instants.
struct Course {
    double arrived = 0;
    std::vector<double> seconds, losses;
    double least() const {
        return losses.empty() ? std::numeric_limits<double>::infinity() : *std::ranges::min_element(losses);
    }
};

std::vector<Course> coursesOf(const RunOutcome& run) {
    std::vector<Course> out(run.workload->jobs.size());
    run.log->walk(0, run.log->size(), [&](const Event& event) {
        if (event.type == EventType::jobArrived) out[event.job].arrived = event.time.toSeconds();
        if (event.type != EventType::lossEvaluated) return;
        out[event.job].seconds.push_back(event.time.toSeconds());
        out[event.job].losses.push_back(event.value);
    });
    return out;
}

/// Mean over the jobs that come so far, and how many they are.
std::pair<double, double> timeTo(const std::vector<Course>& jobs, const std::vector<double>& least, double share) {
    double sum = 0, count = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        for (std::size_t i = 0; i < jobs[j].losses.size(); ++i) {
            const double first = jobs[j].losses.front();
            if (jobs[j].losses[i] > first - (share - 1e-9) * (first - least[j])) continue;
            sum += jobs[j].seconds[i] - jobs[j].arrived;
            ++count;
            break;
        }
    return {sum / count, count};
}

} // namespace

// Against losses read from each run's log. In some run the common minimum is below its own, so that times differ.
void tst_CommonMinimum::armsShareTheLeastLoss() {
    const ComparisonRequest r = request();
    const ComparisonResult result = compare(r);
    QVERIFY(result.problems.empty());
    int differing = 0;
    for (std::size_t s = 0; s < r.seeds.size(); ++s) {
        std::vector<RunOutcome> runs;
        std::vector<double> least(m_scenario->jobs.size(), std::numeric_limits<double>::infinity());
        for (std::size_t a = 0; a < r.arms.size(); ++a) {
            runs.push_back(simulateOnce({.scenario = armScenario(r, a).value(),
                                         .registry = m_registry,
                                         .resources = r.resources,
                                         .seed = r.seeds[s],
                                         .threads = 1},
                                        {})
                               .value());
            const auto courses = coursesOf(runs.back());
            for (std::size_t j = 0; j < least.size(); ++j) least[j] = std::min(least[j], courses[j].least());
        }
        for (std::size_t a = 0; a < r.arms.size(); ++a) {
            const MetricValues& metrics = result.arms[a].runs[s];
            const auto courses = coursesOf(runs[a]);
            const auto [seconds, jobs] = timeTo(courses, least, 0.95);
            QCOMPARE(metrics.at("jobs_to_95"), jobs);
            if (jobs > 0) QVERIFY(std::abs(metrics.at("time_to_95_s") - seconds) < 1e-9 * seconds);
            QCOMPARE(metrics.find("time_to_95_s") != metrics.end(), jobs > 0);
            const auto own = runs[a].metrics.values.find("mean_active_loss")->second;
            QVERIFY(metrics.at("mean_active_loss") >= own - 1e-12); // a lower minimum: farther from it
            differing += metrics.at("mean_active_loss") > own + 1e-6;
        }
    }
    QVERIFY(differing > 0);
}

void tst_CommonMinimum::oneAfterAnotherIsTheSame() {
    ComparisonRequest r = request();
    const ComparisonResult whole = compare(r);
    r.threads = 1;
    auto pieces = emptyResult(r);
    std::vector<std::size_t> order;
    r.finished = [&](const ComparisonRun& run) {
        order.push_back(run.seed * r.arms.size() + run.arm);
        addRun(pieces, run);
    };
    compare(r);
    QCOMPARE(order.size(), std::size_t{9});
    QVERIFY(std::ranges::is_sorted(order));
    for (std::size_t a = 0; a < r.arms.size(); ++a) QVERIFY(pieces.arms[a].runs == whole.arms[a].runs);
}

void tst_CommonMinimum::keptRunsAreMeasuredAlike() {
    const QTemporaryDir directory;
    const auto store = ResultStore::open(directory.filePath("results.db").toStdString()).value();
    ComparisonRequest r = request();
    const ComparisonResult whole = compare(r);
    for (std::size_t shard = 0; shard < 2; ++shard) {
        ComparisonRequest part = request();
        part.kept = KeptResults(store, false);
        part.shard = shard;
        part.shards = 2;
        compare(part);
    }
    r.kept = KeptResults(store, true);
    std::stop_source stop;
    stop.request_stop(); // nothing is run again
    r.stop = stop.get_token();
    const ComparisonResult kept = compare(r);
    QVERIFY(!kept.stopped);
    for (std::size_t a = 0; a < r.arms.size(); ++a) QVERIFY(kept.arms[a].runs == whole.arms[a].runs);
}

void tst_CommonMinimum::stoppedSeedsAreMeasuredByWhatThereIs() {
    ComparisonRequest r = request();
    r.threads = 1;
    std::stop_source stop;
    r.stop = stop.get_token();
    r.progress = [&](std::size_t done, std::size_t) { done == 4 ? void(stop.request_stop()) : void(); };
    const ComparisonResult result = compare(r);
    QVERIFY(result.stopped);
    QCOMPARE(result.done(), std::size_t{4});
    QVERIFY(!result.arms[0].runs[1].empty() && result.arms[1].runs[1].empty());
}

TRAINYARD_TEST(tst_CommonMinimum)
#include "tst_CommonMinimum.moc"
