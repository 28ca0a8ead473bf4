// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs that cannot end well are stopped at limits of events, computing time and memory, and keep what they have done; what a run
// would refuse is found before it, with its place in the document.
#include "base/Memory.h"
#include "run/CliProcess.h"
#include "run/Headless.h"
#include "run/LimitGuard.h"
#include "run/RunSession.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunRecord.h"
#include "scenario/RunRequirements.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::test;

class tst_RunLimits : public QObject {
    Q_OBJECT
private slots:
    void eventsAreCountedExactly();
    void aLimitThatIsNotReachedChangesNothing();
    void unrecordedEventsCount();
    void computingTimeEnds_data();
    void computingTimeEnds();
    void pausesAreNoComputing();
    void memoryEnds();
    void limitsHoldWithinAnEvent_data();
    void limitsHoldWithinAnEvent();
    void limitsHoldWhilePreparing();
    void sizesAreCountedFirst();
    void timeThatStandsStill();
    void validationEnds();
    void executionsEndToo();
    void headlessRunsSayWhy();
    void guardByHand();
    void placesOfRefusals();
    void refusalsSayWhereTheyEnd();
    void sizesBeyondMemory();
    void jobsTogetherBeyondMemory();
    void noMemoryToJudge();
    void placesThatWereSet();
    void recordsWithOtherLimits();
    void threadsOfExecutions();
};

namespace {

/// Updates without end, none of which takes time.
Scenario endless() {
    Scenario s = tinyScenario(1'000'000'000'000);
    std::get<AnalyticWork>(s.jobs[0].work).secondsPerSample = 0;
    s.jobs.resize(1);
    return s;
}

/// A link that fails and comes back each nanosecond or so, for the tasks of nobody.
Scenario flapping() {
    Scenario s = tinyScenario();
    s.jobs.resize(1);
    s.jobs[0].arrival = SimTime::seconds(1e6);
    s.faults = {{.target = Fault::Target::link,
                 .key = s.cluster.links[0].key,
                 .repairAfterSeconds = 1e-9,
                 .meanSecondsBetween = 1e-9}};
    return s;
}

struct Ended {
    RunStatus status{};
    std::string code;
    std::string message;
    std::size_t events = 0;
    RunRecord record;
};

Ended ended(Scenario scenario, RunMode mode = RunMode::simulate) {
    RunRequest request = requestFor(std::move(scenario));
    request.mode = mode;
    RunSession session(std::move(request));
    session.wait();
    const auto frame = session.frame();
    Ended out{.status = frame->status, .events = session.log() ? session.log()->size() : 0};
    if (!frame->problems.empty()) {
        out.code = frame->problems.front().code;
        out.message = frame->problems.front().text();
    }
    if (frame->state) out.record = recordOf(session, "tiny.json");
    return out;
}

Job trained(const char* key, Choice model, Choice data, Choice optimizer) {
    Job job = tinyScenario().jobs[0];
    job.key = key;
    job.work = TrainedWork{.model = std::move(model), .dataset = std::move(data), .optimizer = std::move(optimizer)};
    return job;
}

} // namespace

void tst_RunLimits::eventsAreCountedExactly() {
    const Ended whole = ended(tinyScenario());
    QCOMPARE(whole.status, RunStatus::finished);
    QVERIFY(whole.events > 300);
    for (const std::int64_t most : {1, 7, 100}) {
        Scenario s = tinyScenario();
        s.limits.events = most;
        const Ended cut = ended(s);
        QCOMPARE(cut.status, RunStatus::stopped);
        QCOMPARE(cut.code, std::string("limit"));
        QVERIFY(!cut.record.complete);
        QVERIFY(cut.record.failure.find("limit of " + std::to_string(most) + " events") != std::string::npos);
        QVERIFY(cut.events >= std::size_t(most) && cut.events < std::size_t(most) + 16); // of one instant's step
        for (std::size_t i = 0; i < cut.events; ++i)
            QVERIFY((*cut.record.log)[i] == (*whole.record.log)[i]); // what was done is kept
        QCOMPARE(ended(s).record.digest, cut.record.digest);
    }
}

