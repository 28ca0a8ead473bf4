// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// asha: asynchronous successive halving. Jobs start in order of arrival; one that reaches a rung goes on only if its loss is among the
// best 1/η there, else it ends. After Li, Jamieson, Rostamizadeh, Gonina, Ben-tzur, Hardt, Recht and Talwalkar, A system for massively
// parallel hyperparameter tuning, MLSys 2020, as recalled; resources/help/asha.md says what was settled here.
#include "policy/Builtin.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/Rungs.h"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

struct AshaParams {
    double grace = 10, eta = 4;
    int rungs = 10;
    std::string compare = "work";
    double intervalSeconds = 0.5;
    std::string placing = "pack", size = "minimum";
};

class Asha final : public Scheduler {
public:
    explicit Asha(AshaParams params)
        : m_params(std::move(params)),
          m_rungs({.grace = m_params.grace, .eta = m_params.eta, .most = m_params.rungs, .compare = m_params.compare}) {
    }
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Asha>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const std::vector<JobId> ending = m_rungs.halve(context, view, since, "asha", decisions);
        for (const JobId id : ending) giveTasks(view.workload().job(id), heldPlacement(view, id), view.free());
        const std::vector<Allotment> started = startWaiting(context, view, decisions);
        const SimTime next = nextLook(context, view, since, ending, started);
        if (next != SimTime::never()) decisions.wakeAt(next);
    }

private:
    // --- Who starts

    /// In order of arrival, until one does not fit; those that are too large for all machines that are up are passed.
    std::vector<Allotment> startWaiting(const PolicyContext& context, const SchedulerView& view,
                                        SchedulingDecisions& decisions) {
        std::vector<Allotment> started;
        std::size_t behind = view.jobsIn(JobPhase::waiting).size();
        std::optional<FreeCapacity> idle;
        for (const JobId id : view.jobsIn(JobPhase::waiting)) {
            --behind;
            const auto strategy = placingStrategy(m_params.placing);
            if (const auto placement = placeJob(view, id, view.free(), strategy, m_params.size)) {
                explainStart(context, view, id, *placement);
                decisions.start(id, *placement);
                started.push_back({id, *placement});
                continue;
            }
            if (!idle) idle = FreeCapacity::whole(view.state());
            const FreeCapacity::Scratch scratch(*idle);
            const bool blocks = placeJob(view, id, *idle, strategy, m_params.size).has_value();
            const Bounds bounds = view.workers(id);
            const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
            const int servers = view.workload().job(id).serversFor(least, bounds);
            m_refusals.tried(context, view, {id, least, servers, &view.free(), blocks ? behind : 0}, "asha");
            if (blocks) break;
        }
        return started;
    }

    static void explainStart(const PolicyContext& context, const SchedulerView& view, JobId id,
                             const Placement& placement) {
        if (!context.explaining()) return;
        const Job& job = view.workload().job(id);
        const auto workers = static_cast<int>(placement.workers.size());
        giveTasks(job, placement, view.free());
        Explanation why{.family = PolicyFamily::scheduler, .policy = "asha", .job = id};
        why.summary = {TRAINYARD_TEXT("{0}: first in queue and fits. Workers: {1}. Machines: {2}"),
                       {jobLabel(view, id), std::to_string(workers), machineList(view, placement)}};
        why.rule = Rule::firstFeasible;
        why.chosen = {0};
        why.candidates.push_back(
            {.label = jobLabel(view, id),
             .checks = fitChecks(view, id, workers, static_cast<int>(placement.servers.size()), view.free(), true),
             .numbers = {{"arrival_s", job.arrival.toSeconds()}, {"workers", double(workers)}}});
        takeTasks(job, placement, view.free());
        context.explain(std::move(why));
    }

    // --- When to look again

    /// When to look at a job's losses, reckoned from the last that was known of its updates.
    struct Look {
        SimTime at, from;
        double updates = 0; ///< at `from`
    };

    /// When the first job is expected at its next rung. A job's time is reckoned anew once that has passed, or its tasks have changed.
    SimTime nextLook(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                     std::span<const JobId> ending, std::span<const Allotment> started) {
        for (const Event& event : since) {
            if (event.job == JobId::none || event.type == EventType::jobStarted)
                continue; // by this scheduler: it is known
            const auto known = m_looks.find(event.jobId());
            if (known == m_looks.end()) continue;
            if (event.type == EventType::lossEvaluated)
                known->second = {known->second.at, event.time, static_cast<double>(event.count())};
            else
                m_looks.erase(known);
        }
        for (const JobId id : ending) m_looks.erase(id);
        SimTime next = SimTime::never();
        const auto look = [&](JobId id, const Placement& placement) {
            const auto [known, isNew] = m_looks.try_emplace(id, Look{{}, context.now, view.speed().updatesDone(id)});
            if (known->second.at <= context.now) known->second.at = lookAt(context, view, id, placement, known->second);
            next = std::min(next, known->second.at);
        };
        for (const JobId id : view.jobsIn(JobPhase::running))
            if (std::find(ending.begin(), ending.end(), id) == ending.end()) look(id, heldPlacement(view, id));
        for (const Allotment& start : started) look(start.job, start.placement);
        return next;
    }

    /// When the job is expected at its next rung; where that has passed, after the interval, or as soon as it can be there.
    SimTime lookAt(const PolicyContext& context, const SchedulerView& view, JobId id, const Placement& placement,
                   const Look& known) const {
        const auto at = static_cast<double>(m_rungs.nextUpdate(view, id));
        if (at <= 0) return SimTime::never();
        const double pace = view.speed().secondsPerUpdate(id, placement), done = view.speed().updatesDone(id);
        const double underWay = view.speed().keepsFractions(id) ? 0 : 1; // nothing tells how far an update is
        const double soonest = at > done + underWay ? (at - done - underWay) * pace : 0;
        const double expected =
            at > known.updates ? (at - known.updates) * pace - (context.now - known.from).toSeconds() : 0;
        const double wait = std::min(underWay > 0 ? std::max(expected, soonest) : soonest, longest);
        return context.now + Duration::secondsUp(std::max(m_params.intervalSeconds, wait));
    }

    static constexpr double longest = 1e7; ///< s; by then it is looked again, whatever was expected
    AshaParams m_params;
    Rungs m_rungs;
    Refusals m_refusals;
    std::map<JobId, Look> m_looks; ///< by running job
};

} // namespace

