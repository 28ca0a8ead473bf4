// Generators: arrivals, draws, order, and that every job's numbers are its own.
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

TRAINYARD_TEST(tst_Workload)
#include "tst_Workload.moc"
