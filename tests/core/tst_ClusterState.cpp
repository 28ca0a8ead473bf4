// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The fold of events: jobs by phase, and the service that jobs attain.
#include "record/ClusterState.h"
#include "record/CompletedShare.h"
#include "support/TestMain.h"

#include "base/Random.h"

#include <set>

using namespace trainyard;

class tst_ClusterState : public QObject {
    Q_OBJECT
private slots:
    void jobSetIsAnOrderedSet_data();
    void jobSetIsAnOrderedSet();
    void jobsAreListedByPhase();
    void serviceCountsWorkersThatArePlaced();
    void progressOfJobsThatAreOver();
};

namespace {

std::shared_ptr<const Workload> workloadOf(std::size_t jobs, double cpus) {
    auto workload = std::make_shared<Workload>();
    workload->cluster.resourceNames = {"cpu"};
    workload->cluster.machines.resize(1);
    workload->cluster.machines[0].capacity = ResourceVector::of({cpus});
    workload->jobs.resize(jobs);
    for (Job& job : workload->jobs) {
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 4};
        job.stop.iterations = 10;
    }
    return workload;
}

Event at(double seconds, EventType type, std::uint32_t job, std::uint32_t a = 0, std::uint32_t b = 0) {
    return {.time = SimTime::seconds(seconds), .type = type, .job = job, .a = a, .b = b};
}

std::vector<std::size_t> listed(const JobSet& jobs) {
    std::vector<std::size_t> out;
    for (const JobId job : jobs) out.push_back(job.index());
    return out;
}

} // namespace

void tst_ClusterState::jobSetIsAnOrderedSet_data() {
    QTest::addColumn<int>("jobs");
    for (const int jobs : {1, 63, 64, 65, 4095, 4096, 4097, 20000}) QTest::addRow("%d", jobs) << jobs;
}

void tst_ClusterState::jobSetIsAnOrderedSet() {
    QFETCH(int, jobs);
    RandomStream random(std::uint64_t(jobs), Purpose::test, 12);
    JobSet set{std::size_t(jobs)};
    std::set<std::size_t> model;
    for (int i = 0; i < 600; ++i) {
        const std::size_t job = random.below(std::uint64_t(jobs));
        if (random.below(3) < 2) {
            set.insert(JobId(job));
            model.insert(job);
        } else {
            set.erase(JobId(job));
            model.erase(job);
        }
        QCOMPARE(set.contains(JobId(job)), model.contains(job));
        QCOMPARE(set.size(), model.size());
        if (i % 50 == 0) QCOMPARE(listed(set), std::vector<std::size_t>(model.begin(), model.end()));
    }
    for (const auto job : std::set(model)) set.erase(JobId(job));
    QVERIFY(set.empty() && set.begin() == set.end());
}

void tst_ClusterState::jobsAreListedByPhase() {
    ClusterState state(workloadOf(3, 8));
    QCOMPARE(listed(state.jobsIn(JobPhase::future)), (std::vector<std::size_t>{0, 1, 2}));
    for (const std::uint32_t job : {1u, 0u}) state.apply(at(1, EventType::jobArrived, job));
    QCOMPARE(listed(state.jobsIn(JobPhase::waiting)), (std::vector<std::size_t>{0, 1}));
    state.apply(at(2, EventType::jobStarted, 1, 1));
    state.apply(at(3, EventType::jobRejected, 0));
    QCOMPARE(listed(state.jobsIn(JobPhase::running)), std::vector<std::size_t>{1});
    QVERIFY(!state.allJobsOver());
    state.apply(at(4, EventType::jobPreempted, 1));
    QCOMPARE(listed(state.jobsIn(JobPhase::waiting)), std::vector<std::size_t>{1});
    state.apply(at(5, EventType::jobFailed, 1));
    state.apply(at(5, EventType::jobArrived, 2));
    state.apply(at(6, EventType::jobFinished, 2));
    QVERIFY(state.allJobsOver());
    const ClusterState copy = state;
    QCOMPARE(listed(copy.jobsIn(JobPhase::failed)), std::vector<std::size_t>{1});
}

void tst_ClusterState::serviceCountsWorkersThatArePlaced() {
    // Four workers for 5 s; then three are lost with their machines, which is told by their removal alone, and one goes on
    // for 5 s: 20 + 5. Then it waits for 10 s, and runs again with two for 3 s: 31.
    ClusterState state(workloadOf(1, 8));
    state.apply(at(0, EventType::jobArrived, 0));
    for (const std::uint32_t w : {0u, 1u, 2u, 3u}) state.apply(at(1, EventType::taskPlaced, 0, w));
    state.apply(at(1, EventType::jobStarted, 0, 4));
    for (const std::uint32_t w : {1u, 2u, 3u}) state.apply(at(6, EventType::taskRemoved, 0, w));
    QCOMPARE(state.jobs()[0].attainedUntil(SimTime::seconds(11)), 25.0);
    state.apply(at(11, EventType::taskRemoved, 0, 0));
    state.apply(at(11, EventType::jobPreempted, 0));
    QCOMPARE(state.jobs()[0].attainedSeconds, 25.0);
    for (const std::uint32_t w : {0u, 1u}) state.apply(at(21, EventType::taskPlaced, 0, w));
    state.apply(at(21, EventType::jobStarted, 0, 2));
    for (const std::uint32_t w : {1u, 0u}) state.apply(at(24, EventType::taskRemoved, 0, w));
    state.apply(at(24, EventType::jobFinished, 0));
    QCOMPARE(state.jobs()[0].attainedSeconds, 31.0);
    QCOMPARE(state.jobs()[0].attainedUntil(SimTime::seconds(100)), 31.0);
}

void tst_ClusterState::progressOfJobsThatAreOver() {
    // 4 of 10 updates; a job that failed or was rejected has got no further than that.
    ClusterState state(workloadOf(2, 8));
    const auto progress = [&](std::size_t job) {
        return progressOf(state.workload().jobs[job], state.jobs()[job], state.now());
    };
    for (const std::uint32_t job : {0u, 1u}) state.apply(at(0, EventType::jobArrived, job));
    state.apply(at(0, EventType::jobStarted, 0, 1));
    state.apply(at(1, EventType::updateApplied, 0, 4));
    QCOMPARE(progress(0), 0.4);
    state.apply(at(2, EventType::jobFailed, 0));
    state.apply(at(2, EventType::jobRejected, 1));
    QCOMPARE(progress(0), 0.4);
    QCOMPARE(progress(1), 0.0);
}

TRAINYARD_TEST(tst_ClusterState)
#include "tst_ClusterState.moc"
