// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Properties of runs of random scenarios, which draw every field and every parameter. A scenario that breaks one is shrunk and
// printed. TRAINYARD_RANDOM_RUNS=FIRST-LAST takes other seeds than the gate's, TRAINYARD_RANDOM_RUNS=5000 that many.
#include "engine/Executor.h"
#include "engine/Simulation.h"
#include "scenario/ScenarioFile.h"
#include "support/PhaseOracle.h"
#include "support/RandomScenario.h"
#include "support/RunOracle.h"
#include "support/ShrunkScenario.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr int mostSteps = 20'000;

const Registry& builtin() {
    static const Registry registry = Registry::builtin();
    return registry;
}

Result<std::unique_ptr<Simulation>> made(const Scenario& scenario) {
    return Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                               .registry = std::make_shared<const Registry>(builtin()),
                               .resources = ResourcePaths::find({}),
                               .seed = scenario.seed,
                               .threads = 1});
}

/// Runs to the end, or as far as a test can afford.
std::unique_ptr<Simulation> ran(const Scenario& scenario, Errors& errors) {
    auto simulation = made(scenario);
    if (!simulation) {
        errors.push_back("it was validated, but cannot be made: " + simulation.problems().front().text());
        return nullptr;
    }
    try {
        for (int i = 0; i < mostSteps && (*simulation)->step(); ++i) {}
    } catch (const std::exception& error) { errors.push_back(std::string("it threw: ") + error.what()); }
    return std::move(simulation).value();
}

/// How often each kind of event happened in runs that were looked at.
std::map<EventType, int>& happened() {
    static std::map<EventType, int> counts;
    return counts;
}

Errors runErrors(const Scenario& scenario) {
    Errors errors;
    if (scenario.jobs.empty()) return errors;
    const auto simulation = ran(scenario, errors);
    if (!simulation || !errors.empty()) return errors;
    const EventLog& log = simulation->log();
    const Workload& workload = *simulation->workload();
    ClusterState fold(simulation->workload());
    for (std::size_t i = 0; i < log.size(); ++i) {
        fold.apply(log[i]);
        ++happened()[log[i].type];
    }
    if (!(fold == simulation->state())) errors.push_back("the state is not the fold of the log");
    const auto add = [&](const Errors& more) { errors.insert(errors.end(), more.begin(), more.end()); };
    add(accountErrors(log));
    add(endErrors(workload, log));
    add(metricErrors(workload, log, simulation->state().now()));
    add(phaseErrors(simulation->workload(), log, fold));
    add(stateErrors(simulation->workload(), log));
    return errors;
}

/// Longer than threads wait for a core on a busy machine.
constexpr double lateSeconds = 2;

/// In real time, for a while.
Errors executedErrors(const Scenario& scenario) {
    Errors errors;
    if (scenario.jobs.empty() || hasErrors(runRefusals(scenario, ResourcePaths::find({})))) return errors;
    auto made = Executor::create({.scenario = std::make_shared<const Scenario>(scenario),
                                  .registry = std::make_shared<const Registry>(builtin()),
                                  .resources = ResourcePaths::find({}),
                                  .seed = scenario.seed,
                                  .threads = 1});
    if (!made) return {"it was validated, but cannot be made: " + made.problems().front().text()};
    Executor& executor = **made;
    std::stop_source source;
    try {
        executor.run(source.get_token(), [&] {
            if (executor.state().now() > SimTime::seconds(0.2)) source.request_stop();
        });
    } catch (const std::exception& error) { return {std::string("it threw: ") + error.what()}; }
    const EventLog& log = executor.log();
    const Workload& workload = *executor.workload();
    ClusterState fold(executor.workload());
    for (std::size_t i = 0; i < log.size(); ++i) fold.apply(log[i]);
    if (!(fold == executor.state())) errors.push_back("the state is not the fold of the log");
    for (const Errors& more : {accountErrors(log), endErrors(workload, log, lateSeconds),
                               metricErrors(workload, log, executor.state().now()),
                               phaseErrors(executor.workload(), log, fold), stateErrors(executor.workload(), log)})
        errors.insert(errors.end(), more.begin(), more.end());
    return errors;
}

