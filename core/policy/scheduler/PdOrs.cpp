// pdors: online primal-dual scheduling of workers and parameter servers, with regard to whether they share a machine (arXiv
// 2108.02917; resources/help/pdors.md says what of the paper was available). pdors-plus: the same, but nothing is decided for good
// before it has to be.
#include "policy/Builtin.h"
#include "policy/scheduler/PrimalDualEntry.h"

namespace trainyard {

namespace {

class PdOrs final : public PrimalDual {
public:
    explicit PdOrs(PrimalDualParams params) : PrimalDual("pdors", std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<PdOrs>(*this); }
};

struct PdOrsPlusParams : PrimalDualParams {
    PdOrsPlusParams() {
        retry = reoptimize = true;
        floor = 0.8;
        bounds = "history";
    }
};

class PdOrsPlus final : public PrimalDual {
public:
    explicit PdOrsPlus(PdOrsPlusParams params) : PrimalDual("pdors-plus", std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<PdOrsPlus>(*this); }
};

} // namespace

SchedulerEntry builtin::pdors() {
    using Fields = PrimalDualFields<PrimalDualParams>;
    return primalDualEntry<PdOrs, PrimalDualParams>(
        {.id = "pdors",
         .label = "PD-ORS: primal-dual, in slots",
         .summary =
             "Promises each arriving job the schedule that earns most above its cost at rising prices, or refuses it.",
         .source = "arXiv 2108.02917"},
        Fields::planning(), Fields::pricing(), Fields::placing());
}

SchedulerEntry builtin::pdorsPlus() {
    using Fields = PrimalDualFields<PdOrsPlusParams>;
    return primalDualEntry<PdOrsPlus, PdOrsPlusParams>(
        {.id = "pdors-plus",
         .label = "PD-ORS with a floor, revised as time goes on",
         .summary = "As pdors, but prices start higher, refused jobs are weighed again, and promises are chosen anew.",
         .source = "arXiv 2108.02917, and this program"},
        Fields::planning(), Fields::pricing(), Fields::placing(),
        std::tuple(Fields::yes(&PrimalDualParams::retry, "retry", "Weigh again",
                               "Whether a refused job waits and is weighed again when a slot begins."),
                   Fields::yes(&PrimalDualParams::reoptimize, "reoptimize", "Choose anew",
                               "Whether what is promised for later slots is chosen anew when a slot begins.")));
}

} // namespace trainyard
