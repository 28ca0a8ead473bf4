// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs with a target loss end where a loss is evaluated, whoever schedules them and however often they are resized, moved or
// restarted: the same under the rate model and under the flow model.
#include "engine/Executor.h"
#include "engine/Simulation.h"
#include "scenario/Scenario.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr const char* schedulers[] = {"fair", "optimus", "slaq", "gavel", "las", "srtf", "pollux"};

struct Drawn {
    Scenario scenario;
    std::vector<std::uint64_t>
        ends; ///< by number in the key: the first evaluation at its target, every update worth one
};

/// Jobs of one to a few workers that divide a batch, more than the machines hold; their losses fall by 1/(1 + u/10) and are
/// evaluated every so often, rarely where the target is met. `noise`: updates with larger batches are worth more.
Drawn drawn(std::uint32_t seed, const char* scheduler, NetworkModel network, bool noise) {
    RandomStream random(seed, Purpose::test, 77);
    const int machines = 1 + static_cast<int>(random.below(3));
    Drawn out{.scenario = starScenario(machines), .ends = {}};
    Scenario& s = out.scenario;
    s.network = network;
    s.explanations = WhyLevel::off;
    s.policies.scheduler.id = scheduler;
    for (Machine& machine : s.cluster.machines) machine.capacity = ResourceVector::of({3.0 + double(random.below(4))});
    const std::int64_t periods[] = {1, 7, 40, 100};
    for (int j = 0; j < 6; ++j) {
        Job job{.key = "j" + std::to_string(j)};
        job.arrival = SimTime::seconds(900 * random.unit());
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 2 + static_cast<int>(random.below(4))};
        job.servers = random.below(2) == 0 ? Bounds{0, 0} : Bounds{1, 1};
        if (random.below(3) == 0) job.restartSeconds = 3;
        const std::int64_t period = periods[random.below(4)];
        AnalyticWork work{.samples = 1e5, .parameterBytes = 0, .batch = 1000, .batchOf = BatchOf::job};
        work.law = UpdateLaw{.fixedSeconds = 1, .dividedSeconds = 10 + 20 * random.unit(), .perWorkerSeconds = 0.1};
        work.curve = {.a = 1, .b = 0.1, .c = 0, .p = 1};
        work.noiseScale = noise ? 5000 : 0;
        work.evaluation.everyIterations = period;
        const double met = 20 + 130 * random.unit();
        job.stop.loss = work.curve.at(met);
        const auto number = static_cast<std::int64_t>(std::ceil(met / static_cast<double>(period)));
        out.ends.push_back(static_cast<std::uint64_t>(number * period));
        job.work = work;
        s.jobs.push_back(job);
    }
    return out;
}

} // namespace

class tst_LossEnds : public QObject {
    Q_OBJECT
private slots:
    void endsAreEvaluations_data();
    void endsAreEvaluations();
    void aResizeIsNoEvaluation();
    void aRestartIsNoEvaluation();
    void whatIsDueAtAResizeIsEvaluated();
};

void tst_LossEnds::endsAreEvaluations_data() {
    QTest::addColumn<QString>("scheduler");
    for (const char* scheduler : schedulers) QTest::newRow(scheduler) << scheduler;
}

// Without noise in gradients a job makes as many updates as the curve says, rounded up to its period of evaluation, under each
// scheduler and both models: jobs are resized, preempted and moved on the way. With noise the last evaluation is the first one at the
// target. Before: 192 of some thousand jobs ended at a resize or restart, and some above their target.
void tst_LossEnds::endsAreEvaluations() {
    QFETCH(QString, scheduler);
    const std::string name = scheduler.toStdString();
    int changes = 0;
    for (std::uint32_t seed = 1; seed <= 12; ++seed)
        for (const auto network : {NetworkModel::rate, NetworkModel::flow})
            for (const bool noise : {false, true}) {
                const Drawn of = drawn(seed, name.c_str(), network, noise);
                auto made = Simulation::create(optionsFor(of.scenario));
                QVERIFY(made.ok());
                Simulation& simulation = *made.value();
                while (simulation.step()) {}
                std::vector<Event> last(of.ends.size());
                std::vector<int> met(of.ends.size());
                int ended = 0;
                for (std::size_t i = 0; i < simulation.log().size(); ++i) {
                    const Event e = simulation.log()[i];
                    changes += e.type == EventType::jobResized || e.type == EventType::jobPreempted;
                    if (e.type == EventType::lossEvaluated) {
                        last[e.job] = e;
                        const Job& job = simulation.workload()->job(JobId(e.job));
                        const auto period = std::get<AnalyticWork>(job.work).evaluation.everyIterations;
                        met[e.job] += e.value <= *job.stop.loss && e.count() % static_cast<std::uint64_t>(period) == 0;
                    }
                    if (e.type != EventType::jobFinished) continue;
                    ++ended;
                    const auto& job = simulation.workload()->job(JobId(e.job));
                    const std::uint64_t curveEnd = of.ends[static_cast<std::size_t>(job.key[1] - '0')];
                    const auto period = std::get<AnalyticWork>(job.work).evaluation.everyIterations;
                    const bool right =
                        e.count() == last[e.job].count() && met[e.job] == 1 && last[e.job].value <= *job.stop.loss &&
                        e.count() % static_cast<std::uint64_t>(period) == 0 && (noise || e.count() == curveEnd);
                    QVERIFY2(right,
                             qPrintable(QStringLiteral("seed %1, %2, job %3: ended after %4 of %5 updates at a loss "
                                                       "of %6 evaluated after %7, target %8")
                                            .arg(seed)
                                            .arg(network == NetworkModel::rate ? "rate" : "flow")
                                            .arg(e.job)
                                            .arg(e.count())
                                            .arg(curveEnd)
                                            .arg(last[e.job].value)
                                            .arg(last[e.job].count())
                                            .arg(*job.stop.loss)));
                }
                QCOMPARE(ended, 6);
            }
    QVERIFY2(changes > 10, qPrintable(QString::number(changes))); // else nothing was tried
}

