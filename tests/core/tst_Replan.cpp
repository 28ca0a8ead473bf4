// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Many jobs re-planned at one instant, simulated and executed: what stays is not disturbed, what goes is counted as lost, only
// what changes is logged, and what does not fit as a whole is refused by name.
#include "base/Result.h"
#include "engine/Executor.h"
#include "planning/TaskPlacer.h"
#include "policy/synchronization/RoundSync.h"
#include "support/DecidingScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

const JobId first(std::size_t{0}), second(std::size_t{1});

/// Waits for all; notes how often it was started, under series 0.
class CountingSync final : public RoundSync {
public:
    CountingSync() : RoundSync("counting") {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<CountingSync>(*this); }

protected:
    int wanted(int launched) const override { return launched; }
    void starting(const PolicyContext& context, const TrainingView&) override { context.note(0, ++m_starts); }

private:
    int m_starts = 0;
};

SimulationOptions optionsWith(Scenario scenario, DecidingScheduler::Decide decide) {
    scenario.policies.scheduler = {"deciding", {}};
    auto options = optionsFor(std::move(scenario));
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(DecidingScheduler::entry(std::move(decide)));
    SynchronizationEntry counting;
    counting.id = "counting";
    counting.make = [](const ParamValues&) { return std::make_unique<CountingSync>(); };
    registry.synchronizations.push_back(std::move(counting));
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

struct Run {
    std::shared_ptr<const EventLog> log;
    ClusterState state;
};

/// To its end; throws what the run throws.
Run run(const Scenario& scenario, const DecidingScheduler::Decide& decide, bool executed) {
    if (executed) {
        auto executor = Executor::create(optionsWith(scenario, decide));
        executor.value()->run({}, [] {});
        return {executor.value()->sharedLog(), executor.value()->state()};
    }
    auto simulation = Simulation::create(optionsWith(scenario, decide));
    while (simulation.value()->step()) {}
    return {simulation.value()->sharedLog(), simulation.value()->state()};
}

/// Starts what waits as `starts` says, and plans as `plan` says once `at` is reached.
DecidingScheduler::Decide startThenPlan(std::vector<Placement> starts, double at, std::vector<Allotment> plan) {
    return [=, done = std::make_shared<bool>(false)](const PolicyContext& context, const SchedulerView& view,
                                                     SchedulingDecisions& decisions) {
        if (context.now.ns == 0) *done = false;
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            decisions.start(job, starts[job.index()]);
            decisions.wakeAt(SimTime::seconds(at));
        }
        if (*done || context.now < SimTime::seconds(at)) return;
        *done = true;
        decisions.replan(plan);
    };
}

Job trained(int least, int most) {
    Job job = trainedJob();
    job.workers = {least, most};
    job.servers = {1, 2};
    return job;
}

std::vector<Event> taskEvents(const EventLog& log, SimTime from, SimTime to) {
    std::vector<Event> out;
    for (std::size_t i = 0; i < log.size(); ++i)
        if ((log[i].type == EventType::taskPlaced || log[i].type == EventType::taskRemoved) && log[i].time > from &&
            log[i].time < to)
            out.push_back(log[i]);
    return out;
}

QString firstError(const EventLog& log) {
    const auto errors = accountErrors(log);
    return errors.empty() ? QString() : QString::fromStdString(errors.front());
}

/// On four machines.
Scenario twoJobs() {
    Scenario scenario = starScenario(4);
    for (const char* key : {"a", "b"}) {
        Job job = trained(1, 2);
        job.key = key;
        scenario.jobs.push_back(job);
    }
    return scenario;
}

} // namespace

class tst_Replan : public QObject {
    Q_OBJECT
private slots:
    void tasksThatStayKeepTheirNumbers();
    void workersThatStayGoOn_data() { modes(); }
    void workersThatStayGoOn();
    void numbersMayHaveGaps_data() { modes(); }
    void numbersMayHaveGaps();
    void jobsSwapTheirMachines_data();
    void jobsSwapTheirMachines();
    void theSamePlanChangesNothing();
    void jobsThatGetNothingWait();
    void synchronizationIsCarriedOn_data() { modes(); }
    void synchronizationIsCarriedOn();
    void whatDoesNotFitIsRefused();
    void stoppedAndRejectedWhileRunning_data() { modes(); }
    void stoppedAndRejectedWhileRunning();
    void totalsOfWaitingAndRunning();
    void bytesOfAJobThatMovesOften_data();
    void bytesOfAJobThatMovesOften();

private:
    static void modes() {
        QTest::addColumn<bool>("executed");
        QTest::newRow("simulate") << false;
        QTest::newRow("execute") << true;
    }
};

