// drf: dominant resource fairness. A job's dominant share is the greatest share it has of any resource of the
// cluster; the job with the least (weighted) dominant share gets the next worker. Ghodsi et al., Dominant
// resource fairness, NSDI 2011, Algorithm 1; weights as in its section 4.3.
#include "policy/Builtin.h"
#include "policy/scheduler/ProgressiveFilling.h"

namespace trainyard {

namespace {

struct DrfParams {
    std::string onMisfit = "skip";
    bool weighted = true;
    std::string placing = "pack";
};

class Drf final : public Scheduler {
public:
    explicit Drf(DrfParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Drf>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        ResourceVector total;
        for (std::size_t m = 0; m < view.state().machines().size(); ++m)
            if (view.state().machines()[m].up) total += view.workload().cluster.machines[m].capacity;
        const auto share = [&](JobId id, int workers, int servers) {
            const Job& job = view.workload().job(id);
            const double weight = m_params.weighted && job.weight > 0 ? job.weight : 1;
            return dominantShare(job.workerDemand.times(workers) + job.serverDemand.times(servers), total) /
                   weight;
        };
        ProgressiveFilling(view, share, placingStrategy(m_params.placing), m_params.onMisfit == "stop")
            .decide(context, "drf", decisions);
    }

private:
    DrfParams m_params;
};

} // namespace

SchedulerEntry builtin::drf() {
    using P = DrfParams;
    return policyEntry<Scheduler, Drf, P>(
        {.id = "drf",
         .label = "Dominant resource fairness",
         .summary =
             "The job with the least dominant share gets the next worker; running jobs grow and shrink.",
         .source = "Ghodsi et al., NSDI 2011"},
        choice(&P::onMisfit, "on_misfit", "When the next worker does not fit", {"skip", "stop"},
               "Go on with the job of the next greater share, or stop as in the paper's algorithm; minima are given first."),
        flag(&P::weighted, "weighted", "Use job weights",
             "Whether a job of weight 2 is due twice the share."),
        choice(&P::placing, "placing", "Placing", placingChoices,
               "Onto which machines: the fewest, the emptiest, or the fewest within one rack."));
}

} // namespace trainyard