/// Every job alone and waiting for all of its workers does the same in both modes.
Errors modeErrors(const Scenario& scenario) {
    Errors errors;
    if (scenario.jobs.empty()) return errors;
    const auto simulation = ran(scenario, errors);
    if (!simulation || !errors.empty()) return errors;
    auto made = Executor::create({.scenario = std::make_shared<const Scenario>(scenario),
                                  .registry = std::make_shared<const Registry>(builtin()),
                                  .resources = ResourcePaths::find({}),
                                  .seed = scenario.seed,
                                  .threads = 1});
    if (!made) return {"it cannot be executed: " + made.problems().front().text()};
    Executor& executor = **made;
    executor.run({}, [] {});
    const Metrics simulated = computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now()),
                  executed = computeMetrics(*executor.workload(), executor.log(), executor.state().now());
    for (const char* name : {"updates", "used_samples", "executed_samples", "uplinks", "downlinks", "bytes_sent"}) {
        const double a = simulated.values.at(name), b = executed.values.at(name);
        if (std::abs(a - b) > 1e-9 * std::max(std::abs(a), std::abs(b)))
            errors.push_back(std::string(name) + " is " + inWords(b) + " executed, " + inWords(a) + " simulated");
    }
    return errors;
}

/// One job alone, task by task: the versions of parameters that are told to be used.
Errors stalenessErrors(const Scenario& scenario) {
    Errors errors;
    if (scenario.jobs.empty()) return errors;
    const auto simulation = ran(scenario, errors);
    if (!simulation || !errors.empty()) return errors;
    const auto expected = meanStaleness(*simulation->workload(), simulation->log(), JobId(std::size_t{0}));
    const Metrics metrics = computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now());
    const auto told = metrics.values.find("mean_staleness");
    if (!expected || told == metrics.values.end()) return errors;
    if (told->second < expected->first - 1e-9 || told->second > expected->second + 1e-9)
        errors.push_back("mean_staleness is " + inWords(told->second) + "; it should be from " +
                         inWords(expected->first) + " to " + inWords(expected->second));
    return errors;
}

/// One of its jobs alone, with one server and all of its workers at the start; nothing fails and nothing is evaluated.
std::optional<Scenario> alone(const Scenario& scenario, std::size_t index, int servers) {
    Scenario out = scenario;
    out.jobs = {scenario.jobs[index]};
    Job& job = out.jobs.front();
    out.generators.clear();
    out.faults.clear();
    out.limits = {};
    out.mode = RunMode::simulate;
    out.horizonSeconds = 1e9;
    out.policies.scheduler = {"fifo", {}};
    job.arrival = {};
    job.workers.minimum = job.workers.maximum;
    job.workersPerServer.reset();
    job.servers = {servers, servers};
    job.stop = {.iterations = 40};
    job.checkpoint = {};
    const LossEvaluation seldom{.everyIterations = 1'000'000};
    if (auto* work = std::get_if<TrainedWork>(&job.work)) work->evaluation = seldom;
    if (auto* work = std::get_if<AnalyticWork>(&job.work)) work->evaluation = seldom;
    if (job.kind() == JobKind::graph || hasErrors(validateScenario(out, builtin()))) return std::nullopt;
    return out;
}

/// Times that never vary.
void makeSteady(Scenario& scenario) {
    for (Machine& machine : scenario.cluster.machines) {
        StragglerLaw& law = machine.straggler;
        law.factor = {};
        law.burst.reset();
        if (law.delay) law.delay = Distribution{.value = std::min(0.05, law.delay->quantile(0.5))};
    }
}

bool warnsOfRates(const Scenario& scenario) {
    const Problems problems = validateScenario(scenario, builtin());
    return std::ranges::any_of(problems, [](const Problem& p) {
        return p.severity == Severity::warning && p.message.english().find("rate") != std::string::npos;
    });
}

