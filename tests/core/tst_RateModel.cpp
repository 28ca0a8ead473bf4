// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The rate model: its times against the flow model's and against an independent scheduler simulation, what is
// kept when a job is interrupted, and what it counts.
#include "engine/Simulation.h"
#include "scenario/Scenario.h"
#include "support/LossReadingScheduler.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

namespace {

std::unique_ptr<Simulation> runOf(const Scenario& scenario, std::uint64_t seed = 1) {
    auto made = Simulation::create(optionsFor(scenario, seed));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    if (!made) return nullptr;
    while (made.value()->step()) {}
    return std::move(made).value();
}

double endOf(const Simulation& simulation, JobId job = JobId(0)) {
    for (const Event& e : eventsOf(simulation.log(), EventType::jobFinished))
        if (e.job == job.value) return e.time.toSeconds();
    return std::numeric_limits<double>::quiet_NaN();
}

/// One job of n workers and a server, each on a machine of its own.
struct OneJob {
    int workers = 8;
    Choice policy{"full-sync", {}};
    StragglerLaw law;
    bool unequal = false;
    double parameterBytes = 1250; ///< of 1.25e8 a second
    std::int64_t updates = 300;

    Scenario scenario(NetworkModel network) const {
        Scenario s = starScenario(workers + 1);
        s.network = network;
        s.policies.synchronization = policy;
        s.cluster.resourceNames = {"worker", "server"};
        for (int m = 0; m <= workers; ++m) {
            Machine& machine = s.cluster.machines[static_cast<std::size_t>(m)];
            machine.capacity = m < workers ? ResourceVector::of({1, 0}) : ResourceVector::of({0, 1});
            if (m < workers) machine.straggler = law;
            if (m < workers && unequal) machine.straggler.persistentFactor = 1 + 0.5 * (m % 3);
        }
        Job job{.key = "j"};
        job.workerDemand = ResourceVector::of({1, 0});
        job.serverDemand = ResourceVector::of({0, 1});
        job.workers = {workers, workers};
        job.stop.iterations = updates;
        job.work = AnalyticWork{.samples = 1e6,
                                .parameterBytes = parameterBytes,
                                .batch = 20,
                                .secondsPerSample = 0.005,
                                .evaluation = {.everyIterations = 1'000'000}};
        s.jobs.push_back(job);
        return s;
    }
};

struct Sample {
    double mean = 0, deviation = 0, error = 0;
};

Sample endsOf(const Scenario& scenario, int seeds) {
    std::vector<double> ends;
    for (int seed = 1; seed <= seeds; ++seed) ends.push_back(endOf(*runOf(scenario, static_cast<std::uint64_t>(seed))));
    Sample out;
    for (const double e : ends) out.mean += e / seeds;
    for (const double e : ends) out.deviation += (e - out.mean) * (e - out.mean) / (seeds - 1);
    out.deviation = std::sqrt(out.deviation);
    out.error = out.deviation / std::sqrt(static_cast<double>(seeds));
    return out;
}

ParamValue whole(int n) { return std::int64_t{n}; }

/// `jobs` jobs of one worker, without servers and parameters to speak of, on machines with room for one each.
Scenario queue(int machines, const std::vector<std::pair<double, int>>& jobs, const std::string& scheduler) {
    Scenario s = starScenario(machines);
    s.network = NetworkModel::rate;
    s.policies.scheduler = {scheduler, {}};
    for (auto& m : s.cluster.machines) m.capacity = ResourceVector::of({1});
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        Job job{.key = "j" + std::to_string(j)};
        job.arrival = SimTime::seconds(jobs[j].first);
        job.workerDemand = ResourceVector::of({1});
        job.workers = {1, 1};
        job.servers = {0, 0};
        job.stop.iterations = jobs[j].second;
        job.work = AnalyticWork{.samples = 1e5, .parameterBytes = 0, .batch = 1, .secondsPerSample = 1};
        s.jobs.push_back(job);
    }
    return s;
}

