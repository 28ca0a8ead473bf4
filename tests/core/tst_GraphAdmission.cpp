// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Graph jobs that are admitted at once, on the engine: against the loss system, worked by hand, and beside jobs that schedulers place.
#include "engine/Executor.h"
#include "planning/graphs/DegreeRollout.h"
#include "record/Metrics.h"
#include "support/GraphScenario.h"

#include <bit>
#include <cmath>
#include <set>

using namespace trainyard;

class tst_GraphAdmission : public QObject {
    Q_OBJECT
private slots:
    void engineIsTheLossSystem_data();
    void engineIsTheLossSystem();
    void rolloutIsThatOfTheLossSystem();
    void reasonsAndMetricsByHand();
    void messagesThatNeverArriveBlock_data();
    void messagesThatNeverArriveBlock();
    void anEndMakesRoomAtItsInstant();
    void wholeServersAndNoQueue();
    void schedulersKeepOff_data();
    void schedulersKeepOff();
    void aLostServerEndsTheJob();
    void cloneGoesOn();
    void withoutNetworkItWaits();
    void executedJobsOccupyTime();
    void explanationsAndNotes();
    void offeredBytes();
};

namespace {

DiscreteLaw uniformLaw(double least) {
    DiscreteLaw law;
    const int n = 20;
    for (int i = 0; i < n; ++i) {
        law.values.push_back(least + (1 - least) * (i + 1) / n);
        law.probabilities.push_back(1.0 / n);
    }
    return law;
}

struct Decision {
    std::optional<RejectReason> rejected;
    int degree = 0;
    ServerMask servers = 0;
    SimTime end = SimTime::never();
};

/// Arrivals at whole nanoseconds, as the engine has them.
std::vector<GraphArrival> arrivalsOf(const Scenario& s) {
    const JobGenerator& g = s.generators.front();
    auto drawn = drawArrivals({s.graphs.size(), static_cast<std::size_t>(g.pool->copies), g.pool->deadlines,
                               g.meanInterarrivalSeconds, g.arrivals == JobGenerator::Arrivals::poisson},
                              static_cast<std::size_t>(g.count), s.seed);
    for (GraphArrival& a : drawn) a.seconds = SimTime::seconds(a.seconds).toSeconds();
    return drawn;
}

GraphPricer pricerOf(const Scenario& s) {
    GraphPricer pricer(*s.cluster.ramp, GraphSetting::of(*s.cluster.ramp));
    for (const NamedGraph& graph : s.graphs) pricer.add(std::make_shared<const ComputationGraph>(graph.graph), 50);
    return pricer;
}

/// `lazily`: only what the rule looks at is priced.
std::vector<Decision> playedInLossSystem(const Scenario& s, const DegreeRule& rule, bool lazily) {
    GraphPricer pricer = pricerOf(s);
    LossSystem system;
    std::vector<Decision> out;
    std::vector<GraphOption> options;
    for (const GraphArrival& job : arrivalsOf(s)) {
        system.advance(job.seconds);
        RandomStream random(
            s.seed, Purpose::policy,
            entityOf(static_cast<std::uint32_t>(out.size()), static_cast<std::uint32_t>(PolicyFamily::partitioner)), 0);
        const double deadline = job.beta * pricer.sequentialSeconds(job.graph);
        std::optional<GraphOption> chosen;
        if (lazily) {
            chosen = chosenOption(rule, pricer, system, job.graph, job.beta, random);
        } else {
            pricer.priceAll(job.graph, deadline, system.occupied(), options, system.ending());
            if (const auto i = chosenOption(rule, options, job.beta, random)) chosen = options[*i];
        }
        Decision& decision = out.emplace_back();
        if (chosen && chosen->state == OptionState::inTime) {
            decision.degree = chosen->degree;
            decision.servers = chosen->servers;
            decision.end = SimTime::seconds(job.seconds) + Duration::seconds(chosen->seconds);
            system.place(chosen->servers, decision.end.toSeconds());
        } else {
            pricer.priceAll(job.graph, deadline, system.occupied(), options, system.ending());
            decision.rejected = rejectReasonOf(pricer.reasonOf(job.graph, deadline, options));
        }
    }
    return out;
}

using Kind = DegreeRule::Kind;

} // namespace

