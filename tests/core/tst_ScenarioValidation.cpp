// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What only the whole scenario can tell: references, fit, reach, policies, models. And that nothing right is
// refused.
#include "base/Random.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>

#include <cmath>
#include <limits>
#include <set>

using namespace trainyard;

class tst_ScenarioValidation : public QObject {
    Q_OBJECT
private slots:
    void acceptsAGoodScenario();
    void refuses_data();
    void refuses();
    void refusesWhatTheProgramSetOutOfRange();
    void warnsOfWhatNeverHappens();
    void warnsOfLossesThatAreNeverReached();
    void warnsOfRungsThatNobodyReaches();
    void refusesWhereNothingCanRun();
    void warnsOfUnevenBatches();
    void warnsOfRoundsWithoutMean_data();
    void warnsOfRoundsWithoutMean();
    void warnsOfBias_data();
    void warnsOfBias();
    void sameShapesAreJudgedForEachJob();
    void jobsAreJudgedTogetherAsAlone();
    void shippedScenariosAreValid();
};

namespace {

Scenario good() {
    Scenario s;
    s.cluster.resourceNames = {"cpu", "gpu"};
    s.cluster.devices = {{"fast", 2}};
    s.cluster.racks = {{"r", ""}};
    s.cluster.switches = {{.key = "s", .rack = "r"}};
    for (int i = 1; i <= 3; ++i) {
        const std::string key = "m" + std::to_string(i);
        s.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({4, 1}), .rack = "r"});
        s.cluster.links.push_back({.key = key + "--s", .from = key, .to = "s"});
    }
    Job job{.key = "a"};
    job.workerDemand = ResourceVector::of({2, 0.5});
    job.serverDemand = ResourceVector::of({1});
    job.workers = {2, 3};
    job.stop.iterations = 10;
    TrainedWork work;
    work.model.id = "softmax";
    work.dataset.id = "iris";
    work.optimizer.id = "sgd";
    job.work = work;
    s.jobs.push_back(job);
    job.key = "b";
    job.work = AnalyticWork{};
    s.jobs.push_back(job);
    return s;
}

GraphWork chain() {
    GraphWork work;
    work.graph.operations = {{.name = "x", .forwardSeconds = 1}, {.name = "y"}, {.name = "z"}};
    work.graph.dependencies = {{0, 1}, {1, 2}};
    return work;
}

QStringList found(const Scenario& s) {
    QStringList out;
    for (const auto& problem : validateScenario(s, Registry::builtin())) out += QString::fromStdString(problem.text());
    return out;
}

