#include "engine/SpeedEstimator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {
constexpr double endless = std::numeric_limits<double>::infinity();
constexpr int drawnIterations = 32;
} // namespace

SpeedEstimator::SpeedEstimator(std::shared_ptr<const Workload> workload,
                               std::vector<std::shared_ptr<const Synchronization>> policies,
                               std::vector<double> parameterBytes, std::vector<double> datasetRows)
    : m_workload(workload), m_policies(std::move(policies)), m_parameterBytes(std::move(parameterBytes)),
      m_rows(std::move(datasetRows)), m_updates(workload->jobs.size(), 0),
      m_samples(workload->jobs.size(), 0), m_routes(workload->cluster),
      m_delays(workload, 0, DelayModel::Streams::simulate) {}

void SpeedEstimator::setProgress(JobId job, double updates, double samples) {
    m_updates[job.index()] = updates;
    m_samples[job.index()] = samples;
}

double SpeedEstimator::samplesPerUpdate(JobId job, int workers) const {
    const auto& policy = m_policies[job.index()];
    if (!policy) return 0;
    const IterationShape shape = policy->shape(workers);
    return std::max(1.0, std::round(nominalBatch(m_workload->job(job)) * shape.load)) * shape.localSteps *
           shape.partitions * (shape.asynchronous ? shape.gradients : shape.waitFor);
}

std::vector<DirectedLink> SpeedEstimator::linksOfPairs(const Placement& placement) const {
    std::vector<DirectedLink> links;
    const auto& owners = placement.servers.empty() ? placement.workers : placement.servers;
    for (const MachineId worker : placement.workers)
        for (const MachineId server : owners) {
            if (!worker.valid() || !server.valid() || worker == server) continue;
            for (const auto& [from, to] : {std::pair(worker, server), std::pair(server, worker)}) {
                const auto route = m_routes.route(m_routes.vertexOf(from), m_routes.vertexOf(to));
                if (!route) continue;
                links.insert(links.end(), route->links.begin(), route->links.end());
            }
        }
    return links;
}

std::vector<double> SpeedEstimator::bandwidthShares(const Placement& placement) const {
    const auto& links = m_workload->cluster.links;
    std::vector<std::uint32_t> pairs(2 * links.size(), 0);
    for (const DirectedLink link : linksOfPairs(placement)) ++pairs[link];
    std::vector<double> shares;
    for (DirectedLink link = 0; link < pairs.size(); ++link)
        shares.push_back(links[link / 2].bandwidth / std::max(1u, pairs[link]));
    return shares;
}

double SpeedEstimator::transferSeconds(MachineId from, MachineId to, double bytes,
                                       std::span<const double> shares) const {
    const Cluster& cluster = m_workload->cluster;
    if (from == to) return cluster.localBandwidth > 0 ? bytes / cluster.localBandwidth : 0;
    const auto route = m_routes.route(m_routes.vertexOf(from), m_routes.vertexOf(to));
    if (!route) return endless;
    double bandwidth = endless;
    for (const DirectedLink link : route->links) bandwidth = std::min(bandwidth, shares[link]);
    return route->latency.toSeconds() + bytes / bandwidth;
}

std::vector<double> SpeedEstimator::transfersOf(JobId job, const Placement& placement) const {
    const auto shares = bandwidthShares(placement);
    const auto& owners = placement.servers.empty() ? placement.workers : placement.servers;
    const double part = m_parameterBytes[job.index()] / static_cast<double>(owners.size());
    std::vector<double> transfer;
    for (const MachineId worker : placement.workers) {
        double pull = 0, push = 0;
        for (const MachineId server : owners) {
            pull = std::max(pull, transferSeconds(worker, server, 0, shares) +
                                      transferSeconds(server, worker, part, shares));
            push = std::max(push, transferSeconds(worker, server, part, shares));
        }
        transfer.push_back(pull + push);
    }
    return transfer;
}

std::vector<WorkerResponse> SpeedEstimator::responses(JobId job, const Placement& placement) const {
    const auto transfer = transfersOf(job, placement);
    std::vector<WorkerResponse> out;
    for (std::size_t w = 0; w < transfer.size(); ++w)
        out.push_back({.straggler = &m_workload->machine(placement.workers[w]).straggler,
                       .secondsPerSample = m_delays.nominalSeconds(job, placement.workers[w], 1),
                       .transferSeconds = transfer[w]});
    return out;
}

double SpeedEstimator::secondsPerUpdate(JobId job, const Placement& placement) const {
    const Job& spec = m_workload->job(job);
    const auto& policy = m_policies[job.index()];
    if (!policy || placement.workers.empty()) return endless;
    const int n = static_cast<int>(placement.workers.size());
    const IterationShape shape = policy->shape(n);
    const double samples =
        std::max(1.0, std::round(nominalBatch(spec) * shape.load)) * shape.localSteps * shape.partitions;
    const std::vector<double> transfer = transfersOf(job, placement);
    bool random = false;
    for (const MachineId machine : placement.workers) {
        const StragglerLaw& law = m_workload->machine(machine).straggler;
        random = random || law.delay || law.burst || law.factor.law != Law::constant;
    }

    const int draws = random ? drawnIterations : 1;
    const auto waitFor = static_cast<std::size_t>(std::clamp(shape.waitFor, 1, n));
    double total = 0, rate = 0;
    std::vector<double> times(transfer.size());
    for (int draw = 0; draw < draws; ++draw) {
        for (std::size_t w = 0; w < times.size(); ++w) {
            const DelayModel::Task task{job, static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(draw),
                                        placement.workers[w]};
            times[w] =
                transfer[w] +
                m_delays.computeSeconds(task, samples, SimTime::seconds(draw * 60.0), shape.localSteps) +
                m_delays.uploadSeconds(task);
        }
        if (shape.asynchronous) {
            for (const double t : times) rate += 1 / t;
        } else {
            std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(waitFor - 1),
                             times.end());
            total += times[waitFor - 1];
        }
    }
    const double perUpdate = shape.asynchronous ? shape.gradients * draws / rate : total / draws;
    return perUpdate + trainyard::secondsPerUpdate(spec);
}

double SpeedEstimator::updatesToLoss(JobId job) const {
    const Job& spec = m_workload->job(job);
    const auto* work = std::get_if<AnalyticWork>(&spec.work);
    if (!work || !spec.stop.loss) return endless;
    const double done = m_updates[job.index()];
    if (work->curve.at(done) <= *spec.stop.loss) return 0;
    // The curve falls monotonically: double, then bisect for the first update at or below the target.
    double low = done, high = done + 1;
    while (high < 1e12 && work->curve.at(high) > *spec.stop.loss) high = 2 * high;
    if (high >= 1e12) return endless;
    for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (low + high);
        (work->curve.at(middle) > *spec.stop.loss ? low : high) = middle;
    }
    return std::max(0.0, std::ceil(high) - done);
}

double SpeedEstimator::remainingUpdates(JobId job) const {
    const Job& spec = m_workload->job(job);
    double remaining = endless;
    if (spec.stop.iterations) remaining = static_cast<double>(*spec.stop.iterations) - m_updates[job.index()];
    if (spec.stop.epochs && m_rows[job.index()] > 0) {
        const double perUpdate = samplesPerUpdate(job, spec.workers.maximum);
        if (perUpdate > 0)
            remaining = std::min(
                remaining, (*spec.stop.epochs * m_rows[job.index()] - m_samples[job.index()]) / perUpdate);
    }
    remaining = std::min(remaining, updatesToLoss(job));
    return std::max(0.0, remaining);
}

} // namespace trainyard