/// Shortest remaining time first on equal machines, independent of the engine: between two events the jobs
/// with least to do run; ties keep their order.
std::vector<double> srtfEnds(int machines, const std::vector<std::pair<double, int>>& jobs) {
    std::vector<double> left, ends(jobs.size(), -1);
    for (const auto& job : jobs) left.push_back(job.second);
    double now = 0;
    while (std::count(ends.begin(), ends.end(), -1.0) > 0) {
        std::vector<std::size_t> present;
        double next = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (jobs[j].first > now)
                next = std::min(next, jobs[j].first);
            else if (ends[j] < 0)
                present.push_back(j);
        }
        std::stable_sort(present.begin(), present.end(), [&](auto a, auto b) { return left[a] < left[b]; });
        present.resize(std::min<std::size_t>(present.size(), static_cast<std::size_t>(machines)));
        if (!present.empty()) next = std::min(next, now + left[present.front()]);
        for (const auto j : present) {
            left[j] -= next - now;
            if (left[j] < 1e-9) ends[j] = next;
        }
        now = next;
    }
    return ends;
}

} // namespace

class tst_RateModel : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheFlowModel_data();
    void agreesWithTheFlowModel();
    void staleSynchronousIsTheIndependentModel();
    void manyTransfersTooShortToMeetAddNothing();
    void durationsVaryAsThoseOfTheFlowModel();
    void srtfIsTheIndependentModel();
    void fractionsOfAnUpdateSurvive();
    void failuresFallBackToTheCheckpoint();
    void secondsAreExact();
    void lossesAreLookedAtWhereTheRuleSays();
    void schedulersThatGoByLossesSeeAllOfThem();
    void bytesAreThoseOfTheFlowModel();
    void updatesOfVeryManyGradients();
    void srtfRanksJobsThatStopAfterSecondsAndGraphs();
    void refusesWhatHasNoRate();
};

void tst_RateModel::agreesWithTheFlowModel_data() {
    QTest::addColumn<int>("policy");
    const char* names[] = {
        "full-sync", "timeout", "fastest-k", "backup-workers", "k-batch-sync",    "k-async", "k-batch-async",
        "async",     "ssp",     "dsag",      "local-sgd",      "gradient-coding", "teams",   "adaptive-k"};
    for (std::size_t i = 0; i < std::size(names); ++i) QTest::newRow(names[i]) << static_cast<int>(i);
}

