// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One job alone, drawn at random: seconds per update under the rate model and under the flow model, over synchronizations, laws,
// numbers of workers and servers (also none), several of them on a machine, clusters of one switch or two, bandwidths and latencies alike
// or not, transfers that take no time to speak of or most of it, and trained jobs.
#include "scenario/ScenarioChecks.h"
#include "studies/engine/Engine.h"
#include "studies/engine/EngineRates.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace engine_random_rates {

constexpr std::uint64_t seed = 51;
constexpr std::size_t caseCount = 800, quickCount = 60;
constexpr double closeTo = 0.02, farFrom = 0.1, nearlyAll = 0.99;
constexpr double gradientsPerRun = 4'000, rateUpdates = 1e6;
constexpr double bandwidth = 1.25e8, computeSeconds = 0.1;
constexpr int batch = 20;
/// Runs of the flow model; where they say little of a difference that may matter, so many more.
constexpr std::size_t flowSeeds = 3, moreSeeds = 13;
constexpr double mayMatter = 0.012, saysLittle = 0.0025;

struct RandomCase {
    Scenario scenario; ///< of the flow model
    std::string policy, law, words;
    double perUpdate = 1; ///< gradients, about
    bool trained = false, warned = false;
};

class Drawer {
public:
    explicit Drawer(std::uint32_t number) : m_random(seed, Purpose::test, number) {}
    RandomCase draw();

private:
    bool chance(double p) { return m_random.unit() < p; }
    int between(int least, int most) {
        return least + static_cast<int>(m_random.below(static_cast<std::uint64_t>(most - least + 1)));
    }
    double between(double least, double most) { return least * std::pow(most / least, m_random.unit()); }
    void drawPolicy(RandomCase& c, int n);
    void drawCluster(RandomCase& c, int workers, int servers);
    void drawWork(RandomCase& c, Job& job);

    RandomStream m_random;
};

void Drawer::drawPolicy(RandomCase& c, int n) {
    const auto whole = [](int value) { return ParamValue(std::int64_t{value}); };
    const int k = between(1, n), many = between(1, 2 * n);
    const int fewStragglers = n > 1 ? between(1, std::min(3, n - 1)) : 0;
    const auto set = [&](Choice choice, double perUpdate) {
        c.policy = choice.id;
        c.scenario.policies.synchronization = std::move(choice);
        c.perUpdate = perUpdate;
    };
    switch (m_random.below(15)) {
    case 0: return set({"full-sync", {}}, n);
    case 1: return set({"full-sync", {{"timeout", between(0.08, 0.4)}}}, std::max(1, n / 2));
    case 2: return set({"fastest-k", {{"k", whole(k)}}}, k);
    case 3: return set({"fastest-k", {{"k", whole(k)}, {"load", 0.5}}}, k);
    case 4: return set({"k-batch-sync", {{"k", whole(many)}}}, many);
    case 5: return set({"k-async", {{"k", whole(k)}}}, k);
    case 6: return set({"k-batch-async", {{"k", whole(many)}}}, many);
    case 7: return set({"async", {}}, 1);
    case 8: return set({"ssp", {{"staleness", whole(between(0, 4))}}}, 1);
    case 9: return set({"dsag", {{"k", whole(k)}}}, k);
    case 10: return set({"local-sgd", {{"steps", whole(between(1, 5))}}}, n);
    case 11: return set({"adaptive-k", {{"first_k", whole(k)}}}, k);
    case 12: return set({"backup-workers", {{"backups", whole(std::min(n - 1, between(0, 2)))}}}, n);
    case 13: return set({"gradient-coding", {{"stragglers", whole(fewStragglers)}}}, n);
    default: break;
    }
    int team = 2;
    while (team <= n && n % team != 0) ++team;
    if (team > n) return set({"async", {{"scale", std::string("share")}}}, 1);
    set({"gradient-coding",
         {{"code", std::string("fractional-repetition")}, {"stragglers", ParamValue(std::int64_t{team - 1})}}},
        n / double(team));
}

