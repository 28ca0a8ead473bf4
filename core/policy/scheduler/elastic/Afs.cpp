// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// afs: elastic sharing that weighs short jobs against efficient ones, AFS-L. Workers are given one by one; of two jobs the one with less to
// go gets the next, unless it speeds up the longer one more. After Hwang, Kim, Kim, Shin and Park, Elastic resource sharing for
// distributed deep learning, NSDI 2021; the rule is recalled, see resources/help/afs.md.
#include "policy/Builtin.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/elastic/ElasticPlan.h"
#include "policy/scheduler/elastic/JobOutlooks.h"

#include <algorithm>

namespace trainyard {

namespace {

struct AfsParams {
    double intervalSeconds = 60;
    std::string placing = "pack";
};

class Afs final : public Scheduler {
public:
    explicit Afs(AfsParams params) : m_params(std::move(params)) {}
    /// The fits that jobs point to live in one call only.
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Afs>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(view, since);
        const std::vector<Sharing> order = byLength(view);
        if (order.empty()) return;
        ElasticPlan plan(view, placingStrategy(m_params.placing));
        const std::vector<Sharing> jobs = admit(context, view, order, plan);
        const std::vector<int> workers = share(plan, jobs);
        plan.grow(workers);
        std::vector<Allotment> changes = plan.changes();
        for (const Allotment& change : changes) explain(context, view, plan, jobs, change);
        if (!changes.empty()) decisions.replan(std::move(changes));
        if (context.now < m_next) return;
        m_next = context.now + Duration::secondsUp(m_params.intervalSeconds);
        decisions.wakeAt(m_next);
    }

private:
    static constexpr std::size_t shownJobs = 16;

    struct Sharing {
        JobId id;
        JobOutlook outlook;
        double length = 0; ///< seconds to go with the least number
    };

