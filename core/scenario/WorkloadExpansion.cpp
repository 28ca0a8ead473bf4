// Generators → jobs. Every number is keyed by (seed, purpose, generator, job number): adding a job or a
// generator changes no other job.
#include "scenario/Scenario.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace {

// Items of the jobShape stream, one per quantity: append, never renumber.
enum class Drawn : std::uint32_t { workers = 1, batch, samples, epochs, iterations, secondsPerSample, parameterBytes };

std::optional<double> drawQuantity(const JobGenerator& generator, const char* name, Drawn item, std::uint64_t seed,
                                   std::uint64_t entity) {
    const auto it = generator.draws.find(name);
    if (it == generator.draws.end()) return std::nullopt;
    RandomStream random(seed, Purpose::jobShape, entity, static_cast<std::uint32_t>(item));
    return it->second.sample(random);
}

std::int64_t atLeastOne(double value, double greatest) {
    return value > 1 ? static_cast<std::int64_t>(std::min(std::round(value), greatest)) : 1;
}

void drawWork(const JobGenerator& generator, Job& job, std::uint64_t seed, std::uint64_t entity) {
    const auto draw = [&](const char* name, Drawn item) { return drawQuantity(generator, name, item, seed, entity); };
    const auto batch = draw("batch", Drawn::batch);
    const auto perSample = draw("seconds_per_sample", Drawn::secondsPerSample);
    const auto loads = [&](auto& work) {
        if (batch) work.batch = static_cast<int>(atLeastOne(*batch, 1e8));
        if (perSample) work.secondsPerSample = std::max(0.0, *perSample);
    };
    if (auto* trained = std::get_if<TrainedWork>(&job.work)) loads(*trained);
    if (auto* analytic = std::get_if<AnalyticWork>(&job.work)) {
        loads(*analytic);
        if (const auto samples = draw("samples", Drawn::samples))
            analytic->samples = static_cast<double>(atLeastOne(*samples, 1e15));
        if (const auto bytes = draw("parameter_bytes", Drawn::parameterBytes))
            analytic->parameterBytes = std::max(0.0, *bytes);
    }
    if (const auto workers = draw("workers", Drawn::workers)) {
        const int n = static_cast<int>(atLeastOne(*workers, 1e5));
        job.workers = {n, n};
    }
    if (job.workersPerServer) {
        job.servers.minimum = job.serversFor(job.workers.minimum, job.workers);
        job.servers.maximum = job.serversFor(job.workers.maximum, job.workers);
    }
    if (const auto epochs = draw("epochs", Drawn::epochs)) job.stop.epochs = std::max(1e-9, *epochs);
    if (const auto iterations = draw("iterations", Drawn::iterations))
        job.stop.iterations = atLeastOne(*iterations, 1e12);
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

void generateJobs(const JobGenerator& generator, std::uint64_t seed, std::uint32_t index, std::vector<Job>& jobs) {
    const auto times = arrivalTimes(generator, seed, index);
    for (std::size_t i = 0; i < times.size(); ++i) {
        Job job = generator.job;
        const std::string number = std::to_string(i + 1);
        job.key = generator.key + "-" + number;
        if (!job.name.empty()) job.name += " " + number;
        job.arrival = SimTime::seconds(possibleTime(times[i]));
        drawWork(generator, job, seed, entityOf(index, static_cast<std::uint32_t>(i)));
        jobs.push_back(std::move(job));
    }
}

} // namespace

std::shared_ptr<const Workload> expandWorkload(const Scenario& scenario, std::uint64_t seed) {
    auto workload = std::make_shared<Workload>();
    workload->cluster = scenario.cluster;
    workload->jobs = scenario.jobs;
    for (std::size_t g = 0; g < scenario.generators.size(); ++g)
        generateJobs(scenario.generators[g], seed, static_cast<std::uint32_t>(g), workload->jobs);
    std::map<std::string, std::shared_ptr<const RecordedCurve>> curves;
    for (const RecordedCurve& curve : scenario.curves) curves[curve.key] = std::make_shared<const RecordedCurve>(curve);
    for (Job& job : workload->jobs)
        if (auto* work = std::get_if<AnalyticWork>(&job.work);
            work && work->curve.family == LossCurve::Family::recorded)
            if (const auto known = curves.find(work->curve.name); known != curves.end())
                work->curve.recorded = known->second;
    std::stable_sort(workload->jobs.begin(), workload->jobs.end(), [](const Job& a, const Job& b) {
        return a.arrival != b.arrival ? a.arrival < b.arrival : a.key < b.key;
    });
    return workload;
}

} // namespace trainyard