std::optional<double> secondsOfRun(Scenario scenario, NetworkModel network, Errors& errors) {
    scenario.network = network;
    const auto simulation = ran(scenario, errors);
    if (!simulation || !errors.empty() || simulation->state().job(JobId(std::size_t{0})).phase != JobPhase::finished)
        return std::nullopt;
    return simulation->state().now().toSeconds();
}

/// By how much the rate model may be off without saying so.
constexpr double mostOff = 0.1;
constexpr double leastSeconds = 1e-5; ///< below, nanoseconds that are rounded count

Errors rateErrors(const Scenario& scenario) {
    Errors errors;
    if (scenario.jobs.empty()) return errors;
    Scenario asRate = scenario;
    asRate.network = NetworkModel::rate;
    if (hasErrors(validateScenario(asRate, builtin())) || hasErrors(runRefusals(asRate, ResourcePaths::find({}))))
        return errors;
    const auto flow = secondsOfRun(scenario, NetworkModel::flow, errors);
    const auto rate = secondsOfRun(scenario, NetworkModel::rate, errors);
    if (!flow || !rate || *flow < leastSeconds || std::abs(*rate / *flow - 1) <= mostOff) return errors;
    if (!warnsOfRates(asRate))
        errors.push_back("the rate model says " + inWords(*rate) + " s, the flow model " + inWords(*flow));
    return errors;
}

std::pair<std::uint64_t, std::uint64_t> seeds(std::uint64_t ofGate) {
    const QStringList given = qEnvironmentVariable("TRAINYARD_RANDOM_RUNS").split('-');
    if (given.size() == 2) return {given[0].toULongLong(), given[1].toULongLong() + 1};
    return {0, given[0].isEmpty() ? ofGate : given[0].toULongLong()};
}

using Property = Errors (*)(const Scenario&);

/// Runs a property over scenarios. The first that fail are shrunk, written beside the tests' other output and named.
class Trial {
public:
    explicit Trial(Property property) : m_property(property) {}
    void take(std::uint64_t seed, const Scenario& scenario) {
        ++m_taken;
        const Errors errors = m_property(scenario);
        if (errors.empty()) return;
        qWarning("seed %llu: %s", static_cast<unsigned long long>(seed), errors.front().c_str());
        if (++m_failed > 3) return;
        const Scenario least = shrunk(scenario, builtin(), [&](const Scenario& s) { return !m_property(s).empty(); });
        QFile file(QDir::temp().filePath(QStringLiteral("random-run-%1.json").arg(seed)));
        if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::fromStdString(writeScenario(least)));
        qWarning("  %s: %s", qPrintable(file.fileName()), m_property(least).front().c_str());
    }
    int failed() const { return m_failed; }
    int taken() const { return m_taken; }

private:
    Property m_property;
    int m_taken = 0, m_failed = 0;
};

} // namespace

class tst_RandomRuns : public QObject {
    Q_OBJECT
private slots:
    void logsAddUp();
    void executedLogsAddUp();
    void modesCountAlike();
    void stalenessIsThatOfTheParametersUsed();
    void ratesAreThoseOfFlow();
};

void tst_RandomRuns::logsAddUp() {
    const auto [first, last] = seeds(320);
    Trial trial(runErrors);
    for (std::uint64_t seed = first; seed < last; ++seed)
        trial.take(seed, randomScenario(seed, {.jobs = 8, .runnable = true}));
    for (std::uint64_t seed = first; seed < std::min(last, first + 20);
         ++seed) { // few draws let workers wait for each other
        Scenario tight = randomScenario(
            seed, {.jobs = 8, .graph = false, .runnable = true, .policy = {{PolicyFamily::synchronization, "ssp"}}});
        tight.policies.synchronization.parameters["staleness"] = std::int64_t{0};
        if (!hasErrors(validateScenario(tight, builtin()))) trial.take(seed, tight);
    }
    qInfo("%d runs", trial.taken());
    for (const auto& [type, times] : happened()) qInfo("%s: %d", std::string(eventName(type)).c_str(), times);
    QCOMPARE(trial.failed(), 0);
    // It means little if the scenarios are tame.
    for (const auto type :
         {EventType::jobPreempted, EventType::jobRejected, EventType::jobFinished, EventType::jobRestored,
          EventType::jobPartitioned, EventType::taskCancelled, EventType::gradientDropped, EventType::workerBlocked,
          EventType::checkpointDone, EventType::linkLoad, EventType::linkCarried, EventType::machineFailed,
          EventType::linkFailed, EventType::note})
        QVERIFY2(happened()[type] > 0, std::string(eventName(type)).c_str());
}