// Every synchronization; laws, numbers of workers, machines and transfers in turn. The flow model's mean is
// that of 4 seeds, about 2000 gradients each; the rate model's of 16. Within 2 % and 4 standard errors of the
// difference: with 140 comparisons less than 1 % by chance. Before, async was off by −88 %, k-async by +443
// %.
void tst_RateModel::agreesWithTheFlowModel() {
    QFETCH(int, policy);
    const auto choiceFor = [&](int n) -> std::pair<Choice, int> {
        const int half = std::max(1, n / 2);
        switch (policy) {
        case 0: return {{"full-sync", {}}, n};
        case 1: return {{"full-sync", {{"timeout", 0.15}}}, half};
        case 2: return {{"fastest-k", {{"k", whole(half)}, {"load", 0.5}}}, half};
        case 3: return {{"backup-workers", {{"backups", whole(n > 1)}}}, std::max(1, n - 1)};
        case 4: return {{"k-batch-sync", {{"k", whole(4)}}}, 4};
        case 5: return {{"k-async", {{"k", whole(std::min(2, n))}}}, std::min(2, n)};
        case 6: return {{"k-batch-async", {{"k", whole(4)}}}, 4};
        case 7: return {{"async", {}}, 1};
        case 8: return {{"ssp", {{"staleness", whole(1)}}}, 1};
        case 9: return {{"dsag", {{"k", whole(half)}}}, half};
        case 10: return {{"local-sgd", {{"steps", whole(3)}}}, n};
        case 11: return {{"gradient-coding", {{"stragglers", whole(n > 1)}}}, n};
        case 12:
            return {{"gradient-coding", {{"code", std::string("fractional-repetition")}, {"stragglers", whole(n > 1)}}},
                    half};
        default: return {{"adaptive-k", {{"first_k", whole(half)}}}, half};
        }
    };
    const std::vector<StragglerLaw> laws{
        {},
        {.factor = {.law = Law::exponential, .mean = 1}},
        {.factor = {.law = Law::bimodal, .shape = 100, .probability = 0.05, .factor = 5}},
        {.factor = {.law = Law::pareto, .shape = 3, .scale = 2.0 / 3}},
        {.factor = {.law = Law::gamma, .mean = 1, .shape = 4},
         .delay = Distribution{.law = Law::exponential, .mean = 0.1}}};
    const int workers[] = {8, 2, 1, 8};
    for (std::size_t l = 0; l < laws.size(); ++l)
        for (const bool transfers : {false, true}) {
            const int n = workers[(l + static_cast<std::size_t>(policy) + transfers) % 4];
            const auto [choice, gradients] = choiceFor(n);
            const OneJob job{.workers = n,
                             .policy = choice,
                             .law = laws[l],
                             .unequal = (l + static_cast<std::size_t>(policy)) % 2 == 0,
                             .parameterBytes = transfers ? 3.75e7 : 1250,
                             .updates = std::max<std::int64_t>(40, std::llround(2000.0 / gradients))};
            const Sample flow = endsOf(job.scenario(NetworkModel::flow), 4),
                         rate = endsOf(job.scenario(NetworkModel::rate), 16);
            // Four runs tell little of their own spread: the rate model's, which has the same mean and
            // variance.
            const double error = std::hypot(rate.deviation / 2, rate.error);
            QVERIFY2(std::abs(rate.mean - flow.mean) < 0.02 * flow.mean + 4 * error,
                     qPrintable(QStringLiteral("law %1, %2 workers, transfers %3: rate %4, flow %5 ± %6")
                                    .arg(l)
                                    .arg(n)
                                    .arg(transfers)
                                    .arg(rate.mean)
                                    .arg(flow.mean)
                                    .arg(error)));
        }
}

// Of n workers at most s ahead of the slowest, worker w finishes its c-th task at
// F_w(c) = max(F_w(c − 1), max_v F_v(c − 1 − s)) + X. 60,000 rounds of 8 tell the mean to better than 0.3 %; the
// rate model measures to 0.6 % standard error, and is asked to be within 1.8 %.
void tst_RateModel::staleSynchronousIsTheIndependentModel() {
    const Distribution laws[] = {{.law = Law::exponential, .mean = 1},
                                 {.law = Law::pareto, .shape = 3, .scale = 2.0 / 3},
                                 {.law = Law::gamma, .mean = 1, .shape = 4}};
    for (const auto& law : laws)
        for (const int staleness : {0, 1, 4}) {
            constexpr int n = 8, rounds = 60'000;
            std::mt19937_64 random(1);
            std::uniform_real_distribution<double> unit;
            std::vector<double> finished(n, 0.0), slowest; // slowest: by round, when all had finished it
            for (int c = 0; c < rounds; ++c) {
                const double barrier = c > staleness ? slowest[static_cast<std::size_t>(c - 1 - staleness)] : 0;
                for (double& f : finished) f = std::max(f, barrier) + 0.1 * law.quantile(unit(random));
                slowest.push_back(*std::max_element(finished.begin(), finished.end()));
            }
            const double expected = slowest.back() / (n * rounds);
            const OneJob job{.policy = {"ssp", {{"staleness", whole(staleness)}}},
                             .law = {.factor = law},
                             .parameterBytes = 1,
                             .updates = 2'000'000};
            const double measured = endOf(*runOf(job.scenario(NetworkModel::rate))) / 2e6;
            QVERIFY2(std::abs(measured / expected - 1) < 0.018,
                     qPrintable(QStringLiteral("%1, s = %2: measured %3, expected %4")
                                    .arg(static_cast<int>(law.law))
                                    .arg(staleness)
                                    .arg(measured)
                                    .arg(expected)));
        }
}