SchedulerEntry builtin::asha() {
    using P = AshaParams;
    PolicyInfo info{.id = "asha",
                    .label = "Successive halving (ASHA)",
                    .summary = "Jobs start in order of arrival; at rungs of updates those whose loss is not among the "
                               "best end early.",
                    .source = "After Li et al., MLSys 2020"};
    info.series = Rungs::series();
    info.goesByLosses = true;
    info.compatibilityWarning = Rungs::noneReached;
    return policyEntry<Scheduler, Asha, P>(
        std::move(info),
        field(&P::grace, "grace", "Grace", {1, 1e9}, "updates", "Updates to the first rung; before it no job ends.")
            .logarithmic()
            .usual(1000)
            .effect("Jobs that start slowly are spared, and bad ones end later."),
        field(&P::eta, "eta", "Reduction", {1.1, 100}, "",
              "η: one of so many jobs goes on from a rung, and the next rung is at so many times the updates.")
            .usual(10)
            .effect("More jobs end at each rung, and there are fewer rungs."),
        field(&P::rungs, "rungs", "Rungs", {0, 30}, "",
              "How many there are; from the last one on a job goes to its end.")
            .usual(10)
            .effect("Jobs are compared later in their course, too."),
        choice(
            &P::compare, "compare", "Compared jobs", comparedChoices,
            "Whose losses are compared: jobs of the same model and data, of the same key but for its number, or all."),
        field(&P::intervalSeconds, "interval_s", "Interval", {1e-3, 86400}, "s",
              "Losses are looked at when a job is expected at a rung, but no more often than this.")
            .logarithmic()
            .usual(600)
            .effect("Fewer calls; jobs end up to so much later."),
        placingField(&P::placing), sizeField(&P::size));
}

} // namespace trainyard
