// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Analytic jobs under the rate model: they advance along a path (RatePath), without tasks.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace trainyard {

namespace {

/// On the way the losses of an analytic job are this share of its updates apart at least, whoever schedules it: long jobs stay cheap,
/// and measures of losses do not depend on who asked for them.
constexpr double closestLooks = 1.0 / 1024;
enum Tick : std::uint16_t { look, end };
constexpr double noEnd = std::numeric_limits<double>::infinity();
/// Updates that are due at this nanosecond count as done.
constexpr double nearlyDone = 1e-6;

std::uint64_t whole(double updates) { return static_cast<std::uint64_t>(std::floor(updates + nearlyDone)); }

} // namespace

bool SimulationCore::advancesByRate(JobId job) const {
    return workload->job(job).kind() == JobKind::analytic && options.scenario->network == NetworkModel::rate;
}

// --- Beginning

void SimulationCore::startRate(JobId job, const Restoring& restoring) {
    const Job& spec = workload->job(job);
    const Placement& placement = state.job(job).placement;
    auto& progress = m_speed.progress(job);
    const std::uint64_t updates = state.job(job).updates;
    RateRun rate{.generation = ++m_generation,
                 .update = m_speed.updateTime(job, placement),
                 .course = {},
                 .look = noEnd,
                 .bytes = {}};
    rate.course = m_speed.course(job, rate.update.samples);
    const double limit = spec.stop.seconds ? std::max(0.0, *spec.stop.seconds - progress.ranSeconds) : noEnd;
    if (restoring.begins) {
        if (updates > 0 || restoring.bytes > 0) emit(events::jobRestored(job, updates, restoring.bytes));
        for (const auto& transfer : restoring.transfers) carry(job, transfer);
    }
    if (!state.job(job).hasLoss || state.job(job).lastLossUpdate > updates)
        evaluateRate(job, rate); // at first, or fallen back
    rateGoal(job, rate);
    rate.bytes = bytesPerUpdate(job, rate.update);
    const SimTime begin = m_now + Duration::seconds(restoringSeconds(restoring) + restoring.seconds);
    progress.path = RatePath(begin, progress.updates, rate.goal, limit, rate.update, options.seed, job);
    SimTime end = progress.path->timeOf(rate.goal);
    if (const SimTime last = m_now + Duration::seconds(limit); last < end) {
        end = last;
        rate.reason = FinishReason::seconds;
        rate.goal = static_cast<double>(whole(progress.path->updatesAt(end)));
    }
    const RateRun& begun = m_rates[job.index()].emplace(std::move(rate));
    if (end == SimTime::never()) return; // unreachable servers or no end in sight: the run ends it as stuck
    push(end, Kind::rateTick, job.value, entityOf(begun.generation), Tick::end);
    planLook(job);
}

/// The first of its stopping rules, but for a limit in seconds.
void SimulationCore::rateGoal(JobId job, RateRun& rate) const {
    const Job& spec = workload->job(job);
    const double updates = static_cast<double>(state.job(job).updates);
    rate.goal = noEnd;
    const auto consider = [&](double goal, FinishReason reason) {
        if (goal >= rate.goal) return;
        rate.goal = goal;
        rate.reason = reason;
    };
    if (spec.stop.iterations) consider(static_cast<double>(*spec.stop.iterations), FinishReason::iterations);
    if (spec.stop.epochs && rate.update.samples > 0) {
        const double left = *spec.stop.epochs * std::get<AnalyticWork>(spec.work).samples - state.job(job).samplesUsed;
        consider(updates + std::max(0.0, std::ceil(left / rate.update.samples - nearlyDone)), FinishReason::epochs);
    }
    if (spec.stop.loss) { // the present loss counts if it has been evaluated, and was to be
        const JobState& now = state.job(job);
        const bool met =
            now.lastLossUpdate == now.updates && now.lastLoss <= *spec.stop.loss && evaluationIsDue(spec, now.updates);
        consider(met ? updates : updates + m_speed.updatesToLoss(job, updates, rate.course), FinishReason::loss);
    }
    rate.goal = std::max(rate.goal, updates);
}

