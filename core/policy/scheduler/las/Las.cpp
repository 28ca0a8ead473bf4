// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// las: least attained service. Jobs are served by the service that they have had so far, processors × time, in a few queues
// (discretised two-dimensional LAS), or by their Gittins index; how long they still need is not known. Gu et al., Tiresias,
// NSDI 2019; details of the queues from their public simulator (SymbioticLab/Tiresias, simulator/run_sim.py): skipping what does
// not fit, and who goes to a queue's tail.
#include "policy/Builtin.h"
#include "policy/scheduler/MakingRoom.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/las/ServiceQueues.h"

#include <algorithm>

namespace trainyard {

namespace {

struct LasParams {
    std::string rank = "queues";
    int queues = 3;
    double firstLimit = 3250, secondLimit = 7200, thirdLimit = 18000;
    double knob = 0;
    double window = 3250;
    bool faithful = false;
    std::string placing = "pack";
    std::string size = "as-many-as-fit";
};

ServiceQueues::Rules rulesOf(const LasParams& params) {
    ServiceQueues::Rules rules{.gittins = params.rank == "gittins",
                               .limits = {params.firstLimit, params.secondLimit, params.thirdLimit},
                               .knob = params.knob,
                               .window = params.window,
                               .faithful = params.faithful};
    rules.limits.resize(rules.gittins ? 0 : static_cast<std::size_t>(params.queues - 1));
    for (std::size_t i = 1; i < rules.limits.size(); ++i)
        rules.limits[i] = std::max(rules.limits[i], rules.limits[i - 1]);
    return rules;
}

class Las final : public Scheduler {
public:
    explicit Las(LasParams params) : m_params(std::move(params)), m_queues(rulesOf(m_params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Las>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        if (!m_queues.follow(view, since, context.now)) return;
        m_queues.requeue(view, context.now);
        const std::vector<Allotment> started = serve(context, view);
        std::vector<ServiceQueues::Started> settled;
        for (std::size_t i = 0; i < started.size(); ++i)
            settled.push_back({m_met[i], started[i].placement.workers.size()});
        std::vector<Allotment> plan;
        for (const JobId job : m_queues.settle(view, std::move(settled), context.now)) plan.push_back({job, {}});
        plan.insert(plan.end(), started.begin(), started.end());
        if (!plan.empty()) decisions.replan(std::move(plan));
        if (m_queues.nextChange() != SimTime::never()) decisions.wakeAt(m_queues.nextChange());
    }

private:
    using Entry = WaitingJobs::Entry;
    static constexpr std::size_t shownAtMost = 32;

    /// Who gets room, in the order of the queues; running jobs further behind give way where it is needed.
    std::vector<Allotment> serve(const PolicyContext& context, const SchedulerView& view) {
        std::vector<Allotment> started;
        m_met.clear();
        WaitingJobs::Walk walk(m_queues.waiting(), context.explaining());
        std::vector<Candidate> passed;
        while (const auto next = walk.next()) {
            std::optional<Placement> placement;
            if (!walk.isKnown()) placement = place(context, view, *next, walk);
            if (!placement && !walk.isKnown()) refuse(context, view, next->job);
            if (!placement) walk.fail();
            if (context.explaining() && (placement || passed.size() < shownAtMost))
                explain(context, view, next->job, placement, passed);
            if (passed.size() == shownAtMost) walk.skipKnown();
            if (!placement) continue;
            m_met.push_back(*next);
            started.push_back({next->job, std::move(*placement)});
        }
        return started;
    }

    std::optional<Placement> place(const PolicyContext& context, const SchedulerView& view, const Entry& next,
                                   WaitingJobs::Walk& walk) {
        const auto strategy = placingStrategy(m_params.placing);
        if (m_queues.isDisplaced(next.job) && placeAgain(view, next.job, view.free()))
            return view.state().job(next.job).placement;
        if (auto placement = placeJob(view, next.job, view.free(), strategy, m_params.size)) return placement;
        if (!displaceFor(context, view, next, walk)) return std::nullopt;
        return placeJob(view, next.job, view.free(), strategy, m_params.size);
    }

    /// Running jobs behind the newcomer give way if that makes room for it, the last first.
    bool displaceFor(const PolicyContext& context, const SchedulerView& view, const Entry& newcomer,
                     WaitingJobs::Walk& walk) {
        std::vector<Entry> behind;
        auto next = m_queues.running().rbegin();
        const auto later = [&](std::size_t i) -> std::optional<JobId> {
            for (; behind.size() <= i && next != m_queues.running().rend() && next->rank > newcomer.rank; ++next)
                behind.push_back(*next);
            return i < behind.size() ? std::optional(behind[i].job) : std::nullopt;
        };
        if (!later(0)) return false;
        const auto victims =
            makeRoom(view, newcomer.job, leastWorkers(view, newcomer.job), placingStrategy(m_params.placing), later);
        if (victims.empty()) return false;
        explainVictims(context, view, newcomer, behind, victims);
        for (const std::size_t v : victims) {
            m_queues.displace(behind[v]);
            walk.add(view, behind[v]);
        }
        walk.roomChanged();
        return true;
    }

    int leastWorkers(const SchedulerView& view, JobId id) const {
        const Bounds bounds = view.workers(id);
        return m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
    }

    // --- Explanations

    void refuse(const PolicyContext& context, const SchedulerView& view, JobId id) {
        if (!context.explaining()) return;
        const int least = leastWorkers(view, id);
        m_refusals.tried(context, view, id, least, view.workload().job(id).serversFor(least, view.workers(id)), "las");
    }

    std::vector<NamedNumber> numbersOf(JobId id, SimTime now) const {
        std::vector<NamedNumber> out{{"attained_service_s", m_queues.attained(id, now)}};
        if (m_params.rank == "gittins")
            out.push_back({"gittins_index", m_queues.index(id)});
        else
            out.push_back({"queue", double(m_queues.queue(id))});
        return out;
    }

    Check comesBefore(JobId first, JobId second) const {
        if (m_params.rank == "gittins")
            return {"gittins_index", m_queues.index(second), Comparison::less, m_queues.index(first)};
        return {"queue", double(m_queues.queue(second)), Comparison::atLeast, double(m_queues.queue(first))};
    }

    void explainVictims(const PolicyContext& context, const SchedulerView& view, const Entry& newcomer,
                        const std::vector<Entry>& behind, const std::vector<std::size_t>& victims) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "las", .job = newcomer.job};
        why.summary = {TRAINYARD_TEXT("{0} comes before {1} running jobs whose room it needs: they give way"),
                       {jobLabel(view, newcomer.job), std::to_string(victims.size())}};
        why.rule = Rule::everyFeasible;
        for (std::size_t i = 0; i < behind.size(); ++i) {
            const bool needed = std::find(victims.begin(), victims.end(), i) != victims.end();
            if (!needed && why.candidates.size() >= shownAtMost) continue;
            if (needed) why.chosen.push_back(why.candidates.size());
            why.candidates.push_back({.label = jobLabel(view, behind[i].job),
                                      .checks = {comesBefore(newcomer.job, behind[i].job),
                                                 {"room needed", needed ? 1.0 : 0.0, Comparison::atLeast, 1}},
                                      .numbers = numbersOf(behind[i].job, context.now)});
        }
        context.explain(std::move(why));
    }

