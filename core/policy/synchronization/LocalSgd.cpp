// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// local-sgd: every worker takes τ steps of its own from the same parameters, then all models are averaged. A
// worker sends the sum of its gradients along the way, so that the mean of the messages moves the parameters
// to the mean of the models. McMahan et al., AISTATS 2017; Stich, Local SGD converges fast and communicates
// little, ICLR 2019. adacomm: τ shrinks as the loss falls. Wang and Joshi, Adaptive communication strategies
// to achieve the best error-runtime trade-off in local-update SGD, MLSys 2019.
#include "base/Format.h"
#include "policy/Builtin.h"
#include "policy/synchronization/RoundSync.h"

#include <cmath>
#include <limits>

namespace trainyard {

namespace {

/// Batches are numbered by task and step; there is room for so many steps.
constexpr double mostLocalSteps = 255;

struct LocalSgdParams {
    int steps = 4;
    double timeout = 0;
};

struct AdaCommParams {
    int steps = 20;
    double interval = 10, leastLoss = 0, timeout = 0;
};

class LocalSgd : public RoundSync {
public:
    explicit LocalSgd(LocalSgdParams params) : LocalSgd("local-sgd", params.steps, params.timeout) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<LocalSgd>(*this); }
    IterationShape shape(int workers) const override {
        IterationShape out = RoundSync::shape(workers);
        out.localSteps = m_steps;
        return out;
    }

protected:
    LocalSgd(std::string id, int steps, double timeout) : RoundSync(std::move(id), timeout), m_steps(steps) {}
    int wanted(int launchedNow) const override { return launchedNow; }
    Assignment work(const TrainingView&, std::uint32_t) const override { return {.localSteps = m_steps}; }

    int m_steps;
};

class AdaComm final : public LocalSgd {
public:
    std::optional<Text> hasNoRate() const override {
        return Text{TRAINYARD_TEXT("its local steps become fewer as the loss falls, and with them the time of "
                                   "an update"),
                    {}};
    }
    explicit AdaComm(const AdaCommParams& params)
        : LocalSgd("adacomm", params.steps, params.timeout), m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<AdaComm>(*this); }

protected:
    void starting(const PolicyContext& context, const TrainingView& view) override {
        m_next = context.now + Duration::seconds(m_params.interval);
        if (view.updates > 0 && std::isfinite(m_firstLoss)) return; // it goes on elsewhere
        m_firstLoss = view.lastLoss;
        m_steps = m_params.steps;
    }

    void roundOver(const PolicyContext& context, const TrainingView& view, std::span<const HeldGradient>) override {
        if (context.now < m_next) return;
        m_next = context.now + Duration::seconds(m_params.interval);
        const double first = m_firstLoss - m_params.leastLoss, now = view.lastLoss - m_params.leastLoss;
        if (m_steps == 1 || !(first > 0) || !std::isfinite(now)) return;
        const auto byLoss = static_cast<int>(std::ceil(std::sqrt(std::max(0.0, now) / first) * m_params.steps));
        const int next = std::max(1, byLoss < m_steps ? byLoss : m_steps / 2);
        explain(context, view, byLoss, next);
        m_steps = next;
    }

private:
    void explain(const PolicyContext& context, const TrainingView& view, int byLoss, int next) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "adacomm", .job = view.job};
        why.summary = {TRAINYARD_TEXT("{0} local steps instead of {1}: the loss has fallen from {2} to {3}"),
                       {std::to_string(next), std::to_string(m_steps), formatNumber(m_firstLoss, 4),
                        formatNumber(view.lastLoss, 4)}};
        why.candidates = {{.label = "steps by the loss",
                           .checks = {{"fewer than now", static_cast<double>(byLoss), Comparison::less,
                                       static_cast<double>(m_steps)}}},
                          {.label = "half as many"}};
        why.chosen = {byLoss < m_steps ? std::size_t{0} : std::size_t{1}};
        context.explain(std::move(why));
    }

    AdaCommParams m_params;
    double m_firstLoss = std::numeric_limits<double>::quiet_NaN();
    SimTime m_next;
};

} // namespace

SynchronizationEntry builtin::localSgd() {
    using P = LocalSgdParams;
    return policyEntry<Synchronization, LocalSgd, P>(
        {.id = "local-sgd",
         .label = "Local SGD",
         .summary = "Every worker takes τ steps of its own; then all models are averaged.",
         .source = "Stich, ICLR 2019"},
        field(&P::steps, "steps", "Local steps τ", {1, mostLocalSteps}, "",
              "Steps that each worker takes between two averages.")
            .effect("Less communication and waiting, but the workers' models drift apart."),
        timeoutField<P>());
}

SynchronizationEntry builtin::adaComm() {
    using P = AdaCommParams;
    return policyEntry<Synchronization, AdaComm, P>(
        {.id = "adacomm",
         .label = "Adaptive local SGD (AdaComm)",
         .summary = "Local SGD that averages more and more often as the loss falls.",
         .source = "Wang and Joshi, MLSys 2019"},
        field(&P::steps, "steps", "Local steps at first τ₀", {1, mostLocalSteps}, "",
              "Steps that each worker takes between two averages at the start.")
            .effect("Faster at first, but the workers' models drift apart."),
        field(&P::interval, "interval", "Interval T₀", {1e-6, 1e9}, "s", "How often the number of steps is adjusted.")
            .effect("Local steps decrease later.")
            .logarithmic(),
        field(&P::leastLoss, "least_loss", "Minimum loss F*", {-1e15, 1e15}, "",
              "The lowest loss possible; decreases are measured towards it."),
        timeoutField<P>());
}

} // namespace trainyard
