// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a job's synchronization remembers when the job stops and goes on: after a failure as its checkpoint, else as it was; and
// what it draws is never drawn twice.
#include "engine/Executor.h"
#include "support/ProbedSync.h"
#include "support/RestlessScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <set>

using namespace trainyard;
using namespace trainyard::test;

namespace {

/// Four workers with exponential times; what stops the job: "failed" (twice, with a checkpoint after each third update),
/// "failed without a checkpoint", "preempted" (every 0.4 s) or "lost a worker" (it goes on with three).
Scenario stopped(const QString& what, double scale = 1) {
    Scenario s = starScenario(6);
    for (Machine& machine : s.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    Job job = trainedJob();
    job.workers = {3, 4};
    job.stop.iterations = 200;
    auto& work = std::get<TrainedWork>(job.work);
    work.secondsPerSample = 5e-4 * scale;
    work.optimizer = {"sgd", {{"learning_rate", 0.5}}};
    work.evaluation.everyIterations = 1;
    if (what == "preempted") {
        s.policies.scheduler = {"test-restless", {{"period", 0.4 * scale}}};
        job.workers = {4, 4};
    } else {
        for (const int machine : {1, 2}) { // after the first it begins again on the other five
            s.faults.push_back({.target = Fault::Target::machine, .key = "m" + std::to_string(machine)});
            s.faults.back().atSeconds = 0.6 * machine * scale;
            s.faults.back().repairAfterSeconds = 0.05 * scale;
        }
        if (what == "lost a worker")
            job.onFailure = FailureReaction::shrink;
        else
            job.workers = {4, 4};
        if (what == "failed") job.checkpoint.everyIterations = 3;
    }
    s.jobs = {job};
    return s;
}

std::shared_ptr<SyncProbe> probed(Scenario scenario, const Choice& synchronization, bool executed,
                                  std::shared_ptr<const EventLog>* log = nullptr) {
    const auto probe = std::make_shared<SyncProbe>();
    scenario.policies.synchronization = {"test-probed", {}};
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.synchronizations.push_back(ProbedSync::entry(synchronization, probe));
    registry.schedulers.push_back(RestlessScheduler::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    if (executed) {
        auto executor = std::move(Executor::create(options)).value();
        executor->run({}, [] {});
        if (log) *log = executor->sharedLog();
    } else {
        auto simulation = std::move(Simulation::create(options)).value();
        while (simulation->step()) {}
        if (log) *log = simulation->sharedLog();
    }
    return probe;
}

std::size_t startsOf(const SyncProbe& probe) {
    return static_cast<std::size_t>(
        std::count_if(probe.answers.begin(), probe.answers.end(), [](const auto& answer) { return answer.start; }));
}

} // namespace

class tst_SyncCheckpoints : public QObject {
    Q_OBJECT
private slots:
    void drawsAreNotRepeated_data();
    void drawsAreNotRepeated();
    void whatIsKnownOfTrainingGoesOn_data();
    void whatIsKnownOfTrainingGoesOn();
    void withoutACheckpointItBeginsAnew();
};

void tst_SyncCheckpoints::drawsAreNotRepeated_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<bool>("executed");
    for (const char* policy : {"gradient-coding", "full-sync", "async"})
        for (const char* what : {"failed", "failed without a checkpoint", "preempted", "lost a worker"})
            for (const bool executed : {false, true})
                QTest::addRow("%s, %s%s", policy, what, executed ? ", executed" : "") << QString(policy) << executed;
}

// Rounds of gradient coding have one draw for all workers, and another than every round before; tasks without partitions draw by
// worker and number.
void tst_SyncCheckpoints::drawsAreNotRepeated() {
    QFETCH(QString, policy);
    QFETCH(bool, executed);
    const QString what = QString(QTest::currentDataTag()).section(", ", 1, 1);
    Scenario scenario = stopped(what, executed ? 0.5 : 1);
    if (policy == "async") scenario.jobs[0].stop.iterations = 1000;
    const auto probe = probed(scenario, {policy.toStdString(), {}}, executed);
    if (what != "lost a worker") QVERIFY(startsOf(*probe) > 1);
    std::uint32_t last = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> tasks;
    for (const auto& answer : probe->answers) {
        std::set<std::uint32_t> draws;
        for (const auto& [worker, assignment] : answer.tasks) draws.insert(assignment.draw);
        for (const auto& [worker, number] : answer.numbers) QVERIFY(tasks.insert({worker, number}).second);
        if (policy != "gradient-coding") continue;
        QCOMPARE(draws.size(), std::size_t{1});
        QVERIFY2(*draws.begin() > last, qPrintable(QStringLiteral("%1 after %2").arg(*draws.begin()).arg(last)));
        last = *draws.begin();
    }
    QVERIFY(probe->answers.size() > 200);
}

void tst_SyncCheckpoints::whatIsKnownOfTrainingGoesOn_data() {
    QTest::addColumn<Choice>("policy");
    QTest::addColumn<bool>("executed");
    const auto add = [](const char* name, const Choice& choice) {
        for (const char* what : {"failed", "preempted"})
            for (const bool executed : {false, true})
                QTest::addRow("%s, %s%s", name, what, executed ? ", executed" : "") << choice << executed;
    };
    add("adacomm", {"adacomm", {{"steps", std::int64_t{16}}, {"interval", 0.05}}});
    add("adaptive-k by signs",
        {"adaptive-k", {{"rule", std::string("pflug")}, {"burn_in", std::int64_t{3}}, {"threshold", std::int64_t{1}}}});
    add("adaptive-k by distance",
        {"adaptive-k", {{"rule", std::string("distance")}, {"burn_in", std::int64_t{2}}, {"slope", 2.0}}});
    add("adaptive-load by signs", {"adaptive-load",
                                   {{"advance", std::string("pflug")},
                                    {"burn_in", std::int64_t{3}},
                                    {"threshold", std::int64_t{1}},
                                    {"smoothness", 1.0},
                                    {"convexity", 1.0},
                                    {"noise", 1.0}}});
}

// Where a job goes on after update u, its tasks are those that came after update u before: as many local steps, as large, and as
// many are waited for.
void tst_SyncCheckpoints::whatIsKnownOfTrainingGoesOn() {
    QFETCH(Choice, policy);
    QFETCH(bool, executed);
    const QString what = QString(QTest::currentDataTag()).section(", ", 1, 1);
    const auto probe = probed(stopped(what, executed ? 0.5 : 1), policy, executed);
    std::map<std::uint64_t, const SyncProbe::Answer*> before;
    const SyncProbe::Answer& first = probe->answers.front();
    int compared = 0, changed = 0;
    for (const auto& answer : probe->answers) {
        const auto it = before.find(answer.updates);
        if (answer.start && answer.updates > 0) {
            QVERIFY(it != before.end());
            const Assignment &now = answer.tasks.at(0), &then = it->second->tasks.at(0);
            const QString about = QStringLiteral("update %1: %2 steps, k %3; before %4 steps, k %5")
                                      .arg(answer.updates)
                                      .arg(now.localSteps)
                                      .arg(answer.shape.waitFor)
                                      .arg(then.localSteps)
                                      .arg(it->second->shape.waitFor);
            QVERIFY2(now == then, qPrintable(about));
            QVERIFY2(answer.shape.waitFor == it->second->shape.waitFor, qPrintable(about));
            ++compared;
            changed += now.localSteps != first.tasks.at(0).localSteps || answer.shape.waitFor != first.shape.waitFor ||
                       answer.shape.load != first.shape.load;
        }
        before[answer.updates] = &answer;
    }
    QVERIFY(compared >= 2 && changed >= 1);
}

// From the initial parameters: with the steps that the policy begins with.
void tst_SyncCheckpoints::withoutACheckpointItBeginsAnew() {
    const auto probe = probed(stopped("failed without a checkpoint"),
                              {"adacomm", {{"steps", std::int64_t{16}}, {"interval", 0.05}}}, false);
    QCOMPARE(startsOf(*probe), std::size_t{3});
    for (const auto& answer : probe->answers)
        if (answer.start) QCOMPARE(answer.tasks.at(0).localSteps, 16);
}

TRAINYARD_TEST(tst_SyncCheckpoints)
#include "tst_SyncCheckpoints.moc"