using Change = std::function<void(Scenario&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

void tst_ScenarioValidation::acceptsAGoodScenario() {
    QCOMPARE(found(good()), QStringList());
    Scenario s = good();
    s.jobs[0].work = chain();
    s.jobs[0].stop = {};
    QCOMPARE(found(s), QStringList());
    QCOMPARE(found(Scenario{}), QStringList()); // a new document is no mistake
}

void tst_ScenarioValidation::refuses_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* name, Change change, QStringList expected) {
        QTest::newRow(name) << change << expected;
    };
    row("machine id twice",
        [](Scenario& s) {
            s.cluster.machines[1].key = "m1";
            s.cluster.links.erase(s.cluster.links.begin() + 1);
        },
        {"/cluster/machines/1/id: the id \"m1\" is used several times; each machine or switch "
         "needs its own"});
    row("switch called like a machine", [](Scenario& s) { s.cluster.switches.push_back({.key = "m1"}); },
        {"/cluster/machines/0/id: the id \"m1\" is used several times; each machine or switch "
         "needs its own"});
    row("job id twice", [](Scenario& s) { s.jobs[1].key = "a"; },
        {"/jobs/1/id: the id \"a\" is used several times; each job needs its own"});
    row("empty id", [](Scenario& s) { s.jobs[1].key = ""; }, {"/jobs/1/id: the id of a job must not be empty"});
    row("link twice", [](Scenario& s) { s.cluster.links.push_back(s.cluster.links[0]); },
        {"/cluster/links/3/id: the id \"m1--s\" is used several times; each link needs its own"});
    row("link to nowhere", [](Scenario& s) { s.cluster.links.push_back({.key = "x", .from = "m4", .to = "tor"}); },
        {"/cluster/links/3/from: there is no machine or switch \"m4\"; did you mean \"m1\"?",
         "/cluster/links/3/to: there is no machine or switch \"tor\"; there are m1, m2, m3, s"});
    row("link to itself", [](Scenario& s) { s.cluster.links.push_back({.key = "x", .from = "s", .to = "s"}); },
        {"/cluster/links/3/to: a link must join two different nodes"});
    row("unknown rack", [](Scenario& s) { s.cluster.machines[2].rack = "rack-7"; },
        {"/cluster/machines/2/rack: there is no rack \"rack-7\"; there are r"});
    row("unknown device", [](Scenario& s) { s.cluster.machines[2].device = "fsat"; },
        {"/cluster/machines/2/device: there is no device \"fsat\"; did you mean \"fast\"?"});
    row("measured law without quantiles",
        [](Scenario& s) { s.cluster.machines[0].straggler.factor = {.law = Law::empirical}; },
        {"/cluster/machines/0/straggler/factor/quantiles: \"quantiles\" must list at least the minimum and the maximum"});
    row("measured law of one quantile",
        [](Scenario& s) {
            s.cluster.machines[0].straggler.delay = Distribution{.law = Law::empirical, .quantiles = {1}};
        },
        {"/cluster/machines/0/straggler/delay_s/quantiles: \"quantiles\" must list at least the minimum and the maximum"});
    row("unknown storage", [](Scenario& s) { s.cluster.storage = "nas"; },
        {"/cluster/storage: there is no machine or switch \"nas\"; there are m1, m2, m3, s"});
    row("unreachable machine", [](Scenario& s) { s.cluster.links.pop_back(); },
        {"/jobs/0: tasks of this job could be placed on \"m1\" and \"m3\", but no links lead from one to the "
         "other",
         "/jobs/1: tasks of this job could be placed on \"m1\" and \"m3\", but no links lead from one to the "
         "other"});
    row("unreachable storage",
        [](Scenario& s) {
            s.cluster.switches.push_back({.key = "nas"});
            s.cluster.storage = "nas";
        },
        {"/cluster/storage: no links lead from machine \"m1\" to the storage \"nas\""});
    row("task larger than any machine", [](Scenario& s) { s.jobs[0].workerDemand = ResourceVector::of({8}); },
        {"/jobs/0/worker_demand: no machine has room for a worker of this job, which needs cpu 8; it can "
         "never run"});
    row("too many tasks",
        [](Scenario& s) {
            s.jobs[0].workers = {7, 9};
            std::get<TrainedWork>(s.jobs[0].work).batch = 1;
        },
        {"/jobs/0/workers: the empty cluster has room for only 6 of the 7 worker tasks that the "
         "job needs at least; it can never run"});
    // 6 workers fill all cpus, 3 servers alone would fit as well, but not beside them.
    row("tasks that exclude each other",
        [](Scenario& s) {
            s.jobs[0].workers = {6, 6};
            s.jobs[0].servers = {3, 3};
            std::get<TrainedWork>(s.jobs[0].work).batch = 1;
        },
        {"/jobs/0: 6 workers (cpu 2, gpu 0.5 each) and 3 servers (cpu 1 each) do not fit together on the "
         "empty cluster; the job can never run"});
    row("no machines",
        [](Scenario& s) {
            s.cluster = {};
            s.jobs.pop_back();
            s.jobs[0].workerDemand = s.jobs[0].serverDemand = {};
        },
        {"/jobs/0: the cluster has no machines; the job can never run"});
    row("no stopping rule", [](Scenario& s) { s.jobs[1].stop = {}; },
        {"/jobs/1/stop: the job would never end; set at least one of iterations, epochs, loss, "
         "seconds in \"stop\""});
    row("graph with a cycle",
        [](Scenario& s) {
            GraphWork work = chain();
            work.graph.dependencies.push_back({2, 0});
            s.jobs[0].work = work;
        },
        {"/jobs/0/graph/dependencies: the dependencies form a cycle; every operation must come "
         "after those that it depends on"});
    row("graph of nothing", [](Scenario& s) { s.jobs[0].work = GraphWork{}; },
        {"/jobs/0/graph/operations: a graph needs at least one operation"});
    row("graph that takes no time",
        [](Scenario& s) {
            GraphWork work = chain();
            work.graph.operations[0].forwardSeconds = 0;
            s.jobs[0].work = work;
        },
        {"/jobs/0/graph/operations: all operations together take less than a nanosecond; give at least one a greater "
         "\"forward_s\""});
    row("factor that leaves no time",
        [](Scenario& s) {
            s.graphs.push_back({.key = "g", .graph = {}, .shipped = "mlp", .timeFactor = 1e-9});
            s.graphs.push_back({.key = "h", .graph = {}, .shipped = "mlp", .timeFactor = 0.5});
        },
        {"/graphs/0/time_factor: with this factor all operations together take less than a nanosecond"});
    row("growing loss",
        [](Scenario& s) {
            std::get<AnalyticWork>(s.jobs[1].work).curve = {.family = LossCurve::Family::geometric, .b = 1.5};
        },
        {"/jobs/1/loss_curve/b: the base \"b\" of a geometric curve must be at most 1, or the loss would "
         "grow"});
    row("unknown model", [](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).model.id = "sofmax"; },
        {"/jobs/0/model/id: there is no model \"sofmax\"; try \"softmax\""});
    row("unknown data set", [](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).dataset.id = "irsi"; },
        {"/jobs/0/dataset/id: there is no data set \"irsi\"; try \"iris\""});
    row("unknown optimizer", [](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).optimizer.id = "sdg"; },
        {"/jobs/0/optimizer/id: there is no optimizer \"sdg\"; try \"sgd\""});
    row("optimizer's parameter out of range",
        [](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).optimizer.parameters["learning_rate"] = -1.0; },
        {"/jobs/0/optimizer/parameters/learning_rate: \"learning_rate\" is -1; it must lie between *"});
    row("parameter beyond a great bound",
        [](Scenario& s) {
            s.policies.synchronization = {"fastest-k", {{"k", std::int64_t{99'999'999}}}};
        },
        {"/policies/synchronization/parameters/k: \"k\" is 99999999; it must lie between 1 and 100000"});
    row("unknown policy", [](Scenario& s) { s.policies.scheduler.id = "fifi"; },
        {"/policies/scheduler/id: there is no scheduler policy \"fifi\"; known are *"});
    row("unknown metric",
        [](Scenario& s) {
            s.expect = {{"makespam_s", 0, 1}};
        },
        {"/expect/makespam_s: there is no metric \"makespam_s\"; did you mean \"makespan_s\"?"});
    row("unknown parameter", [](Scenario& s) { s.policies.synchronization.parameters["k"] = std::int64_t{3}; },
        {"/policies/synchronization/parameters/k: there is no parameter \"k\"*"});
    row("unknown policy of a job", [](Scenario& s) { s.jobs[1].synchronization.id = "bsp"; },
        {"/jobs/1/synchronization/id: there is no synchronization policy \"bsp\"; known are *"});
    row("an update law without division", [](Scenario& s) { std::get<AnalyticWork>(s.jobs[1].work).law = UpdateLaw{}; },
        {"/jobs/1/update_law: an update law divides the batch among the workers; say \"batch_of\": \"job\""});
    row("two laws",
        [](Scenario& s) {
            auto& work = std::get<AnalyticWork>(s.jobs[1].work);
            work.batchOf = BatchOf::job;
            work.law = UpdateLaw{};
            work.rates = LocalityRates{};
        },
        {"/jobs/1/locality_rates: give either update_law or locality_rates; both say how long workers compute"});
    row("laws out of range",
        [](Scenario& s) {
            auto& work = std::get<AnalyticWork>(s.jobs[1].work);
            work.batchOf = BatchOf::job;
            work.law = UpdateLaw{-1, 0, -2};
        },
        {"/jobs/1/update_law/fixed_s: *", "/jobs/1/update_law/divided_s: *", "/jobs/1/update_law/per_worker_s: *"});
    row("servers that do not go with the workers", [](Scenario& s) { s.jobs[1].workersPerServer = 2; },
        {"/jobs/1/workers_per_server: 2 to 3 workers with 2 for each server have 1 to 2 servers, but \"servers\" allows 1 to 1"});
    row("no workers for a server", [](Scenario& s) { s.jobs[1].workersPerServer = 0; },
        {"/jobs/1/workers_per_server: *"});
    row("a deadline before the arrival", [](Scenario& s) { s.jobs[1].deadlineSeconds = -1; },
        {"/jobs/1/deadline_s: *"});
    row("curves",
        [](Scenario& s) {
            s.curves = {{"holes", {0, 1, 2}, {3, 2}}, {"falling", {0, 5, 4}, {3, 2, 1}}, {"late", {1, 2}, {3, 2}}};
            auto& curve = std::get<AnalyticWork>(s.jobs[1].work).curve;
            curve.family = LossCurve::Family::recorded;
            curve.name = "hole";
        },
        {"/curves/0/losses: a recorded curve needs one loss per update; there are 2 losses and 3 updates",
         "/curves/1/updates/2: the updates of a recorded curve begin with 0 and rise; number 3 does not",
         "/curves/2/updates/0: the updates of a recorded curve begin with 0 and rise; number 1 does not",
         "/jobs/1/loss_curve/curve: there is no curve \"hole\"; did you mean \"holes\"?"});
    row("variants",
        [](Scenario& s) {
            s.variants = {{"v", "", PolicyFamily::scheduler, {"fifo", {}}},
                          {"v", "", PolicyFamily::partitioner, {"fifo", {}}}};
        },
        {"/variants/1/name: the id \"v\" is used several times; each variant needs its own",
         "/variants/1/id: there is no partitioner policy \"fifo\"; known are *"});
    row("fault of an unknown machine", [](Scenario& s) { s.faults = {{.key = "m9", .atSeconds = 1}}; },
        {"/faults/0/machine: there is no machine \"m9\"; did you mean \"m1\"?"});
    row("fault of an unknown link",
        [](Scenario& s) { s.faults = {{.target = Fault::Target::link, .key = "m1--t", .atSeconds = 1}}; },
        {"/faults/0/link: there is no link \"m1--t\"; did you mean \"m1--s\"?"});
    row("single fault of all", [](Scenario& s) { s.faults = {{.atSeconds = 1}}; },
        {"/faults/0: faults of \"*\" need \"mean_between_s\"; a single fault names one machine "
         "or link by its id"});
    row("single and repeated", [](Scenario& s) { s.faults = {{.atSeconds = 1, .meanSecondsBetween = 9}}; },
        {"/faults/0/at_s: a fault is either single (\"at_s\") or repeated (\"mean_between_s\"), not both"});
    row("generated id twice",
        [](Scenario& s) {
            JobGenerator g{.key = "a", .count = 3};
            g.job = s.jobs[1];
            s.jobs[1].key = "a-2";
            g.job.key = "";
            s.generators = {g};
        },
        {"/generators/0/id: this generator creates a job \"a-2\", but that id exists already"});
    row("generated jobs without end",
        [](Scenario& s) {
            JobGenerator g{.key = "g"};
            g.job = s.jobs[1];
            g.job.key = "";
            g.job.stop = {};
            s.generators = {g};
        },
        {"/generators/0/job/stop: the job would never end; set at least one of iterations, "
         "epochs, loss, seconds in \"stop\""});
    row("draw of what is not there",
        [](Scenario& s) {
            JobGenerator g{.key = "g"};
            g.job = s.jobs[0];
            g.job.key = "";
            g.draws["samples"] = {};
            s.generators = {g};
        },
        {"/generators/0/draws/samples: jobs of this kind have no \"samples\" to draw"});
    row("another template, wrong in three ways",
        [](Scenario& s) {
            JobGenerator g{.key = "g"};
            g.job = s.jobs[1];
            g.job.key = "";
            g.draws["samples"] = {}; // of the analytic one
            g.draws["deadline_s"] = {};
            JobTemplate other{.weight = -1, .job = s.jobs[0], .draws = {}};
            other.job.key = "";
            other.job.stop = {};
            other.draws["theta1"] = {};
            g.others = {other};
            s.generators = {g};
        },
        {"/generators/0/other_jobs/0/weight: *", "/generators/0/other_jobs/0/job/stop: the job would never end; *",
         "/generators/0/other_jobs/0/draws/theta1: jobs of this kind have no \"theta1\" to draw"});
}

