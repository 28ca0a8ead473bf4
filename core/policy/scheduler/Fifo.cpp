// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// fifo: jobs start in order of arrival. Head-of-line: a job that does not fit keeps all later ones waiting;
// with `skip` they may pass it. Running jobs are left alone. The first-come-first-served baseline of every
// scheduling study, e.g. Feitelson, Rudolph, Schwiegelshohn, Parallel job scheduling, JSSPP 2004.
#include "policy/Builtin.h"
#include "policy/scheduler/JobStart.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"

namespace trainyard {

namespace {

struct FifoParams {
    bool skip = false;
    std::string placing = "pack";
    std::string size = "as-many-as-fit";
};

class Fifo final : public Scheduler {
public:
    explicit Fifo(FifoParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Fifo>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const auto strategy = placingStrategy(m_params.placing);
        m_waiting.update(view, since, [](JobId) { return 0; });
        WaitingJobs::Walk walk(m_waiting, context.explaining());
        std::vector<Candidate> passed;
        std::size_t uncounted = 0;
        while (const auto next = walk.next()) { // room only shrinks during this call
            const JobId job = next->job;
            std::optional<Placement> placement;
            if (!walk.isKnown()) placement = placeJob(view, job, view.free(), strategy, m_params.size);
            if (!placement && !walk.isKnown()) refuse(context, view, job);
            if (!placement && !m_params.skip) return;
            if (!placement) walk.fail();
            if (placement && context.explaining())
                explain(context, view, job, *placement, passed, uncounted);
            else if (context.explaining() && passed.size() < shownAtMost)
                passed.push_back(describe(view, job, nullptr));
            else
                ++uncounted;
            if (placement) decisions.start(job, *placement);
        }
    }

private:
    /// Jobs passed over that an explanation lists; beyond these it only counts them.
    static constexpr std::size_t shownAtMost = 32;

    void refuse(const PolicyContext& context, const SchedulerView& view, JobId id) {
        if (!context.explaining()) return;
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const std::size_t waiting = m_params.skip ? 1 : view.jobsIn(JobPhase::waiting).size();
        m_refusals.tried(context, view, id, least, view.workload().job(id).serversFor(least, bounds), "fifo",
                         waiting - std::min<std::size_t>(waiting, 1));
    }

    /// With the room there was before the job was placed.
    Candidate describe(const SchedulerView& view, JobId id, const Placement* placement) const {
        const Job& job = view.workload().job(id);
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const int workers = placement ? static_cast<int>(placement->workers.size()) : least;
        return {.label = jobLabel(view, id),
                .checks =
                    fitChecks(view, id, workers, job.serversFor(workers, bounds), view.free(), placement != nullptr),
                .numbers = {{"arrival_s", job.arrival.toSeconds()}, {"workers", double(workers)}}};
    }

    void explain(const PolicyContext& context, const SchedulerView& view, JobId job, const Placement& placement,
                 const std::vector<Candidate>& passed, std::size_t uncounted) const {
        Explanation why{.family = PolicyFamily::scheduler, .policy = "fifo", .job = job};
        const std::string workers = std::to_string(placement.workers.size());
        why.summary =
            passed.empty()
                ? Text{TRAINYARD_TEXT("{0}: first in queue and fits. Workers: {1}. Machines: {2}"),
                       {jobLabel(view, job), workers, machineList(view, placement)}}
                : Text{TRAINYARD_TEXT(
                           "{0} starts before earlier jobs, which do not fit ({3}). Workers: {1}. Machines: {2}"),
                       {jobLabel(view, job), workers, machineList(view, placement),
                        std::to_string(passed.size() + uncounted)}};
        why.rule = Rule::firstFeasible;
        why.candidates = passed;
        why.chosen = {why.candidates.size()};
        giveTasks(view.workload().job(job), placement, view.free());
        why.candidates.push_back(describe(view, job, &placement));
        takeTasks(view.workload().job(job), placement, view.free());
        context.explain(std::move(why));
    }

    FifoParams m_params;
    WaitingJobs m_waiting;
    Refusals m_refusals;
};

} // namespace

SchedulerEntry builtin::fifo() {
    using P = FifoParams;
    return policyEntry<Scheduler, Fifo, P>(
        {.id = "fifo",
         .label = "First in, first out",
         .summary = "Jobs start in order of arrival and keep what they have until they end.",
         .source = "Feitelson, Rudolph and Schwiegelshohn, JSSPP 2004"},
        flag(&P::skip, "skip", "Skip jobs that do not fit",
             "Whether later jobs may start while an earlier one does not fit; otherwise it blocks the queue."),
        placingField(&P::placing), sizeField(&P::size));
}

} // namespace trainyard