void tst_Replan::tasksThatStayKeepTheirNumbers() {
    const Placement held = placed({0, 1, 2, 1}, {5});
    const auto workersOf = [&](const Placement& wanted) { return keepingNumbers(held, wanted).workers; };
    // The servers stay: numbers of those who go are free, newcomers take the lowest.
    QVERIFY((workersOf(placed({2, 4}, {5})) ==
             std::vector{MachineId(std::size_t{4}), MachineId(), MachineId(std::size_t{2})}));
    QVERIFY((workersOf(placed({1, 0}, {5})) == std::vector{MachineId(std::size_t{0}), MachineId(std::size_t{1})}));
    QVERIFY(workersOf(placed({1, 1, 2, 0}, {5})) == held.workers);
    QVERIFY(workersOf(placed({3, 1, 1, 2, 0}, {5})).back() == MachineId(std::size_t{3}));
    // They do not: no gaps.
    QVERIFY(workersOf(placed({2, 4}, {6})) == placed({2, 4}, {}).workers);
    QVERIFY(workersOf(placed({4, 1}, {6})) == placed({4, 1}, {}).workers);
    QVERIFY(keepingNumbers(placed({0}, {5, 6}), placed({0}, {7, 5})).servers == placed({}, {5, 7}).servers);
}

// Of two workers one is moved. The other goes on; the task of the one that goes is the only one that is lost.
void tst_Replan::workersThatStayGoOn() {
    QFETCH(bool, executed);
    Scenario scenario = starScenario(4);
    scenario.jobs = {trained(2, 3)};
    const auto [log, state] =
        run(scenario, startThenPlan({placed({0, 1}, {3})}, 0.1, {{first, placed({2, 0}, {3})}}), executed);
    QCOMPARE(firstError(*log), QString());
    const SimTime end = eventsOf(*log, EventType::jobFinished).at(0).time;
    const auto started = eventsOf(*log, EventType::jobStarted).at(0).time;
    const auto changes = taskEvents(*log, started, end);
    std::vector<Event> before;
    for (const Event& e : changes)
        if (e.time < SimTime::seconds(0.3)) before.push_back(e);
    QCOMPARE(before.size(), std::size_t{2});
    QCOMPARE(before[0].type, EventType::taskRemoved);
    QVERIFY(before[0].a == 1 && before[0].b == 1);
    QVERIFY(before[1].type == EventType::taskPlaced && before[1].a == 1 && before[1].b == 2);
    QCOMPARE(eventsOf(*log, EventType::jobResized).size(), std::size_t{1});
    QVERIFY(eventsOf(*log, EventType::jobRestored).empty());
    for (const Event& e : eventsOf(*log, EventType::taskCancelled)) QCOMPARE(e.a, 1u);
    QCOMPARE(eventsOf(*log, EventType::jobFinished)[0].count(), std::uint64_t{40});
    std::set<std::uint32_t> used; // after the move both of them count
    for (const Event& e : eventsOf(*log, EventType::gradientUsed))
        if (e.time > SimTime::seconds(0.3)) used.insert(e.a);
    QCOMPARE(used, (std::set<std::uint32_t>{0, 1}));
}

