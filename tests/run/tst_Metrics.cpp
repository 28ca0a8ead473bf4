// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The metrics against arithmetic done by hand on small logs; the texts of the definitions are the
// specification.
#include "record/ClusterState.h"
#include "record/Metrics.h"
#include "support/TestMain.h"

#include <QRegularExpression>

#include <cmath>

using namespace trainyard;

class tst_Metrics : public QObject {
    Q_OBJECT
private slots:
    void everyMetricIsDefined();
    void handWorkedRun();
    void stalenessCountsUpdatesBetweenReadAndUse();
    void uploadsCountWhenTheyArrive();
    void failuresAreChargedOnce();
    void percentileIsTheNearestRank();
    void sumsOfWholeSecondsAreWhole();
    void jobsThatDoNotFinishTrainTillTheEnd();
    void openIntervalsEndAtTheGivenTime();
    void shareOfTimeIsTheSameAtAnyOrigin();
    void divergedJobsAreCounted();
    void foldAgreesWithClusterState();
};

namespace {

/// Two machines of 4 cpu, one link of 100 B/s; job "j" with two workers and a server of 1 cpu each, job "k"
/// (weight 2) with one worker of 2 cpu.
std::shared_ptr<Workload> smallWorkload() {
    auto workload = std::make_shared<Workload>();
    Cluster& cluster = workload->cluster;
    cluster.resourceNames = {"cpu"};
    for (const char* key : {"m1", "m2"}) cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({4})});
    cluster.links.push_back({.key = "l", .from = "m1", .to = "m2", .bandwidth = 100});
    Job j{.key = "j"};
    j.workerDemand = j.serverDemand = ResourceVector::of({1});
    j.stop.loss = 0.5;
    j.utility = Utility{.theta1 = 10, .theta2 = 0, .theta3 = 0}; // 10 / (1 + e⁰) = 5, whenever it ends
    j.work = AnalyticWork{};
    Job k{.key = "k", .weight = 2};
    k.workerDemand = ResourceVector::of({2});
    k.servers = {0, 0};
    k.work = AnalyticWork{};
    workload->jobs = {j, k};
    return workload;
}

struct LogWriter {
    EventLog log;
    std::uint32_t job = 0;

    void at(double seconds, EventType type, std::uint32_t a = 0, std::uint32_t b = 0, double value = 0,
            std::uint16_t aux = 0) {
        log.append(
            {.time = SimTime::seconds(seconds), .type = type, .aux = aux, .job = job, .a = a, .b = b, .value = value});
    }
    void both(double seconds, EventType type, std::uint32_t task, double value) {
        at(seconds, type, 0, task, value);
        at(seconds, type, 1, task, value);
    }
};

constexpr auto worker = static_cast<std::uint16_t>(TaskRole::worker);
constexpr auto server = static_cast<std::uint16_t>(TaskRole::server);

void writeHandWorkedRun(LogWriter& w) {
    using T = EventType;
    w.at(0, T::jobArrived);
    w.at(1, T::taskPlaced, 0, 0, 0, server);
    w.at(1, T::taskPlaced, 0, 0, 0, worker);
    w.at(1, T::taskPlaced, 1, 1, 0, worker);
    w.at(1, T::jobStarted, 2, 1, 1);
    w.at(1, T::lossEvaluated, 0, 0, 1.0);
    w.both(1, T::pullStarted, 1, 10);
    w.both(2, T::computeStarted, 1, 32);
    w.at(2, T::linkLoad, 0, 0, 5);
    w.job = 1;
    w.at(3, T::jobArrived);
    w.at(4, T::taskPlaced, 0, 1, 0, worker);
    w.at(4, T::jobStarted, 1, 0, 1);
    w.job = 0;
    w.at(4, T::pushStarted, 0, 1, 10);
    w.at(5, T::gradientArrived, 0, 1, 0);
    w.at(6, T::linkLoad, 0, 0, 0);
    w.at(8, T::pushStarted, 1, 1, 10);
    w.at(9, T::gradientArrived, 1, 1, 0);
    w.both(9, T::gradientUsed, 1, 0.5);
    w.at(9, T::updateApplied, 1, 0, 64);
    w.at(9, T::lossEvaluated, 1, 0, 0.6);
    w.both(9, T::pullStarted, 2, 10);
    w.both(10, T::computeStarted, 2, 32);
    w.at(12, T::pushStarted, 0, 2, 10);
    w.at(13, T::gradientArrived, 0, 2, 0);
    w.at(13, T::gradientUsed, 0, 2, 1);
    w.at(13, T::taskCancelled, 1, 2, 0.25);
    w.at(13, T::updateApplied, 2, 0, 32);
    w.at(13, T::lossEvaluated, 2, 0, 0.4);
    w.at(13, T::jobFinished, 2, 0, 0.4);
    w.at(13, T::taskRemoved, 0, 0, 0, worker);
    w.at(13, T::taskRemoved, 1, 1, 0, worker);
    w.at(13, T::taskRemoved, 0, 0, 0, server);
}

