// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// pdors in whole runs: what it promises by the mathematics of core/planning is what the engine then does.
#include "policy/scheduler/pdors/ScheduleSearch.h"
#include "policy/scheduler/pdors/SlotJobs.h"
#include "support/TestMain.h"
#include "support/TrainedRun.h"

#include <cmath>
#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_PdOrs : public QObject {
    Q_OBJECT
private slots:
    void runsEarnWhatIsPromised_data();
    void runsEarnWhatIsPromised();
    void machinesThatFailBreakPromisesOnly();
    void whatCannotEndIsCounted();
    void slotsMayOutlastTime();
    void trainedJobsFollowThePromises_data();
    void trainedJobsFollowThePromises();
};

namespace {

constexpr int horizon = 6, quanta = 240;
constexpr double batch = 1000;  // samples of an update: many, so that it can be divided exactly
constexpr double margin = 0.02; // a worker makes about 200 updates in a slot, and loses at most one at its end
constexpr int updatesOfWork = 200;

/// Four jobs for two machines of two resources, whose work takes a worker a handful of slots.
Scenario randomScenario(unsigned seed) {
    std::mt19937 random(seed);
    const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    Scenario scenario = starScenario(2);
    scenario.cluster.resourceNames = {"cpu", "gpu"};
    for (auto& machine : scenario.cluster.machines)
        machine.capacity = ResourceVector::of({double(whole(4, 8)), double(whole(4, 8))});
    for (auto& link : scenario.cluster.links) link.bandwidth = 1e18;
    for (int j = 0; j < 4; ++j) {
        Job job = analyticJob();
        job.key = "j" + std::to_string(j);
        job.arrival = SimTime::seconds(j / 2);
        job.workers = {1, whole(2, 5)};
        job.servers = {1, 5};
        job.workersPerServer = whole(1, 3);
        job.workerDemand = ResourceVector::of({double(whole(1, 2)), double(whole(1, 3))});
        job.serverDemand = ResourceVector::of({double(whole(0, 1)), double(whole(1, 2))});
        job.stop.iterations = updatesOfWork * whole(3, 9);
        job.utility = Utility{real(1, 100), real(0, 4), double(whole(1, 4)), 1};
        auto& work = std::get<AnalyticWork>(job.work);
        work.parameterBytes = 1e-3;
        work.batch = static_cast<int>(batch);
        work.batchOf = BatchOf::job;
        const double local = real(1, 2) * batch * updatesOfWork;
        work.rates = LocalityRates{local, local * real(0.4, 1)};
        scenario.jobs.push_back(job);
    }
    scenario.policies.scheduler = {"pdors",
                                   {{"slot_s", 1.0},
                                    {"margin", margin},
                                    {"horizon", std::int64_t{horizon}},
                                    {"solver", std::string("exact")},
                                    {"quanta", std::int64_t{quanta}}}};
    return scenario;
}

SlotJob asPlanned(const Job& job) {
    SlotJob out;
    out.arrival = static_cast<int>(job.arrival.toSeconds());
    out.samples = static_cast<double>(*job.stop.iterations) * batch * (1 + margin);
    out.batch = job.workers.maximum;
    out.workersPerServer = static_cast<int>(*job.workersPerServer);
    const auto& rates = *std::get<AnalyticWork>(job.work).rates;
    out.localRate = rates.local;
    out.remoteRate = rates.remote;
    for (std::size_t r = 0; r < 2; ++r) {
        out.workerDemand.push_back(job.workerDemand.amount(r));
        out.serverDemand.push_back(job.serverDemand.amount(r));
    }
    out.utility = *job.utility;
    out.endCounts = true;
    return out;
}

/// By job: the slot that it is promised to end in, −1 if it is refused.
std::vector<int> promised(const Scenario& scenario) {
    SlotCluster cluster{horizon, 2, 2, {}};
    for (const auto& machine : scenario.cluster.machines)
        for (std::size_t r = 0; r < 2; ++r) cluster.capacity.push_back(machine.capacity.amount(r));
    std::vector<SlotJob> jobs;
    for (const Job& job : scenario.jobs) jobs.push_back(asPlanned(job));
    std::vector<int> out(jobs.size(), -1);
    const auto bounds = priceBounds(cluster, jobs);
    if (!bounds) return out;
    SlotLedger ledger(cluster);
    const SlotPrices prices(ledger, *bounds);
    ExactSlotSolver solver;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const auto choice = chooseSchedule(ledger, prices, jobs[j], solver, {.quanta = quanta});
        if (!choice.schedule) continue;
        ledger.take(jobs[j], *choice.schedule);
        out[j] = choice.best.completion;
    }
    return out;
}

} // namespace