void tst_GraphAdmission::engineIsTheLossSystem_data() {
    QTest::addColumn<int>("rules");
    QTest::addColumn<bool>("poisson");
    QTest::addColumn<double>("least"); // deadline
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("degree");
    const auto row = [](GraphRules rules, bool poisson, double least, const char* policy, Kind kind, int degree) {
        QTest::addRow("%s, %s, from %g, %s %d", rules == GraphRules::faithful ? "faithful" : "corrected",
                      poisson ? "Poisson" : "fixed", least, policy, degree)
            << static_cast<int>(rules) << poisson << least << policy << static_cast<int>(kind) << degree;
    };
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful})
        for (const bool poisson : {false, true}) {
            row(rules, poisson, .1, "none", Kind::constant, 1);
            row(rules, poisson, .5, "min", Kind::constant, 2);
            row(rules, poisson, .1, "max", Kind::max, 0);
            row(rules, poisson, .1, "random", Kind::random, 0);
            row(rules, poisson, .2, "acceptable-jct", Kind::acceptableJct, 0);
            row(rules, poisson, .1, "constant", Kind::constant, 4);
            row(rules, poisson, .1, "constant", Kind::constant, 8);
            row(rules, poisson, .05, "floor-k", Kind::floor, 2);
            row(rules, poisson, .3, "floor-k", Kind::floor, 6);
        }
}

void tst_GraphAdmission::engineIsTheLossSystem() {
    QFETCH(int, rules);
    QFETCH(bool, poisson);
    QFETCH(double, least);
    QFETCH(QString, policy);
    QFETCH(int, kind);
    QFETCH(int, degree);
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{77}}) {
        Scenario scenario =
            test::pooledScenario(static_cast<GraphRules>(rules), seed, 1000, 1.2, poisson, uniformLaw(least));
        scenario.policies.partitioner.id = policy.toStdString();
        if (policy == "constant") scenario.policies.partitioner.parameters["degree"] = std::int64_t{degree};
        if (policy == "floor-k") scenario.policies.partitioner.parameters["k"] = std::int64_t{degree};
        QVERIFY(!hasErrors(validateScenario(scenario, Registry::builtin())));
        const auto run = test::simulationOf(scenario);
        while (run->step()) {}
        const auto jobs = test::admittedJobs(*run);
        QCOMPARE(jobs.size(), std::size_t{1000});
        std::size_t served = 0, rejected = 0;
        for (const bool lazily : {false, true}) {
            // Kept times are those of what was priced first: by published rules it matters who asks.
            if (lazily && rules == static_cast<int>(GraphRules::faithful)) continue;
            const auto expected = playedInLossSystem(scenario, {static_cast<Kind>(kind), degree}, lazily);
            for (std::size_t j = 0; j < jobs.size(); ++j) {
                QVERIFY2(jobs[j].rejected == expected[j].rejected, qPrintable(QString::number(j)));
                QCOMPARE(jobs[j].degree, expected[j].degree);
                QCOMPARE(jobs[j].servers, expected[j].servers);
                QVERIFY(expected[j].rejected || jobs[j].end == expected[j].end);
                ++(expected[j].rejected ? rejected : served);
            }
        }
        QVERIFY((served > 10 || policy == "none") && rejected > 10); // something is decided
        // Its metrics, from the decisions.
        const Metrics metrics = computeMetrics(*run->workload(), run->log(), run->state().now());
        double blocked = 0, degrees = 0, finished = 0;
        for (const auto& job : jobs) {
            blocked += job.rejected.has_value();
            finished += !job.rejected;
            degrees += job.rejected ? 0 : job.degree;
        }
        QCOMPARE(metrics.values.at("blocking_rate"), blocked / 1000);
        QCOMPARE(metrics.values.at("mean_degree"), degrees / finished);
        double parts = 0;
        for (const char* part : {"share_impossible", "share_no_block", "share_too_slow", "share_by_choice",
                                 "share_failed", "share_in_flight"})
            parts += metrics.values.at(part);
        QVERIFY(std::abs(parts - metrics.values.at("blocking_rate")) < 1e-12);
        if (policy == "floor-k") QCOMPARE(metrics.values.at("share_by_choice"), 0.0);
    }
}