void tst_ScenarioValidation::refuses() {
    QFETCH(Change, change);
    QFETCH(QStringList, expected);
    Scenario s = good();
    change(s);
    const QStringList problems = found(s);
    QCOMPARE(problems.size(), expected.size());
    for (int i = 0; i < problems.size(); ++i) {
        if (expected[i].endsWith('*'))
            QVERIFY2(problems[i].startsWith(expected[i].chopped(1)), qPrintable(problems[i]));
        else
            QCOMPARE(problems[i], expected[i]);
    }
}

/// Values that a file could not hold, set by a form or a script.
void tst_ScenarioValidation::refusesWhatTheProgramSetOutOfRange() {
    Scenario s = good();
    s.jobs[0].weight = -2;
    s.cluster.links[1].bandwidth = std::numeric_limits<double>::quiet_NaN();
    s.jobs[1].workers = {3, 2};
    const QStringList problems = found(s);
    QVERIFY(problems.contains("/jobs/0/weight: \"weight\" is -2; it must be greater than 0"));
    QVERIFY(problems.contains("/cluster/links/1/bandwidth_gbps: \"bandwidth_gbps\" must be a number; for the "
                              "default, leave the key out"));
    QVERIFY(problems.contains("/jobs/1/workers/min: \"min\" is 3 and \"max\" is 2; \"min\" must be at most \"max\""));
}

