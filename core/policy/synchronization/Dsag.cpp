// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// dsag: the servers remember the last gradient of every worker's data. An update waits for k fresh gradients
// and averages them with what is remembered of all others; a late one is remembered when it comes, and its
// worker begins a new task at once. Severinson, Rosnes, El Rouayheb and Graell i Amat, DSAG: a mixed
// synchronous-asynchronous iterative method for straggler-resilient learning, IEEE Transactions on
// Communications 2023 (after its abstract and the event loop of its public simulator).
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>

namespace trainyard {

namespace {

struct DsagParams {
    int k = 2;
};

class Dsag final : public Synchronization {
public:
    explicit Dsag(DsagParams params) : m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<Dsag>(*this); }

    void onStart(const PolicyContext&, const TrainingView& view, SyncActions& actions) override {
        m_memory.assign(view.workers.size(), Memory{});
        startEverywhere(view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient&,
                   SyncActions& actions) override {
        goOn(context, view, actions);
    }

    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        goOn(context, view, actions);
    }

    /// The k-th of n fresh tasks; in truth it is later by what the late ones have still to do.
    IterationShape shape(int workers) const override {
        return {.launched = workers, .waitFor = std::clamp(m_params.k, 1, std::max(1, workers))};
    }

    /// The slow count by what is remembered of them.
    bool isUnbiased(int) const override { return true; }

private:
    struct Memory {
        bool known = false, held = false; ///< held: the gradient itself still waits at the servers
        std::uint32_t task = 0;
        std::vector<double> gradient;
    };

    void goOn(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
        m_memory.resize(view.workers.size());
        const std::vector<HeldGradient> newest = remember(view, actions);
        std::vector<bool> fresh(view.workers.size(), false);
        int held = 0;
        for (const auto& g : newest) {
            fresh[g.worker] = g.readVersion == view.updates;
            held += fresh[g.worker];
        }
        int obtainable = held;
        for (std::size_t w = 0; w < fresh.size(); ++w) obtainable += view.workers[w].present && !fresh[w];
        const bool enough = held > 0 && held >= std::min(m_params.k, obtainable);
        if (enough) update(context, view, newest, actions);
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present && !view.workers[w].busy && (enough || !fresh[w])) actions.assign(w);
    }

    /// Of each worker only the newest gradient counts. What workers that are gone have left is forgotten.
    std::vector<HeldGradient> remember(const TrainingView& view, SyncActions& actions) {
        for (std::size_t w = 0; w < m_memory.size(); ++w) {
            m_memory[w].held = false;
            if (!view.workers[w].present) m_memory[w] = Memory{};
        }
        std::vector<HeldGradient> newest;
        for (const auto& g : view.held) {
            const auto it =
                std::find_if(newest.begin(), newest.end(), [&](const auto& other) { return other.worker == g.worker; });
            if (it == newest.end()) {
                newest.push_back(g);
                continue;
            }
            const HeldGradient& older = it->task < g.task ? *it : g;
            actions.drop(older.worker, older.task);
            if (it->task < g.task) *it = g;
        }
        for (const auto& g : newest) {
            Memory& memory = m_memory[g.worker];
            if (!memory.known || memory.task != g.task) memory.gradient.assign(g.message.begin(), g.message.end());
            memory.known = memory.held = true;
            memory.task = g.task;
        }
        return newest;
    }

    void update(const PolicyContext& context, const TrainingView& view, std::span<const HeldGradient> newest,
                SyncActions& actions) const {
        const auto known = std::count_if(m_memory.begin(), m_memory.end(), [](const Memory& m) { return m.known; });
        const double weight = 1.0 / static_cast<double>(known);
        std::vector<double> remembered;
        for (const Memory& memory : m_memory) {
            if (!memory.known || memory.held) continue;
            remembered.resize(memory.gradient.size(), 0.0);
            for (std::size_t i = 0; i < remembered.size(); ++i) remembered[i] += weight * memory.gradient[i];
        }
        explain(context, view, weight);
        actions.update(averaged(newest, weight), std::move(remembered));
    }

    void explain(const PolicyContext& context, const TrainingView& view, double weight) const {
        if (!explainingFully(context)) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "dsag", .job = view.job};
        why.rule = Rule::everyFeasible;
        for (std::size_t w = 0; w < m_memory.size(); ++w) {
            if (!view.workers[w].present && !m_memory[w].known) continue;
            if (m_memory[w].known) why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(
                {.label = "worker " + std::to_string(w),
                 .checks = {{"gradient known", m_memory[w].known ? 1.0 : 0.0, Comparison::atLeast, 1}},
                 .numbers = {{"of task", static_cast<double>(m_memory[w].task)}, {"weight", weight}}});
        }
        why.summary = {
            TRAINYARD_TEXT("the last gradients of {0} of {1} {1:worker|workers} are averaged, fresh and remembered"),
            {std::to_string(why.chosen.size()), std::to_string(why.candidates.size())}};
        context.explain(std::move(why));
    }

    DsagParams m_params;
    std::vector<Memory> m_memory; ///< by worker
};

} // namespace

SynchronizationEntry builtin::dsag() {
    using P = DsagParams;
    return policyEntry<Synchronization, Dsag, P>(
        {.id = "dsag",
         .label = "DSAG (remembered gradients)",
         .summary = "Waits for k fresh gradients and averages them with the last known ones of all other workers.",
         .source = "Severinson et al., IEEE Transactions on Communications 2023",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) { return compatibility::waitsForTooMany(job, given, "k"); }},
        field(&P::k, "k", "Fresh gradients per update", {1, 100000}, "",
              "How many gradients computed at the newest parameters an update waits for.")
            .effect("Iterations take longer, but less of an update is old.")
            .amongWorkers());
}

} // namespace trainyard