void tst_GraphAdmission::rolloutIsThatOfTheLossSystem() {
    Scenario scenario = test::pooledScenario(GraphRules::corrected, 5, 120, 1.0, false, uniformLaw(.1));
    scenario.policies.partitioner = {
        "rollout", {{"futures", std::int64_t{6}}, {"arrivals", std::int64_t{12}}, {"degree", std::int64_t{4}}}};
    const auto run = test::simulationOf(scenario);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run);
    GraphPricer pricer = pricerOf(scenario);
    const JobGenerator& g = scenario.generators.front();
    const GraphWorkload expected{scenario.graphs.size(), 20, g.pool->deadlines, g.meanInterarrivalSeconds, false};
    LossSystem system;
    std::vector<GraphOption> options;
    std::uint32_t number = 0, unlikeBase = 0;
    for (const GraphArrival& job : arrivalsOf(scenario)) {
        system.advance(job.seconds);
        pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options);
        RandomStream random(scenario.seed, Purpose::policy,
                            entityOf(number, static_cast<std::uint32_t>(PolicyFamily::partitioner)), 0);
        const auto choice = rolledOut({{Kind::floor, 4}, 6, 12}, pricer, system, expected, options, job.seconds,
                                      job.beta, random.bits(), number);
        const auto& decided = jobs[number++];
        QCOMPARE(decided.rejected.has_value(), !choice.option.has_value());
        if (!choice.option) continue;
        QCOMPARE(decided.degree, options[*choice.option].degree);
        QCOMPARE(decided.servers, options[*choice.option].servers);
        const auto base = chosenOption({Kind::floor, 4}, options, job.beta, random);
        unlikeBase += base != choice.option;
        system.place(options[*choice.option].servers, job.seconds + options[*choice.option].seconds);
    }
    QVERIFY(unlikeBase > 0);
}

/// A network of one group, one rack, two servers; a graph of 8 s whose parts exchange nothing: 8 s whole, 4 s in two.
void tst_GraphAdmission::reasonsAndMetricsByHand() {
    Scenario s;
    s.cluster = test::opticalCluster(1, 1, 2);
    s.graphs = {{"chain", test::chainOf(8)}, {"short", test::chainOf(2)}};
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", .5, {1, 2}),  // in two parts until 4
              test::immediateJob("b", 1, "chain", 1, {1, 2}),   // no block free
              test::immediateJob("c", 2, "chain", .4, {1, 2}),  // impossible: at best 4 of 3.2 s
              test::immediateJob("d", 4, "chain", 1, {1, 1}),   // one server from 4, where a ends, to 12
              test::immediateJob("e", 5, "chain", .6, {1, 2}),  // too slow: one free server takes 8 of 4.8 s
              test::immediateJob("f", 6, "short", 1, {1, 2}),   // one server from 6 to 8
              test::immediateJob("g", 13, "chain", .9, {1, 1}), // impossible: its only degree takes 8 of 7.2 s
              test::immediateJob("h", 14, "chain", 1, {1, 2})}; // in two parts until 18: in flight at 16
    s.jobs[1].partitioner.id = "min";
    s.jobs.push_back(test::immediateJob("i", 13.5, "chain", .5, {1, 2})); // by choice: one part is late, two would do
    s.jobs.back().partitioner.id = "none";
    s.horizonSeconds = 16;
    QVERIFY(!hasErrors(validateScenario(s, Registry::builtin())));
    const auto run = test::simulationOf(s);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run);
    const auto of = [&](const char* key) -> const test::AdmittedJob& {
        for (std::size_t j = 0; j < jobs.size(); ++j)
            if (run->workload()->jobs[j].key == key) return jobs[j];
        throw InvariantError("no such job");
    };
    const auto near = [](SimTime t, double seconds) { return std::abs(t.toSeconds() - seconds) < 1e-9; };
    QVERIFY(of("a").degree == 2 && of("a").servers == 3 && near(of("a").end, 4));
    QVERIFY(of("b").rejected == RejectReason::noBlock);
    QVERIFY(of("c").rejected == RejectReason::impossible);
    QVERIFY(of("d").degree == 1 && of("d").servers == 1 && near(of("d").end, 12));
    QVERIFY(of("e").rejected == RejectReason::tooSlow);
    QVERIFY(of("f").degree == 1 && of("f").servers == 2 && near(of("f").end, 8));
    QVERIFY(of("g").rejected == RejectReason::impossible);
    QVERIFY(of("i").rejected == RejectReason::byChoice);
    QVERIFY(of("h").degree == 2 && of("h").end == SimTime::never());
    const Metrics metrics = computeMetrics(*run->workload(), run->log(), run->state().now());
    const auto is = [&](const char* id, double value) { return std::abs(metrics.values.at(id) - value) < 1e-9; };
    QVERIFY(is("blocking_rate", 6.0 / 9));
    QVERIFY(is("blocking_rate_decided", 5.0 / 9));
    QVERIFY(is("share_impossible", 2.0 / 9));
    QVERIFY(is("share_no_block", 1.0 / 9));
    QVERIFY(is("share_too_slow", 1.0 / 9));
    QVERIFY(is("share_by_choice", 1.0 / 9));
    QVERIFY(is("share_in_flight", 1.0 / 9));
    QVERIFY(is("mean_degree", 4.0 / 3));   // 2, 1, 1
    QVERIFY(is("mean_speed_up", 4.0 / 3)); // 8/4, 1, 1
    QVERIFY(is("offered_bytes_per_s", 0)); // nothing is stored or sent
    QVERIFY(is("arrived_jobs", 9) && is("rejected_jobs", 5) && is("finished_jobs", 3));
}

