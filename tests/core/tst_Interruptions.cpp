// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What moving, resizing, preempting and restoring a job cost: the same under the rate model as under the flow model, in time
// and in bytes.
#include "engine/Executor.h"
#include "support/RestlessScheduler.h"
#include "support/ScriptedScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <map>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr double parameterBytes = 2.5e7; ///< 0.2 s over a link

/// One worker and one server; an update takes 0.2 s each to pull, to compute and to push. The storage is behind a link over
/// which a checkpoint takes 1 s. At 1.22 s, 0.02 s after the second of five updates, something is done to the job.
Scenario interrupted(const std::string& action, NetworkModel network, std::int64_t checkpointEvery = 0,
                     double restart = 0) {
    Scenario s = starScenario(5);
    s.network = network;
    s.policies.scheduler = {"test-scripted", {{"action", action}, {"at", 1.22}}};
    s.cluster.links[4].bandwidth = 2.5e7;
    s.cluster.storage = "m5";
    Job job{.key = "j"};
    job.workerDemand = job.serverDemand = ResourceVector::of({8});
    job.workers = {1, 2};
    job.servers = {1, 2};
    job.stop.iterations = 5;
    job.checkpoint.everyIterations = checkpointEvery;
    job.restartSeconds = restart;
    job.work = AnalyticWork{.samples = 1e6, .parameterBytes = parameterBytes, .batch = 200, .secondsPerSample = 1e-3};
    s.jobs = {job};
    return s;
}

SimulationOptions scripted(const Scenario& scenario) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(ScriptedScheduler::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

std::shared_ptr<const EventLog> logOf(const Scenario& scenario) {
    auto simulation = Simulation::create(scripted(scenario));
    while (simulation.value()->step()) {}
    return simulation.value()->sharedLog();
}

double endOf(const EventLog& log) {
    const auto ends = eventsOf(log, EventType::jobFinished);
    return ends.empty() ? 0 : ends[0].time.toSeconds();
}

double linkBytes(const EventLog& log) {
    double sum = 0;
    std::map<std::uint32_t, std::pair<double, SimTime>> loads;
    for (const Event& e : eventsOf(log, EventType::linkLoad)) {
        auto& [load, since] = loads[e.a];
        sum += load * (e.time - since).toSeconds();
        loads[e.a] = {e.value, e.time};
    }
    for (const Event& e : eventsOf(log, EventType::linkCarried)) sum += e.value;
    return sum;
}

} // namespace

class tst_Interruptions : public QObject {
    Q_OBJECT
private slots:
    void costTheSameTimeInBothModels_data();
    void costTheSameTimeInBothModels();
    void restartsTakeTheirTime_data();
    void restartsTakeTheirTime();
    void startingElsewhereIsNotFree();
    void checkpointsCrossLinks();
    void restoredBytesAreTold_data();
    void restoredBytesAreTold();
    void limitsCountRestarts_data();
    void limitsCountRestarts();
    void limitsCountRestartsAnywhere();
};

void tst_Interruptions::costTheSameTimeInBothModels_data() {
    QTest::addColumn<double>("delay"); // that is expected, and that the comparison would miss
    QTest::newRow("stay") << 0.0;
    QTest::newRow("move") << 0.2;
    QTest::newRow("preempt") << 1.0;
    QTest::newRow("grow") << 0.1; // half of the parameters go to the second server
}

// The flow model loses the 0.02 s of the task under way. Growing also makes the three updates that are left shorter: two
// workers exchange halves with two servers, which takes as long as one worker and one server.
void tst_Interruptions::costTheSameTimeInBothModels() {
    QFETCH(double, delay);
    const std::string action = QTest::currentDataTag();
    const auto flow = logOf(interrupted(action, NetworkModel::flow)),
               rate = logOf(interrupted(action, NetworkModel::rate));
    const double expected = 3 + delay;
    QVERIFY2(std::abs(endOf(*flow) / expected - 1) < 0.02, qPrintable(QString::number(endOf(*flow))));
    QVERIFY2(std::abs(endOf(*rate) / endOf(*flow) - 1) < 0.02, qPrintable(QString::number(endOf(*rate))));
    QVERIFY2(std::abs(linkBytes(*rate) / linkBytes(*flow) - 1) < 0.05,
             qPrintable(QStringLiteral("%1 and %2").arg(linkBytes(*rate)).arg(linkBytes(*flow))));
}

void tst_Interruptions::restartsTakeTheirTime_data() { costTheSameTimeInBothModels_data(); }

// Half a second more than without, in both network models and executed; nothing where the job is left alone.
void tst_Interruptions::restartsTakeTheirTime() {
    QFETCH(double, delay);
    const std::string action = QTest::currentDataTag();
    const double expected = 3 + delay + (action == "stay" ? 0 : 0.5);
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        const auto log = logOf(interrupted(action, network, 0, 0.5));
        QVERIFY2(std::abs(endOf(*log) / expected - 1) < 0.02, qPrintable(QString::number(endOf(*log))));
    }
    auto executor = Executor::create(scripted(interrupted(action, NetworkModel::flow, 0, 0.5)));
    executor.value()->run({}, [] {});
    QVERIFY(endOf(executor.value()->log()) >= expected - 0.03);
}