void compareTo(const std::map<std::string, double>& values, const char* name, double expected) {
    const auto it = values.find(name);
    QVERIFY2(it != values.end(), name);
    QVERIFY2(
        std::abs(it->second - expected) <= 1e-12 * std::max(1.0, std::abs(expected)),
        qPrintable(
            QStringLiteral("%1 is %2, expected %3").arg(name).arg(it->second, 0, 'g', 17).arg(expected, 0, 'g', 17)));
}

} // namespace

void tst_Metrics::everyMetricIsDefined() {
    LogWriter w;
    writeHandWorkedRun(w);
    const Metrics metrics = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(14));
    QSet<QString> defined, perJob, ofRun;
    const QRegularExpression ids("[a-z0-9]+(_[A-Za-z0-9]+)+");
    for (const auto& d : metricDefinitions()) {
        QVERIFY2(!defined.contains(QString::fromStdString(d.id)), d.id.c_str());
        QVERIFY2(!d.label.empty() && !d.definition.empty(), d.id.c_str());
        defined.insert(QString::fromStdString(d.id));
        if (d.perJob()) perJob.insert(QString::fromStdString(d.id));
        if (d.ofRun()) ofRun.insert(QString::fromStdString(d.id));
    }
    for (const auto& d : metricDefinitions()) {
        QVERIFY2(d.group == MetricDefinition::Group::none || d.ofRun(), d.id.c_str()); // the summary is of the run
        for (auto name = ids.globalMatch(QString::fromStdString(d.definition)); name.hasNext();) // labels, not ids
            QVERIFY2(!defined.contains(name.next().captured()), d.id.c_str());
        if (d.numerator.empty()) continue;
        QVERIFY2(defined.contains(QString::fromStdString(d.numerator)), d.id.c_str());
        QVERIFY2(defined.contains(QString::fromStdString(d.denominator)), d.id.c_str());
        compareTo(metrics.values, d.id.c_str(), metrics.values.at(d.numerator) / metrics.values.at(d.denominator));
    }
    for (const auto& [name, value] : metrics.values)
        if (name.rfind("utilization_", 0) != 0 && name.rfind("busy_", 0) != 0)
            QVERIFY2(ofRun.contains(QString::fromStdString(name)), name.c_str());
    for (const auto& job : metrics.jobs)
        for (const auto& [name, value] : job) QVERIFY2(perJob.contains(QString::fromStdString(name)), name.c_str());
}

