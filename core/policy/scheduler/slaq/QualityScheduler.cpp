// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/slaq/QualityScheduler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr std::size_t shownJobs = 16;

enum QualitySeries : std::uint16_t { predictedLoss, marginalGainSeries, greatestChange, updateSeconds };

/// Whether all ask for the same for a worker: then workers are counted, else shares of the cluster's scarcest resource.
bool areAlike(const SchedulerView& view, const std::vector<QualityJob>& jobs) {
    const ResourceVector& first = view.workload().job(jobs[0].id).workerDemand;
    return std::all_of(jobs.begin(), jobs.end(),
                       [&](const QualityJob& m) { return view.workload().job(m.id).workerDemand == first; });
}

void takeServers(const SchedulerView& view, const QualityJob& member, FreeCapacity& room) {
    const Job& job = view.workload().job(member.id);
    Placement servers{.workers = {}, .servers = member.held.servers};
    if (member.runs()) takeTasks(job, servers, room);
}

/// Of the tasks that it holds, up to `count` workers and the servers that go with them.
void keep(const Job& job, const QualityJob& member, int count, Placement& placement, FreeCapacity& room) {
    const auto take = [&room](MachineId machine, const ResourceVector& demand) {
        if (!demand.fitsIn(room.of(machine))) return false;
        room.take(machine, demand);
        return true;
    };
    const Placement& held = member.held;
    for (std::size_t w = placement.workers.size(); w < held.workers.size(); ++w) {
        const auto n = static_cast<int>(placement.workers.size()) + 1;
        if (n > count) return;
        if (!take(held.workers[w], job.workerDemand)) continue;
        const std::size_t server = placement.servers.size();
        if (static_cast<int>(server) < member.serversBeside(job, n)) {
            if (server >= held.servers.size() || !take(held.servers[server], job.serverDemand)) {
                room.give(held.workers[w], job.workerDemand);
                return;
            }
            placement.servers.push_back(held.servers[server]);
        }
        placement.workers.push_back(held.workers[w]);
    }
}

} // namespace

std::vector<SeriesInfo> qualitySeries() {
    return {
        {"predicted_loss", "Predicted loss", "",
         "Loss predicted for the end of the epoch, at the update that the job is expected to reach by then.", "update",
         ""},
        {"marginal_gain", "Gain of one more worker", "",
         "What one worker more would be worth to the job in an epoch, by which workers are divided.", "", ""},
        {"greatest_change", "Greatest change", "", "The greatest fall of the job's loss per update so far.", "", ""},
        {"update_seconds", "Seconds per update", "s", "Expected with the workers that the job gets.", "", ""}};
}

QualityScheduler::QualityScheduler(std::string id, const QualityRules& rules)
    : m_id(std::move(id)), m_epochSeconds(rules.epochSeconds), m_minShare(rules.minShare),
      m_hysteresis(rules.hysteresis), m_chargesChanges(rules.chargesChanges), m_placing(placingStrategy(rules.placing)),
      m_known({.curve = rules.curve, .decay = rules.decay, .window = rules.window, .floor = rules.floor}, m_placing,
              rules.epochSeconds) {}

void QualityScheduler::decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                              SchedulingDecisions& decisions) {
    FreeCapacity room = FreeCapacity::whole(view.state());
    const Jobs jobs = m_known.present(context, view, room, m_id);
    if (jobs.empty()) return;
    m_known.learn(context, view, jobs);
    prepareAll(jobs.size());
    context.forEach(jobs.size(), [&](std::size_t j) { prepare(view, jobs[j], j); });
    const std::vector<int> workers = allocate(view, jobs, room);
    note(context, jobs, workers);
    const bool runs = carryOut(context, view, jobs, workers, room, decisions);
    if (runs && context.now >= m_next) {
        m_next = context.now + Duration::secondsUp(m_epochSeconds);
        decisions.wakeAt(m_next);
    }
}

