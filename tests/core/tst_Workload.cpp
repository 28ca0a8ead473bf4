// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Generators: arrivals, draws, order, and that every job's numbers are its own.
#include "scenario/ScenarioFields.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <cmath>
#include <map>
#include <set>

using namespace trainyard;

class tst_Workload : public QObject {
    Q_OBJECT
private slots:
    void jobsComeInOrderOfArrivalThenKey();
    void fixedAndTraceArrivals();
    void poissonGapsAreExponential();
    void drawsFillTheTemplate();
    void drawsOfOneJobDependOnNoOther();
    void anotherSeedGivesOtherDraws();
    void templatesAreDrawnByWeight();
    void templatesMoveNoOtherDraw();
    void drawsOfAllMembers();
};

static JobGenerator generatorOf(int count) {
    JobGenerator g{.key = "g", .count = count};
    g.job.work = AnalyticWork{};
    return g;
}

void tst_Workload::jobsComeInOrderOfArrivalThenKey() {
    Scenario s;
    for (const auto& [key, at] : std::vector<std::pair<std::string, double>>{{"c", 5}, {"b", 1}, {"a", 5}, {"d", 0}}) {
        Job job{.key = key, .arrival = SimTime::seconds(at)};
        s.jobs.push_back(job);
    }
    s.generators.push_back({.key = "a2", .arrivals = JobGenerator::Arrivals::fixed, .count = 1, .startSeconds = 5});
    QStringList order;
    const auto workload = expandWorkload(s, 1);
    for (const auto& job : workload->jobs) order += QString::fromStdString(job.key);
    QCOMPARE(order, QStringList({"d", "b", "a", "a2-1", "c"}));
}

void tst_Workload::fixedAndTraceArrivals() {
    Scenario s;
    JobGenerator fixed = generatorOf(3);
    fixed.arrivals = JobGenerator::Arrivals::fixed;
    fixed.startSeconds = 10;
    fixed.meanInterarrivalSeconds = 2.5;
    fixed.job.name = "Job";
    JobGenerator trace = generatorOf(1);
    trace.key = "t";
    trace.arrivals = JobGenerator::Arrivals::trace;
    trace.startSeconds = 1;
    trace.arrivalSeconds = {0.5, 0, 3};
    s.generators = {fixed, trace};
    const auto jobs = expandWorkload(s, 1)->jobs;
    QStringList found;
    for (const auto& job : jobs)
        found += QString::fromStdString(job.key + " " + job.name + " " + std::to_string(job.arrival.ns / 1'000'000));
    QCOMPARE(found, QStringList({"t-2  1000", "t-1  1500", "t-3  4000", "g-1 Job 1 10000", "g-2 Job 2 12500",
                                 "g-3 Job 3 15000"}));
}