void Drawer::drawCluster(RandomCase& c, int workers, int servers) {
    Cluster& cluster = c.scenario.cluster;
    cluster.resourceNames = {"worker", "server"};
    const bool racks = chance(0.3), together = servers > 0 && chance(0.3);
    cluster.switches.push_back({.key = "s0"});
    if (racks) cluster.switches.push_back({.key = "s1"});
    const int latencies = between(0, 2), each = between(1, 3), serversEach = between(1, 2);
    const bool unlikeLinks = chance(0.3), unlikeSpeeds = chance(0.5);
    const double common = between(1e-4, 2e-2);
    const auto latency = [&] {
        return Duration::seconds(latencies == 0 ? 0 : latencies == 1 ? common : 0.02 * m_random.unit());
    };
    const auto all = engine_rates::laws(false);
    const engine_rates::NamedLaw& law = all[chance(0.25) ? 0 : m_random.below(all.size())];
    c.law = law.name;
    const auto addMachine = [&](double forWorkers, double forServers) {
        const std::size_t m = cluster.machines.size();
        const std::string key = "m" + std::to_string(m), to = racks && m % 2 == 1 ? "s1" : "s0";
        cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({forWorkers, forServers})});
        cluster.machines.back().straggler = law.law;
        if (unlikeSpeeds) cluster.machines.back().straggler.persistentFactor = between(1.0, 3.0);
        cluster.links.push_back({.key = key + "--" + to,
                                 .from = key,
                                 .to = to,
                                 .bandwidth = bandwidth * (unlikeLinks ? between(0.5, 2.0) : 1),
                                 .latency = latency()});
    };
    for (int w = 0; w < workers; w += each) addMachine(std::min(each, workers - w), together ? servers : 0);
    for (int s = 0; s < servers && !together; s += serversEach) addMachine(0, std::min(serversEach, servers - s));
    if (racks)
        cluster.links.push_back({.key = "s0--s1",
                                 .from = "s0",
                                 .to = "s1",
                                 .bandwidth = bandwidth * between(0.5, 4.0),
                                 .latency = latency()});
    if (chance(0.3)) cluster.localBandwidth = bandwidth * between(1.0, 20.0);
    c.words += std::to_string(workers) + " workers of " + std::to_string(each) + " a machine, " +
               std::to_string(servers) + " servers" + (together ? " beside them" : "") + (racks ? ", two racks" : "") +
               (latencies == 2   ? ", unlike latencies"
                : latencies == 1 ? ", latencies"
                                 : "") +
               (unlikeLinks ? ", unlike links" : "") + (unlikeSpeeds ? ", unlike speeds" : "");
}

void Drawer::drawWork(RandomCase& c, Job& job) {
    const int size = between(0, 9);
    const double share = size == 0 ? 0 : size == 1 ? 1e-4 : between(0.01, 4.0); // of a transfer in a task's time
    const double bytes = bandwidth * computeSeconds * share, perSample = computeSeconds / batch;
    const double perUpdate = chance(0.2) ? computeSeconds * between(0.01, 0.3) : 0;
    const bool costs = chance(0.1);
    c.trained = chance(0.2);
    const auto flowUpdates = std::max<std::int64_t>(60, std::llround(gradientsPerRun / c.perUpdate));
    job.stop.iterations = c.trained ? flowUpdates / 4 : flowUpdates;
    const LossEvaluation evaluation{.everyIterations = 20, .costsTime = costs};
    if (c.trained)
        job.work = TrainedWork{
            .model = {"linear-regression", {}},
            .dataset = {"synthetic-regression", {{"rows", std::int64_t{600}}, {"features", std::int64_t{5}}}},
            .optimizer = {"sgd", {{"learning_rate", 1e-4}}},
            .batch = batch,
            .secondsPerSample = perSample,
            .secondsPerUpdate = perUpdate,
            .bytesPerParameter = std::max(1e-3, bytes / 5),
            .evaluation = evaluation};
    else
        job.work = AnalyticWork{.samples = 200,
                                .parameterBytes = bytes,
                                .batch = batch,
                                .secondsPerSample = perSample,
                                .secondsPerUpdate = perUpdate,
                                .evaluation = evaluation};
    c.words += ", transfers of " + number(share) + (perUpdate > 0 ? ", updates take time" : "") +
               (costs ? ", evaluations take time" : "") + (c.trained ? ", trained" : "");
}

RandomCase Drawer::draw() {
    RandomCase c;
    c.scenario.network = NetworkModel::flow;
    c.scenario.explanations = WhyLevel::off;
    const int workers = between(1, 10), servers = chance(0.3) ? 0 : between(1, 4);
    drawPolicy(c, workers);
    drawCluster(c, workers, servers);
    Job job{.key = "j"};
    job.workerDemand = ResourceVector::of({1, 0});
    job.serverDemand = ResourceVector::of({0, 1});
    job.workers = {workers, workers};
    job.servers = {servers, servers};
    drawWork(c, job);
    c.scenario.jobs.push_back(job);
    return c;
}

std::shared_ptr<const Scenario> underRate(const RandomCase& c) {
    auto scenario = std::make_shared<Scenario>(c.scenario);
    scenario->network = NetworkModel::rate;
    if (!c.trained) scenario->jobs[0].stop.iterations = static_cast<std::int64_t>(rateUpdates);
    return scenario;
}

std::vector<RandomCase> cases(const StudyRequest& request) {
    std::vector<RandomCase> out;
    for (std::uint32_t number = 0; out.size() < (request.quick ? quickCount : caseCount); ++number) {
        RandomCase c = Drawer(number).draw();
        c.words = "case " + std::to_string(number) + ": " + c.words;
        bool refused = false;
        for (const Problem& p : validateScenario(*underRate(c), *request.registry)) {
            refused = refused || p.severity == Severity::error;
            c.warned = c.warned || p.code == "rate-inexact";
        }
        if (!refused) out.push_back(std::move(c));
    }
    return out;
}

struct Measured {
    std::vector<double> flow;
    double rate = 0, ratio = 0, error = 0; ///< rate over flow, less 1, and its standard error
};

std::string causeOf(const RandomCase& c, const Measured& m) {
    if (c.warned) return "constant times, where the order of transfers depends on trifles; warned of";
    return std::abs(m.ratio) <= 3 * m.error ? "within three standard errors of the flow model's mean"
                                            : "an update measured in the small, to half a percent or so";
}

