// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// srtf: the job with the shortest remaining time first. Remaining time = remaining updates × seconds per
// update at the placement the job gets on the idle cluster (machines that are up), so that waiting and
// running jobs are compared alike. Schrage, A proof of the optimality of the shortest remaining processing
// time discipline, Operations Research 1968 (one server, preemptive: least mean completion time).
#include "policy/Builtin.h"
#include "policy/scheduler/AloneSpeeds.h"
#include "policy/scheduler/MakingRoom.h"
#include "policy/scheduler/Processors.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

struct SrtfParams {
    std::string rank = "remaining-time";
    bool preemptive = true;
    std::string placing = "pack";
    std::string size = "as-many-as-fit";
};

/// Jobs by time to go, the longest first (a heap of which as much has been sorted as was asked for).
class LongestFirst {
public:
    using Ranked = WaitingJobs::Entry;
    explicit LongestFirst(std::vector<Ranked> jobs) : m_heap(std::move(jobs)) {
        std::make_heap(m_heap.begin(), m_heap.end());
    }
    /// nullptr past the end.
    const Ranked* at(std::size_t i) {
        while (m_sorted.size() <= i && !m_heap.empty()) {
            std::pop_heap(m_heap.begin(), m_heap.end());
            m_sorted.push_back(m_heap.back());
            m_heap.pop_back();
        }
        return i < m_sorted.size() ? &m_sorted[i] : nullptr;
    }
    /// One that at() has given.
    void remove(const Ranked& job) { std::erase(m_sorted, job); }

private:
    std::vector<Ranked> m_heap, m_sorted;
};

class Srtf final : public Scheduler {
public:
    explicit Srtf(SrtfParams params)
        : m_params(std::move(params)), m_alone(placingStrategy(m_params.placing), m_params.size) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Srtf>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(context.now, view, since);
        std::optional<LongestFirst> running;
        if (byService()) running.emplace(m_inOrder);
        m_givingWay.clear();
        std::vector<Allotment> plan;
        std::vector<Ranked> placed;
        if (!m_waiting.empty()) serve(context, view, running, plan, placed);
        for (const Ranked& job : placed)
            if (m_givingWay.erase(job.job) > 0) m_waiting.remove(view, job.job);
        if (byService()) keepOrder(placed);
        for (const auto& [job, entry] : m_givingWay) plan.push_back({job, {}});
        if (!plan.empty()) decisions.replan(std::move(plan));
    }

