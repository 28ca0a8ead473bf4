// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/JobOutlooks.h"

#include "policy/scheduler/elastic/EvenPlacing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace trainyard {

namespace job_outlooks {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr int unknownEvaluations = 20;  // still to come, where nothing tells the end of a job
constexpr std::size_t mostPoints = 200; // of a history, that are fitted

const LossEvaluation* evaluationOf(const Job& job) {
    if (const auto* trained = std::get_if<TrainedWork>(&job.work)) return &trained->evaluation;
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    return analytic ? &analytic->evaluation : nullptr;
}

bool batchPerWorker(const Job& job) {
    if (const auto* trained = std::get_if<TrainedWork>(&job.work)) return trained->batchOf == BatchOf::worker;
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    return analytic && analytic->batchOf == BatchOf::worker;
}

std::vector<double> quickKey(const Job& job, Bounds workers) {
    std::vector<double> out{double(job.work.index()),    double(workers.minimum),
                            double(workers.maximum),     double(job.servers.minimum),
                            double(job.servers.maximum), double(job.workersPerServer.value_or(0)),
                            double(job.declaredBatch())};
    if (const auto* w = std::get_if<AnalyticWork>(&job.work))
        out.insert(out.end(), {w->parameterBytes, w->secondsPerSample, w->secondsPerUpdate, w->samples});
    if (const auto* w = std::get_if<TrainedWork>(&job.work)) out.push_back(w->secondsPerSample);
    return out;
}

/// Whether they go equally fast everywhere. Losses do not matter.
bool equallyFast(const Job& a, const Job& b) {
    if (!(a.workerDemand == b.workerDemand) || !(a.serverDemand == b.serverDemand) ||
        a.synchronization != b.synchronization || a.parameters != b.parameters || a.partitioner != b.partitioner)
        return false;
    const auto *first = std::get_if<AnalyticWork>(&a.work), *second = std::get_if<AnalyticWork>(&b.work);
    if (!first || !second) return a.work == b.work;
    AnalyticWork x = *first, y = *second;
    x.curve = y.curve = {};
    return x == y;
}

/// Every so-manieth point, so that there are few, and the last.
void sample(std::span<const LossPoint> losses, std::vector<double>& updates, std::vector<double>& values) {
    const std::size_t stride = losses.size() / mostPoints + 1;
    for (std::size_t i = (losses.size() - 1) % stride; i < losses.size(); i += stride) {
        updates.push_back(static_cast<double>(losses[i].update));
        values.push_back(losses[i].loss);
    }
}

std::set<int> endsAndMiddles(int low, int high, int count) {
    std::set<int> out;
    for (int i = 0; i < count; ++i)
        out.insert(low + static_cast<int>(std::lround(double(high - low) * i / std::max(1, count - 1))));
    return out;
}

} // namespace job_outlooks

using namespace job_outlooks;

void FittedLosses::follow(std::span<const LossPoint> losses) {
    if (m_seen == losses.size()) return;
    for (; m_seen < losses.size(); ++m_seen) m_greatest = std::max(m_greatest, std::abs(losses[m_seen].loss));
    std::vector<double> updates, values;
    sample(losses, updates, values);
    m_fit = fitLossHyperbola(updates, values);
}

double JobOutlook::secondsToGo(int workers, int servers) const {
    const double more = mostWorkers > 0 ? double(mostWorkers) / workers : 1;
    return std::min(limitSeconds, updates > 0 ? updates * more * speed->secondsPerUpdate(workers, servers) : 0);
}

std::vector<std::pair<int, int>> JobOutlooks::profiledCounts(const Job& job, Bounds workers) {
    std::vector<std::pair<int, int>> out;
    for (const int w : endsAndMiddles(workers.minimum, workers.maximum, job.workersPerServer ? 5 : 3)) {
        if (job.workersPerServer) {
            out.emplace_back(w, job.serversFor(w, workers));
            continue;
        }
        for (const int p : endsAndMiddles(job.servers.minimum, job.servers.maximum, 3)) out.emplace_back(w, p);
    }
    return out;
}

const JobOutlooks::Alike& JobOutlooks::alike(const SchedulerView& view, JobId id, FreeCapacity& idle) {
    const Job& job = view.workload().job(id);
    Bounds workers = view.workers(id);
    auto key = quickKey(job, workers);
    const auto [begin, end] = m_alike.equal_range(key);
    for (auto it = begin; it != end; ++it)
        if (equallyFast(job, view.workload().job(it->second.first))) return it->second;
    Alike out{.first = id, .workers = workers, .fit = {}};
    workers.maximum = std::max(
        workers.minimum, static_cast<int>(job.workerDemand.copiesIn(idle.total(), workers.maximum))); // that have room
    std::vector<SpeedPoint> points;
    const ResourceVector capacity = idle.total();
    for (const auto& [w, p] : profiledCounts(job, workers)) {
        const FreeCapacity::Scratch scratch(idle);
        const auto placement = placeEvenly(view.workload(), job, w, p, idle, capacity);
        const double seconds = placement ? view.speed().secondsPerUpdate(id, *placement) : endless;
        if (std::isfinite(seconds) && seconds > 0) points.push_back({w, p, seconds});
    }
    out.runs = !points.empty();
    if (out.runs) out.fit = fitSpeed(points, job.declaredBatch());
    return m_alike.emplace(std::move(key), out)->second;
}

bool JobOutlooks::converged(std::span<const LossPoint> losses, double greatest) const {
    const auto n = static_cast<std::size_t>(m_convergedEvaluations);
    if (n == 0 || losses.size() <= n) return false;
    const double drop = losses[losses.size() - 1 - n].loss - losses.back().loss;
    return std::abs(drop) < m_convergedDrop * greatest;
}

JobOutlook JobOutlooks::of(const SchedulerView& view, JobId id, FreeCapacity& idle) {
    const Job& job = view.workload().job(id);
    const Alike& known = alike(view, id, idle);
    JobOutlook out{.speed = &known.fit};
    out.limitSeconds = job.stop.seconds ? view.speed().remainingSeconds(id, endless) : endless;
    if (std::isnan(out.limitSeconds)) out.limitSeconds = endless;
    const auto done = static_cast<double>(view.state().job(id).updates);
    const double every = [&] {
        const auto* evaluation = evaluationOf(job);
        return evaluation && evaluation->everyIterations > 0 ? double(evaluation->everyIterations) : 1.0;
    }();
    if (job.stop.loss && job.kind() != JobKind::graph) {
        if (m_losses.size() <= id.index()) m_losses.resize(view.workload().jobs.size());
        FittedLosses& losses = m_losses[id.index()];
        losses.follow(view.losses(id));
        out.converged = converged(view.losses(id), losses.greatest());
        const double most = job.stop.iterations ? std::max(0.0, double(*job.stop.iterations) - done) : endless;
        const double byLoss = losses.fit() ? std::max(0.0, losses.fit()->updatesUntil(*job.stop.loss) - done) : endless;
        out.updates = std::min(most, byLoss);
        if (out.converged) out.updates = 0;
    } else {
        out.updates = view.speed().remainingUpdates(id);
        if (job.stop.epochs && !job.stop.iterations && batchPerWorker(job) &&
            known.fit.form == SpeedFit::Form::synchronous)
            out.mostWorkers = job.workers.maximum;
    }
    if (!std::isfinite(out.updates)) out.updates = unknownEvaluations * every;
    if (!known.runs) out.updates = 0; // no pace anywhere: nothing is gained by more
    return out;
}

} // namespace trainyard