void tst_RunLimits::aLimitThatIsNotReachedChangesNothing() {
    Scenario s = tinyScenario();
    s.limits = {.events = 1'000'000, .wallSeconds = 600, .memoryGigabytes = 1000};
    const Ended out = ended(s);
    QCOMPARE(out.status, RunStatus::finished);
    QCOMPARE(out.record.digest, ended(tinyScenario()).record.digest);
}

void tst_RunLimits::unrecordedEventsCount() {
    Scenario s = flapping();
    s.limits.events = 20'000;
    QCOMPARE(ended(s).code, std::string("limit"));
}

void tst_RunLimits::computingTimeEnds_data() {
    QTest::addColumn<bool>("flaps");
    QTest::newRow("updates without time") << false;
    QTest::newRow("a flapping link") << true;
}

void tst_RunLimits::computingTimeEnds() {
    QFETCH(bool, flaps);
    Scenario s = flaps ? flapping() : endless();
    s.limits.wallSeconds = 0.2;
    const Ended out = ended(s);
    QCOMPARE(out.status, RunStatus::stopped);
    QCOMPARE(out.code, std::string("limit"));
    QVERIFY(out.record.failure.find("0.2 s of computing") != std::string::npos);
    QVERIFY(out.events > 100);
}

void tst_RunLimits::pausesAreNoComputing() {
    Scenario s = tinyScenario();
    s.limits.wallSeconds = 5;
    RunRequest request = requestFor(s);
    request.paused = true;
    RunSession session(std::move(request));
    QVERIFY(!session.waitFor(std::chrono::milliseconds(300)));
    session.step(StepKind::event);
    QTRY_VERIFY(session.log() && session.log()->size() > 0);
    QTRY_COMPARE(session.frame()->status, RunStatus::paused);
    LimitGuard guard({.wallSeconds = 1e-3});
    {
        LimitGuard longer({.wallSeconds = 1000}, {}, std::chrono::seconds(999));
        const LimitGuard::Pause pause(longer);
        QTest::qWait(1200);
        QVERIFY(!longer.reached()); // however long ago it was made
    }
    QTRY_VERIFY(guard.reached() && guard.token().stop_requested());
    session.resume();
    session.wait();
    QCOMPARE(session.frame()->status, RunStatus::finished);
}

void tst_RunLimits::memoryEnds() {
    Scenario s = endless();
    s.limits.memoryGigabytes = 1e-3; // the program takes more already
    const Ended out = ended(s);
    QCOMPARE(out.status, RunStatus::stopped);
    QCOMPARE(out.code, std::string("limit"));
    QVERIFY(out.message.find("0.001 GB of memory") != std::string::npos); // a slow thread ends before it has a record
}

void tst_RunLimits::limitsHoldWithinAnEvent_data() {
    QTest::addColumn<bool>("executed");
    QTest::newRow("simulated") << false;
    QTest::newRow("executed") << true;
}

// 3e11 bins of a burst chain lie before the end of the first task: minutes and gigabytes within one event.
void tst_RunLimits::limitsHoldWithinAnEvent() {
    QFETCH(bool, executed);
    Scenario s = tinyScenario();
    s.jobs.resize(1);
    for (Machine& machine : s.cluster.machines)
        machine.straggler.burst = Burst{.enter = 1, .leave = 1, .factor = 1e6, .binSeconds = 1e-9};
    s.limits.wallSeconds = 0.3;
    const Ended out = ended(s, executed ? RunMode::execute : RunMode::simulate);
    QCOMPARE(out.status, RunStatus::stopped);
    QCOMPARE(out.code, std::string("limit"));
    QVERIFY(!out.record.complete);
    QVERIFY(memoryInUse().resident < 2e9);
}

