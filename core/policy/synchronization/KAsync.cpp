// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// k-async: nobody is cancelled. Whoever is done pushes and waits; when K gradients have come, however old,
// they are averaged into an update and their K workers go on with the new parameters. Dutta et al., Slow and
// stale gradients can win the race, AISTATS 2018, section 2.3. In the long run each worker takes part in
// every n/K-th update, so that a gradient is (n − K)/K updates old on average, for any law of the times.
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>

namespace trainyard {

namespace {

struct KAsyncParams {
    int k = 2;
};

class KAsync final : public Synchronization {
public:
    explicit KAsync(KAsyncParams params) : m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<KAsync>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        startEverywhere(view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient&,
                   SyncActions& actions) override {
        goOn(context, view, actions);
    }

    /// Of those that are left fewer than K may be able to come.
    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        goOn(context, view, actions);
    }

    /// At most the K-th of n fresh tasks, and equal to it for exponential times (Dutta et al., lemma 5).
    IterationShape shape(int workers) const override {
        return {.launched = workers, .waitFor = std::clamp(m_params.k, 1, std::max(1, workers))};
    }

    std::optional<double> exactMeanStaleness(int workers) const override {
        const double k = shape(workers).waitFor;
        return (workers - k) / k;
    }

private:
    void goOn(const PolicyContext& context, const TrainingView& view, SyncActions& actions) const {
        const auto holds = holders(view);
        const int held = static_cast<int>(view.held.size());
        int obtainable = held;
        for (std::size_t w = 0; w < holds.size(); ++w) obtainable += view.workers[w].present && !holds[w];
        const int target = std::min(m_params.k, obtainable);
        const bool enough = held > 0 && held >= target;
        if (enough) {
            explainGathering(context, view, "k-async", view.held, target);
            actions.update(averaged(view.held, 1.0 / held));
        }
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present && !view.workers[w].busy && (enough || !holds[w])) actions.assign(w);
    }

    KAsyncParams m_params;
};

} // namespace

SynchronizationEntry builtin::kAsync() {
    using P = KAsyncParams;
    return policyEntry<Synchronization, KAsync, P>(
        {.id = "k-async",
         .label = "K gradients, asynchronous",
         .summary = "Every update averages the next K gradients, however stale; only their workers start a "
                    "new task.",
         .source = "Dutta et al., AISTATS 2018 (K-async)",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) { return compatibility::waitsForTooMany(job, given, "k"); }},
        field(&P::k, "k", "Gradients per update", {1, 100000}, "",
              "How many workers' gradients make an update; with fewer workers it waits for all of them.")
            .effect("Updates come less often, but are less noisy and less stale.")
            .amongWorkers());
}

} // namespace trainyard
