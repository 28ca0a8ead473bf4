// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// async: every gradient is applied when it arrives and its worker goes on at once with the newest parameters.
// Recht et al., Hogwild!, NIPS 2011; Dean et al., Large scale distributed deep networks (Downpour SGD), NIPS
// 2012. In the long run a gradient is n − 1 updates old on average, whatever the law of the task times.
#include "policy/Builtin.h"
#include "policy/synchronization/Averaging.h"

namespace trainyard {

namespace {

struct AsyncParams {
    std::string scale = "full";
};

class Async final : public Synchronization {
public:
    explicit Async(AsyncParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<Async>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        startEverywhere(view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                   SyncActions& actions) override {
        explain(context, view, arrival);
        actions.update({{arrival.worker, arrival.task, pushWeight(m_params.scale, view)}});
        if (view.workers[arrival.worker].present && !view.workers[arrival.worker].busy) actions.assign(arrival.worker);
        assignIdle(view, actions);
    }

    void onMembership(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        assignIdle(view, actions);
    }

    IterationShape shape(int workers) const override { return {.launched = workers, .asynchronous = true}; }
    std::optional<double> exactMeanStaleness(int workers) const override { return workers - 1.0; }
    std::optional<KeyedPace> keyedPace() const override { return KeyedPace{}; }
    std::optional<UpdateTime> updateTime(const JobTimes& job) const override { return streamTime(job, 1); }

private:
    static void assignIdle(const TrainingView& view, SyncActions& actions) {
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (isIdle(view, w)) actions.assign(w);
    }

    void explain(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival) const {
        if (!explainingFully(context)) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "async", .job = view.job};
        const double staleness = static_cast<double>(view.updates - arrival.readVersion);
        why.summary = {TRAINYARD_TEXT("worker {0}'s gradient is applied at once; no worker waits"),
                       {std::to_string(arrival.worker)}};
        why.rule = Rule::everyFeasible;
        why.candidates = {{.label = "worker " + std::to_string(arrival.worker),
                           .numbers = {{"staleness", staleness}, {"weight", pushWeight(m_params.scale, view)}}}};
        why.chosen = {0};
        context.explain(std::move(why));
    }

    AsyncParams m_params;
};

} // namespace

SynchronizationEntry builtin::async() {
    using P = AsyncParams;
    return policyEntry<Synchronization, Async, P>(
        {.id = "async",
         .label = "Asynchronous",
         .summary = "Every gradient is applied when it arrives; no worker ever waits for another.",
         .source = "Recht et al., NIPS 2011; Dean et al., NIPS 2012"},
        pushScaleField(&P::scale));
}

} // namespace trainyard