void tst_ScenarioValidation::warnsOfWhatNeverHappens() {
    Scenario s = good();
    s.horizonSeconds = 10;
    s.jobs[0].arrival = SimTime::seconds(11);
    s.faults = {{.key = "m1", .atSeconds = 12}};
    const Problems problems = validateScenario(s, Registry::builtin());
    QVERIFY(!hasErrors(problems));
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].pointer, std::string("/faults/0/at_s"));
    QCOMPARE(problems[1].pointer, std::string("/jobs/0/arrival_s"));
}

// 2/(k + 1) + 0.5 stays above 0.5; a recorded curve is at 0.25 at its least.
void tst_ScenarioValidation::warnsOfLossesThatAreNeverReached() {
    Scenario s = good();
    s.jobs[0].work = AnalyticWork{};
    s.curves = {{.key = "c", .updates = {0, 1, 2}, .losses = {1, 0.25, 0.5}}};
    auto& work = std::get<AnalyticWork>(s.jobs[0].work);
    for (const bool recorded : {false, true}) {
        work.curve = recorded ? LossCurve{.family = LossCurve::Family::recorded, .name = "c"}
                              : LossCurve{.a = 2, .b = 1, .c = 0.5, .p = 1};
        const double least = recorded ? 0.25 : 0.5;
        s.jobs[0].stop.loss = least + 1e-6;
        QCOMPARE(found(s), QStringList());
        s.jobs[0].stop.loss = least - 1e-6;
        const Problems problems = validateScenario(s, Registry::builtin());
        QVERIFY(!hasErrors(problems));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].pointer, std::string("/jobs/0/stop/loss"));
    }
}