void tst_Metrics::handWorkedRun() {
    LogWriter w;
    writeHandWorkedRun(w);
    const Metrics metrics = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(14));
    const auto& all = metrics.values;
    compareTo(all, "arrived_jobs", 2);
    compareTo(all, "finished_jobs", 1);
    compareTo(all, "makespan_s", 14); // k goes on: until the end
    compareTo(all, "mean_jct_s", 13); // j alone finished
    compareTo(all, "total_jct_s", 13);
    compareTo(all, "mean_queueing_s", 1); // j: 0 → 1, k: 3 → 4
    compareTo(all, "running_s", 12 + 10);
    compareTo(all, "straggler_wait_s", 4); // worker 0 from 5 to 9
    compareTo(all, "straggler_wait_share", 4.0 / (12 + 12 + 10));
    compareTo(all, "assigned_samples", 4 * 32);
    compareTo(all, "executed_samples", 3 * 32 + 0.25 * 32);
    compareTo(all, "used_samples", 96);
    compareTo(all, "discarded_samples", 8);
    compareTo(all, "discarded_share", 8.0 / 104);
    compareTo(all, "idle_s",
              4); // the same; worker 1's task is cancelled as the job ends, k's worker never has a task
    compareTo(all, "uplinks", 3);
    compareTo(all, "cancelled_uplinks", 0); // the cancelled task had not begun to push
    compareTo(all, "downlinks", 4);
    compareTo(all, "bytes_sent", 7 * 10);
    compareTo(all, "updates", 2);
    compareTo(all, "mean_iteration_s", ((9 - 1) + (13 - 9)) / 2.0);
    compareTo(all, "link_bytes", 5 * 4); // 5 B/s from 2 to 6
    compareTo(all, "busiest_link_bytes", 20);
    compareTo(all, "mean_link_utilization", (20.0 / (100 * 14) + 0) / 2);
    compareTo(all, "utilization_cpu", (3 * 12 + 2 * 10) / (8.0 * 14));
    // Workers compute from 2 to 4 and 10 to 12, and from 2 to 8 and 10 to 13; one reads or sends from 1 to 2, 4 to 5, 8 to
    // 10 and 12 to 13.
    compareTo(all, "busy_cpu", ((2 + 2 + 6 + 3) + (1 + 1 + 2 + 1)) / (8.0 * 14));
    compareTo(all, "utility_total", 5);
    // x_j = (3/8 · 12)/(1 · 13), x_k = (2/8 · 10)/(2 · 11)
    const double xj = 4.5 / 13, xk = 2.5 / 22;
    compareTo(all, "jain_fairness", (xj + xk) * (xj + xk) / (2 * (xj * xj + xk * xk)));
    const auto& j = metrics.jobs[0];
    compareTo(j, "first_loss", 1.0);
    compareTo(j, "final_loss", 0.4);
    compareTo(j, "best_loss", 0.4);
    compareTo(j, "time_to_target_s", 13);
    // L: 1.0 over [0, 9), 0.6 over [9, 13); the limit of its curve is 0.
    compareTo(j, "mean_normalised_loss", (9 * 1.0 + 4 * 0.6) / 13);
    compareTo(j, "updates_per_s", 2.0 / 12);
    compareTo(j, "attained_service_s", 4.5);
    QVERIFY(!metrics.jobs[1].contains("jct_s"));
    QVERIFY(!all.contains("nonsense"));
}

void tst_Metrics::stalenessCountsUpdatesBetweenReadAndUse() {
    LogWriter w;
    using T = EventType;
    w.at(0, T::jobArrived);
    w.at(0, T::taskPlaced, 0, 0, 0, worker);
    w.at(0, T::taskPlaced, 1, 1, 0, worker);
    w.at(0, T::jobStarted, 2, 0, 0);
    w.both(0, T::computeStarted, 1, 8);
    w.at(1, T::gradientArrived, 0, 1, 0);
    w.at(1, T::gradientUsed, 0, 1, 1);
    w.at(1, T::updateApplied, 1, 0, 8);   // used at once: 0
    w.at(1, T::computeStarted, 0, 2, 8);  // reads version 1
    w.at(2, T::gradientArrived, 1, 1, 1); // read version 0, one update since
    w.at(3, T::gradientArrived, 0, 2, 0);
    w.at(3, T::gradientUsed, 0, 2, 1);
    w.at(3, T::updateApplied, 2, 0, 8); // 0
    w.at(4, T::gradientUsed, 1, 1, 1);  // held meanwhile: by now two updates since its read
    w.at(4, T::updateApplied, 3, 0, 8);
    const Metrics metrics = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(4));
    compareTo(metrics.values, "mean_staleness", (0 + 0 + 2) / 3.0);
    compareTo(metrics.values, "max_staleness", 2);
}