void tst_GraphAdmission::messagesThatNeverArriveBlock_data() {
    QTest::addColumn<double>("bandwidth");
    QTest::newRow("longer than the clock") << 1e-12;
    QTest::newRow("infinite") << 1e-310;
}

/// Two parts exchange 1 GB; one part sends nothing.
void tst_GraphAdmission::messagesThatNeverArriveBlock() {
    QFETCH(double, bandwidth);
    Scenario s;
    s.cluster = test::opticalCluster(2, 1, 1);
    s.cluster.ramp->nodeBandwidth = bandwidth;
    s.graphs = {{"chain", test::chainOf(8)}};
    for (Operation& op : s.graphs[0].graph.operations) op.parameterBytes = 1e9;
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 2}), test::immediateJob("b", 1, "chain", 1, {1, 1}),
              test::immediateJob("c", 2, "chain", .9, {1, 2})};
    QVERIFY(!hasErrors(validateScenario(s, Registry::builtin())));
    const auto run = test::simulationOf(s);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run);
    QVERIFY(jobs[0].rejected == RejectReason::byChoice); // one part would do
    QVERIFY(jobs[1].end == SimTime::seconds(9));
    QVERIFY(jobs[2].rejected == RejectReason::impossible); // 8 s of 7.2, or for ever
}

/// By the published rules a job that ends at the instant of an arrival still counts for the degrees that are allowed, but its servers are free.
void tst_GraphAdmission::anEndMakesRoomAtItsInstant() {
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful}) {
        Scenario s;
        s.cluster = test::opticalCluster(1, 1, 2, rules);
        s.graphs = {{"chain", test::chainOf(8)}};
        s.policies.partitioner.id = "max";
        s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 2}), test::immediateJob("b", 4, "chain", 1, {1, 2})};
        const auto run = test::simulationOf(s);
        while (run->step()) {}
        const auto jobs = test::admittedJobs(*run);
        QVERIFY(jobs[0].end == SimTime::seconds(4));
        if (rules == GraphRules::corrected)
            QVERIFY(jobs[1].degree == 2 && jobs[1].begin == SimTime::seconds(4));
        else // none is allowed: both servers still count as taken
            QVERIFY(jobs[1].rejected == RejectReason::noBlock);
    }
}

