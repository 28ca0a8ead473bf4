// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// optimus: workers and servers by marginal gains of predicted time to go. Peng, Bao, Chen, Wu and Guo, Optimus: an efficient dynamic
// resource scheduler for deep learning clusters, EuroSys 2018: speeds and losses fitted online (section 3), allocation and placement
// (section 4). What this project chose is said in resources/help/optimus.md.
#include "base/Format.h"
#include "policy/Builtin.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"
#include "policy/scheduler/elastic/EvenPlacing.h"
#include "policy/scheduler/elastic/OptimusGrowth.h"

#include <algorithm>

namespace trainyard {

namespace {

struct OptimusParams {
    double intervalSeconds = 600;
    std::string between = "start";
    double convergedDrop = 0.05;
    int convergedEvaluations = 10;
    bool stopConverged = false;
};

class Optimus final : public Scheduler {
public:
    explicit Optimus(OptimusParams params)
        : m_params(std::move(params)), m_outlooks(m_params.convergedDrop, m_params.convergedEvaluations) {}
    /// The fits that jobs point to live in one call only.
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Optimus>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(view, since);
        const bool any = !view.jobsIn(JobPhase::running).empty() || !m_waiting.empty();
        if (!any) return;
        if (context.now >= m_next || m_params.between == "replan") {
            replanAll(context, view, decisions);
        } else if (m_params.between == "start") {
            startWaiting(context, view, decisions);
        }
        if (context.now < m_next) return;
        m_next = context.now + Duration::secondsUp(m_params.intervalSeconds);
        decisions.wakeAt(m_next);
    }

private:
    /// A job in the plan, and what becomes of it.
    struct Planned {
        const GrowingJob* job = nullptr;
        Placement placement; ///< empty: nothing
    };