void tst_Metrics::uploadsCountWhenTheyArrive() {
    // Worker 0 computes 1 → 3 s and pushes; cancelled at 4 s, on its way. Worker 1 pushes from 2 s, arrives
    // at 3, and waits till 7: 4 s. Worker 0 waits from 4 to 7: 3 s. Neither has gone on, so nobody knows yet for what.
    LogWriter w;
    using T = EventType;
    w.at(0, T::jobArrived);
    w.at(0, T::taskPlaced, 0, 0, 0, worker);
    w.at(0, T::taskPlaced, 1, 1, 0, worker);
    w.at(0, T::jobStarted, 2, 0, 0);
    w.both(1, T::computeStarted, 1, 8);
    w.at(2, T::pushStarted, 1, 1, 10);
    w.at(3, T::gradientArrived, 1, 1, 0);
    w.at(3, T::pushStarted, 0, 1, 10);
    w.at(4, T::gradientUsed, 1, 1, 1);
    w.at(4, T::taskCancelled, 0, 1, 1);
    w.at(4, T::updateApplied, 1, 0, 8);
    const Metrics metrics = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(7));
    compareTo(metrics.values, "uplinks", 1);
    compareTo(metrics.values, "cancelled_uplinks", 1);
    compareTo(metrics.values, "bytes_sent", 20);
    compareTo(metrics.values, "executed_samples", 16);
    compareTo(metrics.values, "discarded_samples", 8);
    compareTo(metrics.values, "idle_s", 4 + 3);
    compareTo(metrics.values, "straggler_wait_s", 4 + 3);
    compareTo(metrics.values, "update_wait_s", 0);
    w.both(9, T::computeStarted, 2, 8);
    const Metrics later = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(9));
    compareTo(later.values, "straggler_wait_s", 0); // the only gradient of the update arrived at 3
    compareTo(later.values, "update_wait_s", 6 + 5);
    compareTo(later.values, "idle_s", 6 + 5);
}

void tst_Metrics::failuresAreChargedOnce() {
    LogWriter w;
    using T = EventType;
    w.at(0, T::jobArrived);
    w.at(0, T::taskPlaced, 0, 0, 0, worker);
    w.at(0, T::jobStarted, 1, 0, 0);
    for (std::uint32_t u = 1; u <= 3; ++u) {
        w.at(u, T::updateApplied, u, 0, 8);
        if (u == 2) w.at(2, T::checkpointStarted, 2, 0, 500);
    }
    w.at(3.5, T::taskRemoved, 0, 0, 0, worker);
    w.at(3.5, T::jobPreempted, 2, 1, 0, static_cast<std::uint16_t>(PreemptReason::machineFailure));
    w.at(3.5, T::machineFailed, 0);
    w.at(5, T::taskPlaced, 0, 1, 0, worker);
    w.at(5, T::jobStarted, 1, 0, 1.5);
    w.at(5, T::jobRestored, 2, 0, 500);
    w.at(7, T::updateApplied, 3, 0, 8);
    w.at(7.5, T::machineRepaired, 0);
    const Metrics metrics = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(8));
    const auto& j = metrics.jobs[0];
    compareTo(j, "updates", 4); // 1, 2, 3 and 3 again
    compareTo(j, "lost_updates", 1);
    compareTo(j, "preemptions", 1);
    compareTo(j, "queueing_s", 1.5);
    compareTo(j, "running_s", 3.5 + 3);
    compareTo(j, "mean_iteration_s", (1 + 1 + 1 + 2) / 4.0); // the second stretch begins at 5
    compareTo(j, "checkpoint_bytes", 500);
    compareTo(j, "bytes_sent", 1000);
    compareTo(j, "used_samples", 32);
    // 1 cpu for 6.5 s; capacity 8 cpu · 8 s less 4 cpu · 4 s
    compareTo(metrics.values, "utilization_cpu", 6.5 / (64 - 16));
}

