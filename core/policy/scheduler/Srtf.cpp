// srtf: the job with the shortest remaining time first. Remaining time = remaining updates × seconds per
// update at the placement the job gets on the idle cluster (machines that are up), so that waiting and
// running jobs are compared alike. Schrage, A proof of the optimality of the shortest remaining processing
// time discipline, Operations Research 1968 (one server, preemptive: least mean completion time).
#include "policy/Builtin.h"
#include "policy/scheduler/Placing.h"

#include <algorithm>

namespace trainyard {

namespace {

struct SrtfParams {
    bool preemptive = true;
    std::string placing = "pack";
    std::string size = "as-many-as-fit";
};

class Srtf final : public Scheduler {
public:
    explicit Srtf(SrtfParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Srtf>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        forgetIfClusterChanged(view);
        std::vector<Ranked> waiting = ranked(view, JobPhase::waiting);
        std::vector<Ranked> running =
            m_params.preemptive ? ranked(view, JobPhase::running) : std::vector<Ranked>{};
        std::vector<ResourceVector> free = view.freeCapacity();
        std::vector<Candidate> passed;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const JobId job = waiting[i].job;
            auto placement = placeJob(view, job, free, placingStrategy(m_params.placing), m_params.size);
            if (!placement && m_params.preemptive) {
                for (const Ranked& victim : makeRoom(context, view, waiting[i], running, free)) {
                    decisions.preempt(victim.job);
                    std::erase_if(running, [&](const Ranked& r) { return r.job == victim.job; });
                    waiting.insert(std::upper_bound(waiting.begin(), waiting.end(), victim), victim);
                }
                placement = placeJob(view, job, free, placingStrategy(m_params.placing), m_params.size);
            }
            if (context.explaining() && (placement || passed.size() < shownAtMost))
                explain(context, view, waiting, i, placement, passed, free);
            if (placement) decisions.start(job, *placement);
        }
    }

private:
    static constexpr std::size_t shownAtMost = 32;
    static constexpr double unknownSeconds = 1e18; ///< no end in sight, or no room even on the idle cluster

    struct Ranked {
        double seconds = 0;
        JobId job;
        friend bool operator<(const Ranked& a, const Ranked& b) {
            return a.seconds != b.seconds ? a.seconds < b.seconds : a.job < b.job;
        }
    };

    void forgetIfClusterChanged(const SchedulerView& view) {
        std::vector<bool> up;
        for (const auto& machine : view.state().machines()) up.push_back(machine.up);
        up.insert(up.end(), view.state().linksUp().begin(), view.state().linksUp().end());
        if (up == m_up && m_secondsPerUpdate.size() == view.state().jobs().size()) return;
        m_up = std::move(up);
        m_secondsPerUpdate.assign(view.state().jobs().size(), -1.0);
    }

    /// At the placement the job would get if it were alone.
    double secondsPerUpdate(const SchedulerView& view, JobId job) {
        double& known = m_secondsPerUpdate[job.index()];
        if (known >= 0) return known;
        std::vector<ResourceVector> idle;
        for (std::size_t m = 0; m < view.state().machines().size(); ++m)
            idle.push_back(view.state().machines()[m].up ? view.workload().cluster.machines[m].capacity
                                                         : ResourceVector{});
        const auto placement = placeJob(view, job, idle, placingStrategy(m_params.placing), m_params.size);
        known = placement ? std::min(unknownSeconds, view.speed().secondsPerUpdate(job, *placement))
                          : unknownSeconds;
        return known;
    }

    std::vector<Ranked> ranked(const SchedulerView& view, JobPhase phase) {
        std::vector<Ranked> out;
        for (JobId job : view.jobsIn(phase)) {
            const double seconds = view.speed().remainingSeconds(job, secondsPerUpdate(view, job));
            out.push_back({std::min(unknownSeconds, seconds), job});
        }
        std::sort(out.begin(), out.end());
        return out;
    }

    /// Running jobs with more time to go than the newcomer whose end makes room for it, longest first; none
    /// if even all of them do not. Their room is added to `free`.
    std::vector<Ranked> makeRoom(const PolicyContext& context, const SchedulerView& view,
                                 const Ranked& newcomer, const std::vector<Ranked>& running,
                                 std::vector<ResourceVector>& free) const {
        const auto fits = [&](std::vector<ResourceVector> room) {
            return placeJob(view, newcomer.job, room, placingStrategy(m_params.placing), "minimum")
                .has_value();
        };
        std::vector<Ranked> victims;
        std::vector<ResourceVector> room = free;
        bool enough = false;
        for (auto it = running.rbegin(); it != running.rend() && it->seconds > newcomer.seconds && !enough;
             ++it) {
            release(view, it->job, room);
            victims.push_back(*it);
            enough = fits(room);
        }
        if (!enough) return {};
        for (std::size_t v = victims.size();
             v-- > 0;) { // spare those whose room is not needed, shortest first
            std::vector<ResourceVector> without = free;
            for (std::size_t other = 0; other < victims.size(); ++other)
                if (other != v) release(view, victims[other].job, without);
            if (fits(without)) victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(v));
        }
        for (const Ranked& victim : victims) release(view, victim.job, free);
        explainVictims(context, view, newcomer, running, victims);
        return victims;
    }

