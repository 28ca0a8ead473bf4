// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/timesharing/TimeSharing.h"

#include "base/Format.h"
#include "policy/scheduler/Processors.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace time_sharing {

constexpr double firstTurn = 1e9; // a target's factor, in place of a fraction received, for who has received nothing

/// In steps of 0.5 %: programs leave their shares undetermined by about as much, and jobs alike should take turns.
double graded(double priority) { return std::round(std::log(priority) * 200); }

std::vector<JobId> active(const SchedulerView& view) {
    std::vector<JobId> out;
    for (const JobPhase phase : {JobPhase::running, JobPhase::waiting})
        for (const JobId id : view.jobsIn(phase)) out.push_back(id);
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace time_sharing

void TimeSharing::decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                         SchedulingDecisions& decisions) {
    follow(view, since, context.now);
    if (view.jobsIn(JobPhase::running).empty() && m_waiting.empty()) return;
    if (context.now < m_next) {
        if (m_params.fill) startWaiting(context, view, decisions);
        return;
    }
    planRound(context, view, decisions);
    m_next = context.now + Duration::secondsUp(m_params.roundSeconds);
    decisions.wakeAt(m_next);
}

// --- What is known

void TimeSharing::follow(const SchedulerView& view, std::span<const Event> since, SimTime now) {
    const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
        return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
    });
    if (changed || !m_idle) {
        const Cluster& cluster = view.workload().cluster;
        m_kinds = machineKinds(cluster);
        m_idle.emplace(cluster, m_kinds, FreeCapacity::whole(view.state()));
        m_capacity.clear();
        for (std::size_t k = 0; k < m_kinds.size(); ++k) {
            const ResourceVector total = m_idle->total(k); // a name: g++ 12 warns of the move of a temporary
            m_capacity.push_back(total);
        }
        m_jobs.resize(view.state().jobs().size());
        for (Known& job : m_jobs) job.profiled = false;
        m_stale = true;
    }
    m_waiting.update(view, since, [](JobId) { return 0; });
    for (const JobId id : m_ran) m_jobs[id.index()].received[m_jobs[id.index()].runsOn] += (now - m_last).toSeconds();
    m_last = now;
    m_ran.clear();
    for (const JobId id : view.jobsIn(JobPhase::running)) m_ran.push_back(id);
}

TimeSharing::Known& TimeSharing::known(const SchedulerView& view, JobId id) {
    Known& out = m_jobs[id.index()];
    if (out.profiled) return out;
    out.profiled = true;
    for (auto* seconds : {&out.target, &out.received, &out.due}) seconds->resize(m_kinds.size() + 1, 0.0);
    out.kinds.clear();
    out.member = {.id = id, .processors = 1, .shape = {}};
    chooseCounts(view, id, out, *m_idle);
    if (out.workers == 0) return out;
    const bool alone = out.kinds.empty();
    if (!alone) out.kinds.clear();
    for (std::size_t k = alone ? m_kinds.size() : 0; k < m_kinds.size() + alone; ++k) addOption(view, out, k, *m_idle);
    out.member.processors = out.workers * processorsPerWorker(view.workload().cluster, view.workload().job(id));
    double best = 0;
    for (const auto& option : out.member.shape.options) best = std::max(best, option.rate);
    std::vector<std::size_t> kinds;
    std::vector<SharingJob::Option> options;
    for (std::size_t o = 0; o < out.kinds.size(); ++o) { // those with a pace; where none has, all of them alike
        auto& option = out.member.shape.options[o];
        if (best > 0 && option.rate == 0) continue;
        if (best == 0) option.rate = 1;
        kinds.push_back(out.kinds[o]);
        options.push_back(std::move(option));
    }
    out.kinds = std::move(kinds);
    out.member.shape.options = std::move(options);
    return out;
}