double QualityScheduler::updatesWith(const QualityJob& job, int workers) const {
    const double seconds = m_known.law(job).at(workers);
    return seconds > 0 ? m_epochSeconds / seconds : 0;
}

std::vector<int> QualityScheduler::divide(const Jobs& jobs, std::span<const AllocationLimits> limits,
                                          std::int64_t budget) const {
    return allocateByGain(limits, budget, [&](std::size_t j, int workers) { return priority(jobs[j], j, workers); });
}

std::vector<int> QualityScheduler::allocate(const SchedulerView& view, const Jobs& jobs, FreeCapacity& room) const {
    const FreeCapacity::Scratch scratch(room);
    const ResourceVector whole = room.total();
    for (const QualityJob& member : jobs) takeServers(view, member, room);
    const bool alike = areAlike(view, jobs);
    std::int64_t budget = alike ? 0 : 1'000'000;
    if (alike)
        for (const auto& [key, group] : room.groups())
            budget += view.workload().job(jobs[0].id).workerDemand.copiesIn(key.free, 1'000'000) *
                      static_cast<std::int64_t>(group.machines.size());
    std::vector<AllocationLimits> limits;
    std::int64_t least = 0;
    for (const QualityJob& member : jobs) {
        const double share = dominantShare(view.workload().job(member.id).workerDemand, whole);
        const auto cost = alike ? 1 : std::max<std::int64_t>(1, std::llround(share * 1e6));
        const int fastest = fastestWorkers(m_known.law(member), member.bounds.minimum, member.bounds.maximum);
        limits.push_back({member.bounds.minimum, std::max(member.bounds.minimum, fastest), cost});
        least += limits.back().minimum * cost;
    }
    budget = std::max(budget, least);
    least = keepUnderWay(jobs, budget, least, limits);
    if (m_minShare > 0) raiseMinima(budget, least, limits);
    std::vector<int> workers = divide(jobs, limits, budget);
    const bool costs = m_chargesChanges && std::any_of(jobs.begin(), jobs.end(), [&](const QualityJob& member) {
                           return m_known.afterChange(member) < 1;
                       });
    if (m_hysteresis <= 1 && !costs) return workers;
    std::vector<int> kept = withFewestChanges(jobs, limits, budget);
    return worthAfterChanges(jobs, workers) > m_hysteresis * worthAfterChanges(jobs, kept) ? workers : kept;
}

/// Jobs that have not got on since their last change lose no worker, so that epochs shorter than an update starve nobody: those with the
/// fewest workers first, as far as the least numbers of all fit. They may gain some. Returns the sum of the least numbers.
std::int64_t QualityScheduler::keepUnderWay(const Jobs& jobs, std::int64_t budget, std::int64_t least,
                                            std::vector<AllocationLimits>& limits) {
    std::vector<std::pair<int, std::size_t>> kept; // workers, job
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (const auto held = static_cast<int>(jobs[j].held.workers.size());
            jobs[j].underWay && held >= limits[j].minimum)
            kept.push_back({held, j});
    std::sort(kept.begin(), kept.end());
    for (const auto& [held, j] : kept) {
        const std::int64_t more = (held - limits[j].minimum) * limits[j].cost;
        if (least + more > budget) break;
        limits[j].minimum = held;
        limits[j].maximum = std::max(limits[j].maximum, held);
        least += more;
    }
    return least;
}

/// min_share of what an equal division would give, as far as all of them fit.
void QualityScheduler::raiseMinima(std::int64_t budget, std::int64_t least,
                                   std::vector<AllocationLimits>& limits) const {
    for (AllocationLimits& l : limits) {
        const double equal =
            static_cast<double>(budget) / static_cast<double>(limits.size()) / static_cast<double>(l.cost);
        const int wanted = std::min(l.maximum, static_cast<int>(m_minShare * equal));
        const std::int64_t more = (wanted - l.minimum) * l.cost;
        if (more <= 0 || least + more > budget) continue;
        l.minimum = wanted;
        least += more;
    }
}