// K-batch-sync of 16 workers makes an update every 11 ms, a tenth of a task: a sixteenth of the server's bandwidth for each
// transfer would lengthen no task by half a percent, but an update by 0.3 ms. The independent model: n workers read together,
// which takes n transfers' time; who answers reads alone and goes on; the K-th answer ends the round.
void tst_RateModel::manyTransfersTooShortToMeetAddNothing() {
    const Distribution weibull{.law = Law::weibull, .mean = 1, .shape = 0.7};
    constexpr int n = 16, k = 4, rounds = 40'000;
    constexpr double transfer = 1e-5; // seconds, alone on the server's link
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit;
    double expected = 0;
    for (int r = 0; r < rounds; ++r) {
        std::multiset<double> answers;
        for (int w = 0; w < n; ++w) answers.insert((n + 1) * transfer + 0.1 * weibull.quantile(unit(random)));
        for (int i = 1; i < k; ++i) {
            const double first = *answers.begin();
            answers.erase(answers.begin());
            answers.insert(first + 2 * transfer + 0.1 * weibull.quantile(unit(random)));
        }
        expected += *answers.begin() / rounds;
    }
    const OneJob job{.workers = n,
                     .policy = {"k-batch-sync", {{"k", whole(k)}}},
                     .law = {.factor = weibull},
                     .parameterBytes = 1250,
                     .updates = 2'000'000};
    const double measured = endOf(*runOf(job.scenario(NetworkModel::rate))) / 2e6;
    QVERIFY2(std::abs(measured / expected - 1) < 0.015,
             qPrintable(QStringLiteral("measured %1, expected %2").arg(measured).arg(expected)));
}

// 100 runs of each: the ratio of two sample deviations of normal laws is between 0.7 and 1.43 but for 4e-4.
// Before, the rate model's was 0. The same seed gives another policy the same luck.
void tst_RateModel::durationsVaryAsThoseOfTheFlowModel() {
    const OneJob job{.workers = 4, .law = {.factor = {.law = Law::exponential, .mean = 1}}, .updates = 60};
    const Sample flow = endsOf(job.scenario(NetworkModel::flow), 100),
                 rate = endsOf(job.scenario(NetworkModel::rate), 100);
    const double ratio = rate.deviation / flow.deviation;
    QVERIFY2(ratio > 0.7 && ratio < 1.43, qPrintable(QString::number(ratio)));
    OneJob other = job;
    other.policy = {"fastest-k", {{"k", whole(2)}}};
    double covariance = 0;
    const Sample fast = endsOf(other.scenario(NetworkModel::rate), 40),
                 slow = endsOf(job.scenario(NetworkModel::rate), 40);
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        covariance += (endOf(*runOf(job.scenario(NetworkModel::rate), seed)) - slow.mean) *
                      (endOf(*runOf(other.scenario(NetworkModel::rate), seed)) - fast.mean) / 39;
    QVERIFY(covariance / (fast.deviation * slow.deviation) > 0.9);
}

// Before: 24 of 200 completion times were wrong, 371 preemptions for 282, 44 of them of jobs that had just
// begun.
void tst_RateModel::srtfIsTheIndependentModel() {
    for (const int machines : {1, 3}) {
        RandomStream random(static_cast<std::uint64_t>(machines), Purpose::test, 21);
        std::vector<std::pair<double, int>> jobs;
        double time = 0;
        for (int j = 0; j < 200; ++j) {
            time -= std::log(random.unit()) * 11 / machines;
            jobs.emplace_back(time, 1 + static_cast<int>(random.below(20)));
        }
        const auto expected = srtfEnds(machines, jobs);
        const auto simulation = runOf(queue(machines, jobs, "srtf"));
        int wrong = 0;
        for (std::size_t j = 0; j < jobs.size(); ++j)
            wrong += !(std::abs(endOf(*simulation, JobId(j)) - expected[j]) < 1e-5);
        QCOMPARE(wrong, 0);
        std::map<std::uint32_t, SimTime> started;
        for (std::size_t i = 0; i < simulation->log().size(); ++i) {
            const Event e = simulation->log()[i];
            if (e.type == EventType::jobStarted) started[e.job] = e.time;
            if (e.type == EventType::jobPreempted) QVERIFY(e.time > started[e.job]);
        }
    }
}