private:
    using Ranked = WaitingJobs::Entry; ///< rank: seconds to go, or processor-seconds
    static constexpr std::size_t shownAtMost = 32;

    /// Who gets room, the shortest first.
    void serve(const PolicyContext& context, const SchedulerView& view, std::optional<LongestFirst>& running,
               std::vector<Allotment>& plan, std::vector<Ranked>& placed) {
        WaitingJobs::Walk walk(m_waiting, context.explaining());
        std::vector<Candidate> passed;
        while (const auto next = walk.next()) {
            std::optional<Placement> placement;
            if (!walk.isKnown()) placement = place(context, view, *next, running, walk);
            if (!placement && !walk.isKnown()) refuse(context, view, next->job);
            if (!placement) walk.fail();
            if (context.explaining() && (placement || passed.size() < shownAtMost))
                explain(context, view, *next, walk, placement, passed);
            if (passed.size() == shownAtMost) walk.skipKnown();
            if (!placement) continue;
            placed.push_back(*next);
            plan.push_back({next->job, std::move(*placement)});
            walk.roomChanged();
        }
    }

    std::optional<Placement> place(const PolicyContext& context, const SchedulerView& view, const Ranked& next,
                                   std::optional<LongestFirst>& running, WaitingJobs::Walk& walk) {
        if (m_givingWay.count(next.job) > 0 && placeAgain(view, next.job, view.free()))
            return view.state().job(next.job).placement;
        auto placement = placeJob(view, next.job, view.free(), placingStrategy(m_params.placing), m_params.size);
        if (placement || !m_params.preemptive) return placement;
        if (!running) running.emplace(ranked(view));
        return placeByPreempting(context, view, next, *running, walk);
    }

    /// Ranks whose jobs have begun to wait; all of them anew once machines or links come and go.
    void follow(SimTime now, const SchedulerView& view, std::span<const Event> since) {
        const bool anew = m_alone.follow(view, since);
        if (byService()) followOrder(now, view, since);
        const auto rank = [&](JobId job) {
            return WaitingJobs::Place(remaining(view, job), byService() ? m_ties[job.index()] : 0);
        };
        if (anew)
            m_waiting.rebuild(view, rank);
        else
            m_waiting.update(view, since, rank);
    }

    // --- Equal service to go: whoever came to it first. So a list that is sorted again at every event, as that of the public
    // simulator, has it: those who wait have had it for longer than those who run, but not than those who arrive now.

    void followOrder(SimTime now, const SchedulerView& view, std::span<const Event> since) {
        if (m_instants == 0 || now > m_last) ++m_instants;
        m_last = now;
        m_ties.resize(view.state().jobs().size(), 1.0);
        for (const Event& event : since) {
            const bool back = event.type == EventType::jobPreempted && m_givingWay.erase(event.jobId()) == 0;
            if (event.type == EventType::jobArrived || back)
                m_ties[event.job] = 2 * static_cast<double>(m_instants) + 1;
        }
        std::vector<Ranked> order;
        order.reserve(m_inOrder.size());
        for (const Ranked& before : m_inOrder)
            if (view.state().job(before.job).phase == JobPhase::running)
                order.push_back({remaining(view, before.job), before.job});
        if (order.size() != view.jobsIn(JobPhase::running).size()) order = ranked(view); // it joins a run under way
        std::stable_sort(order.begin(), order.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i].tie = 2 * static_cast<double>(m_instants) +
                           static_cast<double>(i + 1) / static_cast<double>(order.size() + 1);
        m_inOrder = std::move(order);
    }

    /// `placed`: those who start, and those who go on after all.
    void keepOrder(const std::vector<Ranked>& placed) {
        for (const auto& [job, entry] : m_givingWay) m_ties[job.index()] = entry.tie;
        std::erase_if(m_inOrder, [&](const Ranked& r) {
            return m_givingWay.count(r.job) > 0 ||
                   std::any_of(placed.begin(), placed.end(), [&](const Ranked& p) { return p.job == r.job; });
        });
        m_inOrder.insert(m_inOrder.end(), placed.begin(), placed.end());
        std::sort(m_inOrder.begin(), m_inOrder.end());
    }

    bool byService() const { return m_params.rank == "remaining-service"; }
    const char* criterion() const { return byService() ? "remaining_service_s" : "remaining_s"; }

    double remaining(const SchedulerView& view, JobId job) {
        const double seconds = m_alone.remainingSeconds(view, job);
        const int workers = byService() ? m_alone.workers(view, job) : 0;
        if (workers == 0) return seconds;
        m_perWorker.resize(view.workload().jobs.size());
        double& perWorker = m_perWorker[job.index()];
        if (perWorker == 0) perWorker = processorsPerWorker(view.workload().cluster, view.workload().job(job));
        const double service = seconds * workers * perWorker;
        // To the microsecond, so that equal service is equal whatever has been added up.
        return std::min(AloneSpeeds::unknownSeconds, service < 1e9 ? std::round(service * 1e6) / 1e6 : service);
    }

    std::vector<Ranked> ranked(const SchedulerView& view) {
        std::vector<Ranked> out;
        for (const JobId job : view.jobsIn(JobPhase::running)) out.push_back({remaining(view, job), job});
        return out;
    }

    bool comesAfter(const Ranked& running, const Ranked& newcomer) const {
        return byService() ? running > newcomer : running.rank > newcomer.rank;
    }

    /// Running jobs with more time to go than the newcomer give way if that makes room for it, the longest first.
    std::optional<Placement> placeByPreempting(const PolicyContext& context, const SchedulerView& view,
                                               const Ranked& newcomer, LongestFirst& running, WaitingJobs::Walk& walk) {
        const auto strategy = placingStrategy(m_params.placing);
        const auto longer = [&](std::size_t i) -> std::optional<JobId> {
            const Ranked* ranked = running.at(i);
            return ranked && comesAfter(*ranked, newcomer) ? std::optional(ranked->job) : std::nullopt;
        };
        const Bounds bounds = view.workers(newcomer.job);
        const int workers = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const auto victims = makeRoom(view, newcomer.job, workers, strategy, longer);
        if (victims.empty()) return std::nullopt;
        std::vector<Ranked> leaving;
        for (const std::size_t v : victims) leaving.push_back(*running.at(v));
        explainVictims(context, view, newcomer, running, leaving);
        for (const Ranked& victim : leaving) {
            m_givingWay.insert_or_assign(victim.job, victim);
            running.remove(victim);
            walk.add(view, victim);
        }
        walk.roomChanged();
        return placeJob(view, newcomer.job, view.free(), strategy, m_params.size);
    }

    void refuse(const PolicyContext& context, const SchedulerView& view, JobId id) {
        if (!context.explaining()) return;
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        m_refusals.tried(context, view, id, least, view.workload().job(id).serversFor(least, bounds), "srtf");
    }

    void explainVictims(const PolicyContext& context, const SchedulerView& view, const Ranked& newcomer,
                        LongestFirst& running, const std::vector<Ranked>& victims) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "srtf", .job = newcomer.job};
        why.summary = {TRAINYARD_TEXT("{0} has less to do than {1} running jobs whose room it needs: they wait again"),
                       {jobLabel(view, newcomer.job), std::to_string(victims.size())}};
        why.rule = Rule::everyFeasible;
        for (std::size_t i = 0; const Ranked* other = running.at(i); ++i) {
            const bool needed = std::find(victims.begin(), victims.end(), *other) != victims.end();
            if (needed) why.chosen.push_back(why.candidates.size());
            if (!needed && why.candidates.size() >= shownAtMost) continue;
            why.candidates.push_back(
                {.label = jobLabel(view, other->job),
                 .checks = {{criterion(), other->rank,
                             comesAfter(*other, newcomer) ? Comparison::atLeast : Comparison::greater, newcomer.rank},
                            {"room needed", needed ? 1.0 : 0.0, Comparison::atLeast, 1}},
                 .numbers = {{criterion(), other->rank}}});
        }
        context.explain(std::move(why));
    }

    /// Remembers a job that does not fit; explains one that starts against those before it and those behind
    /// it.
    void explain(const PolicyContext& context, const SchedulerView& view, const Ranked& next,
                 const WaitingJobs::Walk& walk, const std::optional<Placement>& placement,
                 std::vector<Candidate>& passed) const {
        const JobId id = next.job;
        const Job& job = view.workload().job(id);
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const int workers = placement ? static_cast<int>(placement->workers.size()) : least;
        if (placement) giveTasks(job, *placement, view.free());
        Candidate self{
            .label = jobLabel(view, id),
            .checks = fitChecks(view, id, workers, job.serversFor(workers, bounds), view.free(), placement.has_value()),
            .numbers = {{criterion(), next.rank}, {"workers", double(workers)}}};
        if (!placement) {
            passed.push_back(std::move(self));
            return;
        }
        takeTasks(job, *placement, view.free());
        if (m_givingWay.count(id) > 0 && *placement == view.state().job(id).placement) return; // nothing changes
        Explanation why{.family = PolicyFamily::scheduler, .policy = "srtf", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} has least to do of the jobs that fit: workers {1}, on {2}"),
                       {jobLabel(view, id), std::to_string(workers), machineList(view, *placement)}};
        why.rule = Rule::minimum;
        why.criterion = criterion();
        why.candidates = passed;
        why.chosen = {why.candidates.size()};
        why.candidates.push_back(std::move(self));
        for (const Ranked& later : walk.following(shownAtMost))
            why.candidates.push_back({.label = jobLabel(view, later.job), .numbers = {{criterion(), later.rank}}});
        context.explain(std::move(why));
    }

    SrtfParams m_params;
    WaitingJobs m_waiting;
    Refusals m_refusals;
    AloneSpeeds m_alone;
    std::map<JobId, Ranked> m_givingWay; ///< by the decisions of the last call
    std::vector<Ranked> m_inOrder;       ///< by service: running jobs, as the list has them
    std::vector<double> m_ties;          ///< by service: of waiting jobs
    std::vector<double> m_perWorker;     ///< by service: processors of a worker, by job; 0: not asked yet
    SimTime m_last;
    std::int64_t m_instants = 0; ///< at which it was called, by m_last
};

} // namespace

SchedulerEntry builtin::srtf() {
    using P = SrtfParams;
    return policyEntry<Scheduler, Srtf, P>(
        {.id = "srtf",
         .label = "Shortest remaining time first",
         .summary = "The job with the least time to go runs first; its true remaining time is assumed to be known.",
         .source = "Schrage, Operations Research 1968"},
        choice(&P::rank, "rank", "Rank", {"remaining-time", "remaining-service"},
               "By the time to go, or by the service to go: times the processors that the job gets."),
        flag(&P::preemptive, "preemptive", "Preempt longer jobs",
             "Whether running jobs with more to do give way to a shorter one that would not fit otherwise."),
        placingField(&P::placing), sizeField(&P::size));
}

} // namespace trainyard