namespace {

/// One job that `fair` gives all four cpus; another comes in between, for a millisecond. The target is met from update 110 on, the
/// loss is evaluated every 100.
Scenario interrupted(NetworkModel network, double at, double restartSeconds, const char* scheduler = "fair") {
    Scenario s = starScenario(1);
    s.network = network;
    s.policies.scheduler.id = scheduler;
    s.cluster.machines[0].capacity = ResourceVector::of({4});
    Job job{.key = "A"};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {1, 4};
    job.restartSeconds = restartSeconds;
    AnalyticWork work{.samples = 1e6, .parameterBytes = 0, .batch = 1000, .batchOf = BatchOf::job};
    work.law = UpdateLaw{.fixedSeconds = 0, .dividedSeconds = 4, .perWorkerSeconds = 0};
    work.curve = {.a = 1, .b = 0.1, .c = 0, .p = 1};
    work.evaluation.everyIterations = 100;
    job.stop.loss = work.curve.at(110);
    job.work = work;
    Job other = job;
    other.key = "B";
    other.arrival = SimTime::seconds(at);
    other.workers = {1, 1};
    other.restartSeconds = 0;
    work.law = UpdateLaw{.fixedSeconds = 0.001, .dividedSeconds = 0, .perWorkerSeconds = 0};
    other.work = work;
    other.stop = {.iterations = 1};
    s.jobs = {job, other};
    return s;
}

std::uint64_t updatesOf(const EventLog& log) {
    for (const Event& e : eventsOf(log, EventType::jobFinished))
        if (e.job == 0) return e.count();
    return 0;
}

} // namespace

// A job of a second an update makes room at 150.5 s. Before: it ended there under the rate model, after 150 updates.
void tst_LossEnds::aResizeIsNoEvaluation() {
    for (const auto network : {NetworkModel::rate, NetworkModel::flow})
        for (const double at : {110.0, 150.0, 150.5, 199.9}) {
            auto made = Simulation::create(optionsFor(interrupted(network, at, 0)));
            while (made.value()->step()) {}
            QCOMPARE(eventsOf(made.value()->log(), EventType::jobResized).size() > 0, true);
            QCOMPARE(updatesOf(made.value()->log()), std::uint64_t{200});
        }
}

// The same where it stops to be resized, and in real time. Before: it ended at the restart in either model.
void tst_LossEnds::aRestartIsNoEvaluation() {
    for (const auto network : {NetworkModel::rate, NetworkModel::flow}) {
        auto made = Simulation::create(optionsFor(interrupted(network, 150.5, 1)));
        while (made.value()->step()) {}
        const EventLog& log = made.value()->log();
        QVERIFY(eventsOf(log, EventType::jobResized).size() > 0);
        QCOMPARE(updatesOf(log), std::uint64_t{200});
        std::vector<std::uint64_t> looks;
        for (const Event& e : eventsOf(log, EventType::lossEvaluated))
            if (e.job == 0) looks.push_back(e.count());
        if (network == NetworkModel::flow) QCOMPARE(looks.at(2), std::uint64_t{150}); // looked at again
        QCOMPARE(looks.back(), std::uint64_t{200});
    }
    Scenario fast = interrupted(NetworkModel::flow, 0.3, 0.01);
    std::get<AnalyticWork>(fast.jobs[0].work).law->dividedSeconds = 0.008; // 2 ms an update
    auto executor = Executor::create(optionsFor(fast));
    executor.value()->run({}, [] {});
    QVERIFY(eventsOf(executor.value()->log(), EventType::jobResized).size() > 0);
    QCOMPARE(updatesOf(executor.value()->log()), std::uint64_t{200});
}

// Resized at the instant of the hundredth or the last update: its loss is evaluated all the same.
void tst_LossEnds::whatIsDueAtAResizeIsEvaluated() {
    for (const auto network : {NetworkModel::rate, NetworkModel::flow})
        for (const double at : {100.0, 200.0})
            for (const double restart : {0.0, 1.0}) {
                auto made = Simulation::create(optionsFor(interrupted(network, at, restart)));
                while (made.value()->step()) {}
                std::vector<std::uint64_t> looks;
                for (const Event& e : eventsOf(made.value()->log(), EventType::lossEvaluated))
                    if (e.job == 0 && e.count() % 100 == 0) looks.push_back(e.count());
                looks.erase(std::unique(looks.begin(), looks.end()), looks.end()); // looked at again after the restart
                QCOMPARE(updatesOf(made.value()->log()), std::uint64_t{200});
                QCOMPARE(looks, (std::vector<std::uint64_t>{0, 100, 200}));
            }
}

TRAINYARD_TEST(tst_LossEnds)
#include "tst_LossEnds.moc"