// The first of three workers goes, and later one comes: it takes the number that is free.
void tst_Replan::numbersMayHaveGaps() {
    QFETCH(bool, executed);
    Scenario scenario = starScenario(5);
    scenario.jobs = {trained(1, 3)};
    const auto decide = [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            decisions.start(job, placed({0, 1, 2}, {4}));
            for (const double t : {0.1, 0.2}) decisions.wakeAt(SimTime::seconds(t));
        }
        if (view.jobsIn(JobPhase::running).empty()) return;
        const double now = context.now.toSeconds();
        if (now > 0.05 && now < 0.2) decisions.replan({{first, placed({1, 2}, {4})}});
        if (now >= 0.2) decisions.replan({{first, placed({1, 2, 3}, {4})}});
    };
    const auto [log, state] = run(scenario, decide, executed);
    QCOMPARE(firstError(*log), QString());
    const auto resized = eventsOf(*log, EventType::jobResized);
    QCOMPARE(resized.size(), std::size_t{2});
    QVERIFY(resized[0].a == 2 && resized[1].a == 3);
    const auto placedTasks = eventsOf(*log, EventType::taskPlaced);
    QVERIFY(placedTasks.back().a == 0 && placedTasks.back().b == 3);
    for (const Event& e : eventsOf(*log, EventType::taskCancelled)) QCOMPARE(e.a, 0u);
    QCOMPARE(eventsOf(*log, EventType::jobFinished)[0].count(), std::uint64_t{40});
}

void tst_Replan::jobsSwapTheirMachines_data() {
    QTest::addColumn<bool>("executed");
    QTest::addColumn<bool>("rate");
    QTest::newRow("simulate flow") << false << false;
    QTest::newRow("simulate rate") << false << true;
    QTest::newRow("execute") << true << false;
}

// Each of them fills a machine: only as a whole does the plan fit. Two events for each worker that moves.
void tst_Replan::jobsSwapTheirMachines() {
    QFETCH(bool, executed);
    QFETCH(bool, rate);
    Scenario scenario = starScenario(4);
    scenario.network = rate ? NetworkModel::rate : NetworkModel::flow;
    for (const char* key : {"a", "b"}) {
        Job job = analyticJob();
        job.key = key;
        job.workers = {1, 1};
        scenario.jobs.push_back(job);
    }
    const auto [log, state] = run(scenario,
                                  startThenPlan({placed({0}, {2}), placed({1}, {3})}, 0.25,
                                                {{first, placed({1}, {2})}, {second, placed({0}, {3})}}),
                                  executed);
    QCOMPARE(firstError(*log), QString());
    QCOMPARE(eventsOf(*log, EventType::jobResized).size(), std::size_t{2});
    const auto changes = taskEvents(*log, eventsOf(*log, EventType::jobStarted).back().time,
                                    eventsOf(*log, EventType::jobFinished).front().time);
    std::vector<EventType> types;
    for (const Event& e : changes)
        if (e.time < SimTime::seconds(0.5)) types.push_back(e.type);
    using T = EventType;
    QVERIFY(types.size() == 4 && types[0] == T::taskRemoved && types[1] == T::taskRemoved &&
            types[2] == T::taskPlaced && types[3] == T::taskPlaced);
    QCOMPARE(eventsOf(*log, EventType::jobFinished).size(), std::size_t{2});
}

void tst_Replan::theSamePlanChangesNothing() {
    Scenario scenario = starScenario(5);
    Job job = trained(2, 2);
    job.servers = {2, 2};
    scenario.jobs = {job};
    const std::vector starts{placed({0, 1}, {2, 3})};
    const auto same = run(scenario, startThenPlan(starts, 0.1, {{first, placed({1, 0}, {3, 2})}}), false);
    const auto none = run(scenario, startThenPlan(starts, 0.1, {}), false);
    QCOMPARE(same.log->digest(), none.log->digest());
    QVERIFY(eventsOf(*same.log, EventType::jobResized).empty());
}

// One of two running jobs gets nothing and its machine goes to the other; the scheduler is not called again for that.
void tst_Replan::jobsThatGetNothingWait() {
    Scenario scenario = twoJobs();
    int calls = 0;
    const auto decide = [&](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        ++calls;
        if (context.now.ns == 0) {
            decisions.replan({{first, placed({0}, {1})}, {second, placed({2}, {3})}});
            decisions.wakeAt(SimTime::seconds(0.1));
        } else if (context.now == SimTime::seconds(0.1)) {
            decisions.replan({{first, placed({0, 2}, {1})}, {second, {}}});
        } else if (!view.jobsIn(JobPhase::waiting).empty()) {
            decisions.replan({{second, placed({2}, {3})}});
        }
    };
    const auto [log, state] = run(scenario, decide, false);
    QCOMPARE(firstError(*log), QString());
    QCOMPARE(eventsOf(*log, EventType::jobPreempted).size(), std::size_t{1});
    QCOMPARE(eventsOf(*log, EventType::jobFinished).size(), std::size_t{2});
    QCOMPARE(calls, 4); // at 0, at 0.1 s, and at two ends
    QCOMPARE(state.job(second).updates, std::uint64_t{40});
}

