// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// k-batch-async: whoever is done pushes, reads the newest parameters and goes on at once; every K pushes are
// averaged into an update. Nobody waits, nothing is cancelled; K = 1 is async. Dutta et al., Slow and stale
// gradients can win the race, AISTATS 2018, section 2.3. In the long run an update takes K·E[X]/n, and a
// gradient is (n − 1)/K updates old on average, both for any law of the task times.
#include "policy/Builtin.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>

namespace trainyard {

namespace {

struct KBatchAsyncParams {
    int k = 4;
};

class KBatchAsync final : public Synchronization {
public:
    explicit KBatchAsync(KBatchAsyncParams params) : m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<KBatchAsync>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        dropHeld(view, actions);
        assignFree(view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient&,
                   SyncActions& actions) override {
        const int held = static_cast<int>(view.held.size());
        if (held >= m_params.k) {
            explainGathering(context, view, "k-batch-async", view.held, m_params.k);
            actions.update(averaged(view.held, 1.0 / held)); // first, so that its last worker reads the new parameters
        }
        assignFree(view, actions);
    }

    void onMembership(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        assignFree(view, actions);
    }

    IterationShape shape(int workers) const override {
        return {.launched = workers, .asynchronous = true, .gradients = m_params.k};
    }
    std::optional<UpdateTime> updateTime(const JobTimes& job) const override { return streamTime(job, m_params.k); }

    std::optional<double> exactMeanStaleness(int workers) const override {
        return (workers - 1.0) / std::max(1, m_params.k);
    }

private:
    static void assignFree(const TrainingView& view, SyncActions& actions) {
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present && !view.workers[w].busy) actions.assign(w);
    }

    KBatchAsyncParams m_params;
};

} // namespace

SynchronizationEntry builtin::kBatchAsync() {
    using P = KBatchAsyncParams;
    return policyEntry<Synchronization, KBatchAsync, P>(
        {.id = "k-batch-async",
         .label = "K batches, asynchronous",
         .summary = "Every K gradients, from any workers and however stale, make an update; no worker ever waits.",
         .source = "Dutta et al., AISTATS 2018 (K-batch-async)"},
        field(&P::k, "k", "Gradients per update", {1, 1000000}, "", "How many gradients make an update; 1 is async.")
            .effect("Updates come less often, but are less noisy and less stale.")
            .amongWorkers());
}

} // namespace trainyard