// Jobs of 50 updates. Their losses, evaluated at every update, come to a first rung at 49, not at 50; at every seventh update likewise, the next is 56.
void tst_ScenarioValidation::warnsOfRungsThatNobodyReaches() {
    for (const char* scheduler : {"asha", "hypersched"})
        for (const auto& [every, last] : {std::pair(1, 49.0), {7, 49.0}}) {
            Scenario s = good();
            s.jobs = {s.jobs[0]};
            s.jobs[0].work = AnalyticWork{};
            s.jobs[0].stop = {.iterations = 50};
            std::get<AnalyticWork>(s.jobs[0].work).evaluation.everyIterations = every;
            s.policies.scheduler = {scheduler, {{"grace", last}}};
            QCOMPARE(found(s), QStringList());
            s.policies.scheduler.parameters["grace"] = last + 1;
            const Problems problems = validateScenario(s, Registry::builtin());
            QVERIFY(!hasErrors(problems));
            QCOMPARE(problems.size(), std::size_t{1});
            QCOMPARE(problems[0].pointer, std::string("/policies/scheduler/parameters/grace"));
            s.policies.scheduler.parameters["rungs"] = std::int64_t{0}; // as is wanted
            QCOMPARE(found(s), QStringList());
            s.policies.scheduler.parameters.erase("rungs");
            Job longer = s.jobs[0];
            longer.key += "-longer";
            longer.stop.iterations = 100;
            s.jobs.push_back(longer);
            QCOMPARE(found(s), QStringList());
        }
}