/// As many workers as `size` says that fit on an idle kind, else on all machines. Fills `kinds` where a kind holds them; 0 workers:
/// they fit nowhere.
void TimeSharing::chooseCounts(const SchedulerView& view, JobId id, Known& known, KindRooms& idle) const {
    const Job& job = view.workload().job(id);
    const Bounds bounds = view.workers(id);
    const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
    const PlacingStrategy strategy = placingStrategy(m_params.placing);
    known.workers = known.servers = 0;
    const std::size_t kinds = m_kinds.size();
    for (const bool mixed : {false, true}) {
        if (mixed && kinds == 1) return;
        for (int n = m_params.size == "minimum" ? bounds.minimum : bounds.maximum; n >= least; --n)
            for (std::size_t k = mixed ? kinds : 0; k < kinds + mixed; ++k) {
                const int servers = job.serversFor(n, bounds);
                if (!job.workerDemand.times(n).fitsIn(idle.total(k))) continue;
                const auto placement = idle.place(view, id, n, servers, k, strategy);
                if (!placement) continue;
                idle.give(view, id, *placement);
                known.workers = n;
                known.servers = servers;
                if (!mixed) known.kinds.push_back(k);
                return;
            }
    }
}

void TimeSharing::addOption(const SchedulerView& view, Known& known, std::size_t kind, KindRooms& idle) const {
    const JobId id = known.member.id;
    const Job& job = view.workload().job(id);
    const auto placement = idle.place(view, id, known.workers, known.servers, kind, placingStrategy(m_params.placing));
    if (!placement) return;
    idle.give(view, id, *placement);
    std::vector<ResourceVector> taken(m_kinds.size());
    for (const MachineId m : placement->workers) taken[idle.kindOf(m)] += job.workerDemand;
    for (const MachineId m : placement->servers) taken[idle.kindOf(m)] += job.serverDemand;
    SharingJob::Option option;
    const double seconds = view.speed().secondsPerUpdate(id, *placement);
    option.rate = std::isfinite(seconds) ? 1 / std::clamp(seconds, 1e-9, 1e12) : 0;
    const std::size_t resources = view.workload().cluster.resourceNames.size();
    for (std::size_t k = 0; k < taken.size(); ++k)
        for (std::size_t r = 0; r < resources; ++r)
            if (taken[k].micro(r) > 0)
                option.uses.push_back({k * resources + r, taken[k].amount(r) / m_capacity[k].amount(r)});
    known.kinds.push_back(kind);
    known.member.shape.options.push_back(std::move(option));
}

// --- A round

void TimeSharing::planRound(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
    const double passed = (context.now - m_dueTo).toSeconds();
    for (const JobId id : m_divided) {
        Known& job = m_jobs[id.index()];
        for (std::size_t k = 0; k < job.due.size(); ++k) job.due[k] += job.target[k] * passed;
    }
    m_dueTo = context.now;
    const std::vector<JobId> jobs = membersOf(context, view);
    if (jobs.empty()) return;
    share(context, view, jobs);
    KindRooms rooms = *m_idle;
    Turns turns;
    for (const JobId id : jobs) turns[id];
    for (const Try& option : triesOf(view, jobs, context.now))
        if (Turn& turn = turns[option.job]; turn.placement.empty()) attempt(view, option, turn, rooms);
    if (m_params.fill)
        for (auto& [id, turn] : turns)
            if (turn.placement.empty()) fillUp(view, id, context.now, turn, rooms);
    stayWherePossible(view, turns);
    carryOut(context, view, turns, decisions);
}

std::vector<JobId> TimeSharing::membersOf(const PolicyContext& context, const SchedulerView& view) {
    std::vector<JobId> out;
    for (const JobId id : time_sharing::active(view)) {
        if (!known(view, id).kinds.empty()) {
            out.push_back(id);
        } else if (context.explaining() && view.state().job(id).phase == JobPhase::waiting) {
            FreeCapacity idle = FreeCapacity::whole(view.state());
            const Job& job = view.workload().job(id);
            const Bounds bounds = view.workers(id);
            const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
            m_refusals.tried(context, view, {id, least, job.serversFor(least, bounds), &idle, 0}, m_id);
        }
    }
    return out;
}

