// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// k-batch-sync: all workers compute at the same parameters; whoever is done pushes and begins another batch
// at these parameters. K pushes, by whomever, make an update; the rest is cancelled and everybody begins
// anew. Dutta et al., Slow and stale gradients can win the race, AISTATS 2018, section 2.3. With exponential
// task times of rate μ an update takes the sum of K gaps of n workers: Erlang(K, nμ).
#include "policy/Builtin.h"
#include "policy/synchronization/Averaging.h"

namespace trainyard {

namespace {

struct KBatchSyncParams {
    int k = 4;
};

class KBatchSync final : public Synchronization {
public:
    explicit KBatchSync(KBatchSyncParams params) : m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<KBatchSync>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        startEverywhere(view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                   SyncActions& actions) override {
        // Most arrivals complete nothing: told without looking at all that have come.
        const bool tooFew = static_cast<int>(view.held.size()) < m_params.k && arrival.readVersion == view.updates;
        tooFew ? assignIdle(view, actions, false) : goOn(context, view, actions);
    }

    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        goOn(context, view, actions);
    }

    /// Exact for exponential times; else the long-run rate, which K pushes from a common start approach from
    /// below.
    IterationShape shape(int workers) const override {
        return {.launched = workers, .asynchronous = true, .gradients = m_params.k};
    }
    std::optional<std::uint64_t> stalenessBound() const override { return 0; }

private:
    void goOn(const PolicyContext& context, const TrainingView& view, SyncActions& actions) const {
        const auto fresh = freshGradients(view, actions);
        const bool enough = static_cast<int>(fresh.size()) >= m_params.k;
        if (enough) {
            explainGathering(context, view, "k-batch-sync", fresh, m_params.k);
            for (std::uint32_t w = 0; w < view.workers.size(); ++w)
                if (view.workers[w].present && view.workers[w].busy) actions.cancel(w);
            actions.update(averaged(fresh, 1.0 / static_cast<double>(fresh.size())));
        }
        assignIdle(view, actions, enough);
    }

    /// `all`: those too that were busy until an update of now.
    static void assignIdle(const TrainingView& view, SyncActions& actions, bool all) {
        for (std::uint32_t w = 0; w < view.workers.size(); ++w) {
            const WorkerView& worker = view.workers[w];
            if (!worker.present || (worker.busy && !all)) continue;
            const bool hasThem = !all && worker.task > 0 && worker.readVersion == view.updates;
            actions.assign(w, {.rereads = !hasThem});
        }
    }

    KBatchSyncParams m_params;
};

} // namespace

SynchronizationEntry builtin::kBatchSync() {
    using P = KBatchSyncParams;
    return policyEntry<Synchronization, KBatchSync, P>(
        {.id = "k-batch-sync",
         .label = "K batches, synchronous",
         .summary = "Workers compute batch after batch at the same parameters; every K batches, from any "
                    "workers, make an update.",
         .source = "Dutta et al., AISTATS 2018 (K-batch-sync)"},
        field(&P::k, "k", "Gradients per update", {1, 1000000}, "",
              "How many gradients make an update; it may exceed the number of workers, since fast ones push "
              "more than "
              "one.")
            .effect("Updates come less often, but each is less noisy.")
            .amongWorkers());
}

} // namespace trainyard