    /// Remembers a job that does not fit; explains one that starts, or goes on, against those before it.
    void explain(const PolicyContext& context, const SchedulerView& view, JobId id,
                 const std::optional<Placement>& placement, std::vector<Candidate>& passed) const {
        const Job& job = view.workload().job(id);
        const int workers = placement ? static_cast<int>(placement->workers.size()) : leastWorkers(view, id);
        if (placement) giveTasks(job, *placement, view.free());
        Candidate self{.label = jobLabel(view, id),
                       .checks = fitChecks(view, id, workers, job.serversFor(workers, view.workers(id)), view.free(),
                                           placement.has_value()),
                       .numbers = numbersOf(id, context.now)};
        if (!placement) {
            passed.push_back(std::move(self));
            return;
        }
        takeTasks(job, *placement, view.free());
        if (m_queues.isDisplaced(id) && *placement == view.state().job(id).placement) return; // nothing changes
        Explanation why{.family = PolicyFamily::scheduler, .policy = "las", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} is the first in line that fits: workers {1}, on {2}"),
                       {jobLabel(view, id), std::to_string(workers), machineList(view, *placement)}};
        why.rule = Rule::firstFeasible;
        why.candidates = passed;
        why.chosen = {why.candidates.size()};
        why.candidates.push_back(std::move(self));
        context.explain(std::move(why));
    }

    LasParams m_params;
    ServiceQueues m_queues;
    Refusals m_refusals;
    std::vector<Entry> m_met; ///< of those that have got room in this call
};

} // namespace

SchedulerEntry builtin::las() {
    using P = LasParams;
    const auto limit = [](double P::*member, std::string number, std::string label) {
        return field(member, "limit_" + number + "_s", std::move(label), {1e-3, 1e12}, "s",
                     "Processors × seconds from which on a job is in the next queue; no less than the limit before it.")
            .usual(86400);
    };
    return policyEntry<Scheduler, Las, P>(
        {.id = "las",
         .label = "Least attained service",
         .summary =
             "Jobs that have had little service, processors × time, come first, in a few queues or by Gittins index.",
         .source = "Gu et al., Tiresias, NSDI 2019"},
        choice(
            &P::rank, "rank", "Order", {"queues", "gittins"},
            "By queues of attained service, or by the Gittins index of it under the sizes of the jobs that have ended."),
        field(&P::queues, "queues", "Queues", {1, 4}, "", "How many queues; in the last one jobs stay until they end."),
        limit(&P::firstLimit, "1", "Limit of the first queue"),
        limit(&P::secondLimit, "2", "Limit of the second queue"),
        limit(&P::thirdLimit, "3", "Limit of the third queue"),
        field(
            &P::knob, "knob", "Waiting before promotion", {0, 1e6}, "",
            "A job that has waited so many times as long as it has run goes back to the first queue, as if new; 0: never.")
            .usual(16),
        field(&P::window, "window_s", "Window of the Gittins index", {1e-3, 1e12}, "s",
              "Δ, processors × seconds: the service that is looked ahead, and the step in which indexes change.")
            .usual(86400),
        flag(
            &P::faithful, "faithful", "As the public simulator",
            "Looks for the next demotion at (limit − executed time) / processors, and sums whole sizes in the index; for "
            "comparisons with it."),
        placingField(&P::placing), sizeField(&P::size));
}

} // namespace trainyard