void TimeSharing::share(const PolicyContext& context, const SchedulerView& view, const std::vector<JobId>& jobs) {
    if (isSteady() && !m_stale && jobs == m_divided) return;
    m_stale = false;
    std::vector<Member> members;
    for (const JobId id : jobs) members.push_back(m_jobs[id.index()].member);
    const TimeShares shares = divide(context, view, members);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        Known& job = m_jobs[jobs[j].index()];
        std::fill(job.target.begin(), job.target.end(), 0.0);
        for (std::size_t o = 0; o < job.kinds.size(); ++o) job.target[job.kinds[o]] = shares[j][o];
    }
    m_divided = jobs;
}

TimeSharing::Try TimeSharing::tryOf(const SchedulerView& view, JobId id, std::size_t kind, SimTime now) const {
    const Known& job = m_jobs[id.index()];
    const double age = (now - view.workload().job(id).arrival).toSeconds();
    Try out{.job = id, .kind = kind, .target = job.target[kind]};
    out.received = age > 0 ? job.received[kind] / age : 0;
    out.priority = out.received > 0 ? out.target / out.received : out.target * time_sharing::firstTurn;
    out.deficit = job.due[kind] - job.received[kind];
    return out;
}

/// Where jobs are due a share of the time: most behind their shares first.
std::vector<TimeSharing::Try> TimeSharing::triesOf(const SchedulerView& view, const std::vector<JobId>& jobs,
                                                   SimTime now) const {
    std::vector<Try> out;
    for (const JobId id : jobs)
        for (const std::size_t kind : m_jobs[id.index()].kinds)
            if (m_jobs[id.index()].target[kind] > 0) out.push_back(tryOf(view, id, kind, now));
    std::stable_sort(out.begin(), out.end(), [](const Try& a, const Try& b) {
        return std::tuple(time_sharing::graded(b.priority), b.deficit) <
               std::tuple(time_sharing::graded(a.priority), a.deficit);
    });
    return out;
}

void TimeSharing::attempt(const SchedulerView& view, Try option, Turn& turn, KindRooms& rooms) const {
    const Known& job = m_jobs[option.job.index()];
    if (auto placement =
            rooms.place(view, option.job, job.workers, job.servers, option.kind, placingStrategy(m_params.placing))) {
        option.fits = true;
        turn.placement = std::move(*placement);
    }
    turn.tried.push_back(option);
}

/// On any kind that it has not tried: where it runs, else where it is fastest.
void TimeSharing::fillUp(const SchedulerView& view, JobId id, SimTime now, Turn& turn, KindRooms& rooms) const {
    const Known& job = m_jobs[id.index()];
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t o = 0; o < job.kinds.size(); ++o) {
        const std::size_t kind = job.kinds[o];
        if (std::any_of(turn.tried.begin(), turn.tried.end(), [&](const Try& t) { return t.kind == kind; })) continue;
        order.push_back({staysOn(view, id, kind) ? -INFINITY : -job.member.shape.options[o].rate, kind});
    }
    std::sort(order.begin(), order.end());
    for (const auto& [rank, kind] : order) {
        attempt(view, tryOf(view, id, kind, now), turn, rooms);
        if (!turn.placement.empty()) return;
    }
}

bool TimeSharing::staysOn(const SchedulerView& view, JobId id, std::size_t kind) const {
    const Known& job = m_jobs[id.index()];
    const Placement& held = view.state().job(id).placement;
    return view.state().job(id).phase == JobPhase::running && job.runsOn == kind &&
           held.workers.size() == static_cast<std::size_t>(job.workers) &&
           held.servers.size() == static_cast<std::size_t>(job.servers);
}

/// Whoever runs on the same kind again keeps its machines, if the others then still have room.
void TimeSharing::stayWherePossible(const SchedulerView& view, Turns& turns) const {
    KindRooms rooms = *m_idle;
    std::map<JobId, Placement> again;
    for (const auto& [id, turn] : turns)
        if (!turn.placement.empty() && staysOn(view, id, turn.kind()) && rooms.keep(view, id))
            again[id] = view.state().job(id).placement;
    for (const auto& [id, turn] : turns) {
        if (turn.placement.empty() || again.contains(id)) continue;
        const Known& job = m_jobs[id.index()];
        auto placement =
            rooms.place(view, id, job.workers, job.servers, turn.kind(), placingStrategy(m_params.placing));
        if (!placement) return;
        again[id] = std::move(*placement);
    }
    for (auto& [id, placement] : again) turns[id].placement = std::move(placement);
}