/// Beside an analytic job on every other server: no server has two jobs, and nobody is moved.
void tst_GraphAdmission::wholeServersAndNoQueue() {
    Scenario s;
    s.cluster = test::opticalCluster(2, 2, 1);
    s.cluster.links = meshCluster(4).links; // of the same machines
    s.graphs = {{"chain", test::chainOf(8)}};
    s.policies.partitioner.id = "max";
    Job analytic{.key = "z", .arrival = SimTime::seconds(0)};
    analytic.work = AnalyticWork{.samples = 1000, .batch = 100, .secondsPerSample = 0.01};
    analytic.stop.iterations = 10; // 10 s
    analytic.workerDemand = ResourceVector::of({1});
    analytic.servers = {0, 0};
    s.jobs = {analytic, test::immediateJob("g", 1, "chain", 1, {1, 4}),
              test::immediateJob("h", 1.5, "chain", 1, {1, 1}), test::immediateJob("i", 1.75, "chain", 1, {1, 4})};
    const auto run = test::simulationOf(s);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run); // g, h, i come after z
    QCOMPARE(std::popcount(jobs[0].servers), 1);
    QCOMPARE(jobs[1].degree, 2); // three are free, and there is no block of three
    QCOMPARE(jobs[1].servers & jobs[0].servers, ServerMask{0});
    QCOMPARE(jobs[2].degree, 1);
    QCOMPARE(jobs[2].servers & (jobs[0].servers | jobs[1].servers), ServerMask{0});
    QVERIFY(jobs[3].rejected == RejectReason::noBlock);
    QCOMPARE(jobs[2].begin, SimTime::seconds(1.5));
}

void tst_GraphAdmission::schedulersKeepOff_data() {
    QTest::addColumn<QString>("scheduler");
    for (const auto& scheduler : Registry::builtin().schedulers)
        QTest::newRow(scheduler.id.c_str()) << QString::fromStdString(scheduler.id);
}

/// Queued jobs of all kinds beside jobs that are admitted at once, under every scheduler, while machines fail: no scheduler counts on a server
/// that such a job holds, or touches the job.
void tst_GraphAdmission::schedulersKeepOff() {
    QFETCH(QString, scheduler);
    std::size_t served = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        RandomStream random(seed, Purpose::test, 61);
        Scenario s;
        s.seed = seed;
        s.horizonSeconds = 2000;
        s.cluster = rampCluster(2, 2, 2);
        s.cluster.ramp = OpticalNetwork{.groups = 2, .racks = 2, .servers = 2};
        s.graphs = {{"chain", test::chainOf(6)}, {"other", test::randomGraph(random, 8)}};
        s.policies.scheduler.id = scheduler.toStdString();
        s.policies.partitioner.id = "floor-k";
        for (int j = 0; j < 6; ++j) {
            Job job{.key = "q" + std::to_string(j), .arrival = SimTime::seconds(3 * random.unit() * j)};
            job.work = AnalyticWork{.samples = 500, .parameterBytes = 1e5, .batch = 50, .secondsPerSample = 0.004};
            job.stop.iterations = 20 + static_cast<std::int64_t>(random.below(40));
            job.workerDemand = ResourceVector::of({double(1 + random.below(8)), 1, 8});
            job.serverDemand = ResourceVector::of({1, 0, 4});
            job.workers = {1, 1 + int(random.below(5))};
            job.utility = Utility{10, 0.01, 50};
            s.jobs.push_back(job);
        }
        Job queued = test::immediateJob("queued", 2, "chain", 1, {2, 2}, 2);
        std::get<GraphWork>(queued.work).admission = Admission::queued;
        queued.workerDemand = ResourceVector::of({2, 1, 2});
        queued.servers = {0, 0};
        s.jobs.push_back(queued);
        for (int j = 0; j < 25; ++j)
            s.jobs.push_back(test::immediateJob("i" + std::to_string(j), 0.7 * j + 0.3 * random.unit(),
                                                random.below(2) ? "chain" : "other", 0.2 + 0.8 * random.unit(), {1, 8},
                                                1));
        s.faults.push_back({.key = s.cluster.machines[random.below(8)].key, .atSeconds = 4, .repairAfterSeconds = 3});
        s.faults.push_back({.key = s.cluster.machines[random.below(8)].key, .atSeconds = 9, .repairAfterSeconds = 5});
        const auto problems = validateScenario(s, Registry::builtin());
        for (const auto& p : problems)
            QVERIFY2(p.severity != Severity::error, (p.pointer + p.message.english()).c_str());
        const auto run = test::simulationOf(s);
        while (run->step()) {} // an overstep of a scheduler fails it
        const auto jobs = test::admittedJobs(*run);
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (!run->workload()->admitsAtOnce(run->workload()->jobs[j])) {
                QVERIFY(run->state().jobs()[j].phase != JobPhase::waiting);
                continue;
            }
            QVERIFY(jobs[j].rejected || jobs[j].begin == jobs[j].arrival);
            served += !jobs[j].rejected && !jobs[j].failed;
        }
        // Who is where, told from the log: a server of a job that is admitted at once has no other task.
        std::vector<std::multiset<std::uint32_t>> on(8);
        for (std::size_t i = 0; i < run->log().size(); ++i) {
            const Event e = run->log()[i];
            if (e.type == EventType::taskPlaced) on[e.b].insert(e.job);
            if (e.type == EventType::taskRemoved) on[e.b].erase(on[e.b].find(e.job));
            if (e.type != EventType::taskPlaced) continue;
            for (const std::uint32_t job : on[e.b])
                QVERIFY(!run->workload()->admitsAtOnce(run->workload()->jobs[job]) || on[e.b].size() == 1);
        }
    }
    QVERIFY(served > 5);
}