void tst_ScenarioValidation::refusesWhereNothingCanRun() {
    const auto refused = [](const Scenario& s) {
        const Problems problems = validateScenario(s, Registry::builtin());
        return std::ranges::any_of(
            problems, [](const Problem& p) { return p.code == "nothing-runs" && p.severity == Severity::error; });
    };
    Scenario s = good();
    for (Job& job : s.jobs) job.arrival = SimTime::seconds(1.5e9); // as a trace in Unix time
    QVERIFY(refused(s));
    s.horizonSeconds = 1.5e9;
    QVERIFY(refused(s)); // a run ends there
    s.horizonSeconds = 1.6e9;
    QVERIFY(!refused(s));
    s.horizonSeconds = 1e9;
    s.jobs[1].arrival = SimTime::seconds(5);
    QVERIFY(!refused(s));
    JobGenerator generator{.key = "g", .count = 2};
    generator.job = s.jobs[1];
    generator.job.key.clear();
    s.jobs.clear();
    QVERIFY(!refused(s)); // a document in the making
    generator.startSeconds = 2e9;
    s.generators = {generator};
    QVERIFY(refused(s));
    s.generators[0].startSeconds = 9e8;
    QVERIFY(!refused(s));
    s.generators[0].arrivals = JobGenerator::Arrivals::trace;
    s.generators[0].arrivalSeconds = {2e8, 3e8};
    QVERIFY(refused(s));
    s.generators[0].arrivalSeconds = {2e8, 5};
    QVERIFY(!refused(s));
}

// 32 on 5 workers: round(6.4) = 6 each, 30 in all; on 3: round(10.67) = 11 each, 33.
void tst_ScenarioValidation::warnsOfUnevenBatches() {
    const auto texts = [](int batch, int least, int most, BatchOf whose) {
        Scenario s = good();
        s.jobs.resize(1);
        for (auto& machine : s.cluster.machines) machine.capacity = ResourceVector::of({16, 4});
        s.jobs[0].workers = {least, most};
        auto& work = std::get<TrainedWork>(s.jobs[0].work);
        work.batch = batch;
        work.batchOf = whose;
        return found(s);
    };
    QCOMPARE(
        texts(32, 5, 5, BatchOf::job),
        QStringList{
            "/jobs/0/batch: the batch of 32 is divided to whole samples: 5 workers with 6 each train 30 per update"});
    QCOMPARE(
        texts(32, 2, 5, BatchOf::job),
        QStringList{
            "/jobs/0/batch: the batch of 32 is divided to whole samples: 5 workers with 6 each train 30 per update"});
    QCOMPARE(
        texts(32, 3, 3, BatchOf::job),
        QStringList{
            "/jobs/0/batch: the batch of 32 is divided to whole samples: 3 workers with 11 each train 33 per update"});
    QCOMPARE(texts(30, 5, 6, BatchOf::job), QStringList());
    QCOMPARE(texts(100, 2, 8, BatchOf::job), QStringList()); // 7 · 14 = 98 is near enough where the number changes
    QCOMPARE(texts(100, 7, 7, BatchOf::job).size(), 1);
    QCOMPARE(texts(30, 4, 4, BatchOf::worker), QStringList());
}

void tst_ScenarioValidation::warnsOfRoundsWithoutMean_data() {
    QTest::addColumn<double>("index");
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("k");
    QTest::addColumn<double>("timeout");
    QTest::addColumn<bool>("warned");
    // Three workers; a machine has room for two of them. The slowest n − k + 1 must have indices of more than
    // 1 in all.
    QTest::newRow("all of three, index 0.9") << 0.9 << 1 << 3 << 0.0 << true;
    QTest::newRow("all of three, index 1") << 1.0 << 1 << 3 << 0.0 << true;
    QTest::newRow("all of three, index 1.1") << 1.1 << 1 << 3 << 0.0 << false;
    QTest::newRow("two of three, index 0.9") << 0.9 << 3 << 2 << 0.0 << false;
    QTest::newRow("two of three, index 0.5") << 0.5 << 3 << 2 << 0.0 << true;
    QTest::newRow("one of three, two that may be slow") << 0.3 << 1 << 1 << 0.0 << false;
    QTest::newRow("one of three, all may be slow") << 0.3 << 2 << 1 << 0.0 << true;
    QTest::newRow("with a timeout") << 0.9 << 1 << 3 << 5.0 << false;
}

void tst_ScenarioValidation::warnsOfRoundsWithoutMean() {
    QFETCH(double, index);
    QFETCH(int, machines);
    QFETCH(int, k);
    QFETCH(double, timeout);
    QFETCH(bool, warned);
    Scenario s = good();
    s.jobs.resize(1);
    s.policies.synchronization = {"fastest-k", {{"k", std::int64_t{k}}, {"timeout", timeout}}};
    for (int m = 0; m < machines; ++m)
        s.cluster.machines[std::size_t(m)].straggler.delay = Distribution{.law = Law::pareto, .shape = index};
    const Problems problems = validateScenario(s, Registry::builtin());
    QVERIFY(!hasErrors(problems));
    QCOMPARE(problems.size(), std::size_t(warned));
    if (warned) QCOMPARE(problems[0].pointer, std::string("/cluster/machines/0/straggler/delay_s/shape"));
}