// The server moves: the job begins again, under the object that it had. After a failure it has a new one.
void tst_Replan::synchronizationIsCarriedOn() {
    QFETCH(bool, executed);
    Scenario scenario = starScenario(5);
    scenario.policies.synchronization = {"counting", {}};
    scenario.jobs = {trained(2, 2)};
    const auto startsIn = [&](const Scenario& s) {
        std::vector<double> starts;
        const auto decide = startThenPlan({placed({0, 1}, {3})}, 0.1, {{first, placed({0, 1}, {2})}});
        const Run done = run(s, decide, executed);
        for (const Event& e : eventsOf(*done.log, EventType::note)) starts.push_back(e.value);
        return std::pair(starts, firstError(*done.log));
    };
    QCOMPARE(startsIn(scenario).first, (std::vector<double>{1, 2}));
    QCOMPARE(startsIn(scenario).second, QString());
    scenario.faults = {{.key = "m5", .atSeconds = 0.01, .repairAfterSeconds = 0.01}}; // nobody is there
    QCOMPARE(startsIn(scenario).first, (std::vector<double>{1, 2}));
    scenario.faults = {{.key = "m1", .atSeconds = 0.2, .repairAfterSeconds = 0.01}};
    // It falls back to the beginning and waits for the scheduler, which starts it when the machine is back.
    const auto again = [](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
        for (const JobId job : view.jobsIn(JobPhase::waiting))
            if (view.state().machines()[0].up) decisions.start(job, placed({0, 1}, {3}));
    };
    std::vector<double> starts;
    for (const Event& e : eventsOf(*run(scenario, again, executed).log, EventType::note)) starts.push_back(e.value);
    QCOMPARE(starts, (std::vector<double>{1, 1}));
}

void tst_Replan::whatDoesNotFitIsRefused() {
    Scenario scenario = twoJobs();
    scenario.jobs[0].stop.iterations = 1;
    const std::vector starts{placed({0}, {1}), placed({2}, {3})};
    const auto refused = [&](std::vector<Allotment> plan) -> std::string {
        try {
            run(scenario, startThenPlan(starts, 0.5, std::move(plan)), false);
        } catch (const InvariantError& error) { return error.what(); }
        return "nothing";
    };
    const auto names = [](const std::string& what, const char* a, const char* b) {
        return what.find(a) != std::string::npos && what.find(b) != std::string::npos;
    };
    QVERIFY(names(refused({{first, placed({0}, {1})}}), "\"a\"", "neither waits nor runs"));
    QVERIFY(names(refused({{second, placed({2, 3}, {3})}}), "\"m4\"", "than it has"));
    QVERIFY(names(refused({{second, placed({2}, {1})}, {second, placed({2}, {3})}}), "twice", ""));
    QVERIFY(names(refused({{second, placed({2, 0, 1}, {3})}}), "\"b\"", "3 workers"));
    QVERIFY(names(refused({{JobId(std::size_t{7}), {}}}), "does not exist", ""));
    QCOMPARE(refused({{second, placed({0}, {1})}}), std::string("nothing"));
}

