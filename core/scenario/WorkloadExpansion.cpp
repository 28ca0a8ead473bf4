// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Generators → jobs. Every number is keyed by (seed, purpose, generator, job number) and, what is drawn of a job, by the path of
// the member: adding a job, a generator or a drawn member changes nothing else.
#include "base/Stopped.h"
#include "planning/graphs/GraphArrivals.h"
#include "planning/graphs/ShippedGraphs.h"
#include "scenario/Scenario.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace trainyard {

namespace {

/// Where a draw has its stream: FNV-1a of its member's path.
std::uint32_t streamOf(std::string_view path) {
    std::uint32_t hash = 0x811c9dc5u;
    for (const char c : path) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    return hash;
}

std::int64_t atLeastOne(double value, double greatest) {
    return value > 1 ? static_cast<std::int64_t>(std::min(std::round(value), greatest)) : 1;
}

/// One generated job while its members are drawn. A document being edited may hold laws that give nonsense: they make
/// something.
class DrawnJob {
public:
    DrawnJob(Job& job, const FieldLaws& own, const FieldLaws& common, std::uint64_t seed, std::uint64_t entity)
        : m_job(job), m_own(own), m_common(common), m_seed(seed), m_entity(entity) {}

    void draw() {
        drawLoads();
        drawTasks();
        if (const auto epochs = drawn("epochs")) m_job.stop.epochs = std::max(1e-9, *epochs);
        if (const auto iterations = drawn("iterations")) m_job.stop.iterations = atLeastOne(*iterations, 1e12);
        if (const auto weight = drawn("weight")) m_job.weight = std::max(1e-9, *weight);
        if (const auto deadline = drawn("deadline_s")) m_job.deadlineSeconds = std::max(1e-9, *deadline);
        if (!m_job.utility) return;
        if (const auto theta1 = drawn("theta1")) m_job.utility->theta1 = std::max(1e-9, *theta1);
        if (const auto theta2 = drawn("theta2_per_s")) m_job.utility->theta2 = std::max(0.0, *theta2);
        if (const auto theta3 = drawn("theta3_s")) m_job.utility->theta3 = std::max(0.0, *theta3);
    }

private:
    std::optional<double> drawn(const char* name) const {
        const FieldLaws& laws = m_own.contains(name) ? m_own : m_common;
        const auto law = laws.find(name);
        if (law == laws.end()) return std::nullopt;
        RandomStream random(m_seed, Purpose::drawnField, m_entity, streamOf(std::string("/draws/") + name));
        return law->second.sample(random);
    }

    void drawLoads() {
        const auto loads = [&](auto& work) {
            if (const auto batch = drawn("batch")) work.batch = static_cast<int>(atLeastOne(*batch, mostBatch));
            if (const auto seconds = drawn("seconds_per_sample")) work.secondsPerSample = std::max(0.0, *seconds);
        };
        if (auto* trained = std::get_if<TrainedWork>(&m_job.work)) loads(*trained);
        auto* analytic = std::get_if<AnalyticWork>(&m_job.work);
        if (!analytic) return;
        loads(*analytic);
        if (const auto samples = drawn("samples")) analytic->samples = static_cast<double>(atLeastOne(*samples, 1e15));
        if (const auto bytes = drawn("parameter_bytes")) analytic->parameterBytes = std::max(0.0, *bytes);
        if (!analytic->rates) return;
        if (const auto local = drawn("local_per_s")) analytic->rates->local = std::max(1e-9, *local);
        if (const auto remote = drawn("remote_per_s")) analytic->rates->remote = std::max(1e-9, *remote);
    }

    void drawTasks() {
        if (const auto workers = drawn("workers")) {
            const int n = static_cast<int>(atLeastOne(*workers, 1e5));
            m_job.workers = {n, n};
        }
        if (!m_job.workersPerServer) return;
        if (const auto per = drawn("workers_per_server")) m_job.workersPerServer = atLeastOne(*per, 1e5);
        m_job.servers.minimum = m_job.serversFor(m_job.workers.minimum, m_job.workers);
        m_job.servers.maximum = m_job.serversFor(m_job.workers.maximum, m_job.workers);
    }