void tst_Metrics::percentileIsTheNearestRank() {
    Workload workload = *smallWorkload();
    workload.jobs.resize(1);
    workload.jobs.resize(20, workload.jobs[0]);
    LogWriter w;
    for (std::uint32_t j = 0; j < 20; ++j) {
        w.job = j;
        w.at(0, EventType::jobArrived);
    }
    for (std::uint32_t j = 0; j < 20; ++j) {
        w.job = j;
        w.at(j + 1, EventType::jobFinished);
    }
    // ⌈0.95 · 20⌉ = 19: the 19th smallest of 1 … 20
    compareTo(computeMetrics(workload, w.log, SimTime::seconds(20)).values, "p95_jct_s", 19);
    compareTo(computeMetrics(workload, w.log, SimTime::seconds(20)).values, "median_jct_s", 10);
    compareTo(computeMetrics(workload, w.log, SimTime::seconds(20)).values, "training_time_s", 10);
    compareTo(computeMetrics(workload, w.log, SimTime::seconds(20)).values, "total_jct_s", 20 * 21 / 2);
}

// 30 · 10⁹ · 1e-9 is no whole number, 30 · 10⁹ / 10⁹ is.
void tst_Metrics::sumsOfWholeSecondsAreWhole() {
    Workload workload = *smallWorkload();
    workload.jobs.resize(1);
    LogWriter w;
    w.at(3, EventType::jobArrived);
    w.at(33, EventType::jobFinished);
    const auto values = computeMetrics(workload, w.log, SimTime::seconds(40)).values;
    QVERIFY((SimTime::seconds(33) - SimTime::seconds(3)).toSeconds() != 30); // else this shows nothing
    QVERIFY(values.at("total_jct_s") == 30);
    QVERIFY(values.at("makespan_s") == 30);
}

// Three jobs arrive at 1 s. One ends at 3 s, one is refused, one is there when the run ends at 8 s: 2, 8 and 8 s.
void tst_Metrics::jobsThatDoNotFinishTrainTillTheEnd() {
    Workload workload = *smallWorkload();
    workload.jobs.resize(1);
    workload.jobs.resize(3, workload.jobs[0]);
    LogWriter w;
    for (std::uint32_t j = 0; j < 3; ++j) {
        w.job = j;
        w.at(1, EventType::jobArrived);
    }
    w.job = 1;
    w.at(2, EventType::jobRejected);
    w.job = 0;
    w.at(3, EventType::jobFinished);
    const auto values = computeMetrics(workload, w.log, SimTime::seconds(8)).values;
    compareTo(values, "training_time_s", 8);
    compareTo(values, "median_jct_s", 2);
    compareTo(values, "total_jct_s", 2);
}

void tst_Metrics::openIntervalsEndAtTheGivenTime() {
    LogWriter w;
    w.at(1, EventType::jobArrived);
    const auto workload = smallWorkload();
    compareTo(computeMetrics(*workload, w.log, SimTime::seconds(6)).values, "mean_queueing_s", 5);
    w.at(6, EventType::taskPlaced, 0, 0, 0, worker);
    w.at(6, EventType::jobStarted, 1, 0, 5);
    w.at(7, EventType::workerBlocked, 0);
    w.at(7, EventType::linkLoad, 1, 0, 3);
    const auto metrics = computeMetrics(*workload, w.log, SimTime::seconds(10));
    compareTo(metrics.values, "straggler_wait_s", 3);
    compareTo(metrics.values, "link_bytes", 9);
    compareTo(metrics.values, "utilization_cpu", 4.0 / 72); // 1 cpu for 4 s, of 8 cpu from 1 to 10
    QVERIFY(!metrics.values.contains("mean_jct_s"));
    compareTo(metrics.values, "total_jct_s", 0);
}