void tst_RunLimits::limitsHoldWhilePreparing() {
    Scenario s = tinyScenario();
    JobGenerator generator{.key = "many"};
    generator.count = 1'000'000;
    generator.job = s.jobs[0];
    s.generators = {generator};
    s.limits.wallSeconds = 1e-3;
    const auto request = requestFor(s);
    RunSession session(request);
    session.wait();
    const auto frame = session.frame();
    QCOMPARE(frame->status, RunStatus::stopped);
    QVERIFY(!frame->state); // it was not begun
    QCOMPARE(frame->problems.front().code, std::string("limit"));
    QVERIFY(!session.log());
}

// Each is told with its number before any of them is made.
void tst_RunLimits::sizesAreCountedFirst() {
    const Scenario tiny = tinyScenario();
    JobGenerator generator{.key = "many"};
    generator.count = 1'000'000;
    generator.job = tiny.jobs[0];
    Scenario jobs = tiny, rows = tiny, faults = tiny;
    jobs.generators.assign(10, generator);
    rows.jobs = {
        trained("a", {"logistic-regression", {}},
                {"synthetic-classification", {{"rows", std::int64_t{2'000'000}}, {"features", std::int64_t{100}}}},
                {"sgd", {}})};
    faults.faults.assign(1'000'000, {.target = Fault::Target::machine, .key = "", .atSeconds = 1});
    const std::vector<std::tuple<Scenario*, const char*, const char*>> cases{
        {&jobs, "/generators", "1000000"}, {&rows, "/jobs/0/dataset", "2000000"}, {&faults, "/faults", "failures"}};
    for (const auto& [scenario, pointer, number] : cases) {
        scenario->limits.memoryGigabytes = 0.1;
        const double before = memoryInUse().resident;
        const auto refused = runRefusals(*scenario, ResourcePaths::find({}));
        QVERIFY(memoryInUse().resident - before < 1e8);
        QCOMPARE(refused.size(), std::size_t{1});
        qInfo("%s", refused[0].text().c_str());
        QCOMPARE(refused[0].code, std::string("beyond-memory"));
        QCOMPARE(refused[0].pointer, std::string(pointer));
        QVERIFY(refused[0].text().find(number) != std::string::npos);
        QVERIFY(refused[0].text().find("0.1 GB of memory") != std::string::npos);
        const auto request = requestFor(*scenario);
        const auto made = Simulation::create({request.scenario, request.registry, request.resources});
        QVERIFY(!made);
        QCOMPARE(made.problems().front().code, std::string("beyond-memory"));
        scenario->limits.memoryGigabytes = 1000;
    }
    QVERIFY(runRefusals(rows, ResourcePaths::find({})).empty());
}

// A limit of seconds to which updates without time never come: said before, and such a run fails instead of filling the memory.
void tst_RunLimits::timeThatStandsStill() {
    Scenario s = tinyScenario();
    s.jobs.resize(1);
    s.jobs[0].servers = {0, 0};
    s.jobs[0].stop = {.seconds = 5};
    auto& work = std::get<AnalyticWork>(s.jobs[0].work);
    work.secondsPerSample = 0;
    const auto warned = [](const Scenario& scenario) {
        return std::ranges::count(validateScenario(scenario, Registry::builtin()), std::string("no-time"),
                                  &Problem::code);
    };
    QCOMPARE(warned(s), 1);
    const Ended out = ended(s);
    QCOMPARE(out.status, RunStatus::failed);
    QVERIFY2(out.record.failure.find("time does not advance") != std::string::npos, out.record.failure.c_str());
    // Any of these makes time pass, or ends it.
    for (int way = 0; way < 5; ++way) {
        Scenario other = s;
        auto& changed = std::get<AnalyticWork>(other.jobs[0].work);
        if (way == 0) changed.secondsPerSample = 1e-3;
        if (way == 1) changed.secondsPerUpdate = 0.1;
        if (way == 2) other.jobs[0].stop.iterations = 100;
        if (way >= 3) { // on two machines
            other.jobs[0].workers = other.jobs[0].servers = {1, 1};
            for (Machine& machine : other.cluster.machines) machine.capacity = ResourceVector::of({1});
        }
        if (way == 4) {
            changed.parameterBytes = 0;
            for (Machine& machine : other.cluster.machines)
                machine.straggler.delay = Distribution{.law = Law::constant, .value = 0.1};
        }
        QCOMPARE(warned(other), 0);
        const Ended end = ended(other);
        QVERIFY2(end.status == RunStatus::finished,
                 qPrintable(QStringLiteral("%1: %2").arg(way).arg(end.record.failure.c_str())));
    }
}