void tst_PdOrs::runsEarnWhatIsPromised_data() {
    QTest::addColumn<int>("network");
    QTest::newRow("rate") << static_cast<int>(NetworkModel::rate);
    QTest::newRow("flow") << static_cast<int>(NetworkModel::flow);
}

// 200 random scenarios: every job ends by the end of the slot that it was promised, and who is refused by the planner is rejected
// in the run.
void tst_PdOrs::runsEarnWhatIsPromised() {
    QFETCH(int, network);
    int admitted = 0, refused = 0, early = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        Scenario scenario = randomScenario(seed);
        scenario.network = static_cast<NetworkModel>(network);
        const auto expected = promised(scenario);
        auto simulation = Simulation::create(optionsFor(scenario));
        QVERIFY(simulation.ok());
        while (simulation.value()->step()) {}
        const EventLog& log = simulation.value()->log();
        std::vector<double> end(scenario.jobs.size(), -1);
        for (const Event& e : eventsOf(log, EventType::jobFinished)) end[e.job] = e.time.toSeconds();
        bool anyEarly = false; // what it no longer needs is given to others: the planner above does not
        for (std::size_t j = 0; j < end.size() && !anyEarly; ++j) {
            const QByteArray where = QByteArray::number(seed) + " job " + QByteArray::number(j);
            QVERIFY2((end[j] < 0) == (expected[j] < 0), where);
            ++(end[j] < 0 ? refused : admitted);
            if (end[j] < 0) continue;
            QVERIFY2(end[j] <= expected[j] + 1 + 1e-6, where + " ended at " + QByteArray::number(end[j]));
            anyEarly = end[j] < expected[j] + 1e-9;
        }
        early += anyEarly;
    }
    QVERIFY(admitted > 200 && refused > 30 && early < 20);
}

// A machine fails for two slots and comes back: all jobs that were promised something end, later than promised.
void tst_PdOrs::machinesThatFailBreakPromisesOnly() {
    Scenario scenario = randomScenario(3);
    scenario.faults.push_back({Fault::Target::machine, "m1", 1.5, 2.0, {}});
    for (const auto network : {NetworkModel::rate, NetworkModel::flow}) {
        scenario.network = network;
        auto simulation = Simulation::create(optionsFor(scenario));
        while (simulation.value()->step()) {}
        const EventLog& log = simulation.value()->log();
        std::set<std::uint32_t> reserved;
        for (const Event& e : eventsOf(log, EventType::reserved)) reserved.insert(e.job);
        QVERIFY(!reserved.empty());
        QCOMPARE(eventsOf(log, EventType::jobFinished).size(), reserved.size());
        QCOMPARE(eventsOf(log, EventType::jobRejected).size() + reserved.size(), scenario.jobs.size());
    }
}

// Of four jobs one has ten times the work that all machines can do in the slots there are, and one needs a worker that fits nowhere:
// both are refused, with the reason, and counted; the others are served.
void tst_PdOrs::whatCannotEndIsCounted() {
    Scenario scenario = randomScenario(3);
    scenario.jobs[0].stop.iterations = *scenario.jobs[0].stop.iterations * 100;
    scenario.jobs[2].workerDemand = ResourceVector::of({100, 1});
    const auto registry = Registry::builtin();
    auto simulation = Simulation::create(optionsFor(scenario));
    QVERIFY(simulation.ok());
    while (simulation.value()->step()) {}
    const auto& series = registry.find(PolicyFamily::scheduler, "pdors")->series;
    double counted = 0;
    for (const Event& e : eventsOf(simulation.value()->log(), EventType::note))
        if (series[NoteSeries::unpacked(e.aux).number].name == "unfinishable") counted = e.value;
    QCOMPARE(counted, 2.0);
    std::map<std::uint32_t, std::string> reasons;
    for (const Explanation& why : simulation.value()->explanations().all())
        reasons[why.job.value] = why.summary.english();
    QVERIFY2(reasons[0].find("even alone on all machines it would not end within the remaining 6 slots") !=
                 std::string::npos,
             reasons[0].c_str());
    QVERIFY2(reasons[2].find("fit on no machine that is up") != std::string::npos, reasons[2].c_str());
}

