// Jobs that advance without tasks, along a path (RatePath): analytic jobs under the rate model, and graph
// jobs.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace trainyard {

namespace {

/// On the way an analytic job's loss is evaluated so often at most, so that long jobs stay cheap: schedulers
/// that read losses, and curves, have something to go by.
constexpr int mostLooks = 8;
constexpr std::uint16_t lastTick = 0xffff;
constexpr double endless = std::numeric_limits<double>::infinity();
/// Updates that are due at this nanosecond count as done.
constexpr double rounding = 1e-6;

std::uint64_t whole(double updates) {
    return static_cast<std::uint64_t>(std::floor(updates + rounding));
}

} // namespace

bool SimulationCore::advancesByRate(JobId job) const {
    return workload->job(job).kind() == JobKind::analytic && options.scenario->network == NetworkModel::rate;
}

// --- Beginning

void SimulationCore::startRate(JobId job, const Placement& before) {
    const Job& spec = workload->job(job);
    const Placement& placement = state.job(job).placement;
    auto& progress = m_speed.progress(job);
    const std::uint64_t updates = state.job(job).updates;
    RateRun rate{
        .generation = ++m_generation, .update = m_speed.updateTime(job, placement), .looks = {}, .bytes = {}};
    const double limit =
        spec.stop.seconds ? std::max(0.0, *spec.stop.seconds - progress.ranSeconds) : endless;
    rateGoal(job, rate);
    rate.bytes = bytesPerUpdate(job, rate.update);
    const SimTime begin = m_now + Duration::seconds(preparationSeconds(job, before));
    progress.path = RatePath(begin, progress.updates, rate.goal, limit, rate.update, options.seed, job);
    if (before != placement) {
        if (updates > 0) emit(events::jobRestored(job, updates, 0));
        emit(events::lossEvaluated(job, updates,
                                   std::get<AnalyticWork>(spec.work).curve.at(static_cast<double>(updates))));
    }
    SimTime end = progress.path->timeOf(rate.goal);
    if (const SimTime last = m_now + Duration::seconds(limit); last < end) {
        end = last;
        rate.reason = FinishReason::seconds;
        rate.goal = static_cast<double>(whole(progress.path->updatesAt(end)));
    }
    const auto tick = [&](SimTime at, std::uint16_t number) {
        m_queue.push(at, static_cast<std::uint16_t>(Kind::rateTick), number, job.value,
                     entityOf(rate.generation));
    };
    if (end != SimTime::never()) { // else unreachable servers or no end in sight: the run ends it as stuck
        planLooks(job, rate);
        for (std::size_t i = 0; i < rate.looks.size(); ++i)
            tick(std::min(end, progress.path->timeOf(rate.looks[i])), static_cast<std::uint16_t>(i));
        tick(end, lastTick);
    }
    m_rates[job.index()] = std::move(rate);
}

/// The first of its stopping rules, but for a limit in seconds.
void SimulationCore::rateGoal(JobId job, RateRun& rate) const {
    const Job& spec = workload->job(job);
    const double updates = static_cast<double>(state.job(job).updates);
    rate.goal = endless;
    const auto consider = [&](double goal, FinishReason reason) {
        if (goal >= rate.goal) return;
        rate.goal = goal;
        rate.reason = reason;
    };
    if (spec.stop.iterations) consider(static_cast<double>(*spec.stop.iterations), FinishReason::iterations);
    if (spec.stop.epochs && rate.update.samples > 0) {
        const double left =
            *spec.stop.epochs * std::get<AnalyticWork>(spec.work).samples - state.job(job).samplesUsed;
        consider(updates + std::max(0.0, std::ceil(left / rate.update.samples - rounding)),
                 FinishReason::epochs);
    }
    if (spec.stop.loss) consider(updates + m_speed.updatesToLoss(job, updates), FinishReason::loss);
    rate.goal = std::max(rate.goal, updates);
}

/// Evenly spread over the updates to come, where the job's own rule evaluates.
void SimulationCore::planLooks(JobId job, RateRun& rate) const {
    const double every =
        static_cast<double>(std::get<AnalyticWork>(workload->job(job).work).evaluation.everyIterations);
    if (every <= 0) return;
    const double from = static_cast<double>(state.job(job).updates);
    double last = from;
    for (int i = 1; i < mostLooks; ++i) {
        const double at = std::floor((from + (rate.goal - from) * i / mostLooks) / every) * every;
        if (at > last && at < rate.goal) rate.looks.push_back(last = at);
    }
}