// Ten million ratings take seconds to be drawn.
void tst_RunLimits::validationEnds() {
    const QTemporaryDir directory;
    const std::string file = directory.filePath("many.json").toStdString();
    Scenario s = tinyScenario();
    s.jobs = {trained(
        "a", {"matrix-factorization", {}},
        {"synthetic-ratings",
         {{"users", std::int64_t{1'000'000}}, {"items", std::int64_t{1'000'000}}, {"rows", std::int64_t{10'000'000}}}},
        {"sgd", {}})};
    QVERIFY(writeFileAtomically(file, writeScenario(s)).empty());
    for (const QStringList& limits : {QStringList{QStringLiteral("--max-wall"), QStringLiteral("0.01")},
                                      QStringList{QStringLiteral("--max-memory"), QStringLiteral("0.2")}}) {
        const CliAnswer answer = cli(QStringList{QStringLiteral("validate"), QString::fromStdString(file)} + limits);
        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.err.find("beyond the limit of " + limits[1].toStdString()) != std::string::npos,
                 answer.err.c_str());
    }
}

void tst_RunLimits::executionsEndToo() {
    for (const bool byEvents : {true, false}) {
        Scenario s = tinyScenario(1'000'000'000);
        if (byEvents)
            s.limits.events = 200;
        else
            s.limits.wallSeconds = 0.3;
        const Ended out = ended(s, RunMode::execute);
        QCOMPARE(out.status, RunStatus::stopped);
        QCOMPARE(out.code, std::string("limit"));
        if (byEvents) QVERIFY(out.events >= 200);
    }
}

void tst_RunLimits::headlessRunsSayWhy() {
    Scenario s = endless();
    s.limits.events = 1000;
    const auto request = requestFor(s);
    const SimulationOptions options{.scenario = request.scenario,
                                    .registry = request.registry,
                                    .resources = request.resources,
                                    .seed = 5,
                                    .threads = 1};
    for (const auto& outcome : {simulateOnce(options, {}), executeOnce(options, {})}) {
        QVERIFY(!outcome);
        QCOMPARE(outcome.problems().front().code, std::string("limit"));
    }
}

void tst_RunLimits::guardByHand() {
    QVERIFY(memoryOfMachine() > 1e8);
    const MemoryInUse before = memoryInUse();
    QVERIFY(before.resident > 1e6 && before.addresses >= before.resident && before.resident < memoryOfMachine());
    const std::vector<char> block(200'000'000, 'x');
    QVERIFY(memoryInUse().resident > before.resident + 1.5e8);
    const LimitGuard unbounded({}, {}, std::chrono::hours(1000)), small({.memoryGigabytes = 0.1});
    QTRY_VERIFY(small.reached());
    QVERIFY(!unbounded.reached()); // by default only memory is bounded
    std::stop_source stop;
    const LimitGuard stopped({}, stop.get_token());
    QVERIFY(!stopped.token().stop_requested());
    stop.request_stop();
    QVERIFY(stopped.token().stop_requested() && !stopped.reached());
    QCOMPARE(block[block.size() / 2], 'x');
}

// One problem for all jobs of a template, at the place of the template; jobs are named by their places in the document, not in the
// order of their arrival.
void tst_RunLimits::placesOfRefusals() {
    Scenario s = tinyScenario();
    const Choice digits{"digits", {}}, sgd{"sgd", {}}, ratings{"matrix-factorization", {}};
    s.jobs[0].arrival = SimTime::seconds(100);
    s.jobs.push_back(trained("c", ratings, digits, sgd));
    s.jobs.push_back(trained("d", {"logistic-regression", {{"positive_class", std::int64_t{33}}}}, digits, sgd));
    s.jobs.push_back(trained("e", {"softmax", {}}, digits, {"boosting", {}}));
    s.jobs.push_back(trained("f", {"no such model", {}}, digits, sgd)); // of the checks
    JobGenerator generator{.key = "g-1"};
    generator.count = 40;
    generator.job = trained("", {"softmax", {}}, digits, sgd);
    generator.others.push_back({.job = trained("", ratings, {"wine", {}}, sgd)});
    s.generators = {{.key = "empty"}, generator};
    s.generators[0].count = 0;
    std::vector<std::string> places;
    for (const Problem& problem : runRefusals(s, ResourcePaths::find({}))) places.push_back(problem.pointer);
    std::sort(places.begin(), places.end());
    QCOMPARE(places, (std::vector<std::string>{"/generators/1/other_jobs/0/job/model/id", "/jobs/2/model/id",
                                               "/jobs/3/model/parameters/positive_class", "/jobs/4/optimizer/id"}));
    const auto workload = expandWorkload(s, 9);
    const JobPlaces jobPlaces(s, 9);
    std::size_t first = 0, second = 0;
    for (const Job& job : workload->jobs) {
        const std::string place = jobPlaces.of(job);
        if (place == "/generators/1/job")
            QCOMPARE(std::get<TrainedWork>(job.work).model.id, (++first, std::string("softmax")));
        else if (place == "/generators/1/other_jobs/0/job")
            QCOMPARE(std::get<TrainedWork>(job.work).model.id, (++second, ratings.id));
        else
            QCOMPARE(s.jobs[static_cast<std::size_t>(std::stoi(place.substr(6)))].key, job.key);
    }
    QVERIFY(first > 5 && second > 5 && first + second == 40);

    // and the engine refuses the same
    const auto made = makeTrainingProblems(s, *workload, 9, ResourcePaths::find({}));
    QVERIFY(!made);
    QCOMPARE(made.problems().size(), std::size_t{5}); // the unknown model, too
}

void tst_RunLimits::refusalsSayWhereTheyEnd() {
    Scenario s = tinyScenario();
    s.jobs.clear();
    for (int i = 0; i < 150; ++i)
        s.jobs.push_back(
            trained(("j" + std::to_string(i)).c_str(), {"matrix-factorization", {}}, {"digits", {}}, {"sgd", {}}));
    const Problems refused = runRefusals(s, ResourcePaths::find({}));
    QCOMPARE(refused.size(), std::size_t{101});
    QCOMPARE(refused.back().code, std::string("more-problems"));
    QCOMPARE(refused.back().pointer, refused[99].pointer);
    s.jobs.resize(99);
    QCOMPARE(runRefusals(s, ResourcePaths::find({})).size(), std::size_t{99});
}

void tst_RunLimits::sizesBeyondMemory() {
    Scenario s = tinyScenario();
    s.jobs = {
        trained("a", {"plsa", {{"topics", std::int64_t{1000}}}},
                {"synthetic-documents",
                 {{"documents", std::int64_t{10}}, {"words", std::int64_t{1'000'000}}, {"length", std::int64_t{1}}}},
                {"em", {}})};
    s.jobs[0].workers = {100'000, 100'000};
    const auto refused = runRefusals(s, ResourcePaths::find({}));
    QVERIFY(!refused.empty());
    qInfo("%s", refused[0].text().c_str());
    QCOMPARE(refused[0].code, std::string("beyond-memory"));
    QCOMPARE(refused[0].pointer, std::string("/jobs/0/model"));
}

// The order of the rows of each job, 4 MB, for as many jobs as take a fifth more than there is: none of it is kept while it is judged.
void tst_RunLimits::jobsTogetherBeyondMemory() {
    Scenario s = tinyScenario();
    s.jobs.clear();
    JobGenerator generator{.key = "many"};
    generator.count = static_cast<int>(1.2 * memoryOfMachine() / 4e6);
    generator.job = trained(
        "", {"linear-regression", {}},
        {"synthetic-regression", {{"rows", std::int64_t{1'000'000}}, {"features", std::int64_t{1}}}}, {"sgd", {}});
    s.generators = {generator};
    const double before = memoryInUse().resident;
    const auto refused = runRefusals(s, ResourcePaths::find({}));
    QVERIFY2(memoryInUse().resident - before < 1e9, qPrintable(QString::number(memoryInUse().resident - before)));
    QCOMPARE(refused.size(), std::size_t{1});
    qInfo("%s", refused[0].text().c_str());
    QCOMPARE(refused[0].code, std::string("beyond-memory"));
    QCOMPARE(refused[0].pointer, std::string("/generators/0/job/dataset"));
    s.generators[0].count /= 2;
    QVERIFY(runRefusals(s, ResourcePaths::find({})).empty());
}

// Two million rows of a hundred features, in a program that may have 600 MB: said, not aborted.
void tst_RunLimits::noMemoryToJudge() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("sanitizers take more addresses than the limit");
#endif
    const QTemporaryDir directory;
    const std::string file = directory.filePath("big.json").toStdString();
    Scenario s = tinyScenario();
    s.jobs = {
        trained("a", {"logistic-regression", {}},
                {"synthetic-classification", {{"rows", std::int64_t{2'000'000}}, {"features", std::int64_t{100}}}},
                {"sgd", {}})};
    QVERIFY(writeFileAtomically(file, writeScenario(s)).empty());
    const CliAnswer answer =
        bash(QStringLiteral("ulimit -v 600000; exec \"$0\" validate \"$1\""), {QString::fromStdString(file)});
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.find("does not fit into memory") != std::string::npos, answer.err.c_str());
}

