// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the synchronization family: fastest-k whose k grows when successive updates' gradients point
// against each other more often than not (Chee and Toulis, AISTATS 2018, with a reflected counter), and whose
// load per worker follows the worker's measured speed. Stretches the view: gradients of the last two updates,
// samples and times per worker.
#include "policy/Registry.h"
#include "policy/synchronization/Averaging.h"

#include <cmath>
#include <numeric>

namespace trainyard::test {

struct GradientSignParams {
    int threshold = 5;
    int firstK = 1;
};

class GradientSignSync final : public Synchronization {
public:
    explicit GradientSignSync(GradientSignParams params) : m_params(params), m_k(params.firstK) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<GradientSignSync>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        for (const auto& g : view.held) actions.drop(g.worker, g.task);
        assignAll(view, actions);
    }
    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                   SyncActions& actions) override {
        m_speed.resize(view.workers.size(), 0);
        const double seconds = (context.now - view.workers[arrival.worker].assigned).toSeconds();
        if (seconds > 0) m_speed[arrival.worker] = arrival.samples / seconds;
        settle(context, view, actions);
    }
    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        settle(context, view, actions);
    }
    IterationShape shape(int workers) const override {
        return {.launched = workers, .waitFor = std::clamp(m_k, 1, std::max(1, workers))};
    }
    std::optional<std::uint64_t> stalenessBound() const override { return 0; }
    int k() const { return m_k; }

    static SynchronizationEntry entry() {
        using P = GradientSignParams;
        return policyEntry<Synchronization, GradientSignSync, P>(
            {.id = "test-gradient-sign",
             .label = "Gradient sign",
             .summary = "k and loads follow gradients and speeds."},
            field(&P::threshold, "threshold", "Threshold", {1, 1000}, "", "Excess of opposed pairs before k grows."),
            field(&P::firstK, "first_k", "First k", {1, 1000}, "", "k at the start."));
    }

private:
    void settle(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
        std::vector<HeldGradient> fresh;
        for (const auto& g : view.held)
            g.readVersion == view.updates ? fresh.push_back(g) : actions.drop(g.worker, g.task);
        const int obtainable = static_cast<int>(fresh.size()) + view.busy;
        if (obtainable == 0) return assignAll(view, actions);
        if (static_cast<int>(fresh.size()) < std::min(m_k, obtainable)) return;
        readSigns(context, view);
        double samples = 0;
        for (const auto& g : fresh) samples += g.samples;
        std::vector<WeightedGradient> used;
        for (const auto& g : fresh) used.push_back({g.worker, g.task, g.samples / samples});
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present && view.workers[w].busy) actions.cancel(w);
        actions.update(std::move(used));
        assignAll(view, actions);
    }

    /// Looks at the two updates before this one.
    void readSigns(const PolicyContext& context, const TrainingView& view) {
        const std::size_t n = view.lastGradient.size();
        if (n == 0 || view.previousGradient.size() != n) return;
        const double product =
            std::inner_product(view.lastGradient.begin(), view.lastGradient.end(), view.previousGradient.begin(), 0.0);
        m_opposed = std::max(0, m_opposed + (product < 0 ? 1 : -1));
        const int grown = m_opposed > m_params.threshold && m_k < view.presentWorkers() ? m_k + 1 : m_k;
        if (context.explaining() && grown != m_k) {
            Explanation why{.family = PolicyFamily::synchronization, .policy = "test-gradient-sign", .job = view.job};
            why.summary = {"successive gradients oppose each other: k grows to {0}", {std::to_string(grown)}};
            why.candidates = {
                {"larger k", {{"opposed", double(m_opposed), Comparison::greater, double(m_params.threshold)}}, {}}};
            why.chosen = {0};
            context.explain(std::move(why));
        }
        if (grown != m_k) m_opposed = 0;
        m_k = grown;
    }

    void assignAll(const TrainingView& view, SyncActions& actions) const {
        double sum = 0, known = 0;
        for (double s : m_speed) {
            sum += s;
            known += s > 0;
        }
        for (std::uint32_t w = 0; w < view.workers.size(); ++w) {
            if (!view.workers[w].present) continue;
            double load = 1;
            if (w < m_speed.size() && m_speed[w] > 0) load = m_speed[w] * known / sum;
            actions.assign(
                w, {.samples = std::clamp(int(std::lround(view.batch * load)), 1, 2 * std::max(1, view.batch))});
        }
    }

    GradientSignParams m_params;
    int m_k = 1, m_opposed = 0;
    std::vector<double> m_speed; ///< samples per second, measured; 0 = not yet
};

} // namespace trainyard::test