// Without a storage the parameters of a preempted job are with the machines that it left: started elsewhere, it waits for
// them as if it had been moved; started where it was, it does not.
void tst_Interruptions::startingElsewhereIsNotFree() {
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        std::map<std::string, double> ends;
        for (const char* action : {"stay", "move", "preempt", "leave"}) {
            Scenario scenario = interrupted(action, network);
            scenario.cluster.storage.clear();
            ends[action] = endOf(*logOf(scenario));
        }
        QVERIFY(std::abs(ends["leave"] - ends["move"]) < 0.02);
        QVERIFY(ends["leave"] - ends["preempt"] > 0.15);
        QVERIFY(std::abs(ends["preempt"] - ends["stay"]) < 0.1);
    }
}

// Under the rate model they did not before. One checkpoint, of update 3 at 1.8 s, over two links.
void tst_Interruptions::checkpointsCrossLinks() {
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        const double plain = linkBytes(*logOf(interrupted("stay", network)));
        const double with = linkBytes(*logOf(interrupted("stay", network, 3)));
        QVERIFY2(std::abs(with - plain - 2 * parameterBytes) < 0.01 * parameterBytes,
                 qPrintable(QString::number((with - plain) / parameterBytes)));
    }
}

void tst_Interruptions::restoredBytesAreTold_data() {
    QTest::addColumn<double>("bytes");
    QTest::newRow("move") << parameterBytes;
    QTest::newRow("preempt") << parameterBytes;
    QTest::newRow("grow") << parameterBytes / 2;
}

// Before, they were 0. In both network models, and executed.
void tst_Interruptions::restoredBytesAreTold() {
    QFETCH(double, bytes);
    const std::string action = QTest::currentDataTag();
    auto executor = Executor::create(scripted(interrupted(action, NetworkModel::flow)));
    executor.value()->run({}, [] {});
    for (const auto& log : {logOf(interrupted(action, NetworkModel::flow)),
                            logOf(interrupted(action, NetworkModel::rate)), executor.value()->sharedLog()}) {
        const auto restored = eventsOf(*log, EventType::jobRestored);
        QCOMPARE(restored.size(), std::size_t{1});
        QCOMPARE(restored[0].value, bytes);
        QVERIFY(restored[0].count() > 0);
    }
}

namespace {

/// Seconds that the job was in the running phase, by its own events.
double ranSeconds(const EventLog& log, std::size_t job) {
    double sum = 0;
    std::optional<SimTime> since;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        if (e.job != job) continue;
        if (e.type == EventType::jobStarted) since = e.time;
        const bool ends = e.type == EventType::jobPreempted || e.type == EventType::jobFinished ||
                          e.type == EventType::jobFailed || e.type == EventType::jobRejected;
        if (ends && since) sum += (e.time - *std::exchange(since, std::nullopt)).toSeconds();
    }
    return sum;
}

/// A job of one-second updates (of one worker) with a limit of 10 s, which takes 5 s to restart; all times × `scale`.
Scenario limited(const QString& what, NetworkModel network, double scale) {
    Scenario s = starScenario(what.startsWith("resized") ? 1 : 2);
    s.network = network;
    s.policies.scheduler = {"fair", {}};
    s.horizonSeconds = 40 * scale;
    Job job{.key = "a"};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {1, 8};
    job.restartSeconds = 5 * scale;
    job.stop.seconds = 10 * scale;
    job.checkpoint.everyIterations = 1;
    job.work = AnalyticWork{.samples = 1e6, .parameterBytes = 0, .batch = 1, .secondsPerSample = scale};
    s.jobs = {job};
    if (what.startsWith("resized")) { // at 4 s, and again within the restart: each begins it anew
        Job other = job;
        other.stop = {.iterations = 1000};
        for (int i = 0; i < (what == "resized" ? 1 : 3); ++i) {
            other.key = "b" + std::to_string(i);
            other.arrival = SimTime::seconds((4 + 2 * i) * scale);
            s.jobs.push_back(other);
        }
    } else if (what == "preempted") { // every 4 s, within each restart
        s.policies.scheduler = {"test-restless", {{"period", 4 * scale}}};
    } else { // at 3 s, and again 2.5 s after the first repair
        s.policies.scheduler = {"fifo", {}};
        s.jobs[0].workers = {1, 1};
        for (const char* machine : {"m1", "m2"})
            for (const double at : {3.0, 6.0}) {
                s.faults.push_back({.target = Fault::Target::machine, .key = machine});
                s.faults.back().atSeconds = at * scale;
                s.faults.back().repairAfterSeconds = 0.5 * scale;
            }
    }
    return s;
}

SimulationOptions withDoubles(const Scenario& scenario) {
    auto options = optionsFor(scenario);
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(RestlessScheduler::entry());
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

} // namespace

void tst_Interruptions::limitsCountRestarts_data() {
    QTest::addColumn<double>("end");
    QTest::newRow("resized") << 10.0;
    QTest::newRow("resized thrice") << 10.0;
    QTest::newRow("preempted") << 10.0;
    QTest::newRow("failed twice") << 11.0; // 3 s, and 0.5 s without a machine; 2.5 s of a restart, and 0.5 s; 4.5 s
}

