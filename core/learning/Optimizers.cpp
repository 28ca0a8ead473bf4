// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/Choices.h"
#include "learning/OptimizerRules.h"

namespace trainyard {

namespace optimizer_rules {

struct MomentumParams : Params {
    double momentum = 0.9;
};
struct AdagradParams : Params {
    double epsilon = 1e-8;
};
struct AdamParams : Params {
    AdamParams() { learningRate = 0.001; }
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};
struct EmParams : Params {
    EmParams() { learningRate = 1; }
};

/// w ← w − η g
class Sgd final : public Rule<Params> {
public:
    using Rule::Rule;
    std::size_t stateSize() const override { return 0; }
    void step(std::span<double> w, std::span<const double> g, std::span<const double>, std::span<double>,
              std::uint64_t t) const override {
        const double rate = m_params.rate(t);
        for (std::size_t i = 0; i < w.size(); ++i) w[i] -= rate * g[i];
    }
};

/// Heavy ball (Polyak 1964): v ← μ v + g; w ← w − η v
class Momentum final : public Rule<MomentumParams> {
public:
    using Rule::Rule;
    std::size_t stateSize() const override { return 1; }
    void step(std::span<double> w, std::span<const double> g, std::span<const double>, std::span<double> v,
              std::uint64_t t) const override {
        const double rate = m_params.rate(t);
        for (std::size_t i = 0; i < w.size(); ++i) {
            v[i] = m_params.momentum * v[i] + g[i];
            w[i] -= rate * v[i];
        }
    }
};

/// Duchi, Hazan, Singer 2011: s ← s + g²; w ← w − η g / (√s + ε)
class Adagrad final : public Rule<AdagradParams> {
public:
    using Rule::Rule;
    std::size_t stateSize() const override { return 1; }
    void step(std::span<double> w, std::span<const double> g, std::span<const double>, std::span<double> s,
              std::uint64_t t) const override {
        const double rate = m_params.rate(t);
        for (std::size_t i = 0; i < w.size(); ++i) {
            s[i] += g[i] * g[i];
            w[i] -= rate * g[i] / (std::sqrt(s[i]) + m_params.epsilon);
        }
    }
};

/// Kingma, Ba 2015, algorithm 1. State per parameter: m, v.
class Adam final : public Rule<AdamParams> {
public:
    using Rule::Rule;
    std::size_t stateSize() const override { return 2; }
    void step(std::span<double> w, std::span<const double> g, std::span<const double>, std::span<double> state,
              std::uint64_t t) const override {
        const double rate = m_params.rate(t), b1 = m_params.beta1, b2 = m_params.beta2;
        const double correct1 = 1 / (1 - std::pow(b1, static_cast<double>(t)));
        const double correct2 = 1 / (1 - std::pow(b2, static_cast<double>(t)));
        for (std::size_t i = 0; i < w.size(); ++i) {
            double& m = state[2 * i];
            double& v = state[2 * i + 1];
            m = b1 * m + (1 - b1) * g[i];
            v = b2 * v + (1 - b2) * g[i] * g[i];
            w[i] -= rate * (m * correct1) / (std::sqrt(v * correct2) + m_params.epsilon);
        }
    }
};

/// w ← w − η g/h: with η = 1 the exact weighted mean of k-means and EM; a parameter that no row touched (h =
/// 0) stays.
class WeightedMean final : public Rule<EmParams> {
public:
    using Rule::Rule;
    std::size_t stateSize() const override { return 0; }
    bool needsCurvature() const override { return true; }
    void step(std::span<double> w, std::span<const double> g, std::span<const double> h, std::span<double>,
              std::uint64_t t) const override {
        require(h.size() == w.size(), "the em optimizer was given no curvature");
        const double rate = m_params.rate(t);
        for (std::size_t i = 0; i < w.size(); ++i)
            if (std::isnormal(h[i]) && h[i] > 0) w[i] -= rate * (g[i] / h[i]);
    }
};

std::vector<OptimizerEntry> elementwiseEntries() {
    const Range below1{0, 0.999999}, tiny{1e-16, 1};
    return {
        optimizerEntry<Sgd, Params>({.id = "sgd", .label = "SGD", .summary = "A step against the gradient."}, 1e6),
        optimizerEntry<Momentum, MomentumParams>(
            {.id = "momentum",
             .label = "SGD with momentum",
             .summary = "A step against an exponentially decaying sum of gradients."},
            1e6,
            field(&MomentumParams::momentum, "momentum", "Momentum μ", below1, "",
                  "Share of the velocity kept per step.")),
        optimizerEntry<Adagrad, AdagradParams>(
            {.id = "adagrad", .label = "AdaGrad", .summary = "Shorter steps for parameters with large past gradients."},
            1e6, field(&AdagradParams::epsilon, "epsilon", "ε", tiny, "", "Avoids division by zero.").logarithmic()),
        optimizerEntry<Adam, AdamParams>(
            {.id = "adam",
             .label = "Adam",
             .summary = "Steps scaled by moving averages of the gradient and its square."},
            1e6, field(&AdamParams::beta1, "beta1", "β₁", below1, "", "Share of the mean gradient kept per step."),
            field(&AdamParams::beta2, "beta2", "β₂", below1, "", "Share of the mean squared gradient kept per step."),
            field(&AdamParams::epsilon, "epsilon", "ε", tiny, "", "Avoids division by zero.").logarithmic()),
        optimizerEntry<WeightedMean, EmParams>(
            {.id = "em",
             .label = "Weighted mean (EM)",
             .summary = "Moves each parameter of k-means or a Gaussian mixture to the weighted mean of its "
                        "rows; a rate below 1 averages over batches."},
            1),
    };
}

const std::vector<OptimizerEntry>& optimizerEntries() {
    static const std::vector<OptimizerEntry> entries = [] {
        std::vector<OptimizerEntry> list = elementwiseEntries();
        for (auto& entry : wholeVectorEntries()) list.push_back(std::move(entry));
        return list;
    }();
    return entries;
}

} // namespace optimizer_rules

const std::vector<OptimizerInfo>& optimizers() {
    static const std::vector<OptimizerInfo> infos = infosOf<OptimizerInfo>(optimizer_rules::optimizerEntries());
    return infos;
}

Result<std::shared_ptr<const Optimizer>> makeOptimizer(const Choice& choice) {
    const auto found = findChoice(optimizer_rules::optimizerEntries(), choice,
                                  TRAINYARD_TEXT("there is no optimizer \"{0}\"; known are {1}"), "unknown-optimizer");
    if (!found) return found.problems();
    return (*found)->make((*found)->info.schema.complete(choice.parameters));
}

} // namespace trainyard