    void follow(const SchedulerView& view, std::span<const Event> since) {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
        });
        if (changed || m_idle.machineCount() == 0) {
            m_idle = FreeCapacity::whole(view.state());
            m_capacity = m_idle.total();
            m_outlooks.forget();
        }
        m_waiting.update(view, since, [](JobId) { return 0; });
    }

    // --- Between intervals: jobs that wait, in what is free

    void startWaiting(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        FreeCapacity& free = view.free();
        std::vector<GrowingJob> jobs;
        std::vector<Placement> least;
        WaitingJobs::Walk walk(m_waiting, false);
        while (const auto next = walk.next()) {
            const Job& spec = view.workload().job(next->job);
            GrowingJob job = leastOf(spec, next->job, view.workers(next->job), {});
            const auto placement = placeEvenly(view.workload(), spec, job.workers, job.servers, free, m_capacity);
            if (!placement) {
                m_refusals.tried(context, view, next->job, job.workers, job.servers, "optimus");
                walk.fail();
                continue;
            }
            job.outlook = m_outlooks.of(view, next->job, m_idle);
            jobs.push_back(std::move(job));
            least.push_back(*placement);
        }
        if (jobs.empty()) return;
        ResourceVector room = free.total();
        growByGains(view.workload(), jobs, room, m_capacity);
        std::vector<Allotment> plan;
        for (const std::size_t j : byTasks(jobs)) {
            const Job& spec = view.workload().job(jobs[j].job);
            Placement placement = least[j];
            if (!jobs[j].taken.empty()) {
                giveTasks(spec, least[j], free);
                if (const auto grown = placeShrinking(view, jobs[j], free, jobs[j].leastWorkers, jobs[j].leastServers))
                    placement = *grown;
                else
                    takeTasks(spec, placement, free);
            }
            plan.push_back({jobs[j].job, placement});
            explain(context, view, jobs[j], placement);
        }
        decisions.replan(std::move(plan));
    }

    // --- At an interval: everybody anew

    void replanAll(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) {
        ResourceVector room = m_capacity;
        std::vector<GrowingJob> jobs;
        const auto admit = [&](JobId id) {
            const Job& spec = view.workload().job(id);
            GrowingJob job = leastOf(spec, id, view.workers(id), {});
            const ResourceVector demand = demandOf(spec, job.workers, job.servers);
            if (!demand.fitsIn(room)) return;
            room -= demand;
            job.outlook = m_outlooks.of(view, id, m_idle);
            jobs.push_back(std::move(job));
        };
        forEachInOrder(view, admit);
        if (m_params.stopConverged) stopConverged(context, view, jobs, decisions);
        growByGains(view.workload(), jobs, room, m_capacity);
        place(context, view, jobs, decisions);
    }

    /// All jobs that run or wait, in order of arrival.
    template <class Body>
    static void forEachInOrder(const SchedulerView& view, Body&& body) {
        const JobSet &running = view.jobsIn(JobPhase::running), &waiting = view.jobsIn(JobPhase::waiting);
        auto r = running.begin(), w = waiting.begin();
        while (r != running.end() || w != waiting.end()) {
            const bool isRunning = w == waiting.end() || (r != running.end() && (*r).index() < (*w).index());
            body(isRunning ? *r : *w);
            if (isRunning)
                ++r;
            else
                ++w;
        }
    }

    void stopConverged(const PolicyContext& context, const SchedulerView& view, std::vector<GrowingJob>& jobs,
                       SchedulingDecisions& decisions) const {
        std::erase_if(jobs, [&](const GrowingJob& job) {
            if (!job.outlook.converged || view.state().job(job.job).phase != JobPhase::running) return false;
            decisions.stop(job.job);
            if (!context.explaining()) return true;
            Explanation why{.family = PolicyFamily::scheduler, .policy = "optimus", .job = job.job};
            why.summary = {TRAINYARD_TEXT("The loss of {0} hardly falls any more: it ends here"),
                           {jobLabel(view, job.job)}};
            why.rule = Rule::everyFeasible;
            why.chosen = {0};
            why.candidates.push_back({.label = jobLabel(view, job.job),
                                      .checks = {{"converged", 1, Comparison::atLeast, 1}},
                                      .numbers = {{"loss", view.losses(job.job).back().loss}}});
            context.explain(std::move(why));
            return true;
        });
    }

    /// Jobs by ascending numbers of tasks, then in order of arrival.
    static std::vector<std::size_t> byTasks(const std::vector<GrowingJob>& jobs) {
        std::vector<std::size_t> order(jobs.size());
        for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return jobs[a].tasks() < jobs[b].tasks(); });
        return order;
    }

    /// Whoever keeps its numbers stays where it is, as long as it runs there whole; the others find new places.
    void place(const PolicyContext& context, const SchedulerView& view, std::vector<GrowingJob>& jobs,
               SchedulingDecisions& decisions) {
        const FreeCapacity::Scratch scratch(m_idle);
        std::vector<std::size_t> moving;
        std::vector<std::uint8_t> isPlaced(view.state().jobs().size(), 0);
        for (const std::size_t j : byTasks(jobs)) {
            const Placement& held = view.state().job(jobs[j].job).placement;
            if (keeps(view, jobs[j], held)) {
                takeTasks(view.workload().job(jobs[j].job), held, m_idle);
                isPlaced[jobs[j].job.index()] = 1;
            } else {
                moving.push_back(j);
            }
        }
        std::vector<Allotment> plan;
        for (const std::size_t j : moving) {
            GrowingJob& job = jobs[j];
            const auto placement = placeShrinking(view, job, m_idle, 0, 0);
            if (!placement) continue;
            isPlaced[job.job.index()] = 1;
            plan.push_back({job.job, *placement});
            explain(context, view, job, *placement);
        }
        for (const JobId id : view.jobsIn(JobPhase::running))
            if (!isPlaced[id.index()] && !isStopped(decisions, id)) {
                plan.push_back({id, {}});
                explainPreemption(context, view, id);
            }
        if (context.explaining())
            for (const JobId id : view.jobsIn(JobPhase::waiting))
                if (!isPlaced[id.index()]) refuse(context, view, id);
        if (!plan.empty()) decisions.replan(std::move(plan));
    }

    static bool isStopped(const SchedulingDecisions& decisions, JobId id) {
        return std::any_of(decisions.list().begin(), decisions.list().end(), [&](const SchedulingDecision& d) {
            return d.kind == SchedulingDecision::Kind::stop && d.job == id;
        });
    }

    static bool keeps(const SchedulerView& view, const GrowingJob& job, const Placement& held) {
        if (view.state().job(job.job).phase != JobPhase::running) return false;
        return held.placedWorkers() == static_cast<std::size_t>(job.workers) &&
               held.servers.size() == static_cast<std::size_t>(job.servers);
    }

    /// Without the last step, and the one before, until the rest has places; nullopt: not even that down to so many tasks, which are
    /// not tried.
    std::optional<Placement> placeShrinking(const SchedulerView& view, GrowingJob& job, FreeCapacity& free,
                                            int workersTried, int serversTried) const {
        const Job& spec = view.workload().job(job.job);
        do {
            if (job.workers == workersTried && job.servers == serversTried) return std::nullopt;
            if (auto placement = placeEvenly(view.workload(), spec, job.workers, job.servers, free, m_capacity))
                return placement;
        } while (job.shrink());
        return std::nullopt;
    }

    // --- Explanations

    void refuse(const PolicyContext& context, const SchedulerView& view, JobId id) {
        const GrowingJob least = leastOf(view.workload().job(id), id, view.workers(id), {});
        m_refusals.tried(context, view, {id, least.workers, least.servers, &m_idle}, "optimus");
    }

    void explainPreemption(const PolicyContext& context, const SchedulerView& view, JobId id) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "optimus", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} waits again: beside the others its least tasks find no room"),
                       {jobLabel(view, id)}};
        why.rule = Rule::everyFeasible;
        why.candidates.push_back(
            {.label = jobLabel(view, id), .checks = {{"all tasks placed", 0, Comparison::atLeast, 1}}, .numbers = {}});
        context.explain(std::move(why));
    }

    static Candidate candidateOf(int workers, int servers, double secondsToGo) {
        return {.label = std::to_string(workers) + " workers, " + std::to_string(servers) + " servers",
                .checks = {},
                .numbers = {{"tasks", double(workers + servers)},
                            {"workers", double(workers)},
                            {"servers", double(servers)},
                            {"to_go_s", secondsToGo}}};
    }

    /// The least numbers, every step taken, and those that were not.
    static void explain(const PolicyContext& context, const SchedulerView& view, const GrowingJob& job,
                        const Placement& placement) {
        if (!context.explaining()) return;
        constexpr std::size_t shownAtMost = 64;
        const bool runs = view.state().job(job.job).phase == JobPhase::running;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "optimus", .job = job.job};
        why.summary = {
            runs ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers} and {2} {2:server|servers}, on {3}: {4} s to go")
                 : TRAINYARD_TEXT(
                       "{0} starts with {1} {1:worker|workers} and {2} {2:server|servers}, on {3}: {4} s to go"),
            {jobLabel(view, job.job), std::to_string(job.workers), std::to_string(job.servers),
             machineList(view, placement), formatNumber(job.outlook.secondsToGo(job.workers, job.servers), 3)}};
        why.rule = Rule::maximum;
        why.criterion = "tasks";
        const auto& outlook = job.outlook;
        why.candidates.push_back(
            candidateOf(job.leastWorkers, job.leastServers, outlook.secondsToGo(job.leastWorkers, job.leastServers)));
        const std::size_t first = job.taken.size() > shownAtMost ? job.taken.size() - shownAtMost : 0;
        for (std::size_t i = first; i < job.taken.size(); ++i) why.candidates.push_back(stepOf(job.taken[i]));
        why.chosen = {why.candidates.size() - 1};
        for (const GrowingJob::Step& step : job.refused) why.candidates.push_back(stepOf(step));
        context.explain(std::move(why));
    }

    static Candidate stepOf(const GrowingJob::Step& step) {
        Candidate out = candidateOf(step.workers, step.servers, step.secondsToGo);
        out.checks = {{"gain_s", step.gain, Comparison::greater, 0},
                      {"room", step.fits ? 1.0 : 0.0, Comparison::atLeast, 1}};
        return out;
    }

    OptimusParams m_params;
    JobOutlooks m_outlooks;
    WaitingJobs m_waiting;
    Refusals m_refusals;
    FreeCapacity m_idle; ///< the machines that are up, empty
    ResourceVector m_capacity;
    SimTime m_next; ///< of the next interval
};

} // namespace

SchedulerEntry builtin::optimus() {
    using P = OptimusParams;
    PolicyInfo info{.id = "optimus",
                    .label = "Marginal gains (Optimus)",
                    .summary = "Workers and servers go where they shorten a job's predicted time to go most.",
                    .source = "Peng et al., EuroSys 2018"};
    info.goesByLosses = true;
    return policyEntry<Scheduler, Optimus, P>(
        std::move(info),
        field(&P::intervalSeconds, "interval_s", "Interval", {0.1, 86400}, "s",
              "How often everything is planned anew."),
        choice(
            &P::between, "between", "Between intervals", {"start", "replan", "wait"},
            "What an arrival, an end or a failure leads to: waiting jobs start in what is free, everything is planned anew, or "
            "nothing."),
        field(&P::convergedDrop, "converged_drop", "Converged below", {0, 1}, "",
              "A loss has converged that fell by less than this share of its greatest value."),
        field(&P::convergedEvaluations, "converged_evaluations", "Converged over", {0, 10000}, "",
              "Over so many evaluations; 0: never."),
        flag(&P::stopConverged, "stop_converged", "Stop converged jobs",
             "Whether a job whose loss has converged ends, instead of going on with its least tasks."));
}

} // namespace trainyard