void TimeSharing::carryOut(const PolicyContext& context, const SchedulerView& view, const Turns& turns,
                           SchedulingDecisions& decisions) {
    std::vector<Allotment> plan;
    m_ran.clear();
    for (const auto& [id, turn] : turns) {
        Known& job = m_jobs[id.index()];
        const Placement& held = view.state().job(id).placement;
        if (!turn.placement.empty()) {
            job.runsOn = turn.kind();
            job.told = false;
            m_ran.push_back(id);
        }
        if (turn.placement.empty())
            explainWaiting(context, view, id, turn);
        else if (turn.placement != held)
            explainRunning(context, view, id, turn);
        if (turn.placement != held) plan.push_back({id, turn.placement});
    }
    if (!plan.empty()) decisions.replan(std::move(plan));
}

/// During a round: in order of arrival, in what is free.
void TimeSharing::startWaiting(const PolicyContext& context, const SchedulerView& view,
                               SchedulingDecisions& decisions) {
    if (m_waiting.empty()) return;
    KindRooms rooms(view.workload().cluster, m_kinds, view.free());
    std::vector<Allotment> plan;
    WaitingJobs::Walk walk(m_waiting, false);
    while (const auto next = walk.next()) {
        Turn turn;
        Known& job = known(view, next->job);
        if (!job.kinds.empty()) fillUp(view, next->job, context.now, turn, rooms);
        if (turn.placement.empty()) {
            walk.fail();
            continue;
        }
        job.runsOn = turn.kind();
        job.told = false;
        m_ran.push_back(next->job);
        explainRunning(context, view, next->job, turn);
        plan.push_back({next->job, turn.placement});
    }
    if (!plan.empty()) decisions.replan(std::move(plan));
}

// --- Explanations

Explanation TimeSharing::whyOf(const SchedulerView& view, JobId id, const Turn& turn) const {
    Explanation why{.family = PolicyFamily::scheduler, .policy = m_id, .job = id};
    why.rule = Rule::maximum;
    why.criterion = "priority";
    for (const Try& option : turn.tried)
        why.candidates.push_back(
            {.label = option.kind < m_kinds.size() ? m_kinds[option.kind].label : jobLabel(view, id),
             .checks = {{"room for all tasks", option.fits ? 1.0 : 0.0, Comparison::atLeast, 1}},
             .numbers = {{"priority", option.priority},
                         {"share due", option.target},
                         {"share received", option.received},
                         {"behind_s", option.deficit}}});
    return why;
}

void TimeSharing::explainRunning(const PolicyContext& context, const SchedulerView& view, JobId id,
                                 const Turn& turn) const {
    if (!context.explaining()) return;
    Explanation why = whyOf(view, id, turn);
    why.chosen = {turn.tried.size() - 1};
    const Try& option = turn.tried.back();
    why.summary = {
        TRAINYARD_TEXT("{0} runs in this round with {1} {1:worker|workers} on {2}: {3} of its time is due on such "
                       "machines, {4} received so far"),
        {jobLabel(view, id), std::to_string(turn.placement.workers.size()), machineList(view, turn.placement),
         formatNumber(option.target, 3), formatNumber(option.received, 3)}};
    context.explain(std::move(why));
}

void TimeSharing::explainWaiting(const PolicyContext& context, const SchedulerView& view, JobId id, const Turn& turn) {
    if (!context.explaining()) return;
    const bool ran = view.state().job(id).phase == JobPhase::running;
    Known& job = m_jobs[id.index()];
    if (!ran && std::exchange(job.told, true)) return;
    Explanation why = whyOf(view, id, turn);
    why.summary = {ran ? TRAINYARD_TEXT("{0} waits in this round: others are further behind their shares")
                       : TRAINYARD_TEXT("{0} waits for a round: others are further behind their shares"),
                   {jobLabel(view, id)}};
    if (ran)
        context.explain(std::move(why));
    else
        context.refuse(std::move(why));
}

} // namespace trainyard