// 200 slots of 100 million seconds: the last would begin after the end of time, 292 years. Runs end all the same.
void tst_PdOrs::slotsMayOutlastTime() {
    for (const char* policy : {"pdors", "pdors-plus", "oasis"}) {
        Scenario scenario = randomScenario(3);
        scenario.policies.scheduler = {policy, {{"slot_s", 1e8}, {"horizon", std::int64_t{200}}}};
        scenario.jobs[1].stop.iterations = 1'000'000'000'000; // it cannot end
        auto simulation = Simulation::create(optionsFor(scenario));
        QVERIFY(simulation.ok());
        std::size_t steps = 0;
        while (steps < 100'000 && simulation.value()->step()) ++steps;
        QVERIFY2(steps < 100'000, policy);
    }
}

void tst_PdOrs::trainedJobsFollowThePromises_data() {
    QTest::addColumn<bool>("executed");
    QTest::newRow("simulated") << false;
    QTest::newRow("executed") << true;
}

// The shipped scenario, really trained: in the middle of every slot, a job that runs has on every machine the tasks that were promised,
// in both modes the same; workers move between slots; no update is lost or made twice, and what moving tasks were about counts as lost.
void tst_PdOrs::trainedJobsFollowThePromises() {
    QFETCH(bool, executed);
    const TrainedRun run(TrainedRun::scenario("papers/pdors/trained.json"), executed);
    const EventLog& log = run.log();
    for (const std::string& error : accountErrors(log)) QFAIL(error.c_str());

    using Place = std::tuple<std::uint32_t, TaskRole, std::uint32_t>; // job, role, machine
    std::map<int, std::map<Place, int>> promised;                     // by slot
    std::optional<double> came;                                       // seconds, as a slot has
    for (const Event& e : eventsOf(log, EventType::reserved)) {
        if (!came) came = e.time.toSeconds();
        promised[static_cast<int>(e.b)][{e.job, static_cast<TaskRole>(e.aux), e.a}] += static_cast<int>(e.value);
    }
    QVERIFY(came);
    // Jobs get the slot in which they come; a millisecond after its begin, as a slow machine may be when executing, the next.
    const int first = promised.begin()->first, slot = static_cast<int>(*came);
    QVERIFY2(first == slot || (*came - slot > 1e-3 && first == slot + 1), qPrintable(QString::number(*came)));
    if (!executed) QCOMPARE(*came, 0.0);
    ClusterState state(run.workload());
    std::size_t next = 0, compared = 0;
    std::set<std::map<Place, int>> different;
    for (const auto& [number, places] : promised) {
        const SimTime middle = SimTime::seconds(number + 0.5);
        while (next < log.size() && log[next].time <= middle) state.apply(log[next++]);
        std::map<Place, int> held, expected;
        for (const JobId job : state.jobsIn(JobPhase::running)) {
            for (const auto& [place, tasks] : places)
                if (std::get<0>(place) == job.value) expected[place] = tasks;
            if (std::none_of(expected.begin(), expected.end(),
                             [&](const auto& e) { return std::get<0>(e.first) == job.value; }))
                continue; // it is behind
            const Placement& has = state.job(job).placement;
            for (const MachineId m : has.workers)
                if (m.valid()) ++held[{job.value, TaskRole::worker, m.value}];
            for (const MachineId m : has.servers) ++held[{job.value, TaskRole::server, m.value}];
        }
        QVERIFY2(held == expected, QByteArray("slot ") + QByteArray::number(slot));
        compared += expected.size();
        different.insert(expected);
    }
    QVERIFY(compared >= 20 && different.size() >= 4);
    QCOMPARE(eventsOf(log, EventType::jobFinished).size(), std::size_t{3});
    QCOMPARE(eventsOf(log, EventType::jobRejected).size(), std::size_t{1});
    QVERIFY(!eventsOf(log, EventType::taskCancelled).empty());
}

TRAINYARD_TEST(tst_PdOrs)
#include "tst_PdOrs.moc"