// The line of the file says what --set replaced: it is not named.
void tst_RunLimits::placesThatWereSet() {
    const QString file = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json");
    const auto said = [&](const char* set) {
        return QString::fromStdString(cli({"run", file, "--set", QString::fromLatin1(set)}).err);
    };
    const QString changed = said("/jobs/0/optimizer/id=boosting"), elsewhere = said("/jobs/0/model/id=boosted-trees");
    QVERIFY2(changed.contains("/jobs/0/optimizer/id") && !changed.contains("json:"), qPrintable(changed));
    QVERIFY2(elsewhere.contains("json:") && elsewhere.contains("/jobs/0/optimizer/id"), qPrintable(elsewhere));
}

void tst_RunLimits::recordsWithOtherLimits() {
    const QTemporaryDir directory;
    const QString out = directory.filePath("run");
    const QString file = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json");
    QCOMPARE(cli({"run", file, "--max-events", "100", "--no-charts", "--out", out}).status, 1);
    QCOMPARE(cli({"run", out}).status, 1); // the same again, with its limit
    const CliAnswer longer = cli({"run", out, "--max-events", "10000000"});
    QVERIFY2(longer.status == 0 && longer.err.find("not reproduced") == std::string::npos, longer.err.c_str());
}

void tst_RunLimits::threadsOfExecutions() {
    Scenario s = tinyScenario();
    s.jobs[0].arrival = SimTime::seconds(100); // second in the workload
    s.jobs[0].workers = {2, 5000};
    QVERIFY(runRefusals(s, {}).empty());
    s.mode = RunMode::execute;
    const auto refused = runRefusals(s, {});
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused[0].code, std::string("too-many-threads"));
    QCOMPARE(refused[0].pointer, std::string("/jobs/0/workers"));
    JobGenerator generator{.key = "many"};
    generator.count = 5000;
    generator.job = s.jobs[0];
    s.generators = {generator};
    QCOMPARE(runRefusals(s, {}).size(), std::size_t{2}); // one for the template
}

TRAINYARD_TEST(tst_RunLimits)
#include "tst_RunLimits.moc"