/// 20,000 gaps of mean 3 s. Mean: standard error 3/√20000 = 0.0212; five of them (two-sided error below
/// 1e-6). P(gap > 6) = e^−2 = 0.1353, standard error 0.00242, again five.
void tst_Workload::poissonGapsAreExponential() {
    Scenario s;
    JobGenerator g = generatorOf(20'000);
    g.meanInterarrivalSeconds = 3;
    s.generators = {g};
    const auto jobs = expandWorkload(s, 42)->jobs;
    double last = 0, sum = 0, beyond = 0;
    for (const auto& job : jobs) {
        const double gap = job.arrival.toSeconds() - last;
        last = job.arrival.toSeconds();
        sum += gap;
        beyond += gap > 6;
    }
    QVERIFY(std::abs(sum / 20'000 - 3) < 5 * 0.0212);
    QVERIFY(std::abs(beyond / 20'000 - std::exp(-2)) < 5 * 0.00242);
}

void tst_Workload::drawsFillTheTemplate() {
    Scenario s;
    JobGenerator g = generatorOf(500);
    g.job.servers = {2, 2};
    g.draws["workers"] = {.law = Law::uniform, .low = 0.6, .high = 4.4};
    g.draws["batch"] = {.law = Law::constant, .value = 0.2};
    g.draws["samples"] = {.law = Law::constant, .value = 1234.4};
    g.draws["epochs"] = {.law = Law::constant, .value = 2.5};
    g.draws["iterations"] = {.law = Law::constant, .value = 99.6};
    g.draws["seconds_per_sample"] = {.law = Law::constant, .value = 0.25};
    g.draws["parameter_bytes"] = {.law = Law::constant, .value = 1e6};
    s.generators = {g};
    std::set<int> workers;
    const auto workload = expandWorkload(s, 3);
    for (const auto& job : workload->jobs) {
        QVERIFY(job.workers.fixed());
        workers.insert(job.workers.minimum);
        QCOMPARE(job.servers.minimum, 2);
        const auto& work = std::get<AnalyticWork>(job.work);
        QCOMPARE(work.batch, 1); // rounded to 0, kept at 1
        QCOMPARE(work.samples, 1234.0);
        QCOMPARE(work.secondsPerSample, 0.25);
        QCOMPARE(work.parameterBytes, 1e6);
        QCOMPARE(job.stop.epochs.value(), 2.5);
        QCOMPARE(job.stop.iterations.value(), std::int64_t{100});
    }
    QCOMPARE(workers, (std::set<int>{1, 2, 3, 4}));
}

void tst_Workload::drawsOfOneJobDependOnNoOther() {
    Scenario few, many;
    JobGenerator g = generatorOf(3);
    g.draws["samples"] = {.law = Law::exponential, .mean = 1e6};
    g.draws["workers"] = {.law = Law::uniform, .low = 1, .high = 50};
    few.generators = {g};
    g.count = 6;
    g.draws["batch"] = {.law = Law::exponential, .mean = 10}; // one more quantity shifts no other
    many.generators = {g};
    const auto sortedJobs = [](const Scenario& scenario) {
        std::map<std::string, Job> jobs;
        const auto workload = expandWorkload(scenario, 9);
        for (const auto& job : workload->jobs) jobs[job.key] = job;
        return jobs;
    };
    auto a = sortedJobs(few), b = sortedJobs(many);
    for (const char* key : {"g-1", "g-2", "g-3"}) {
        QCOMPARE(a[key].arrival.ns, b[key].arrival.ns);
        QCOMPARE(a[key].workers.minimum, b[key].workers.minimum);
        QCOMPARE(std::get<AnalyticWork>(a[key].work).samples, std::get<AnalyticWork>(b[key].work).samples);
    }
}

void tst_Workload::anotherSeedGivesOtherDraws() {
    Scenario s;
    s.generators = {generatorOf(5)};
    const auto a = expandWorkload(s, 1), b = expandWorkload(s, 1), c = expandWorkload(s, 2);
    QVERIFY(a->jobs == b->jobs);
    QVERIFY(!(a->jobs == c->jobs));
}

/// 12,000 jobs of templates of weights 1, 2 and 3: the counts are binomial of means 2000, 4000, 6000 and standard deviations
/// √(np(1 − p)) = 40.8, 51.6, 54.8. Five of them: three tests, two-sided error below 2e-6 together.
void tst_Workload::templatesAreDrawnByWeight() {
    Scenario s;
    JobGenerator g = generatorOf(12'000);
    g.job.name = "a";
    for (const auto& [name, weight] : {std::pair("b", 2.0), std::pair("c", 3.0)}) {
        JobTemplate other{.weight = weight, .job = g.job, .draws = {}};
        other.job.name = name;
        g.others.push_back(other);
    }
    s.generators = {g};
    std::map<char, int> counts;
    const auto workload = expandWorkload(s, 5);
    for (const auto& job : workload->jobs) ++counts[job.name[0]];
    QVERIFY2(std::abs(counts['a'] - 2000) < 5 * 40.8, qPrintable(QString::number(counts['a'])));
    QVERIFY2(std::abs(counts['b'] - 4000) < 5 * 51.6, qPrintable(QString::number(counts['b'])));
    QVERIFY2(std::abs(counts['c'] - 6000) < 5 * 54.8, qPrintable(QString::number(counts['c'])));
}

// Another template, with a law of its own, changes neither arrivals nor what is drawn of jobs like the first.
void tst_Workload::templatesMoveNoOtherDraw() {
    JobGenerator g = generatorOf(200);
    g.draws["samples"] = {.law = Law::exponential, .mean = 1e6};
    g.draws["batch"] = {.law = Law::exponential, .mean = 10};
    Scenario one, two;
    one.generators = {g};
    JobTemplate other{.weight = 1, .job = g.job, .draws = {}};
    other.job.weight = 7;
    other.draws["samples"] = {.law = Law::constant, .value = 5};
    g.others = {other};
    two.generators = {g};
    int alike = 0, others = 0;
    const auto before = expandWorkload(one, 9), after = expandWorkload(two, 9);
    for (std::size_t j = 0; j < before->jobs.size(); ++j) {
        const Job &a = before->jobs[j], &b = after->jobs[j];
        if (b.weight == 1) {
            ++alike;
            QVERIFY(a == b);
            continue;
        }
        ++others;
        QCOMPARE(b.arrival.ns, a.arrival.ns);
        QCOMPARE(std::get<AnalyticWork>(b.work).samples, 5.0);
        QCOMPARE(std::get<AnalyticWork>(b.work).batch, std::get<AnalyticWork>(a.work).batch); // the generator's law
    }
    QVERIFY(alike > 50 && others > 50);
}

// A law of each member that may be drawn; a job that lacks the member is left alone.
void tst_Workload::drawsOfAllMembers() {
    JobGenerator g = generatorOf(1);
    g.job.utility = Utility{};
    g.job.workersPerServer = 1;
    g.job.workers = {6, 6};
    std::get<AnalyticWork>(g.job.work).rates = LocalityRates{};
    double value = 3;
    for (const char* name : drawnQuantities())
        if (std::string_view(name) != "workers") g.draws[name] = {.law = Law::constant, .value = value++};
    Scenario s;
    s.generators = {g};
    const Job full = expandWorkload(s, 1)->jobs.at(0);
    for (const auto& [name, law] : g.draws) QCOMPARE(drawnValue(full, name), std::optional(law.value));
    QCOMPARE(full.servers.maximum, full.serversFor(6, full.workers));
    s.generators[0].job.utility.reset();
    s.generators[0].job.workersPerServer.reset();
    s.generators[0].job.work = TrainedWork{};
    const Job bare = expandWorkload(s, 1)->jobs.at(0);
    for (const char* name : {"theta1", "theta2_per_s", "theta3_s", "workers_per_server", "samples", "local_per_s"})
        QVERIFY(!drawnValue(bare, name));
    QCOMPARE(drawnValue(bare, "batch"), drawnValue(full, "batch"));
}

TRAINYARD_TEST(tst_Workload)
#include "tst_Workload.moc"
