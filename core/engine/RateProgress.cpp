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

/// On the way an analytic job's loss is evaluated so often at most, so that long jobs stay cheap, unless the scheduler goes by
/// losses: curves have something to go by.
constexpr int mostLooks = 8;
constexpr std::uint16_t lastTick = 0xffff;
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
                 .looks = {},
                 .bytes = {}};
    rate.course = m_speed.course(job, rate.update.samples);
    const double limit = spec.stop.seconds ? std::max(0.0, *spec.stop.seconds - progress.ranSeconds) : noEnd;
    rateGoal(job, rate);
    rate.bytes = bytesPerUpdate(job, rate.update);
    const SimTime begin = m_now + Duration::seconds(restoringSeconds(restoring) + restoring.seconds);
    progress.path = RatePath(begin, progress.updates, rate.goal, limit, rate.update, options.seed, job);
    if (restoring.begins) {
        if (updates > 0 || restoring.bytes > 0) emit(events::jobRestored(job, updates, restoring.bytes));
        for (const auto& transfer : restoring.transfers) carry(job, transfer);
    }
    if (restoring.begins || state.job(job).lastLossUpdate != updates) // where it begins, and where its pace changes
        evaluateRate(job, rate);
    SimTime end = progress.path->timeOf(rate.goal);
    if (const SimTime last = m_now + Duration::seconds(limit); last < end) {
        end = last;
        rate.reason = FinishReason::seconds;
        rate.goal = static_cast<double>(whole(progress.path->updatesAt(end)));
    }
    const auto tick = [&](SimTime at, std::uint16_t number) {
        push(at, Kind::rateTick, job.value, entityOf(rate.generation), number);
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
    if (spec.stop.loss) consider(updates + m_speed.updatesToLoss(job, updates, rate.course), FinishReason::loss);
    rate.goal = std::max(rate.goal, updates);
}

/// Evenly spread over the updates to come, where the job's own rule evaluates.
void SimulationCore::planLooks(JobId job, RateRun& rate) const {
    const double every =
        static_cast<double>(std::get<AnalyticWork>(workload->job(job).work).evaluation.everyIterations);
    if (every <= 0) return;
    const double from = static_cast<double>(state.job(job).updates);
    if (m_goesByLosses) { // one at a time: rateTick() plans the next
        if (const double next = nextLook(job); next < rate.goal) rate.looks.push_back(next);
        return;
    }
    double last = from;
    for (int i = 1; i < mostLooks; ++i) {
        const double at = std::floor((from + (rate.goal - from) * i / mostLooks) / every) * every;
        if (at > last && at < rate.goal) rate.looks.push_back(last = at);
    }
}

/// The next update at which the job's own rule evaluates its loss; the rule must evaluate at all.
double SimulationCore::nextLook(JobId job) const {
    const double every =
        static_cast<double>(std::get<AnalyticWork>(workload->job(job).work).evaluation.everyIterations);
    return (std::floor(static_cast<double>(state.job(job).updates) / every) + 1) * every;
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

/// By directed link. A worker pulls a part of the parameters from each of their owners, and pushes as much to
/// it; how many do, of n, the synchronization says.
std::vector<std::pair<DirectedLink, double>> SimulationCore::bytesPerUpdate(JobId job, const UpdateTime& update) {
    const Placement& placement = state.job(job).placement;
    const auto& owners = placement.servers.empty() ? placement.workers : placement.servers;
    const double part = std::get<AnalyticWork>(workload->job(job).work).parameterBytes /
                        static_cast<double>(owners.size() * placement.workers.size());
    if (part == 0) return {};
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
        for (const MachineId owner : owners) {
            if (!worker.valid() || !owner.valid() || worker == owner) continue;
            if (owner != std::exchange(last, owner)) {
                pull = linksBetween(owner, worker);
                push = linksBetween(worker, owner);
            }
            add(pull, part * update.pulls);
            add(push, part * update.pushes);
        }
    }
    std::vector<std::pair<DirectedLink, double>> out;
    for (DirectedLink link = 0; link < bytes.size(); ++link)
        if (bytes[link] >= 0) out.emplace_back(link, bytes[link]);
    return out;
}

// --- Moving on

void SimulationCore::rateTick(JobId job, std::uint16_t look) {
    RateRun& rate = *m_rates[job.index()];
    const double updates = look == lastTick ? rate.goal : rate.looks[look];
    advanceRate(job, updates);
    if (state.job(job).lastLossUpdate != state.job(job).updates) evaluateRate(job, rate);
    if (look == lastTick) return finishJob(job, rate.reason);
    if (!m_goesByLosses) return;
    if (const double next = nextLook(job); next < rate.goal) {
        rate.looks[look] = next;
        const SimTime at = m_speed.progress(job).path->timeOf(next); // before the goal: the last tick is not behind it
        push(std::max(at, m_now), Kind::rateTick, job.value, entityOf(rate.generation), look);
    }
}

void SimulationCore::evaluateRate(JobId job, const RateRun& rate) {
    const std::uint64_t now = state.job(job).updates;
    const LossCurve& curve = std::get<AnalyticWork>(workload->job(job).work).curve;
    emit(events::lossEvaluated(job, now, curve.at(rate.course.at(static_cast<double>(now)))));
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