void tst_GraphAdmission::aLostServerEndsTheJob() {
    Scenario s;
    s.cluster = test::opticalCluster(2, 2, 1);
    s.graphs = {{"chain", test::chainOf(8)}};
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 2}), test::immediateJob("b", 0, "chain", 1, {1, 2}),
              test::immediateJob("c", 2, "chain", 1, {1, 2}), test::immediateJob("d", 3, "chain", 1, {1, 2})};
    s.faults = {{.key = s.cluster.machines[0].key, .atSeconds = 1, .repairAfterSeconds = 1.5}};
    const auto run = test::simulationOf(s);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run);
    QVERIFY(jobs[0].failed && jobs[0].end == SimTime::seconds(1));
    QVERIFY(!jobs[1].failed && jobs[1].end == SimTime::seconds(4));
    QCOMPARE(jobs[2].degree, 1);                          // the other server of a, while the first is down
    QVERIFY(jobs[3].degree == 1 && jobs[3].servers == 1); // and that once it is repaired
    const Metrics metrics = computeMetrics(*run->workload(), run->log(), run->state().now());
    QCOMPARE(metrics.values.at("share_failed"), 0.25);
    QCOMPARE(metrics.values.at("blocking_rate"), 0.25);
}

void tst_GraphAdmission::cloneGoesOn() {
    for (const GraphRules rules : {GraphRules::corrected, GraphRules::faithful}) {
        Scenario s = test::pooledScenario(rules, 3, 200, 1.1, true, uniformLaw(.1));
        s.policies.partitioner.id = "floor-k";
        const auto run = test::simulationOf(s);
        for (int i = 0; i < 300; ++i) run->step();
        const auto copy = run->clone();
        while (run->step()) {}
        while (copy->step()) {}
        QCOMPARE(copy->log().digest(), run->log().digest());
    }
}

void tst_GraphAdmission::withoutNetworkItWaits() {
    Scenario s;
    s.cluster = meshCluster(2);
    s.graphs = {{"chain", test::chainOf(8)}};
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 2}), test::immediateJob("b", 1, "chain", 1, {2, 2})};
    for (Job& job : s.jobs) {
        job.workerDemand = ResourceVector::of({16});
        job.servers = {0, 0};
    }
    const auto problems = validateScenario(s, Registry::builtin());
    QVERIFY(!hasErrors(problems));
    QCOMPARE(problems.front().code, std::string("no-ramp"));
    const auto run = test::simulationOf(s);
    while (run->step()) {}
    const auto jobs = test::admittedJobs(*run);
    QVERIFY(jobs[1].begin == jobs[0].end && jobs[1].end == SimTime::seconds(8));
    QVERIFY(!computeMetrics(*run->workload(), run->log(), run->state().now()).values.contains("blocking_rate"));
}