void tst_ScenarioValidation::warnsOfBias_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("warned");
    const auto row = [](const char* name, bool warned, const Change& change) {
        QTest::newRow(name) << change << warned;
    };
    const auto policy = [](const char* id, ParamValues parameters = {}) {
        return [id, parameters](Scenario& s) { s.policies.synchronization = {id, parameters}; };
    };
    row("fastest 2 of 3", true, policy("fastest-k", {{"k", std::int64_t{2}}}));
    row("fastest 2 of 3, reweighted", false, policy("fastest-k", {{"k", std::int64_t{2}}, {"reweight", true}}));
    row("fastest 3 of 3", false, policy("fastest-k", {{"k", std::int64_t{3}}}));
    row("backup worker", true, policy("backup-workers"));
    row("k-async", true, policy("k-async"));
    row("k-batch-sync", true, policy("k-batch-sync"));
    row("k-batch-async", true, policy("k-batch-async"));
    row("async", true, policy("async"));
    row("adaptive-k", true, policy("adaptive-k"));
    row("adaptive-load", true, policy("adaptive-load"));
    row("full-sync", false, policy("full-sync"));
    row("dsag", false, policy("dsag"));
    row("ssp", false, policy("ssp"));
    row("local-sgd", false, policy("local-sgd"));
    row("gradient-coding", false, policy("gradient-coding"));
    const auto also = [](const Change& change) {
        return [change](Scenario& s) {
            s.policies.synchronization = {"async", {}};
            change(s);
        };
    };
    row("a faster device", true, also([](Scenario& s) {
            s.cluster.machines[1].straggler = {};
            s.cluster.machines[2].device = "fast";
        }));
    row("other delays", true, also([](Scenario& s) {
            s.cluster.machines[1].straggler = {};
            s.cluster.machines[0].straggler.delay = Distribution{.law = Law::exponential, .mean = 1};
        }));
    row("machines alike", false, also([](Scenario& s) { s.cluster.machines[1].straggler = {}; }));
    row("all slow", false, also([](Scenario& s) {
            for (auto& machine : s.cluster.machines) machine.straggler.persistentFactor = 2;
        }));
    row("the slow one holds no worker", false,
        also([](Scenario& s) { s.cluster.machines[1].capacity = ResourceVector::of({1}); }));
    row("one worker", false, also([](Scenario& s) { s.jobs[0].workers = {1, 1}; }));
    row("shuffled", false, also([](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).shards = Shards::shuffled; }));
    row("shared", false, also([](Scenario& s) { std::get<TrainedWork>(s.jobs[0].work).shards = Shards::shared; }));
    row("the job's own policy", false, also([](Scenario& s) { s.jobs[0].synchronization = {"dsag", {}}; }));
}

void tst_ScenarioValidation::warnsOfBias() {
    QFETCH(Change, change);
    QFETCH(bool, warned);
    Scenario s = good();
    s.jobs.resize(1);
    s.jobs[0].workers = {3, 3};
    std::get<TrainedWork>(s.jobs[0].work).shards = Shards::sorted;
    s.cluster.machines[1].straggler.persistentFactor = 3;
    change(s);
    const Problems problems = validateScenario(s, Registry::builtin());
    QVERIFY2(!hasErrors(problems), problems.empty() ? "" : problems[0].text().c_str());
    QCOMPARE(problems.size(), std::size_t(warned));
    if (!warned) return;
    QCOMPARE(problems[0].code, std::string("biased"));
    QCOMPARE(problems[0].pointer, std::string("/jobs/0/shards"));
    const std::string text = problems[0].text();
    for (const char* remedy : {"reweight", "\"shards\": \"shared\"", "dsag"})
        QVERIFY2(text.find(remedy) != std::string::npos, remedy);
}

void tst_ScenarioValidation::sameShapesAreJudgedForEachJob() {
    Scenario s = good();
    s.jobs[0].workerDemand = s.jobs[1].workerDemand = ResourceVector::of({5});
    const Problems problems = validateScenario(s, Registry::builtin());
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].pointer, std::string("/jobs/0/worker_demand"));
    QCOMPARE(problems[1].pointer, std::string("/jobs/1/worker_demand"));
}