/// Running jobs keep what they hold, but for what the budget or the limits of others take; what is left is given by gain.
std::vector<int> QualityScheduler::withFewestChanges(const Jobs& jobs, std::span<const AllocationLimits> limits,
                                                     std::int64_t budget) const {
    std::vector<AllocationLimits> kept(limits.begin(), limits.end());
    for (std::size_t j = 0; j < jobs.size(); ++j)
        kept[j].maximum = std::clamp(static_cast<int>(jobs[j].held.workers.size()), kept[j].minimum, kept[j].maximum);
    const std::vector<int> least = divide(jobs, kept, budget);
    for (std::size_t j = 0; j < jobs.size(); ++j) kept[j] = {least[j], limits[j].maximum, limits[j].cost};
    return divide(jobs, kept, budget);
}

double QualityScheduler::worthOfAll(const Jobs& jobs, std::span<const double> updates) const {
    double sum = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) sum += worth(jobs[j], j, updates[j]);
    return sum;
}

double QualityScheduler::worthAfterChanges(const Jobs& jobs, std::span<const int> workers) const {
    std::vector<double> updates(jobs.size());
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const bool changes = static_cast<int>(jobs[j].held.workers.size()) != workers[j];
        updates[j] =
            updatesWith(jobs[j], workers[j]) * (changes && m_chargesChanges ? m_known.afterChange(jobs[j]) : 1.0);
    }
    return worthOfAll(jobs, updates);
}

void QualityScheduler::note(const PolicyContext& context, const Jobs& jobs, const std::vector<int>& workers) const {
    if (!context.notes || context.now < m_next) return; // once an epoch
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const QualityJob& job = jobs[j];
        const PredictedGains& known = gains(job);
        const double ahead = workers[j] > 0 ? updatesWith(job, workers[j]) : 0;
        const double reached = std::min(4e9, static_cast<double>(known.last().update) + ahead);
        context.note(marginalGainSeries, marginalGain(job, j, std::max(1, workers[j])), 0, 0, job.id);
        context.note(updateSeconds, m_known.law(job).at(std::max(1, workers[j])), 0, 0, job.id);
        if (known.isYoung() || !known.hasLosses()) continue;
        context.note(predictedLoss, known.lossAfter(ahead), static_cast<std::uint32_t>(reached), 0, job.id);
        context.note(greatestChange, known.greatestChange(), 0, 0, job.id);
    }
}

/// First the minima, as present() found them to fit, of jobs under way all that they keep; then running jobs keep what they hold beyond them where there is room, so
/// that nobody's tasks stand in the way of a job that starts; then all get what they lack. Whether any job runs then.
bool QualityScheduler::carryOut(const PolicyContext& context, const SchedulerView& view, const Jobs& jobs,
                                const std::vector<int>& workers, FreeCapacity& room, SchedulingDecisions& decisions) {
    std::vector<Placement> placements;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const QualityJob& member = jobs[j];
        const Job& job = view.workload().job(member.id);
        const auto held = static_cast<int>(member.held.workers.size());
        const int least =
            member.underWay && workers[j] >= held ? std::max(held, member.bounds.minimum) : member.bounds.minimum;
        placements.push_back(member.firstTasks(job, least));
        if (member.runs())
            takeTasks(job, placements.back(), room);
        else if (auto start =
                     placeTasks(view.workload(), job, least, member.serversBeside(job, least), room, m_placing))
            placements.back() = std::move(*start);
    }
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (jobs[j].runs()) keep(view.workload().job(jobs[j].id), jobs[j], workers[j], placements[j], room);
    for (const bool growing : {false, true}) // those that start need room for their minima at once
        for (std::size_t j = 0; j < jobs.size(); ++j)
            if (jobs[j].runs() == growing && workers[j] > static_cast<int>(placements[j].workers.size()))
                grow(view, jobs[j], workers[j], placements[j], room);
    std::vector<Allotment> plan;
    bool runs = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        runs = runs || !placements[j].workers.empty();
        if (placements[j] == jobs[j].held) continue;
        context.throwIfStopped();
        explain(context, view, jobs, workers, j, placements[j]);
        m_known.give(view, context.now, jobs[j].id, placements[j]);
        plan.push_back({jobs[j].id, placements[j]});
    }
    if (!plan.empty()) decisions.replan(std::move(plan));
    return runs;
}