    Job& m_job;
    const FieldLaws &m_own, &m_common;
    std::uint64_t m_seed, m_entity;
};

/// Number of the template of a job: 0 its generator's own, then the others.
std::size_t drawTemplate(const JobGenerator& generator, std::uint64_t seed, std::uint64_t entity) {
    double total = std::max(0.0, generator.jobWeight);
    for (const JobTemplate& other : generator.others) total += std::max(0.0, other.weight);
    RandomStream random(seed, Purpose::drawnField, entity, streamOf("/other_jobs"));
    double left = random.unit() * total - std::max(0.0, generator.jobWeight);
    for (std::size_t i = 0; i < generator.others.size(); ++i) {
        if (left < 0) return i;
        left -= std::max(0.0, generator.others[i].weight);
    }
    return generator.others.size();
}

constexpr int mostJobs = 1'000'000; // of one generator, as in the format
constexpr double latestArrival = 9e9;

/// A document being edited may hold numbers out of range: they make something, not nonsense.
double possibleTime(double seconds) {
    return seconds > 0 ? std::min(seconds, latestArrival) : 0; // also if it is no number
}

std::vector<double> arrivalTimes(const JobGenerator& generator, std::uint64_t seed, std::uint32_t index) {
    std::vector<double> times;
    if (generator.arrivals == JobGenerator::Arrivals::trace) {
        for (const double t : generator.arrivalSeconds) times.push_back(generator.startSeconds + t);
        return times;
    }
    double now = generator.startSeconds;
    for (int i = 0; i < std::min(generator.count, mostJobs); ++i) {
        if (generator.arrivals == JobGenerator::Arrivals::poisson) {
            RandomStream random(seed, Purpose::arrival, entityOf(index, static_cast<std::uint32_t>(i)));
            now -= generator.meanInterarrivalSeconds * std::log(random.unit());
        } else if (i > 0) {
            now += generator.meanInterarrivalSeconds;
        }
        times.push_back(now);
    }
    return times;
}

void generateJobs(const JobGenerator& generator, std::uint64_t seed, std::uint32_t index, std::vector<Job>& jobs,
                  const std::stop_token& stop) {
    const auto times = arrivalTimes(generator, seed, index);
    for (std::size_t i = 0; i < times.size(); ++i) {
        throwIfStopped(stop);
        const std::uint64_t entity = entityOf(index, static_cast<std::uint32_t>(i));
        const std::size_t which = generator.others.empty() ? 0 : drawTemplate(generator, seed, entity);
        Job job = which == 0 ? generator.job : generator.others[which - 1].job;
        const std::string number = std::to_string(i + 1);
        job.key = generator.key + "-" + number;
        if (!job.name.empty()) job.name += " " + number;
        job.arrival = SimTime::seconds(possibleTime(times[i]));
        DrawnJob(job, which == 0 ? generator.draws : generator.others[which - 1].draws, generator.draws, seed, entity)
            .draw();
        jobs.push_back(std::move(job));
    }
}

} // namespace

