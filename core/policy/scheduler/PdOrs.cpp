// pdors: online primal-dual scheduling of workers and parameter servers, with regard to whether they share a machine (arXiv
// 2108.02917; resources/help/pdors.md says what of the paper was available). pdors-plus: the same, but nothing is decided for good
// before it has to be.
#include "policy/Builtin.h"
#include "policy/scheduler/PrimalDual.h"

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

template <class Policy, class P, class... More>
SchedulerEntry entryOf(PolicyInfo info, More... more) {
    info.series = PrimalDual::series();
    info.incompatible = [](const Job& job, const ParamValues&) { return needsKnownWork(job); };
    const auto real = [](auto member, const char* key, const char* label, Range range, const char* unit,
                         const char* help) {
        return field<P>(static_cast<double P::*>(member), key, label, range, unit, help);
    };
    const auto whole = [](auto member, const char* key, const char* label, Range range, const char* unit,
                          const char* help) {
        return field<P>(static_cast<int P::*>(member), key, label, range, unit, help);
    };
    const auto oneOf = [](auto member, const char* key, const char* label, std::vector<std::string> choices,
                          const char* help) {
        return choice<P>(static_cast<std::string P::*>(member), key, label, std::move(choices), help);
    };
    const auto yes = [](auto member, const char* key, const char* label, const char* help) {
        return flag<P>(static_cast<bool P::*>(member), key, label, help);
    };
    return policyEntry<Scheduler, Policy, P>(
        std::move(info),
        real(&P::slotSeconds, "slot_s", "Slot", {1e-3, 1e9}, "s",
             "Length of a slot: tasks come and go when one begins.")
            .logarithmic(),
        whole(&P::horizon, "horizon", "Horizon", {1, 1000}, "slots", "How many slots are planned.").usual(200),
        yes(&P::rolling, "rolling", "Rolling horizon",
            "Whether the horizon is counted from now, or from the start of the run, after which nothing more is planned."),
        real(&P::margin, "margin", "Margin", {0, 1}, "",
             "Share of its work that a job is promised beyond it, for what is lost when its tasks are moved."),
        oneOf(
            &P::bounds, "bounds", "Price bounds", {"hindsight", "history"},
            "Whether the prices' bounds L, U and μ are those of all jobs of the run, known beforehand, or of the jobs that "
            "have arrived."),
        real(&P::lowFactor, "low_factor", "L times", {1e-12, 1e12}, "",
             "The lowest price is taken to be so many times L.")
            .logarithmic(),
        real(&P::highFactor, "high_factor", "U times", {1e-12, 1e12}, "",
             "The highest price is taken to be so many times U.")
            .logarithmic(),
        real(
            &P::span, "span", "Span of prices", {0, 100}, "",
            "L is raised so that ln(U/L) is at most this; 0: as the theory has it. A tiny L lets in jobs that are worth next to "
            "nothing while the cluster is empty.")
            .usual(40),
        real(
            &P::floor, "floor", "Floor of prices", {0, 10}, "",
            "L is at least so many times what a unit is worth to the job with which the cluster is full, if jobs are taken by what "
            "a unit is worth to them; 0: as the theory has it.")
            .usual(2),
        oneOf(&P::solver, "solver", "Inner solver", {"rounding", "exact"},
              "How tasks are placed on several machines: by a linear program and randomized rounding, or exactly."),
        oneOf(
            &P::guard, "guard", "Rounding guards", {"none", "capacity", "tasks"},
            "Whether G is as given, or so that a draw keeps the capacities, or has tasks enough, with probability 1 − δ."),
        real(&P::gain, "gain", "G", {0.01, 10}, "", "What the fractions are multiplied by before they are rounded."),
        real(&P::failure, "delta", "δ", {1e-6, 0.999}, "", "Probability with which a guarded draw may fail."),
        whole(&P::draws, "draws", "Draws", {1, 5000}, "", "How often a placement is drawn, at most.").usual(100),
        yes(&P::repair, "repair", "Mend draws",
            "Whether a draw that breaks a constraint is mended, and the cheapest of all is taken; else the first that breaks "
            "none."),
        oneOf(
            &P::state, "state", "State of the search", {"quanta", "counts"},
            "Whether the search over slots counts equal parts of the job's work, or worker-slots, which is exact and takes "
            "longer."),
        whole(&P::quanta, "quanta", "Quanta", {1, 1000}, "",
              "Parts that a job's work is divided into; a schedule takes at most slots/quanta more than it needs.")
            .usual(500),
        more...);
}

} // namespace

SchedulerEntry builtin::pdors() {
    return entryOf<PdOrs, PrimalDualParams>(
        {.id = "pdors",
         .label = "PD-ORS: primal-dual, in slots",
         .summary =
             "Promises each arriving job the schedule that earns most above its cost at rising prices, or refuses it.",
         .source = "arXiv 2108.02917"});
}

SchedulerEntry builtin::pdorsPlus() {
    using P = PdOrsPlusParams;
    return entryOf<PdOrsPlus, P>(
        {.id = "pdors-plus",
         .label = "PD-ORS with a floor, revised as time goes on",
         .summary = "As pdors, but prices start higher, refused jobs are weighed again, and promises are chosen anew.",
         .source = "arXiv 2108.02917, and this program"},
        flag<P>(static_cast<bool P::*>(&P::retry), "retry", "Weigh again",
                "Whether a refused job waits and is weighed again when a slot begins."),
        flag<P>(static_cast<bool P::*>(&P::reoptimize), "reoptimize", "Choose anew",
                "Whether what is promised for later slots is chosen anew when a slot begins."));
}

} // namespace trainyard