/// The next update at which its loss is evaluated, if that is before its last: a multiple of what its own rule says.
void SimulationCore::planLook(JobId job) {
    RateRun& rate = *m_rates[job.index()];
    const auto every = static_cast<double>(std::get<AnalyticWork>(workload->job(job).work).evaluation.everyIterations);
    if (every <= 0) return;
    const auto done = static_cast<double>(state.job(job).updates),
               last = static_cast<double>(state.job(job).lastLossUpdate);
    rate.look = std::max((std::floor(done / every) + 1) * every, std::ceil(last * (1 + closestLooks) / every) * every);
    if (rate.look >= rate.goal) return;
    const SimTime at = m_speed.progress(job).path->timeOf(rate.look); // not later than that of the goal
    push(std::max(at, m_now), Kind::rateTick, job.value, entityOf(rate.generation), Tick::look);
}

/// Until the parameters are there: their transfers are alone on the links but for each other.
double SimulationCore::restoringSeconds(const Restoring& restoring) {
    if (restoring.transfers.empty()) return 0;
    std::map<DirectedLink, double> bytes;
    for (const auto& t : restoring.transfers) {
        const auto& route = m_transfers.routeBetween(t.from, t.to);
        if (!route) return noEnd;
        for (const DirectedLink link : route->links) bytes[link] += t.bytes;
    }
    double seconds = 0;
    for (const auto& t : restoring.transfers) {
        const auto& route = m_transfers.routeBetween(t.from, t.to);
        for (const DirectedLink link : route->links)
            seconds = std::max(seconds,
                               route->latency.toSeconds() + bytes[link] / workload->cluster.links[link / 2].bandwidth);
    }
    return seconds;
}

/// Logs what crosses links with one transfer, or with several alike.
void SimulationCore::carry(JobId job, const ParameterTransfer& transfer, double times) {
    if (const auto& route = m_transfers.routeBetween(transfer.from, transfer.to))
        for (const DirectedLink link : route->links) emit(events::linkCarried(job, link, times * transfer.bytes));
}

/// By directed link. A worker pulls from each of their owners the parameters that it has, and pushes as much to
/// it; how many do, of n, the synchronization says.
std::vector<std::pair<DirectedLink, double>> SimulationCore::bytesPerUpdate(JobId job, const UpdateTime& update) {
    const Placement& placement = state.job(job).placement;
    const auto& owners = ownersOf(placement);
    const auto shares = m_speed.ownerShares(job, placement);
    const double each =
        std::get<AnalyticWork>(workload->job(job).work).parameterBytes / static_cast<double>(placement.workers.size());
    if (each == 0) return {};
    std::vector<double> bytes(2 * workload->cluster.links.size(), -1); // -1: not used
    std::map<std::uint64_t, const std::vector<DirectedLink>*>
        routes; // asked for once by pairs of machines, not of tasks
    const auto linksBetween = [&](MachineId from, MachineId to) -> const std::vector<DirectedLink>* {
        const auto [it, fresh] = routes.try_emplace(entityOf(from.value, to.value), nullptr);
        if (fresh)
            if (const auto& route = m_transfers.routeBetween(from.value, to.value)) it->second = &route->links;
        return it->second;
    };
    const auto add = [&](const std::vector<DirectedLink>* links, double more) {
        if (!links) return;
        for (const DirectedLink link : *links) bytes[link] = std::max(bytes[link], 0.0) + more;
    };
    for (const MachineId worker : placement.workers) {
        const std::vector<DirectedLink>*pull = nullptr, *push = nullptr;
        MachineId last;
        for (std::size_t o = 0; o < owners.size(); ++o) {
            const MachineId owner = owners[o];
            if (!worker.valid() || !owner.valid() || worker == owner || shares[o] < 0) continue;
            if (owner != std::exchange(last, owner)) {
                pull = linksBetween(owner, worker);
                push = linksBetween(worker, owner);
            }
            add(pull, each * shares[o] * update.pulls);
            add(push, each * shares[o] * update.pushes);
        }
    }
    std::vector<std::pair<DirectedLink, double>> out;
    for (DirectedLink link = 0; link < bytes.size(); ++link)
        if (bytes[link] >= 0) out.emplace_back(link, bytes[link]);
    return out;
}

// --- Moving on

void SimulationCore::rateTick(JobId job, std::uint16_t which) {
    RateRun& rate = *m_rates[job.index()];
    advanceRate(job, which == Tick::end ? rate.goal : rate.look);
    if (state.job(job).lastLossUpdate != state.job(job).updates) evaluateRate(job, rate);
    if (which == Tick::end) return finishJob(job, rate.reason);
    planLook(job);
}