namespace {

/// Two groups of machines without a link between them, with laws of all kinds, and jobs of few shapes.
Scenario manyAlike(std::uint64_t seed) {
    RandomStream random(seed, Purpose::test, 5);
    const auto chance = [&](double p) { return random.unit() < p; };
    const auto among = [&](std::initializer_list<double> values) {
        return *(values.begin() + random.below(values.size()));
    };
    Scenario s = good();
    s.network = chance(0.5) ? NetworkModel::rate : NetworkModel::flow;
    s.policies.synchronization = chance(0.5) ? Choice{"async", {}} : Choice{"fastest-k", {{"k", std::int64_t{2}}}};
    s.cluster.machines.clear();
    s.cluster.links.clear();
    s.cluster.switches.push_back({.key = "t"});
    for (int i = 0; i < 8; ++i) {
        Machine machine{.key = "m" + std::to_string(i), .capacity = ResourceVector::of({among({1, 2, 4}), 1})};
        if (chance(0.2)) machine.straggler.burst = Burst{};
        if (chance(0.4)) machine.straggler.delay = Distribution{.law = Law::pareto, .shape = among({0.2, 0.4, 0.9, 2})};
        if (chance(0.3)) machine.straggler.persistentFactor = 3;
        s.cluster.links.push_back({.key = machine.key + "--s", .from = machine.key, .to = chance(0.8) ? "s" : "t"});
        s.cluster.machines.push_back(std::move(machine));
    }
    const std::vector<Job> kinds = std::exchange(s.jobs, {});
    for (int i = 0; i < 12; ++i) {
        Job job = kinds[random.below(kinds.size())];
        job.key = "j" + std::to_string(i);
        job.workerDemand = ResourceVector::of({among({1, 2, 3, 5}), 0.25});
        const int most = static_cast<int>(among({1, 2, 4, 9}));
        job.workers = {chance(0.5) ? 1 : most, most};
        job.servers = {0, chance(0.5) ? 0 : 2};
        job.serverDemand = ResourceVector::of({chance(0.5) ? 0.0 : 4.0});
        if (auto* work = std::get_if<TrainedWork>(&job.work); work && chance(0.7)) work->shards = Shards::sorted;
        if (chance(0.3)) job.synchronization = {"full-sync", {}};
        s.jobs.push_back(std::move(job));
    }
    return s;
}

/// What is wrong, where, and how badly; `job`: the number of the only one.
std::set<std::string> judged(const Scenario& s, std::optional<std::size_t> job = {}) {
    std::set<std::string> out;
    for (Problem& problem : validateScenario(s, Registry::builtin())) {
        if (job && problem.pointer.starts_with("/jobs/0")) problem.pointer.replace(6, 1, std::to_string(*job));
        out.insert(problem.pointer + " " + problem.code + " " + std::to_string(static_cast<int>(problem.severity)));
    }
    return out;
}

} // namespace

// What is judged once for many jobs is what each of them has by itself, also what is said of machines.
void tst_ScenarioValidation::jobsAreJudgedTogetherAsAlone() {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Scenario all = manyAlike(seed);
        std::set<std::string> alone;
        for (std::size_t j = 0; j < all.jobs.size(); ++j) {
            Scenario one = all;
            one.jobs = {all.jobs[j]};
            alone.merge(judged(one, j));
        }
        const auto together = judged(all);
        QVERIFY2(together == alone, ("seed " + std::to_string(seed)).c_str());
        found += together.size();
    }
    QVERIFY(found > 1000);
}

void tst_ScenarioValidation::shippedScenariosAreValid() {
    const Registry registry = Registry::builtin();
    int files = 0;
    for (const char* folder : {"start", "tests"}) {
        const QDir dir(QString(TRAINYARD_SOURCE_DIR "/scenarios/") + folder);
        for (const QString& name : dir.entryList({"*.json"}, QDir::Files, QDir::Name)) {
            ++files;
            const auto result = readScenario(dir.filePath(name).toStdString(), registry);
            QVERIFY2(result.ok(), result.problems().empty() ? "" : result.problems()[0].text().c_str());
            QVERIFY2(result.problems().empty(), result.problems().empty() ? "" : result.problems()[0].text().c_str());
            QVERIFY2(result->isCanonical(), qPrintable(name + ": write it back to have it canonical"));
            QVERIFY2(!result->scenario.title.empty() && !result->scenario.notes.empty(), qPrintable(name));
        }
    }
    QVERIFY(files >= 1);
}

TRAINYARD_TEST(tst_ScenarioValidation)
#include "tst_ScenarioValidation.moc"
