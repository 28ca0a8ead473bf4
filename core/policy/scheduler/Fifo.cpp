// fifo: jobs start in order of arrival. Head-of-line: a job that does not fit keeps all later ones waiting;
// with `skip` they may pass it. Running jobs are left alone. The first-come-first-served baseline of every
// scheduling study, e.g. Feitelson, Rudolph, Schwiegelshohn, Parallel job scheduling, JSSPP 2004.
#include "policy/Builtin.h"
#include "policy/scheduler/Placing.h"

#include <algorithm>

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

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        const auto strategy = placingStrategy(m_params.placing);
        std::vector<ResourceVector> free;
        std::vector<JobId> failed; // one of each shape that does not fit: room only shrinks during this call
        std::vector<Candidate> passed;
        std::size_t uncounted = 0;
        for (JobId job : view.jobsIn(JobPhase::waiting)) {
            if (free.empty()) free = view.freeCapacity();
            std::optional<Placement> placement;
            const auto alike = [&](JobId other) { return sameShape(view, job, other); };
            if (std::none_of(failed.begin(), failed.end(), alike)) {
                placement = placeJob(view, job, free, strategy, m_params.size);
                if (!placement) failed.push_back(job);
            }
            if (!placement && !m_params.skip) return;
            if (placement && context.explaining())
                explain(context, view, job, *placement, passed, uncounted, free);
            else if (context.explaining() && passed.size() < shownAtMost)
                passed.push_back(describe(view, job, free, nullptr));
            else
                ++uncounted;
            if (placement) decisions.start(job, *placement);
        }
    }

private:
    /// Jobs passed over that an explanation lists; beyond these it only counts them.
    static constexpr std::size_t shownAtMost = 32;

    static bool sameShape(const SchedulerView& view, JobId a, JobId b) {
        const Job &x = view.workload().job(a), &y = view.workload().job(b);
        return view.workers(a) == view.workers(b) && x.servers == y.servers &&
               x.workerDemand == y.workerDemand && x.serverDemand == y.serverDemand;
    }

    /// `free`: before the job was placed.
    Candidate describe(const SchedulerView& view, JobId id, std::span<const ResourceVector> free,
                       const Placement* placement) const {
        const Job& job = view.workload().job(id);
        const Bounds bounds = view.workers(id);
        const int least = m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
        const int workers = placement ? static_cast<int>(placement->workers.size()) : least;
        return {.label = jobLabel(view, id),
                .checks = fitChecks(view, id, workers, serversFor(job, bounds, workers), free,
                                    placement != nullptr),
                .numbers = {{"arrival_s", job.arrival.toSeconds()}, {"workers", double(workers)}}};
    }

    void explain(const PolicyContext& context, const SchedulerView& view, JobId job,
                 const Placement& placement, const std::vector<Candidate>& passed, std::size_t uncounted,
                 std::vector<ResourceVector>& free) const {
        Explanation why{.family = PolicyFamily::scheduler, .policy = "fifo", .job = job};
        const std::string workers = std::to_string(placement.workers.size());
        why.summary =
            passed.empty()
                ? Text{TRAINYARD_TEXT("{0} has waited longest and fits: workers {1}, on {2}"),
                       {jobLabel(view, job), workers, machineList(view, placement)}}
                : Text{TRAINYARD_TEXT("{0} passes {3} earlier jobs that do not fit: workers {1}, on {2}"),
                       {jobLabel(view, job), workers, machineList(view, placement),
                        std::to_string(passed.size() + uncounted)}};
        why.rule = Rule::firstFeasible;
        why.candidates = passed;
        why.chosen = {why.candidates.size()};
        giveBack(view, job, placement, free);
        why.candidates.push_back(describe(view, job, free, &placement));
        take(view, job, placement, free);
        context.explain(std::move(why));
    }

    FifoParams m_params;
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
             "Whether later jobs may start while an earlier one does not fit; otherwise it blocks the line."),
        choice(&P::placing, "placing", "Placing", placingChoices,
               "Onto which machines: the fewest, the emptiest, or the fewest within one rack."),
        choice(&P::size, "size", "Workers per job", sizeChoices,
               "How many workers a job with bounds starts with."));
}

} // namespace trainyard