void compare(Measured& m) {
    const SampleSummary flow = summarizeSample(m.flow);
    m.ratio = m.rate / flow.mean - 1;
    m.error = flow.standardError / flow.mean * (1 + m.ratio);
}

} // namespace engine_random_rates

void rateAtRandom(const StudyRequest& request, StudyReport& report) {
    using namespace engine_random_rates;
    const std::vector<RandomCase> all = cases(request);
    std::vector<Measured> measured(all.size());
    std::vector<StudyRun> runs;
    std::vector<std::size_t> of; // by run, its case
    const auto add = [&](std::size_t i, std::shared_ptr<const Scenario> scenario, std::uint64_t s) {
        runs.push_back({std::move(scenario), s});
        of.push_back(i);
    };
    const auto run = [&] {
        const auto outcomes = simulateAll(request, runs, {}, report);
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (!outcomes[r].done || !(outcomes[r].settledSeconds > 0)) continue;
            if (runs[r].scenario->network == NetworkModel::rate)
                measured[of[r]].rate = outcomes[r].settledSeconds;
            else
                measured[of[r]].flow.push_back(outcomes[r].settledSeconds);
        }
        for (Measured& m : measured)
            if (m.flow.size() > 0) compare(m);
        runs.clear();
        of.clear();
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto flow = std::make_shared<const Scenario>(all[i].scenario);
        add(i, underRate(all[i]), 1);
        for (std::size_t s = 1; s <= (all[i].trained ? 1 : flowSeeds); ++s) add(i, flow, s);
    }
    run();
    for (std::size_t i = 0; i < all.size() && !report.stopped; ++i)
        if (!all[i].trained && std::abs(measured[i].ratio) > mayMatter && measured[i].error > saysLittle) {
            const auto flow = std::make_shared<const Scenario>(all[i].scenario);
            for (std::size_t s = 1; s <= moreSeeds; ++s) add(i, flow, flowSeeds + s);
        }
    run();

    std::vector<std::size_t> order;
    std::size_t unwarned = 0, close = 0, far = 0, trained = 0;
    double trainedMost = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (measured[i].flow.empty() || !(measured[i].rate > 0)) continue;
        order.push_back(i);
        const double difference = std::abs(measured[i].ratio);
        if (all[i].trained) {
            ++trained;
            trainedMost = std::max(trainedMost, difference);
        }
        if (all[i].warned) continue;
        ++unwarned;
        close += difference <= closeTo;
        far += difference > farFrom;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(measured[a].ratio) > std::abs(measured[b].ratio);
    });
    StudyTable table{.name = "rate-at-random",
                     .columns = {"policy", "law", "case", "warned", "flow_s", "rate_s", "difference", "standard_error"},
                     .rows = {}};
    std::string worst;
    for (std::size_t n = 0; n < order.size(); ++n) {
        const RandomCase& c = all[order[n]];
        const Measured& m = measured[order[n]];
        table.rows.push_back({c.policy, c.law, c.words, c.warned ? "yes" : "no", number(summarizeSample(m.flow).mean),
                              number(m.rate), number(m.ratio), number(m.error)});
        if (n < 10)
            worst += (n > 0 ? "; " : "") + number(100 * m.ratio) + " % ± " + number(100 * m.error) + " " + c.policy +
                     ", " + c.law + ", " + c.words + " (" + causeOf(c, m) + ")";
    }
    report.tables.push_back(std::move(table));
    const std::string drawn = "drawn from seed " + std::to_string(seed) + ", each ";
    const double share = unwarned > 0 ? static_cast<double>(close) / static_cast<double>(unwarned) : 0;
    report.claims.push_back({.id = "rate-at-random/within-2-percent",
                             .claim =
                                 "Of random jobs that validate does not warn of, at least 99 % have seconds per update "
                                 "under the rate model within 2 % of those of the flow model.",
                             .source = "the flow model",
                             .unit = "1",
                             .expected = nearlyAll,
                             .measured = share,
                             .interval = std::nullopt,
                             .n = unwarned,
                             .holds = share >= nearlyAll,
                             .finding = drawn + "a job alone; the ten worst of all: " + worst});
    report.claims.push_back({.id = "rate-at-random/none-far-off",
                             .claim = "No random job that validate does not warn of is more than 10 % off.",
                             .source = "the flow model",
                             .unit = "1",
                             .expected = 0,
                             .measured = static_cast<double>(far),
                             .interval = std::nullopt,
                             .n = unwarned,
                             .holds = far == 0 && unwarned > 0,
                             .finding = "of the same jobs"});
    report.claims.push_back({.id = "rate-at-random/trained",
                             .claim = "A trained job alone takes the same time under both models.",
                             .source = "the flow model",
                             .unit = "1",
                             .expected = 0,
                             .measured = trainedMost,
                             .interval = std::nullopt,
                             .n = trained,
                             .holds = trained > 0 && trainedMost <= 1e-9,
                             .finding = "the maximum relative difference, with the same seed"});
}

} // namespace trainyard::study