    static void release(const SchedulerView& view, JobId job, std::vector<ResourceVector>& free) {
        Placement held = view.state().job(job).placement;
        for (auto* tasks : {&held.workers, &held.servers})
            for (MachineId& m : *tasks)
                if (m.valid() && !view.state().machine(m).up) m = {};
        giveBack(view, job, held, free);
    }

    void explainVictims(const PolicyContext& context, const SchedulerView& view, const Ranked& newcomer,
                        const std::vector<Ranked>& running, const std::vector<Ranked>& victims) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "srtf", .job = newcomer.job};
        why.summary = {
            TRAINYARD_TEXT("{0} has less to do than {1} running jobs whose room it needs: they wait again"),
            {jobLabel(view, newcomer.job), std::to_string(victims.size())}};
        why.rule = Rule::everyFeasible;
        for (auto it = running.rbegin(); it != running.rend(); ++it) {
            const bool needed = std::any_of(victims.begin(), victims.end(),
                                            [&](const Ranked& v) { return v.job == it->job; });
            if (needed) why.chosen.push_back(why.candidates.size());
            if (!needed && why.candidates.size() >= shownAtMost) continue;
            why.candidates.push_back(
                {.label = jobLabel(view, it->job),
                 .checks = {{"remaining_s", it->seconds, Comparison::greater, newcomer.seconds},
                            {"room needed", needed ? 1.0 : 0.0, Comparison::atLeast, 1}},
                 .numbers = {{"remaining_s", it->seconds}}});
        }
        context.explain(std::move(why));
    }

    /// Remembers a job that does not fit; explains one that starts against those before it and those behind
    /// it.
    void explain(const PolicyContext& context, const SchedulerView& view, const std::vector<Ranked>& order,
                 std::size_t i, const std::optional<Placement>& placement, std::vector<Candidate>& passed,
                 std::vector<ResourceVector>& free) const {
        const JobId id = order[i].job;
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const int workers = placement ? static_cast<int>(placement->workers.size()) : least;
        if (placement) giveBack(view, id, *placement, free);
        Candidate self{.label = jobLabel(view, id),
                       .checks =
                           fitChecks(view, id, workers, serversFor(view.workload().job(id), bounds, workers),
                                     free, placement.has_value()),
                       .numbers = {{"remaining_s", order[i].seconds}, {"workers", double(workers)}}};
        if (!placement) {
            passed.push_back(std::move(self));
            return;
        }
        take(view, id, *placement, free);
        Explanation why{.family = PolicyFamily::scheduler, .policy = "srtf", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} has least to do of the jobs that fit: workers {1}, on {2}"),
                       {jobLabel(view, id), std::to_string(workers), machineList(view, *placement)}};
        why.rule = Rule::minimum;
        why.criterion = "remaining_s";
        why.candidates = passed;
        why.chosen = {why.candidates.size()};
        why.candidates.push_back(std::move(self));
        for (std::size_t later = i + 1; later < order.size() && later <= i + shownAtMost; ++later)
            why.candidates.push_back({.label = jobLabel(view, order[later].job),
                                      .numbers = {{"remaining_s", order[later].seconds}}});
        context.explain(std::move(why));
    }

    SrtfParams m_params;
    std::vector<bool> m_up;                 ///< machines, then links, when the times below were computed
    std::vector<double> m_secondsPerUpdate; ///< by job; negative = not computed yet
};

} // namespace

SchedulerEntry builtin::srtf() {
    using P = SrtfParams;
    return policyEntry<Scheduler, Srtf, P>(
        {.id = "srtf",
         .label = "Shortest remaining time first",
         .summary =
             "The job with the least time to go runs first; its true remaining time is assumed to be known.",
         .source = "Schrage, Operations Research 1968"},
        flag(&P::preemptive, "preemptive", "Preempt longer jobs",
             "Whether running jobs with more to do give way to a shorter one that would not fit otherwise."),
        choice(&P::placing, "placing", "Placing", placingChoices,
               "Onto which machines: the fewest, the emptiest, or the fewest within one rack."),
        choice(&P::size, "size", "Workers per job", sizeChoices,
               "How many workers a job with bounds starts with."));
}

} // namespace trainyard
