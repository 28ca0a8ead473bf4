// fastest-k: an update averages the k gradients that come first; the other tasks are cancelled and everybody
// begins anew. K-sync SGD: Dutta et al., Slow and stale gradients can win the race, AISTATS 2018, eq. (2) and
// section 2.3; each worker may compute a share β of the batch, as in Egger et al., ISIT 2023.
#include "policy/Builtin.h"
#include "policy/synchronization/RoundSync.h"

namespace trainyard {

namespace {

struct FastestKParams {
    int k = 2;
    double load = 1, timeout = 0;
};

class FastestK final : public RoundSync {
public:
    explicit FastestK(FastestKParams params) : RoundSync("fastest-k", params.timeout), m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<FastestK>(*this); }
    IterationShape shape(int workers) const override {
        IterationShape out = RoundSync::shape(workers);
        out.load = m_params.load;
        return out;
    }

protected:
    int wanted(int) const override { return m_params.k; }
    Assignment work(const TrainingView& view, std::uint32_t) const override {
        return {.samples = samplesOfLoad(view.batch, m_params.load)};
    }

private:
    FastestKParams m_params;
};

} // namespace

SynchronizationEntry builtin::fastestK() {
    using P = FastestKParams;
    return policyEntry<Synchronization, FastestK, P>(
        {.id = "fastest-k",
         .label = "Fastest k",
         .summary = "Every update averages the k gradients that come first and cancels the rest.",
         .source = "Dutta et al., AISTATS 2018 (K-sync)"},
        field(&P::k, "k", "Gradients per update", {1, 100000}, "",
              "How many gradients an update waits for; with fewer workers it waits for all of them.")
            .effect("Iterations take longer, but each update is less noisy.")
            .amongWorkers(),
        field(&P::load, "load", "Load β", {1e-6, 1}, "",
              "Share of the job's batch that each worker computes; it must leave at least one sample.")
            .effect("Tasks take longer, but each gradient is less noisy."),
        timeoutField<P>());
}

} // namespace trainyard