// Running time is what passes while the job has its tasks: a restart under way is part of it. Before, the flow model and
// executed runs left out the last one.
void tst_Interruptions::limitsCountRestarts() {
    QFETCH(double, end);
    const QString what = QTest::currentDataTag();
    for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
        auto simulation = Simulation::create(withDoubles(limited(what, network, 1)));
        QVERIFY(simulation);
        while (simulation.value()->step()) {}
        const auto ends = eventsOf(simulation.value()->log(), EventType::jobFinished);
        QVERIFY(!ends.empty());
        QCOMPARE(ends[0].job, 0u);
        QCOMPARE(ends[0].aux, static_cast<std::uint16_t>(FinishReason::seconds));
        QVERIFY2(std::abs(ends[0].time.toSeconds() - end) < 1e-6,
                 qPrintable(QString::number(ends[0].time.toSeconds())));
    }
    constexpr double scale = 0.03;
    double ran = 0;
    for (int attempt = 0; attempt < 5; ++attempt) { // a busy machine makes it longer, never shorter
        auto executor = Executor::create(withDoubles(limited(what, NetworkModel::flow, scale)));
        QVERIFY(executor);
        executor.value()->run({}, [] {});
        ran = ranSeconds(executor.value()->log(), 0);
        if (ran < 12 * scale) break;
    }
    QVERIFY2(ran > 9.9 * scale && ran < 12 * scale, qPrintable(QString::number(ran / scale)));
}

// Whatever interrupts a job, its running time never exceeds its limit, and is equal to it where the limit ends it.
void tst_Interruptions::limitsCountRestartsAnywhere() {
    int reached = 0, restored = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomStream random(seed, Purpose::test, 91);
        Scenario s = starScenario(3);
        s.seed = seed;
        s.horizonSeconds = 500;
        if (random.below(2) == 0) s.cluster.storage = "m1";
        const std::vector<Choice> schedulers{{"fair", {}},
                                             {"las", {{"limit_1_s", 4.0}}},
                                             {"afs", {}},
                                             {"srtf", {}},
                                             {"test-restless", {{"period", 1 + 6 * random.unit()}}}};
        s.policies.scheduler = schedulers[seed % schedulers.size()];
        for (int j = 0; j < 4; ++j) {
            Job job{.key = "j" + std::to_string(j), .arrival = SimTime::seconds(8 * random.unit())};
            job.workerDemand = job.serverDemand = ResourceVector::of({2});
            job.workers = {1, 1 + static_cast<int>(random.below(5))};
            job.servers = {static_cast<int>(random.below(2)), 1};
            job.restartSeconds = random.below(2) == 0 ? 0 : 6 * random.unit();
            job.stop.seconds = 2 + 20 * random.unit();
            job.stop.iterations = 1 + static_cast<std::int64_t>(random.below(60));
            job.checkpoint.everyIterations = static_cast<std::int64_t>(random.below(3));
            job.work = AnalyticWork{.samples = 1e6,
                                    .parameterBytes = 1e8 * random.unit(), // 0.8 s over a link
                                    .batch = 10,
                                    .secondsPerSample = 0.1 * random.unit()};
            s.jobs.push_back(job);
        }
        for (int f = 0; f < 3; ++f) {
            s.faults.push_back({.target = random.below(2) == 0 ? Fault::Target::machine : Fault::Target::link});
            s.faults.back().key = s.faults.back().target == Fault::Target::machine ? "m2" : "m3--s";
            s.faults.back().atSeconds = 4 + 12 * f + 8 * random.unit();
            s.faults.back().repairAfterSeconds = 3 * random.unit();
        }
        for (const auto network : {NetworkModel::flow, NetworkModel::rate}) {
            s.network = network;
            auto simulation = Simulation::create(withDoubles(s));
            QVERIFY(simulation);
            while (simulation.value()->step()) {}
            const EventLog& log = simulation.value()->log();
            restored += static_cast<int>(eventsOf(log, EventType::jobRestored).size());
            for (std::size_t j = 0; j < s.jobs.size(); ++j) {
                const double ran = ranSeconds(log, j), limit = *simulation.value()->workload()->jobs[j].stop.seconds;
                const QString about =
                    QStringLiteral("seed %1, job %2: %3 of %4 s").arg(seed).arg(j).arg(ran).arg(limit);
                QVERIFY2(ran < limit + 1e-6, qPrintable(about));
                for (const Event& e : eventsOf(log, EventType::jobFinished)) {
                    if (e.job != j || e.aux != static_cast<std::uint16_t>(FinishReason::seconds)) continue;
                    QVERIFY2(std::abs(ran - limit) < 1e-6, qPrintable(about));
                    ++reached;
                }
            }
        }
    }
    qInfo("%d limits reached, %d times restored", reached, restored);
    QVERIFY(reached > 50 && restored > 50);
}

TRAINYARD_TEST(tst_Interruptions)
#include "tst_Interruptions.moc"
