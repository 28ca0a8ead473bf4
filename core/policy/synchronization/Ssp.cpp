// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// ssp: stale synchronous parallel. Worker i has pushed c_i gradients (its clock); it may begin another task
// only while c_i − min_j c_j ≤ s, else it is blocked until the slowest has moved on. Gradients are applied as
// they arrive. Ho et al., More effective distributed ML via a stale synchronous parallel parameter server,
// NIPS 2013. s = 0 takes the time of full synchronization; s → ∞ is async.
#include "policy/Builtin.h"
#include "policy/synchronization/Averaging.h"

#include <limits>

namespace trainyard {

namespace {

struct SspParams {
    int staleness = 2;
    std::string scale = "one-over-n";
};

class Ssp final : public Synchronization {
public:
    explicit Ssp(SspParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<Ssp>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        dropHeld(view, actions);
        m_clocks.assign(view.workers.size(), Clock{});
        for (std::size_t w = 0; w < m_clocks.size(); ++w) m_clocks[w].present = view.workers[w].present;
        m_mostWorkers = view.presentWorkers();
        for (std::uint32_t w = 0; w < m_clocks.size(); ++w)
            if (view.workers[w].present) actions.assign(w); // all clocks are equal
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                   SyncActions& actions) override {
        ++m_clocks[arrival.worker].pushes;
        actions.update({{arrival.worker, arrival.task, pushWeight(m_params.scale, view)}});
        if (explainingFully(context)) explain(context, view);
        letRun(view, arrival.worker, actions);
    }

    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        // Who comes starts at the slowest worker's clock: it makes nobody wait for work it never had.
        m_clocks.resize(view.workers.size());
        for (std::size_t w = 0; w < m_clocks.size(); ++w)
            if (m_clocks[w].present && !view.workers[w].present) m_clocks[w].present = false;
        const auto slowest = slowestClock();
        for (std::size_t w = 0; w < m_clocks.size(); ++w) {
            if (view.workers[w].present && !m_clocks[w].present) m_clocks[w] = {slowest, true, false};
            if (view.workers[w].busy) m_clocks[w].blocked = false;
        }
        m_mostWorkers = std::max(m_mostWorkers, view.presentWorkers());
        explain(context, view);
        letRun(view, nobody, actions);
    }

    /// Blocking is not counted: exact as s grows, too short for small s (at s = 0 the slowest sets the pace).
    IterationShape shape(int workers) const override { return {.launched = workers, .asynchronous = true}; }

    /// No clock runs away from another.
    bool isUnbiased(int) const override { return true; }

    /// While one task of a worker at clock c is under way, each other worker's clock goes from at least c − s
    /// to at most c + s + 1: at most 2s + 1 updates each. Holds while nobody comes or goes.
    std::optional<std::uint64_t> stalenessBound() const override {
        if (m_mostWorkers == 0) return std::nullopt;
        return static_cast<std::uint64_t>(m_mostWorkers - 1) * (2 * static_cast<std::uint64_t>(m_params.staleness) + 1);
    }

    /// The same rule, by iterations: s = 0 lets no worker begin its next one before all have done theirs.
    std::optional<KeyedPace> keyedPace() const override {
        return KeyedPace{static_cast<std::uint64_t>(m_params.staleness)};
    }

private:
    static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

    struct Clock {
        std::int64_t pushes = 0;
        bool present = false, blocked = false;
    };

    std::int64_t slowestClock() const {
        auto slowest = std::numeric_limits<std::int64_t>::max();
        std::int64_t fastest = 0;
        for (const auto& clock : m_clocks) {
            fastest = std::max(fastest, clock.pushes);
            if (clock.present) slowest = std::min(slowest, clock.pushes);
        }
        return slowest == std::numeric_limits<std::int64_t>::max() ? fastest : slowest;
    }

    bool mayRun(std::size_t worker, std::int64_t slowest) const {
        return m_clocks[worker].pushes - slowest <= m_params.staleness;
    }

    /// `pushed`: the worker whose gradient is being applied. Others whose gradients still wait are left alone
    /// till then.
    void letRun(const TrainingView& view, std::uint32_t pushed, SyncActions& actions) {
        const auto slowest = slowestClock();
        for (std::uint32_t w = 0; w < m_clocks.size(); ++w) {
            const bool idle = w == pushed ? view.workers[w].present && !view.workers[w].busy : isIdle(view, w);
            if (!idle) continue;
            if (mayRun(w, slowest)) {
                actions.assign(w);
                m_clocks[w].blocked = false;
            } else if (!m_clocks[w].blocked) {
                actions.block(w);
                m_clocks[w].blocked = true;
            }
        }
    }

    void explain(const PolicyContext& context, const TrainingView& view) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "ssp", .job = view.job};
        const auto slowest = slowestClock();
        for (std::size_t w = 0; w < m_clocks.size(); ++w) {
            if (!view.workers[w].present) continue;
            if (mayRun(w, slowest)) why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(
                {.label = "worker " + std::to_string(w),
                 .checks = {{"ahead of the slowest", static_cast<double>(m_clocks[w].pushes - slowest),
                             Comparison::atMost, static_cast<double>(m_params.staleness)}},
                 .numbers = {{"clock", static_cast<double>(m_clocks[w].pushes)}}});
        }
        why.rule = Rule::everyFeasible;
        why.summary = {
            TRAINYARD_TEXT(
                "{0} of {1} {1:worker|workers} may run: at most {2} ahead of the slowest, which has pushed {3}"),
            {std::to_string(why.chosen.size()), std::to_string(why.candidates.size()),
             std::to_string(m_params.staleness), std::to_string(slowest)}};
        context.explain(std::move(why));
    }

    SspParams m_params;
    std::vector<Clock> m_clocks;
    int m_mostWorkers = 0;
};

} // namespace

SynchronizationEntry builtin::ssp() {
    using P = SspParams;
    return policyEntry<Synchronization, Ssp, P>(
        {.id = "ssp",
         .label = "Stale synchronous parallel",
         .summary = "Gradients are applied as they arrive; a worker more than s ahead of the slowest is blocked.",
         .source = "Ho et al., NIPS 2013"},
        field(&P::staleness, "staleness", "Staleness bound s", {0, 1000000}, "tasks",
              "How many tasks a worker may be ahead of the slowest before it must wait.")
            .effect("Workers wait less, but compute at older parameters.")
            .usual(50),
        pushScaleField(&P::scale));
}

} // namespace trainyard