// A log whose times are all later by as much has the same metrics, but for the time at which the run ends.
void tst_Metrics::shareOfTimeIsTheSameAtAnyOrigin() {
    LogWriter w, late;
    writeHandWorkedRun(w);
    const double origin = 500'000;
    late.at(100, EventType::machineFailed, 1); // and up again before anybody comes
    late.at(200, EventType::machineRepaired, 1);
    for (std::size_t i = 0; i < w.log.size(); ++i) {
        Event event = w.log[i];
        event.time = event.time + Duration::seconds(origin);
        late.log.append(event);
    }
    auto expected = computeMetrics(*smallWorkload(), w.log, SimTime::seconds(14)).values;
    auto shifted = computeMetrics(*smallWorkload(), late.log, SimTime::seconds(origin + 14)).values;
    QCOMPARE(shifted.at("training_time_s"), expected.at("training_time_s")); // of j, which has finished
    QCOMPARE(shifted.size(), expected.size());
    for (const auto& [name, value] : expected) compareTo(shifted, name.c_str(), value);
}

// Of five jobs one fails as its loss is no number any more, one is killed, and the losses of three go from 2 to 22, to 21.9 and to 1.
void tst_Metrics::divergedJobsAreCounted() {
    Workload workload = *smallWorkload();
    workload.jobs.resize(5, workload.jobs[0]);
    LogWriter w;
    for (w.job = 0; w.job < 5; ++w.job) w.at(0, EventType::jobArrived);
    for (w.job = 0; w.job < 5; ++w.job) w.at(1, EventType::lossEvaluated, 0, 0, 2);
    w.job = 0;
    w.at(2, EventType::jobFailed, 0, 0, 0, static_cast<std::uint16_t>(FailReason::diverged));
    w.job = 1;
    w.at(2, EventType::jobFailed, 0, 0, 0, static_cast<std::uint16_t>(FailReason::killed));
    for (const double loss : {22.0, 21.9, 1.0}) {
        ++w.job;
        w.at(3, EventType::lossEvaluated, 1, 0, loss);
    }
    const Metrics metrics = computeMetrics(workload, w.log, SimTime::seconds(4));
    compareTo(metrics.values, "diverged_jobs", 2);
    for (std::size_t j = 0; j < 5; ++j) QCOMPARE(metrics.jobs[j].contains("diverged_jobs"), j == 0 || j == 2);
}

void tst_Metrics::foldAgreesWithClusterState() {
    LogWriter w;
    writeHandWorkedRun(w);
    const auto workload = smallWorkload();
    ClusterState state(workload);
    double waiting = 0;
    std::vector<WorkerState> before;
    for (std::size_t i = 0; i < w.log.size(); ++i) {
        const auto workersBefore = state.job(JobId(std::size_t{0})).workers;
        state.apply(w.log[i]);
        const auto& after = state.job(JobId(std::size_t{0})).workers;
        for (std::size_t k = 0; k < workersBefore.size(); ++k) {
            const bool left = k >= after.size() || !(after[k] == workersBefore[k]);
            const auto phase = workersBefore[k].phase;
            if (left && (phase == WorkerPhase::waiting || phase == WorkerPhase::blocked))
                waiting += (w.log[i].time - workersBefore[k].since).toSeconds();
        }
    }
    const Metrics metrics = computeMetrics(*workload, w.log, state.now());
    const JobState& j = state.job(JobId(std::size_t{0}));
    QVERIFY(j.phase == JobPhase::finished);
    compareTo(metrics.jobs[0], "updates", static_cast<double>(j.updates));
    compareTo(metrics.jobs[0], "used_samples", j.samplesUsed);
    compareTo(metrics.jobs[0], "final_loss", j.lastLoss);
    compareTo(metrics.jobs[0], "straggler_wait_s", waiting);
}

TRAINYARD_TEST(tst_Metrics)
#include "tst_Metrics.moc"