/// Before a restored or moved job begins, its parameters travel, from the storage or from the servers it had:
/// alone on the links but for each other.
double SimulationCore::preparationSeconds(JobId job, const Placement& before) {
    const Placement& placement = state.job(job).placement;
    if (before == placement) return 0;
    const auto ownersOf = [](const Placement& p) { return p.servers.empty() ? p.workers : p.servers; };
    const auto owners = ownersOf(placement), previous = ownersOf(before);
    const double share =
        std::get<AnalyticWork>(workload->job(job).work).parameterBytes / static_cast<double>(owners.size());
    const bool stored =
        previous.empty() && state.job(job).updates > 0 && storageVertex() < m_transfers.vertexCount();
    std::vector<const RouteTable::Route*> routes;
    std::map<DirectedLink, double> transfers;
    for (std::size_t o = 0; o < owners.size(); ++o) {
        if (!stored && previous.empty()) break;
        const std::uint32_t from = stored ? storageVertex() : previous[o % previous.size()].value;
        if (from == owners[o].value) continue;
        const auto& route = m_transfers.routeBetween(from, owners[o].value);
        if (!route) return endless;
        routes.push_back(&*route);
        for (const DirectedLink link : route->links) ++transfers[link];
    }
    double seconds = 0;
    for (const auto* route : routes)
        for (const DirectedLink link : route->links)
            seconds =
                std::max(seconds, route->latency.toSeconds() +
                                      share * transfers[link] / workload->cluster.links[link / 2].bandwidth);
    return seconds;
}

/// By directed link. A worker pulls a part of the parameters from each of their owners, and pushes as much to
/// it; how many do, of n, the synchronization says.
std::vector<std::pair<DirectedLink, double>> SimulationCore::bytesPerUpdate(JobId job,
                                                                            const UpdateTime& update) {
    const Placement& placement = state.job(job).placement;
    const auto& owners = placement.servers.empty() ? placement.workers : placement.servers;
    const double part = std::get<AnalyticWork>(workload->job(job).work).parameterBytes /
                        static_cast<double>(owners.size() * placement.workers.size());
    std::map<DirectedLink, double> bytes;
    for (const MachineId worker : placement.workers)
        for (const MachineId owner : owners) {
            if (!worker.valid() || !owner.valid() || worker == owner) continue;
            if (const auto& pull = m_transfers.routeBetween(owner.value, worker.value))
                for (const DirectedLink link : pull->links) bytes[link] += part * update.pulls;
            if (const auto& push = m_transfers.routeBetween(worker.value, owner.value))
                for (const DirectedLink link : push->links) bytes[link] += part * update.pushes;
        }
    return {bytes.begin(), bytes.end()};
}

// --- Moving on

void SimulationCore::rateTick(JobId job, std::uint16_t look) {
    const RateRun& rate = *m_rates[job.index()];
    const double updates = look == lastTick ? rate.goal : rate.looks[look];
    advanceRate(job, updates);
    const std::uint64_t now = state.job(job).updates;
    if (state.job(job).lastLossUpdate != now)
        emit(events::lossEvaluated(
            job, now, std::get<AnalyticWork>(workload->job(job).work).curve.at(static_cast<double>(now))));
    if (look == lastTick) finishJob(job, rate.reason);
}

/// Logs what has come since the last time.
void SimulationCore::advanceRate(JobId job, double reached) {
    const RateRun& rate = *m_rates[job.index()];
    const std::uint64_t updates = whole(reached), before = state.job(job).updates;
    if (updates <= before) return;
    const auto gained = static_cast<double>(updates - before);
    emit(events::updateApplied(job, updates, gained * rate.update.samples));
    for (const auto& [link, bytes] : rate.bytes) emit(events::linkCarried(job, link, gained * bytes));
    takeRateCheckpoints(job, reached);
}

/// Those that have been taken, and have reached the storage, since the last time.
void SimulationCore::takeRateCheckpoints(JobId job, double reached) {
    const Job& spec = workload->job(job);
    const double every = static_cast<double>(spec.checkpoint.everyIterations);
    RateCheckpoint& last = m_rateCheckpoints[job.index()];
    if (every <= 0 || reached < last.updates + every) return;
    const double at = std::floor((reached + rounding) / every) * every,
                 taken = std::round((at - last.updates) / every);
    const auto count = static_cast<std::uint64_t>(at);
    const double bytes = std::get<AnalyticWork>(spec.work).parameterBytes;
    last = {at, state.job(job).samplesUsed - (static_cast<double>(state.job(job).updates) - at) *
                                                 m_rates[job.index()]->update.samples};
    emit(events::checkpointStarted(job, count, taken * bytes));
    emit(events::checkpointDone(job, count));
}

/// Ends the path of a job that is stopped: what it has done so far, fractions of an update too, is kept as
/// its progress.
void SimulationCore::settle(JobId job) {
    auto& progress = m_speed.progress(job);
    if (!progress.path) return;
    progress.updates = progress.path->updatesAt(m_now);
    if (m_rates[job.index()]) {
        advanceRate(job, progress.updates);
        progress.updates = std::max(progress.updates, static_cast<double>(state.job(job).updates));
        progress.samples = state.job(job).samplesUsed;
        m_rates[job.index()].reset();
    }
    progress.path.reset();
}

// --- Graph jobs: an update is a step

void SimulationCore::startGraph(JobId job) {
    const SimTime end = startSteps(job);
    if (end != SimTime::never())
        m_queue.push(end, static_cast<std::uint16_t>(Kind::graphDone), 0, job.value,
                     static_cast<std::uint64_t>(m_lives[job.index()].startedAt.ns));
}

} // namespace trainyard