// 10 s of work, interrupted after 2.5 s by a job of 3 s: it ends at 13 s, not at 13.5.
void tst_RateModel::fractionsOfAnUpdateSurvive() {
    const auto simulation = runOf(queue(1, {{0, 10}, {2.5, 3}}, "srtf"));
    QCOMPARE(endOf(*simulation, JobId(1)), 5.5);
    QCOMPARE(endOf(*simulation, JobId(0)), 13.0);
    const auto preempted = eventsOf(simulation->log(), EventType::jobPreempted);
    QCOMPARE(preempted.size(), std::size_t{1});
    QCOMPARE(preempted[0].a, 2u);
    QCOMPARE(preempted[0].b, 0u);
}

// One update and one sample a second. The machine fails at 7.5 s, for a second: 7 updates are done, and 5 of
// them kept.
void tst_RateModel::failuresFallBackToTheCheckpoint() {
    Scenario s = queue(1, {{0, 20}}, "fifo");
    s.jobs[0].checkpoint.everyIterations = 5;
    for (const bool up : {false, true}) {
        auto made = Simulation::create(optionsFor(s));
        QVERIFY(made.ok());
        Simulation& simulation = *made.value();
        simulation.command({.at = SimTime::seconds(7.5), .kind = CommandKind::failMachine, .a = 0});
        QCOMPARE(simulation.state().job(JobId(0)).updates, std::uint64_t{5});
        QCOMPARE(simulation.state().job(JobId(0)).samplesUsed, 5.0);
        if (!up) continue;
        simulation.command({.at = SimTime::seconds(8.5), .kind = CommandKind::repairMachine, .a = 0});
        while (simulation.step()) {}
        QCOMPARE(endOf(simulation), 8.5 + 15);
        QCOMPARE(eventsOf(simulation.log(), EventType::jobPreempted)[0].value, 2.0);
        QCOMPARE(simulation.state().job(JobId(0)).samplesUsed, 20.0);
    }
}

void tst_RateModel::secondsAreExact() {
    Scenario s = queue(1, {{0, 100}}, "fifo");
    s.jobs[0].stop.seconds = 7.3;
    const auto simulation = runOf(s);
    QCOMPARE(endOf(*simulation), 7.3);
    const Event end = eventsOf(simulation->log(), EventType::jobFinished)[0];
    QCOMPARE(end.count(), std::uint64_t{7});
    QCOMPARE(end.aux, static_cast<std::uint16_t>(FinishReason::seconds));
}

// Looks are at multiples of the rule; never in between if it is 0. A target loss is met
// where it is looked at: 2/(j + 1) ≤ 0.25 from j = 7 on, which every fourth update sees at 8.
void tst_RateModel::lossesAreLookedAtWhereTheRuleSays() {
    Scenario s = queue(1, {{0, 100}}, "fifo");
    auto& work = std::get<AnalyticWork>(s.jobs[0].work);
    work.curve = {.a = 2, .b = 1, .c = 0, .p = 1};
    const auto looks = [&](std::int64_t every) {
        work.evaluation.everyIterations = every;
        std::vector<std::uint64_t> out;
        for (const Event& e : eventsOf(runOf(s)->log(), EventType::lossEvaluated)) out.push_back(e.count());
        return out;
    };
    QCOMPARE(looks(0), (std::vector<std::uint64_t>{0, 100}));
    QCOMPARE(looks(40), (std::vector<std::uint64_t>{0, 40, 80, 100}));
    QCOMPARE(looks(1).size(), std::size_t{101});
    s.jobs[0].stop.loss = 0.25;
    QCOMPARE(looks(4).back(), std::uint64_t{8});
    QCOMPARE(looks(1).back(), std::uint64_t{7});
}

