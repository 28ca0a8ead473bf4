// oasis: online primal-dual scheduling of workers and parameter servers that never share a machine: the first half of the machines
// is for workers, the rest for servers, and every transfer goes over the network (Bao, Peng, Wu and Li, Online job scheduling in
// distributed machine learning clusters, INFOCOM 2018). As the brief of arXiv 2108.02917 recalls it, with the servers for n workers
// that the job declares.
#include "policy/Builtin.h"
#include "policy/scheduler/PrimalDual.h"

namespace trainyard {

namespace {

class Oasis final : public PrimalDual {
public:
    explicit Oasis(PrimalDualParams params) : PrimalDual("oasis", std::move(params), true) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Oasis>(*this); }
};

} // namespace

SchedulerEntry builtin::oasis() {
    using P = PrimalDualParams;
    PolicyInfo info{.id = "oasis",
                    .label = "OASiS: primal-dual, apart",
                    .summary = "As pdors, but half of the machines are for workers and half for parameter servers.",
                    .source = "Bao et al., INFOCOM 2018"};
    info.series = PrimalDual::series();
    info.incompatible = [](const Job& job, const ParamValues&) { return needsKnownWork(job); };
    return policyEntry<Scheduler, Oasis, P>(
        std::move(info),
        field(&P::slotSeconds, "slot_s", "Slot", {1e-3, 1e9}, "s",
              "Length of a slot: tasks come and go when one begins.")
            .logarithmic(),
        field(&P::horizon, "horizon", "Horizon", {1, 1000}, "slots", "How many slots are planned.").usual(200),
        flag(
            &P::rolling, "rolling", "Rolling horizon",
            "Whether the horizon is counted from now, or from the start of the run, after which nothing more is planned."),
        field(&P::margin, "margin", "Margin", {0, 1}, "",
              "Share of its work that a job is promised beyond it, for what is lost when its tasks are moved."),
        choice(
            &P::bounds, "bounds", "Price bounds", {"hindsight", "history"},
            "Whether the prices' bounds are those of all jobs of the run, known beforehand, or of the jobs that have "
            "arrived."),
        field(&P::quanta, "quanta", "Quanta", {1, 1000}, "",
              "Parts that a job's work is divided into; a schedule takes at most slots/quanta more than it needs.")
            .usual(500));
}

} // namespace trainyard