void SimulationCore::evaluateRate(JobId job, const RateRun& rate) {
    const std::uint64_t now = state.job(job).updates;
    const LossCurve& curve = std::get<AnalyticWork>(workload->job(job).work).curve;
    emit(events::lossEvaluated(job, now, curve.at(rate.course.at(static_cast<double>(now)))));
}

/// What was to be evaluated at this very instant, by a tick that does not come any more.
void SimulationCore::evaluateDue(JobId job) {
    const RateRun& rate = *m_rates[job.index()];
    const JobState& now = state.job(job);
    const auto updates = static_cast<double>(now.updates);
    const bool due = updates >= rate.look || (rate.reason == FinishReason::loss && updates >= rate.goal);
    if (due && now.lastLossUpdate != now.updates) evaluateRate(job, rate);
}

/// Logs what has come since the last time. `goesOn`: at another pace; the bytes that have crossed links are logged later, since
/// an event for each link at every change would be most of a log.
void SimulationCore::advanceRate(JobId job, double reached, bool goesOn) {
    const RateRun& rate = *m_rates[job.index()];
    const std::uint64_t updates = whole(reached), before = state.job(job).updates;
    if (updates <= before) {
        if (!goesOn) logOwed(job);
        return;
    }
    const auto gained = static_cast<double>(updates - before);
    emit(events::updateApplied(job, updates, gained * rate.update.samples));
    auto& owed = m_owed[job.index()];
    for (const auto& [link, bytes] : rate.bytes) {
        const auto it = std::lower_bound(owed.begin(), owed.end(), std::pair(link, 0.0));
        if (it != owed.end() && it->first == link)
            it->second += gained * bytes;
        else
            owed.emplace(it, link, gained * bytes);
    }
    if (!goesOn) logOwed(job);
    takeRateCheckpoints(job, reached);
}

void SimulationCore::logOwed(JobId job) {
    for (const auto& [link, bytes] : std::exchange(m_owed[job.index()], {}))
        emit(events::linkCarried(job, link, bytes));
}

/// Those that have been taken, and have reached the storage, since the last time.
void SimulationCore::takeRateCheckpoints(JobId job, double reached) {
    const Job& spec = workload->job(job);
    const double every = static_cast<double>(spec.checkpoint.everyIterations);
    auto& last = m_lives[job.index()].checkpoint;
    const double before = last ? static_cast<double>(last->updates) : 0;
    if (every <= 0 || reached < before + every) return;
    const double at = std::floor((reached + nearlyDone) / every) * every, taken = std::round((at - before) / every);
    const auto count = static_cast<std::uint64_t>(at);
    const double later = static_cast<double>(state.job(job).updates) - at;
    last = JobSnapshot{.parameters = {},
                       .optimizerState = {},
                       .updates = count,
                       .samplesUsed = state.job(job).samplesUsed - later * m_rates[job.index()]->update.samples,
                       .ahead = m_rates[job.index()]->course.aheadAt(at)};
    const double bytes = checkpointBytes(spec, nullptr);
    emit(events::checkpointStarted(job, count, taken * bytes));
    for (const auto& transfer : checkpointTransfers(state.job(job).placement, m_storage, bytes))
        carry(job, transfer, taken);
    emit(events::checkpointDone(job, count));
}

/// What it has done so far, fractions of an update too, is kept as its progress.
std::optional<JobSnapshot> SimulationCore::haltRate(JobId job, bool goesOn) {
    if (!m_rates[job.index()]) return std::nullopt;
    auto& progress = m_speed.progress(job);
    progress.updates = progress.path->updatesAt(m_now);
    progress.path.reset();
    advanceRate(job, progress.updates, goesOn);
    const CurveCourse course = m_rates[job.index()]->course;
    evaluateDue(job);
    m_rates[job.index()].reset();
    const JobState& now = state.job(job);
    progress.updates = std::max(progress.updates, static_cast<double>(now.updates));
    progress.samples = now.samplesUsed;
    progress.ahead = course.aheadAt(progress.updates);
    return JobSnapshot{.parameters = {},
                       .optimizerState = {},
                       .updates = now.updates,
                       .samplesUsed = now.samplesUsed,
                       .ahead = progress.ahead};
}

} // namespace trainyard