// A scheduler that goes by losses is told of each that the rule gives, in order and once: every tenth of 100 updates (1 s each),
// also where its pace changes at 22.5 s (a machine is taken away and given back: no update is done meanwhile).
void tst_RateModel::schedulersThatGoByLossesSeeAllOfThem() {
    Scenario s = queue(1, {{0, 100}}, "test-loss-reading");
    auto& work = std::get<AnalyticWork>(s.jobs[0].work);
    work.curve = {.a = 2, .b = 1, .c = 0, .p = 1};
    const auto looks = [&](std::int64_t every, bool fails) {
        work.evaluation.everyIterations = every;
        s.jobs[0].checkpoint.everyIterations = 1;
        SimulationOptions options = optionsFor(s);
        auto registry = std::make_shared<Registry>(Registry::builtin());
        registry->schedulers.push_back(LossReadingScheduler::entry());
        options.registry = registry;
        auto made = Simulation::create(options);
        if (!made) return std::vector<std::uint64_t>{};
        Simulation& simulation = *made.value();
        if (fails) {
            simulation.command({.at = SimTime::seconds(22.5), .kind = CommandKind::failMachine, .a = 0});
            simulation.command({.at = SimTime::seconds(24.5), .kind = CommandKind::repairMachine, .a = 0});
        }
        while (simulation.step()) {}
        std::vector<std::uint64_t> out;
        for (const Event& e : eventsOf(simulation.log(), EventType::lossEvaluated)) {
            out.push_back(e.count());
            const double second = static_cast<double>(e.count()) + (fails && e.time > SimTime::seconds(24) ? 2.5 : 0);
            if (std::abs(e.time.toSeconds() - second) > 1e-6 || e.value != work.curve.at(double(e.count())))
                out.clear();
        }
        return out;
    };
    QCOMPARE(looks(10, false), (std::vector<std::uint64_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}));
    QCOMPARE(looks(10, true), (std::vector<std::uint64_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}));
    QCOMPARE(looks(0, false), (std::vector<std::uint64_t>{0, 100}));
    QCOMPARE(looks(1, false).size(), std::size_t{101});
}

// With a server and without: what the flow model carries, within the headers and the last, unused pulls.
// Before, it was too much by the number of workers without servers, and counted n pulls for each update of
// async.
void tst_RateModel::bytesAreThoseOfTheFlowModel() {
    for (const int servers : {0, 1})
        for (const char* policy : {"full-sync", "async"}) {
            Scenario s = OneJob{.workers = 4, .policy = {policy, {}}, .parameterBytes = 1e6, .updates = 200}.scenario(
                NetworkModel::flow);
            s.jobs[0].servers = {servers, servers};
            const auto bytes = [&](NetworkModel network) {
                s.network = network;
                const auto simulation = runOf(s);
                double sum = 0;
                std::map<std::uint32_t, std::pair<double, SimTime>> loads;
                for (const Event& e : eventsOf(simulation->log(), EventType::linkLoad)) {
                    auto& [load, since] = loads[e.a];
                    sum += load * (e.time - since).toSeconds();
                    loads[e.a] = {e.value, e.time};
                }
                for (const Event& e : eventsOf(simulation->log(), EventType::linkCarried)) sum += e.value;
                return sum;
            };
            const double flow = bytes(NetworkModel::flow), rate = bytes(NetworkModel::rate);
            QVERIFY2(std::abs(rate / flow - 1) < 0.03, qPrintable(QStringLiteral("%1, %2 servers: %3 and %4")
                                                                      .arg(QString::fromLatin1(policy))
                                                                      .arg(servers)
                                                                      .arg(rate)
                                                                      .arg(flow)));
        }
}

