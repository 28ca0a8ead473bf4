// srtf: the job with the shortest remaining time first. Remaining time = remaining updates × seconds per
// update at the placement the job gets on the idle cluster (machines that are up), so that waiting and
// running jobs are compared alike. Schrage, A proof of the optimality of the shortest remaining processing
// time discipline, Operations Research 1968 (one server, preemptive: least mean completion time).
#include "policy/Builtin.h"
#include "policy/scheduler/MakingRoom.h"
#include "policy/scheduler/Processors.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"

#include <algorithm>
#include <map>

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
    explicit Srtf(SrtfParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Srtf>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(view, since);
        if (m_waiting.empty()) return;
        const auto strategy = placingStrategy(m_params.placing);
        std::optional<LongestFirst> running;
        WaitingJobs::Walk walk(m_waiting, context.explaining());
        std::vector<Candidate> passed;
        while (const auto next = walk.next()) {
            std::optional<Placement> placement;
            if (!walk.isKnown()) placement = placeJob(view, next->job, view.free(), strategy, m_params.size);
            if (!placement && !walk.isKnown() && m_params.preemptive) {
                if (!running) running.emplace(ranked(view, JobPhase::running));
                placement = placeByPreempting(context, view, *next, *running, walk, decisions);
            }
            if (!placement && !walk.isKnown()) refuse(context, view, next->job);
            if (!placement) walk.fail();
            if (context.explaining() && (placement || passed.size() < shownAtMost))
                explain(context, view, *next, walk, placement, passed);
            if (passed.size() == shownAtMost) walk.skipKnown();
            if (!placement) continue;
            decisions.start(next->job, *placement);
            walk.roomChanged();
        }
    }

private:
    using Ranked = WaitingJobs::Entry; ///< rank: seconds to go, or processor-seconds
    static constexpr std::size_t shownAtMost = 32;
    static constexpr double unknownSeconds = 1e18; ///< no end in sight, or no room even on the idle cluster

    /// Ranks whose jobs have begun to wait; all of them anew once machines or links come and go.
    void follow(const SchedulerView& view, std::span<const Event> since) {
        const auto rank = [&](JobId job) { return remaining(view, job); };
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
        });
        if (!changed && m_secondsPerUpdate.size() == view.state().jobs().size())
            return m_waiting.update(view, since, rank);
        m_secondsPerUpdate.assign(view.state().jobs().size(), -1.0);
        m_processors.assign(view.state().jobs().size(), 1.0);
        m_idle = FreeCapacity::whole(view.state());
        m_waiting.rebuild(view, rank);
    }

    /// At the placement the job would get if it were alone.
    double secondsPerUpdate(const SchedulerView& view, JobId job) {
        double& known = m_secondsPerUpdate[job.index()];
        if (known >= 0) return known;
        const FreeCapacity::Scratch scratch(m_idle);
        const auto placement = placeJob(view, job, m_idle, placingStrategy(m_params.placing), m_params.size);
        known = placement ? std::min(unknownSeconds, view.speed().secondsPerUpdate(job, *placement)) : unknownSeconds;
        if (placement && byService())
            m_processors[job.index()] = static_cast<double>(placement->workers.size()) *
                                        processorsPerWorker(view.workload().cluster, view.workload().job(job));
        return known;
    }

    bool byService() const { return m_params.rank == "remaining-service"; }
    const char* criterion() const { return byService() ? "remaining_service_s" : "remaining_s"; }

    double remaining(const SchedulerView& view, JobId job) {
        const double seconds = view.speed().remainingSeconds(job, secondsPerUpdate(view, job));
        return std::min(unknownSeconds, seconds * m_processors[job.index()]);
    }

    std::vector<Ranked> ranked(const SchedulerView& view, JobPhase phase) {
        std::vector<Ranked> out;
        for (const JobId job : view.jobsIn(phase)) out.push_back({remaining(view, job), job});
        return out;
    }

    /// Running jobs with more time to go than the newcomer give way if that makes room for it, the longest first.
    std::optional<Placement> placeByPreempting(const PolicyContext& context, const SchedulerView& view,
                                               const Ranked& newcomer, LongestFirst& running, WaitingJobs::Walk& walk,
                                               SchedulingDecisions& decisions) {
        const auto strategy = placingStrategy(m_params.placing);
        const auto longer = [&](std::size_t i) -> std::optional<JobId> {
            const Ranked* ranked = running.at(i);
            return ranked && ranked->rank > newcomer.rank ? std::optional(ranked->job) : std::nullopt;
        };
        const Bounds bounds = view.workers(newcomer.job);
        const int workers = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const auto victims = makeRoom(view, newcomer.job, workers, strategy, longer);
        if (victims.empty()) return std::nullopt;
        std::vector<Ranked> leaving;
        for (const std::size_t v : victims) leaving.push_back(*running.at(v));
        explainVictims(context, view, newcomer, running, leaving);
        for (const Ranked& victim : leaving) {
            decisions.preempt(victim.job);
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
            why.candidates.push_back({.label = jobLabel(view, other->job),
                                      .checks = {{criterion(), other->rank, Comparison::greater, newcomer.rank},
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
    FreeCapacity m_idle;                    ///< the machines that are up, empty
    std::vector<double> m_secondsPerUpdate; ///< by job; negative = not computed yet
    std::vector<double> m_processors;       ///< by job, with that placement; 1 where the rank is a time
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
        choice(&P::placing, "placing", "Placing", placingChoices,
               "Onto which machines: the fewest, the emptiest, or the fewest within one rack."),
        choice(&P::size, "size", "Workers per job", sizeChoices, "How many workers a job with bounds starts with."));
}

} // namespace trainyard