void tst_GraphAdmission::executedJobsOccupyTime() {
    Scenario s;
    s.mode = RunMode::execute;
    s.cluster = test::opticalCluster(1, 1, 2);
    s.graphs = {{"chain", test::chainOf(0.4)}};
    s.policies.partitioner.id = "max";
    s.jobs = {test::immediateJob("a", 0, "chain", 1, {1, 2}), test::immediateJob("b", 0.05, "chain", 1, {1, 2})};
    auto made = Executor::create({.scenario = std::make_shared<const Scenario>(s),
                                  .registry = std::make_shared<const Registry>(Registry::builtin()),
                                  .resources = ResourcePaths::find({}),
                                  .seed = 1,
                                  .threads = 1});
    QVERIFY(made.ok());
    (*made)->run({}, [] {});
    const EventLog& log = (*made)->log();
    SimTime begin, end;
    int rejected = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].type == EventType::jobStarted) begin = log[i].time;
        if (log[i].type == EventType::jobFinished) end = log[i].time;
        rejected += log[i].type == EventType::jobRejected;
    }
    QCOMPARE(rejected, 1); // b meets both servers taken
    QVERIFY((end - begin).toSeconds() >= 0.2);
}

void tst_GraphAdmission::explanationsAndNotes() {
    Scenario s = test::pooledScenario(GraphRules::corrected, 4, 60, 0.8, false, uniformLaw(.1));
    for (const auto& partitioner : Registry::builtin().partitioners) {
        s.policies.partitioner = {partitioner.id, {}};
        if (partitioner.id == "rollout")
            s.policies.partitioner.parameters = {{"futures", std::int64_t{3}}, {"arrivals", std::int64_t{5}}};
        const auto run = test::simulationOf(s);
        while (run->step()) {}
        const auto jobs = test::admittedJobs(*run);
        std::size_t notes = 0, explained = 0;
        for (std::size_t i = 0; i < run->log().size(); ++i) {
            const Event e = run->log()[i];
            notes += e.type == EventType::note;
            if (e.type != EventType::decision) continue;
            ++explained;
            const Explanation& why = run->explanations().all()[e.a];
            QVERIFY(why.family == PolicyFamily::partitioner && why.job.value == e.job);
            QCOMPARE(why.evaluate(), why.chosen);
            QVERIFY(!why.candidates.empty());
            const bool blocked = why.summary.english().starts_with("blocked");
            QCOMPARE(blocked, jobs[e.job].rejected.has_value());
            if (!blocked)
                QCOMPARE(why.candidates[why.chosen.front()].numbers.front().value, double(jobs[e.job].degree));
        }
        QCOMPARE(explained, jobs.size());
        QCOMPARE(notes > 0, !partitioner.series.empty());
    }
}

void tst_GraphAdmission::offeredBytes() {
    // a → b: 2·(10 + 1 + 20 + 2), forward 10, backward 20, and 20 from the output to its own backward operation.
    const ComputationGraph graph{{{"a", 1, 1, 10, 1}, {"b", 1, 1, 20, 2}}, {{0, 1}}};
    QCOMPARE(graph.offeredBytes(), 2 * 33. + 10 + 20 + 20);
    // The published mean load is 3.156e7 bytes/s at one of the five profiles every 1000 s.
    double sum = 0;
    for (const char* name : {"alexnet", "gnmt", "resnet18", "squeezenet1_0", "vgg16"}) {
        const auto profile = test::profileOf(name, 1);
        if (!profile) QSKIP("the profiles are not in TRAINYARD_TEST_DATA");
        sum += profile->offeredBytes() / 5;
    }
    QVERIFY2(std::abs(sum / 3.156e10 - 1) < 5e-4, qPrintable(QString::number(sum)));
}

TRAINYARD_TEST(tst_GraphAdmission)
#include "tst_GraphAdmission.moc"