    void follow(const SchedulerView& view, std::span<const Event> since) {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
        });
        if (!changed && m_idle.machineCount() > 0) return;
        m_idle = FreeCapacity::whole(view.state());
        m_outlooks.forget();
    }

    /// Jobs that run or wait: the least to go first, then in order of arrival.
    std::vector<Sharing> byLength(const SchedulerView& view) {
        std::vector<Sharing> out;
        for (const JobPhase phase : {JobPhase::running, JobPhase::waiting})
            for (const JobId id : view.jobsIn(phase)) {
                const Bounds bounds = view.workers(id);
                const Job& job = view.workload().job(id);
                out.push_back({id, m_outlooks.of(view, id, m_idle), 0});
                out.back().length =
                    out.back().outlook.secondsToGo(bounds.minimum, job.serversFor(bounds.minimum, bounds));
            }
        std::sort(out.begin(), out.end(), [](const Sharing& a, const Sharing& b) {
            return a.length != b.length ? a.length < b.length : a.id < b.id;
        });
        return out;
    }

    // --- Who takes part

    /// In that order, each job has its least number as long as that is left in total: running ones where they are, then those that wait.
    /// Where these do not fit on single machines, the others may. As the plan's members are.
    std::vector<Sharing> admit(const PolicyContext& context, const SchedulerView& view,
                               const std::vector<Sharing>& order, ElasticPlan& plan) {
        ResourceVector left = plan.room().total();
        std::vector<std::uint8_t> chosen(order.size(), 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const ResourceVector demand = leastDemand(view, order[i].id);
            chosen[i] = demand.fitsIn(left) ? 1 : 0;
            if (chosen[i]) left -= demand;
        }
        std::vector<Sharing> out;
        const auto pass = [&](bool asChosen, bool running) {
            for (std::size_t i = 0; i < order.size(); ++i) {
                const bool runs = view.state().job(order[i].id).phase == JobPhase::running;
                if ((chosen[i] != 0) != asChosen || (asChosen && runs != running)) continue;
                if (plan.admit(order[i].id))
                    out.push_back(order[i]);
                else if (!runs)
                    refuse(context, view, order[i].id, plan.room());
            }
        };
        pass(true, true);
        pass(true, false);
        pass(false, false);
        return out;
    }

    static ResourceVector leastDemand(const SchedulerView& view, JobId id) {
        const Bounds bounds = view.workers(id);
        const Job& job = view.workload().job(id);
        return job.workerDemand.times(bounds.minimum) + job.serverDemand.times(job.serversFor(bounds.minimum, bounds));
    }

    // --- How many workers each gets

    static constexpr double leastGain = 1e-6; ///< less is what fits to profiled speeds are off

    /// Of a job with so many workers: how long it still takes, and with one more.
    struct Standing {
        double toGo = 0, next = 0;
        /// What one more would bring, relative to the speed before it, and with it.
        double gainOfShort() const { return toGo / next - 1; }
        double gainOfLong() const { return 1 - next / toGo; }
        bool gains() const { return next > 0 && next < toGo * (1 - leastGain); }
    };

    static Standing standing(const ElasticPlan& plan, std::size_t j, const Sharing& job, int workers) {
        const ElasticPlan::Member& member = plan.members()[j];
        const auto with = [&](int n) { return job.outlook.secondsToGo(n, plan.serversBeside(member, n)); };
        return {with(workers), workers < member.bounds.maximum ? with(workers + 1) : with(workers)};
    }

    /// Whether b gets a worker rather than a.
    static bool isBetter(const Standing& b, const Standing& a) {
        return b.toGo < a.toGo ? !(a.gainOfLong() > b.gainOfShort()) : b.gainOfLong() > a.gainOfShort();
    }

    /// One by one, within what is left in total.
    static std::vector<int> share(ElasticPlan& plan, const std::vector<Sharing>& jobs) {
        const auto& members = plan.members();
        ResourceVector left = plan.room().total();
        std::vector<int> workers;
        std::vector<Standing> standings;
        std::vector<std::size_t> open; // that can have more, in order of arrival
        for (std::size_t j = 0; j < members.size(); ++j) {
            workers.push_back(members[j].bounds.minimum);
            standings.push_back(standing(plan, j, jobs[j], workers[j]));
            if (standings[j].gains()) open.push_back(j);
        }
        std::sort(open.begin(), open.end(),
                  [&](std::size_t a, std::size_t b) { return members[a].id < members[b].id; });
        while (!open.empty()) {
            std::size_t winner = 0;
            for (std::size_t i = 1; i < open.size(); ++i)
                if (isBetter(standings[open[i]], standings[open[winner]])) winner = i;
            const std::size_t j = open[winner];
            const ResourceVector demand = plan.oneMore(members[j], workers[j]);
            const bool fits = demand.fitsIn(left);
            if (fits) {
                left -= demand;
                standings[j] = standing(plan, j, jobs[j], ++workers[j]);
            }
            if (!fits || !standings[j].gains()) open.erase(open.begin() + static_cast<std::ptrdiff_t>(winner));
        }
        return workers;
    }

    // --- Explanations

    void refuse(const PolicyContext& context, const SchedulerView& view, JobId id, FreeCapacity& room) {
        if (!context.explaining()) return;
        const Bounds bounds = view.workers(id);
        const int servers = view.workload().job(id).serversFor(bounds.minimum, bounds);
        m_refusals.tried(context, view, {id, bounds.minimum, servers, &room}, "afs");
    }

    /// The job, and those others that gain most by one worker more.
    static void explain(const PolicyContext& context, const SchedulerView& view, const ElasticPlan& plan,
                        const std::vector<Sharing>& jobs, const Allotment& change) {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "afs", .job = change.job};
        why.rule = Rule::everyFeasible;
        const bool runs = view.state().job(change.job).phase == JobPhase::running;
        if (change.placement.empty()) {
            why.summary = {TRAINYARD_TEXT("{0} waits again: shorter jobs take the room of its least workers"),
                           {jobLabel(view, change.job)}};
            why.candidates.push_back({.label = jobLabel(view, change.job),
                                      .checks = {{"all tasks placed", 0, Comparison::atLeast, 1}},
                                      .numbers = {}});
            return context.explain(std::move(why));
        }
        why.summary = {runs ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers}, on {2}")
                            : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers}, on {2}"),
                       {jobLabel(view, change.job), std::to_string(change.placement.workers.size()),
                        machineList(view, change.placement)}};
        std::vector<std::pair<double, std::size_t>> shown; // −gain of one more
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            const Standing now = standing(plan, j, jobs[j], plan.members()[j].workers());
            const double first = jobs[j].id == change.job ? 2 : 0;
            shown.push_back({-(now.toGo > 0 ? now.gainOfLong() : 0) - first, j});
        }
        std::sort(shown.begin(), shown.end());
        shown.resize(std::min(shown.size(), shownJobs));
        for (const auto& [gain, j] : shown) {
            why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(candidateOf(view, plan, j, jobs[j]));
        }
        context.explain(std::move(why));
    }

    static Candidate candidateOf(const SchedulerView& view, const ElasticPlan& plan, std::size_t j,
                                 const Sharing& job) {
        const ElasticPlan::Member& member = plan.members()[j];
        const Standing now = standing(plan, j, job, member.workers());
        const bool finite = now.gains() && now.toGo < 1e300;
        return {.label = jobLabel(view, member.id),
                .checks = {{"workers", double(member.workers()), Comparison::atLeast,
                            double(std::min(member.workers(), member.bounds.minimum))}},
                .numbers = {{"to_go_s", std::min(now.toGo, 1e300)},
                            {"gain of one more, if shorter", finite ? now.gainOfShort() : 0},
                            {"gain of one more, if longer", finite ? now.gainOfLong() : 0}}};
    }

    AfsParams m_params;
    JobOutlooks m_outlooks{0, 0};
    Refusals m_refusals;
    FreeCapacity m_idle; ///< the machines that are up, empty
    SimTime m_next;      ///< of the next interval
};

} // namespace

SchedulerEntry builtin::afs() {
    using P = AfsParams;
    PolicyInfo info{.id = "afs",
                    .label = "Short and efficient jobs (AFS-L)",
                    .summary = "Workers go one by one to the shorter of two jobs, unless they speed up the longer one "
                               "more.",
                    .source = "After Hwang et al., NSDI 2021"};
    info.goesByLosses = true;
    return policyEntry<Scheduler, Afs, P>(
        std::move(info),
        field(&P::intervalSeconds, "interval_s", "Interval", {0.1, 86400}, "s",
              "Workers are divided anew so often, besides at arrivals, ends and failures.")
            .logarithmic()
            .usual(3600)
            .effect(
                "Fewer changes; jobs that have become short, or whose end is predicted by losses, are found later."),
        placingField(&P::placing));
}

} // namespace trainyard