/// Up to `count` workers, or as many as there is room for on single machines, never fewer than the minimum.
void QualityScheduler::grow(const SchedulerView& view, const QualityJob& member, int count, Placement& placement,
                            FreeCapacity& room) const {
    const Job& job = view.workload().job(member.id);
    const auto from = static_cast<int>(placement.workers.size());
    std::int64_t fit = 0;
    for (const auto& [key, group] : room.groups())
        fit += job.workerDemand.copiesIn(key.free, count) * static_cast<std::int64_t>(group.machines.size());
    const int most = static_cast<int>(std::min<std::int64_t>(count, from + fit));
    for (int n = most; n > from && n >= member.bounds.minimum; --n) {
        const int servers = member.serversBeside(job, n) - static_cast<int>(placement.servers.size());
        const auto more = placeTasks(view.workload(), job, n - from, std::max(0, servers), room, m_placing);
        if (!more) continue;
        placement.workers.insert(placement.workers.end(), more->workers.begin(), more->workers.end());
        placement.servers.insert(placement.servers.end(), more->servers.begin(), more->servers.end());
        return;
    }
}

/// The job, and those others to which one worker more is worth most.
void QualityScheduler::explain(const PolicyContext& context, const SchedulerView& view, const Jobs& jobs,
                               const std::vector<int>& workers, std::size_t j, const Placement& placement) const {
    if (!context.explaining()) return;
    std::vector<std::pair<double, std::size_t>> others; // −gain of one more
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (i != j && workers[i] > 0) others.push_back({-priority(jobs[i], i, workers[i]), i});
    const std::size_t shown = std::min(others.size(), shownJobs);
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(shown), others.end());
    others.resize(shown);
    Explanation why{.family = PolicyFamily::scheduler, .policy = m_id, .job = jobs[j].id};
    why.summary = {jobs[j].runs()
                       ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers} of {2} for this epoch, on {3}")
                       : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers} of {2} for this epoch, on {3}"),
                   {jobLabel(view, jobs[j].id), std::to_string(placement.workers.size()),
                    std::to_string(std::accumulate(workers.begin(), workers.end(), 0)), machineList(view, placement)}};
    why.rule = Rule::everyFeasible;
    others.insert(others.begin(), {0.0, j});
    for (const auto& [negative, i] : others) {
        const int n = workers[i];
        const PredictedGains& known = gains(jobs[i]);
        const double ahead = updatesWith(jobs[i], n);
        why.chosen.push_back(why.candidates.size());
        Candidate& row = why.candidates.emplace_back(
            Candidate{.label = jobLabel(view, jobs[i].id),
                      .checks = {{"workers", double(n), Comparison::atLeast, double(jobs[i].bounds.minimum)}},
                      .numbers = {{"gain of the last worker",
                                   n > 1 ? marginalGain(jobs[i], i, n - 1) : worthOfWorkers(jobs[i], i, 1)},
                                  {"gain of one more", marginalGain(jobs[i], i, n)},
                                  {"updates in the epoch", ahead}}});
        if (const double rank = priority(jobs[i], i, n); rank != row.numbers[1].value)
            row.numbers.push_back({"priority for one more", rank});
        if (!known.isYoung() && known.hasLosses()) // otherwise there is nothing to predict from
            row.numbers.push_back({"predicted loss", known.lossAfter(ahead)});
    }
    context.explain(std::move(why));
}

} // namespace trainyard