// 100,000 pushes of two workers with exponential times of mean 0.1 s: 5,000 s an update. It is measured over one update, of
// relative standard error 1/√100,000; five of them are 1.6 % (two-sided error below 1e-6). What is measured took minutes.
void tst_RateModel::updatesOfVeryManyGradients() {
    const Choice policy{"k-batch-sync", {{"k", std::int64_t{100'000}}}};
    const Scenario s =
        OneJob{.workers = 2, .policy = policy, .law = {.factor = {.law = Law::exponential, .mean = 1}}, .updates = 2}
            .scenario(NetworkModel::rate);
    const double end = endOf(*runOf(s));
    QVERIFY2(std::abs(end / 10'000 - 1) < 0.016, qPrintable(QString::number(end)));
}

// One machine, three jobs at once: 5 s by a limit (of 100 updates), 3 s by its updates, and a graph of 4
// steps of 1 s.
void tst_RateModel::srtfRanksJobsThatStopAfterSecondsAndGraphs() {
    Scenario s = queue(1, {{0, 1}, {0.5, 100}, {0.5, 3}, {0.5, 1}}, "srtf");
    s.jobs[1].stop.seconds = 5;
    GraphWork graph;
    graph.graph.operations.push_back({.name = "a", .forwardSeconds = 0.5, .backwardSeconds = 0.5});
    graph.steps = 4;
    s.jobs[3].work = graph;
    s.jobs[3].stop = {};
    const auto simulation = runOf(s);
    std::vector<std::uint32_t> order;
    for (const Event& e : eventsOf(simulation->log(), EventType::jobFinished)) order.push_back(e.job);
    QCOMPARE(order, (std::vector<std::uint32_t>{0, 2, 3, 1}));
    QCOMPARE(endOf(*simulation, JobId(1)), 13.0);
}

void tst_RateModel::refusesWhatHasNoRate() {
    const Registry registry = Registry::builtin();
    const auto errorsOf = [&](const OneJob& job, NetworkModel network) {
        QStringList out;
        for (const Problem& p : validateScenario(job.scenario(network), registry))
            if (p.severity == Severity::error) out << QString::fromStdString(p.code + " " + p.pointer);
        return out;
    };
    const OneJob communication{.workers = 2, .policy = {"adacomm", {}}};
    QCOMPARE(errorsOf(communication, NetworkModel::flow), QStringList());
    QCOMPARE(errorsOf(communication, NetworkModel::rate), QStringList{"no-rate /policies/synchronization"});
    const OneJob bursts{.workers = 1, .law = {.burst = Burst{}}};
    QCOMPARE(errorsOf(bursts, NetworkModel::flow), QStringList());
    QCOMPARE(errorsOf(bursts, NetworkModel::rate), QStringList{"no-rate /cluster/machines/0/straggler/burst"});
    const auto warnings = [&](const OneJob& job, NetworkModel network) {
        int count = 0;
        for (const Problem& p : validateScenario(job.scenario(network), registry)) count += p.code == "rate-inexact";
        return count;
    };
    OneJob constant{.workers = 2, .policy = {"async", {}}};
    QCOMPARE(warnings(constant, NetworkModel::rate), 1);
    QCOMPARE(warnings(constant, NetworkModel::flow), 0);
    constant.policy.id = "full-sync";
    QCOMPARE(warnings(constant, NetworkModel::rate), 0);
    constant = {.workers = 2, .policy = {"async", {}}, .law = {.factor = {.law = Law::exponential, .mean = 1}}};
    QCOMPARE(warnings(constant, NetworkModel::rate), 0);
    const OneJob endless{.workers = 1, .law = {.factor = {.law = Law::pareto, .shape = 0.9, .scale = 1}}};
    QCOMPARE(errorsOf(endless, NetworkModel::flow), QStringList());
    QCOMPARE(errorsOf(endless, NetworkModel::rate), QStringList{"no-mean /cluster/machines/0/straggler/factor/shape"});
}

TRAINYARD_TEST(tst_RateModel)
#include "tst_RateModel.moc"