void tst_Replan::stoppedAndRejectedWhileRunning() {
    QFETCH(bool, executed);
    Scenario scenario = starScenario(4);
    for (const char* key : {"a", "b"}) {
        Job job = trained(1, 2);
        job.key = key;
        job.stop.iterations = 100000;
        scenario.jobs.push_back(job);
    }
    const auto decide = [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        for (const JobId job : view.jobsIn(JobPhase::waiting)) {
            decisions.start(job, job == first ? placed({0}, {1}) : placed({2}, {3}));
            decisions.wakeAt(SimTime::seconds(0.2));
        }
        if (context.now < SimTime::seconds(0.2) || view.jobsIn(JobPhase::running).empty()) return;
        decisions.stop(first);
        decisions.reject(second);
    };
    const auto [log, state] = run(scenario, decide, executed);
    QCOMPARE(firstError(*log), QString());
    QCOMPARE(state.job(first).phase, JobPhase::finished);
    QCOMPARE(eventsOf(*log, EventType::jobFinished).at(0).aux, static_cast<std::uint16_t>(FinishReason::stopped));
    QVERIFY(state.job(first).updates > 0);
    QCOMPARE(state.job(second).phase, JobPhase::rejected);
    for (const auto& machine : state.machines()) QVERIFY(machine.free == ResourceVector::of({8}));
}

void tst_Replan::bytesOfAJobThatMovesOften_data() {
    QTest::addColumn<double>("horizon");
    QTest::newRow("to its end") << 1e9;
    QTest::newRow("to the horizon") << 1.05;
}

// Under the rate model its worker moves every 0.1 s. Every update crosses two links there and back; what each link carries is
// logged when the job's loss is looked at, when it ends, or when the run does, not at every move.
void tst_Replan::bytesOfAJobThatMovesOften() {
    QFETCH(double, horizon);
    Scenario scenario = starScenario(3);
    scenario.network = NetworkModel::rate;
    scenario.horizonSeconds = horizon;
    Job job = analyticJob();
    job.workers = {1, 1};
    job.stop.iterations = 200;
    auto& work = std::get<AnalyticWork>(job.work);
    work.secondsPerSample = 1e-4;
    work.parameterBytes = 1.25e4;
    work.evaluation.everyIterations = 100;
    scenario.jobs = {job};
    const auto decide = [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        if (view.jobsIn(JobPhase::running).empty() && view.jobsIn(JobPhase::waiting).empty()) return;
        const auto turn = static_cast<std::size_t>(std::lround(context.now.toSeconds() * 10)) % 2;
        decisions.replan({{first, placed({turn}, {2})}});
        decisions.wakeAt(context.now + Duration::seconds(0.1));
    };
    const auto [log, state] = run(scenario, decide, false);
    const double updates = static_cast<double>(state.job(first).updates);
    QVERIFY(updates > 50 && eventsOf(*log, EventType::jobResized).size() >= 9);
    std::map<std::uint32_t, double> bytes;
    std::size_t events = 0;
    for (const Event& e : eventsOf(*log, EventType::linkCarried)) {
        bytes[e.a] += e.value;
        ++events;
    }
    QCOMPARE(bytes.size(), std::size_t{6});
    QVERIFY(events <= 12);
    double sum = 0;
    for (const auto& [link, carried] : bytes) sum += carried;
    QVERIFY2(std::abs(sum / (4 * 1.25e4 * updates) - 1) < 1e-12, qPrintable(QString::number(sum)));
}

// Waits 0.5 s, runs to 1 s, waits to 1.25 s, runs to its end.
void tst_Replan::totalsOfWaitingAndRunning() {
    Scenario scenario = starScenario(4);
    scenario.jobs = {trained(1, 2)};
    scenario.jobs[0].stop.iterations = 50;
    const auto decide = [](const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        const double now = context.now.toSeconds();
        if (now == 0)
            for (const double t : {0.5, 1.0, 1.25}) decisions.wakeAt(SimTime::seconds(t));
        if (now == 0.5 || now == 1.25) decisions.replan({{first, placed({0, 1}, {2})}});
        if (now == 1.0) decisions.replan({{first, {}}});
        if (now == 1.25) {
            QCOMPARE(view.state().job(first).waitedUntil(context.now), 0.75);
            QCOMPARE(view.state().job(first).ranUntil(context.now), 0.5);
            QCOMPARE(view.state().job(first).attainedUntil(context.now), 1.0);
        }
    };
    const auto [log, state] = run(scenario, decide, false);
    const JobState& job = state.job(first);
    QCOMPARE(job.waitedSeconds, 0.75);
    QCOMPARE(job.ranSeconds, eventsOf(*log, EventType::jobFinished).at(0).time.toSeconds() - 0.75);
}

TRAINYARD_TEST(tst_Replan)
#include "tst_Replan.moc"