namespace {

/// Of a document that is edited: a pool that cannot be drawn from gives nothing.
void generateFromPool(const JobGenerator& generator, const std::vector<std::string>& graphs, std::uint64_t seed,
                      std::uint32_t index, std::vector<Job>& jobs, const std::stop_token& stop) {
    const GraphPool& pool = *generator.pool;
    if (generator.job.kind() != JobKind::graph || graphs.empty() || !pool.deadlines.check({}).empty()) return;
    const bool listed = generator.arrivals == JobGenerator::Arrivals::trace;
    const auto count =
        listed ? generator.arrivalSeconds.size() : static_cast<std::size_t>(std::clamp(generator.count, 0, mostJobs));
    const auto copies = static_cast<std::size_t>(std::clamp(pool.copies, 1, 100'000));
    const GraphWorkload workload{.graphs = graphs.size(),
                                 .replication = std::max<std::size_t>(1, std::min(copies, 4'000'000 / graphs.size())),
                                 .beta = pool.deadlines,
                                 .gapSeconds = generator.meanInterarrivalSeconds,
                                 .poisson = generator.arrivals == JobGenerator::Arrivals::poisson};
    const auto drawn = drawArrivals(workload, count, seed, index);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        throwIfStopped(stop);
        Job job = generator.job;
        const std::string number = std::to_string(i + 1);
        job.key = generator.key + "-" + number;
        job.arrival = SimTime::seconds(
            possibleTime(generator.startSeconds + (listed ? generator.arrivalSeconds[i] : drawn[i].seconds)));
        auto& work = std::get<GraphWork>(job.work);
        work.name = graphs[drawn[i].graph];
        job.name = (job.name.empty() ? work.name : job.name) + " " + number;
        work.deadlineFraction = drawn[i].beta;
        DrawnJob(job, generator.draws, generator.draws, seed, entityOf(index, static_cast<std::uint32_t>(i))).draw();
        jobs.push_back(std::move(job));
    }
}

/// Graphs that are named, made once; and whole servers for what is admitted at once.
void completeGraphJobs(const Scenario& scenario, std::vector<Job>& jobs) {
    std::map<std::string, std::shared_ptr<const ComputationGraph>> graphs;
    for (const NamedGraph& named : scenario.graphs)
        graphs.try_emplace(named.key, std::make_shared<const ComputationGraph>(computationOf(named)));
    for (Job& job : jobs) {
        auto* work = std::get_if<GraphWork>(&job.work);
        if (!work) continue;
        if (const auto known = graphs.find(work->name); known != graphs.end()) work->named = known->second;
        if (!isAdmittedAtOnce(job, scenario.cluster) || scenario.cluster.machines.empty()) continue;
        job.workerDemand = scenario.cluster.machines.front().capacity;
        job.servers = {0, 0};
    }
}

} // namespace

ComputationGraph computationOf(const NamedGraph& named) {
    ComputationGraph graph;
    if (named.shipped.empty())
        graph = named.graph;
    else if (const ShippedGraph* shipped = findShippedGraph(named.shipped))
        graph = shippedGraph(*shipped);
    for (Operation& op : graph.operations) {
        op.forwardSeconds *= named.timeFactor;
        op.backwardSeconds *= named.timeFactor;
    }
    return graph;
}

std::vector<std::string> graphsOf(const GraphPool& pool, const Scenario& scenario) {
    if (!pool.graphs.empty()) return pool.graphs;
    std::vector<std::string> all;
    for (const NamedGraph& named : scenario.graphs) all.push_back(named.key);
    return all;
}

ExpectedGraphs expectedGraphs(const Scenario& scenario, const Workload& workload) {
    ExpectedGraphs out;
    std::map<std::string, std::shared_ptr<const ComputationGraph>> graphs;
    std::map<double, double> betas;
    double jobs = 0;
    SimTime first = SimTime::never(), last;
    for (const Job& job : workload.jobs) {
        if (!workload.admitsAtOnce(job)) continue;
        const auto& work = std::get<GraphWork>(job.work);
        if (work.named) graphs[work.name] = work.named;
        ++betas[work.deadlineFraction];
        ++jobs;
        first = std::min(first, job.arrival);
        last = std::max(last, job.arrival);
    }
    for (const JobGenerator& generator : scenario.generators) {
        if (!generator.pool || !isAdmittedAtOnce(generator.job, scenario.cluster)) continue;
        const auto names = graphsOf(*generator.pool, scenario);
        // A graph that no job has drawn is not there to be expected.
        if (!std::ranges::all_of(names, [&](const std::string& name) { return graphs.contains(name); })) continue;
        for (const std::string& name : names) out.graphs.push_back(graphs[name]);
        out.workload = {.graphs = names.size(),
                        .replication = static_cast<std::size_t>(std::max(1, generator.pool->copies)),
                        .beta = generator.pool->deadlines,
                        .gapSeconds = generator.meanInterarrivalSeconds,
                        .poisson = generator.arrivals == JobGenerator::Arrivals::poisson};
        if (generator.arrivals != JobGenerator::Arrivals::trace) return out;
        break;
    }
    if (out.graphs.empty())
        for (const auto& [beta, count] : betas) {
            out.workload.beta.values.push_back(beta);
            out.workload.beta.probabilities.push_back(count / jobs);
        }
    out.workload.poisson = true;
    out.workload.gapSeconds = jobs > 1 ? (last - first).toSeconds() / (jobs - 1) : 1;
    return out;
}

std::optional<double> drawnValue(const Job& job, std::string_view name) {
    const auto* trained = std::get_if<TrainedWork>(&job.work);
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    const auto of = [](const auto& part, auto value) {
        return part ? std::optional<double>(value(*part)) : std::nullopt;
    };
    if (name == "workers") return job.workers.maximum;
    if (name == "workers_per_server") return job.workersPerServer;
    if (name == "weight") return job.weight;
    if (name == "deadline_s") return job.deadlineSeconds;
    if (name == "epochs") return job.stop.epochs;
    if (name == "iterations") return job.stop.iterations;
    if (name == "theta1") return of(job.utility, [](const Utility& u) { return u.theta1; });
    if (name == "theta2_per_s") return of(job.utility, [](const Utility& u) { return u.theta2; });
    if (name == "theta3_s") return of(job.utility, [](const Utility& u) { return u.theta3; });
    if (name == "samples") return of(analytic, [](const AnalyticWork& w) { return w.samples; });
    if (name == "parameter_bytes") return of(analytic, [](const AnalyticWork& w) { return w.parameterBytes; });
    if (name == "local_per_s" && analytic) return of(analytic->rates, [](const LocalityRates& r) { return r.local; });
    if (name == "remote_per_s" && analytic) return of(analytic->rates, [](const LocalityRates& r) { return r.remote; });
    const auto load = [&](auto value) { return trained ? of(trained, value) : of(analytic, value); };
    if (name == "batch") return load([](const auto& w) { return static_cast<double>(w.batch); });
    if (name == "seconds_per_sample") return load([](const auto& w) { return w.secondsPerSample; });
    return std::nullopt;
}

std::shared_ptr<const Workload> expandWorkload(const Scenario& scenario, std::uint64_t seed,
                                               const std::stop_token& stop) {
    auto workload = std::make_shared<Workload>();
    workload->cluster = scenario.cluster;
    workload->jobs = scenario.jobs;
    workload->hasExpectedTimes = scenario.network == NetworkModel::rate;
    for (std::size_t g = 0; g < scenario.generators.size(); ++g)
        if (const JobGenerator& generator = scenario.generators[g]; generator.pool)
            generateFromPool(generator, graphsOf(*generator.pool, scenario), seed, static_cast<std::uint32_t>(g),
                             workload->jobs, stop);
        else
            generateJobs(generator, seed, static_cast<std::uint32_t>(g), workload->jobs, stop);
    completeGraphJobs(scenario, workload->jobs);
    std::map<std::string, std::shared_ptr<const RecordedCurve>> curves;
    for (const RecordedCurve& curve : scenario.curves) curves[curve.key] = std::make_shared<const RecordedCurve>(curve);
    for (Job& job : workload->jobs)
        if (auto* work = std::get_if<AnalyticWork>(&job.work);
            work && work->curve.family == LossCurve::Family::recorded)
            if (const auto known = curves.find(work->curve.name); known != curves.end())
                work->curve.recorded = known->second;
    const auto earlier = [](const Job& a, const Job& b) {
        return a.arrival != b.arrival ? a.arrival < b.arrival : a.key < b.key;
    };
    if (!std::ranges::is_sorted(workload->jobs, earlier)) std::ranges::stable_sort(workload->jobs, earlier);
    return workload;
}

JobPlaces::JobPlaces(const Scenario& scenario, std::uint64_t seed) : m_scenario(scenario), m_seed(seed) {
    for (std::size_t i = 0; i < scenario.jobs.size(); ++i) m_jobs.try_emplace(scenario.jobs[i].key, i);
    for (std::size_t g = 0; g < scenario.generators.size(); ++g)
        m_generators.try_emplace(scenario.generators[g].key, g);
}

std::string JobPlaces::of(const Job& job) const {
    if (const auto own = m_jobs.find(job.key); own != m_jobs.end()) return "/jobs/" + std::to_string(own->second);
    const auto dash = job.key.rfind('-');
    if (dash == std::string::npos) return {};
    std::uint32_t number = 0;
    std::from_chars(job.key.data() + dash + 1, job.key.data() + job.key.size(), number);
    const auto found = m_generators.find(std::string_view(job.key).substr(0, dash));
    if (found == m_generators.end() || number == 0) return {};
    const JobGenerator& generator = m_scenario.generators[found->second];
    const std::uint64_t entity = entityOf(static_cast<std::uint32_t>(found->second), number - 1);
    const std::size_t which = generator.others.empty() ? 0 : drawTemplate(generator, m_seed, entity);
    return "/generators/" + std::to_string(found->second) +
           (which == 0 ? "" : "/other_jobs/" + std::to_string(which - 1)) + "/job";
}

} // namespace trainyard