void tst_RandomRuns::executedLogsAddUp() {
    const auto [first, last] = seeds(12);
    Trial trial(executedErrors);
    for (std::uint64_t seed = first; seed < last; ++seed) {
        Scenario scenario = randomScenario(seed, {.runnable = true});
        scenario.mode = RunMode::execute;
        trial.take(seed, scenario);
    }
    qInfo("%d runs", trial.taken());
    QCOMPARE(trial.failed(), 0);
}

void tst_RandomRuns::modesCountAlike() {
    const auto [first, last] = seeds(20);
    Trial trial(modeErrors);
    for (std::uint64_t seed = first; seed < last; ++seed) {
        const Scenario whole = randomScenario(seed, {.graph = false, .runnable = true});
        auto scenario = alone(whole, 0, static_cast<int>(seed % 4));
        if (!scenario) continue;
        Job& job = scenario->jobs.front();
        if (job.keyedAccess()) continue; // threads do not run them
        job.synchronization = {"full-sync", {}};
        job.stop.iterations = 5;
        scenario->network = NetworkModel::flow;
        Errors errors;
        if (secondsOfRun(*scenario, NetworkModel::flow, errors).value_or(1) < 0.5) trial.take(seed, *scenario);
    }
    qInfo("%d jobs", trial.taken());
    QVERIFY(trial.taken() > 0);
    QCOMPARE(trial.failed(), 0);
}

void tst_RandomRuns::stalenessIsThatOfTheParametersUsed() {
    const auto [first, last] = seeds(100);
    Trial trial(stalenessErrors);
    for (std::uint64_t seed = first; seed < last; ++seed) {
        const Scenario whole = randomScenario(seed, {.graph = false, .runnable = true});
        for (std::size_t j = 0; j < whole.jobs.size(); ++j) {
            auto scenario = alone(whole, j, 1);
            if (!scenario || scenario->jobs[0].keyedAccess()) continue;
            scenario->network = NetworkModel::flow;
            scenario->jobs[0].synchronization = {"async", {}}; // the one under which most is stale
            if (auto* work = std::get_if<TrainedWork>(&scenario->jobs[0].work)) work->secondsPerUpdate = 0;
            if (auto* work = std::get_if<AnalyticWork>(&scenario->jobs[0].work)) work->secondsPerUpdate = 0;
            trial.take(seed, *scenario);
        }
    }
    qInfo("%d jobs", trial.taken());
    QVERIFY(trial.taken() > 0);
    QCOMPARE(trial.failed(), 0);
}

void tst_RandomRuns::ratesAreThoseOfFlow() {
    const auto [first, last] = seeds(100);
    Trial trial(rateErrors);
    for (std::uint64_t seed = first; seed < last; ++seed) {
        const Scenario whole = randomScenario(seed, {.graph = false, .runnable = true});
        for (std::size_t j = 0; j < whole.jobs.size(); ++j) {
            auto scenario = alone(whole, j, static_cast<int>(seed % 4));
            if (!scenario) continue;
            makeSteady(*scenario);
            trial.take(seed, *scenario);
        }
    }
    qInfo("%d jobs", trial.taken());
    QVERIFY(trial.taken() > 0);
    QCOMPARE(trial.failed(), 0);
}

TRAINYARD_TEST(tst_RandomRuns)
#include "tst_RandomRuns.moc"
