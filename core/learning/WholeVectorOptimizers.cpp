// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Optimizers that need all parameters at once: L-BFGS, gradient boosting, alternating minimisation.
#include "learning/OptimizerRules.h"

#include <algorithm>

namespace trainyard {

namespace optimizer_rules {

struct LbfgsParams : Params {
    LbfgsParams() { learningRate = 1; }
    int memory = 10;
    double longestStep = 1;
};
struct BoostingParams : Params {
    double leastWeight = 1e-3;
    double penalty = 0;
};
struct AlternatingParams : Params {
    AlternatingParams() { learningRate = 1; }
};

/// What all of them share: step() is not theirs.
template <class P>
class WholeRule : public Rule<P> {
public:
    using Rule<P>::Rule;
    bool needsWhole() const override { return true; }
    void step(std::span<double>, std::span<const double>, std::span<const double>, std::span<double>,
              std::uint64_t) const override {
        require(false, "an optimizer of the whole vector was given a part of it");
    }
};

/// Liu, Nocedal 1989: two-loop recursion over the last m pairs of steps and changes of the gradient, H₀ = (sᵀy / yᵀy) I. No line
/// search: an update has one gradient. Steps are cut to a length instead, pairs without positive curvature are left out, and the
/// first step goes against the gradient. State per parameter: w and g of the update before, then m pairs (s, y); pair t mod m is that
/// of update t.
class Lbfgs final : public WholeRule<LbfgsParams> {
public:
    using WholeRule::WholeRule;
    std::size_t stateSize() const override { return 2 + 2 * memory(); }
    void wholeStep(const Model&, std::span<double> w, std::span<const double> message, std::span<double> state,
                   std::uint64_t t) const override {
        const Columns columns{state, stateSize(), w.size()};
        if (columns.squaredNorm(previousGradient) > 0) remember(w, message, columns, t);
        std::vector<double> direction = descent(w.size(), message, columns, t);
        double along = 0, length = 0;
        for (std::size_t i = 0; i < w.size(); ++i) {
            along += direction[i] * message[i];
            length += direction[i] * direction[i];
        }
        if (!(along < 0) || !std::isfinite(length)) { // no way down: against the gradient
            length = 0;
            for (std::size_t i = 0; i < w.size(); ++i) {
                direction[i] = -message[i];
                length += message[i] * message[i];
            }
        }
        const double scale =
            m_params.rate(t) * std::min(1.0, m_params.longestStep / std::max(std::sqrt(length), 1e-300));
        for (std::size_t i = 0; i < w.size(); ++i) {
            columns.at(i, previousParameters) = w[i];
            columns.at(i, previousGradient) = message[i];
            w[i] += scale * direction[i];
        }
    }

private:
    static constexpr std::size_t previousParameters = 0, previousGradient = 1;
    std::size_t memory() const { return static_cast<std::size_t>(m_params.memory); }
    std::size_t stepColumn(std::uint64_t t) const { return 2 + 2 * static_cast<std::size_t>(t % memory()); }

    /// The state as columns, one number per parameter each.
    struct Columns {
        std::span<double> state;
        std::size_t count, rows;
        double& at(std::size_t row, std::size_t column) const { return state[row * count + column]; }
        double product(std::size_t a, std::size_t b) const {
            double sum = 0;
            for (std::size_t i = 0; i < rows; ++i) sum += at(i, a) * at(i, b);
            return sum;
        }
        double product(std::size_t a, const std::vector<double>& b) const {
            double sum = 0;
            for (std::size_t i = 0; i < rows; ++i) sum += at(i, a) * b[i];
            return sum;
        }
        double squaredNorm(std::size_t column) const { return product(column, column); }
    };

    void remember(std::span<const double> w, std::span<const double> g, const Columns& columns, std::uint64_t t) const {
        const std::size_t s = stepColumn(t), y = s + 1;
        for (std::size_t i = 0; i < w.size(); ++i) {
            columns.at(i, s) = w[i] - columns.at(i, previousParameters);
            columns.at(i, y) = g[i] - columns.at(i, previousGradient);
        }
        const double curvature = columns.product(s, y);
        if (curvature > 1e-10 * std::sqrt(columns.squaredNorm(s) * columns.squaredNorm(y))) return;
        for (std::size_t i = 0; i < w.size(); ++i) columns.at(i, s) = columns.at(i, y) = 0;
    }

    std::vector<double> descent(std::size_t size, std::span<const double> g, const Columns& columns,
                                std::uint64_t t) const {
        std::vector<double> q(g.begin(), g.begin() + static_cast<std::ptrdiff_t>(size)), alpha;
        double scale = 0;                                  // H₀; 0: no pair yet
        std::vector<std::pair<std::size_t, double>> pairs; // column of s, sᵀy; the newest first
        for (std::uint64_t back = 0; back < memory() && back < t; ++back) {
            const std::size_t s = stepColumn(t - back);
            const double curvature = columns.product(s, s + 1);
            if (curvature > 0) pairs.push_back({s, curvature});
        }
        for (const auto& [s, curvature] : pairs) {
            if (scale == 0) scale = curvature / columns.squaredNorm(s + 1);
            alpha.push_back(columns.product(s, q) / curvature);
            for (std::size_t i = 0; i < size; ++i) q[i] -= alpha.back() * columns.at(i, s + 1);
        }
        for (double& v : q) v *= scale == 0 ? 1 : scale;
        for (std::size_t k = pairs.size(); k-- > 0;) {
            const auto& [s, curvature] = pairs[k];
            const double beta = columns.product(s + 1, q) / curvature;
            for (std::size_t i = 0; i < size; ++i) q[i] += (alpha[k] - beta) * columns.at(i, s);
        }
        for (double& v : q) v = -v;
        return q;
    }
};

/// The model's trees grow by a level.
class Boosting final : public WholeRule<BoostingParams> {
public:
    using WholeRule::WholeRule;
    std::size_t stateSize() const override { return 0; }
    bool needsCurvature() const override { return true; }
    bool needsEnsemble() const override { return true; }
    void wholeStep(const Model& model, std::span<double> w, std::span<const double> message, std::span<double>,
                   std::uint64_t t) const override {
        model.grow(w, message, {m_params.rate(t), m_params.leastWeight, m_params.penalty});
    }
};

/// Update t minimises over block (t − 1) mod B of the model: w ← w − η g/h there. A parameter that no row touched stays.
class Alternating final : public WholeRule<AlternatingParams> {
public:
    using WholeRule::WholeRule;
    std::size_t stateSize() const override { return 0; }
    bool needsCurvature() const override { return true; }
    bool needsBlocks() const override { return true; }
    void wholeStep(const Model& model, std::span<double> w, std::span<const double> message, std::span<double>,
                   std::uint64_t t) const override {
        const std::size_t block = static_cast<std::size_t>((t - 1) % model.blocks());
        for (std::size_t i = 0; i < w.size(); ++i) {
            const double h = message[w.size() + i];
            if (model.blockOf(i) == block && h > 0) w[i] -= m_params.rate(t) * message[i] / h;
        }
    }
};

std::vector<OptimizerEntry> wholeVectorEntries() {
    return {
        optimizerEntry<Lbfgs, LbfgsParams>(
            {.id = "lbfgs",
             .label = "L-BFGS",
             .summary =
                 "Newton-like steps by the last few steps and changes of the gradient; for gradients of all rows."},
            1e6,
            field(&LbfgsParams::memory, "memory", "Memory", {1, 100}, "updates", "How many steps are remembered.")
                .usual(20),
            field(&LbfgsParams::longestStep, "longest_step", "Longest step", {1e-9, 1e9}, "",
                  "To which length steps are cut; there is no line search.")
                .logarithmic()),
        optimizerEntry<Boosting, BoostingParams>(
            {.id = "boosting",
             .label = "Gradient boosting",
             .summary = "Has trees grow by the splits that lower the loss the most (model boosted-trees)."},
            1,
            field(&BoostingParams::leastWeight, "least_weight", "Least weight of a leaf", {0, 1}, "",
                  "Nothing is split into leaves with less curvature than this, as a share of all rows."),
            field(
                &BoostingParams::penalty, "penalty", "Penalty λ", {0, 1e6}, "",
                "Of half the squared leaf values, per row: what other programs call λ, divided by the number of rows.")
                .effect("Leaves have smaller values, those of little weight above all.")
                .usual(1)),
        optimizerEntry<Alternating, AlternatingParams>(
            {.id = "alternating",
             .label = "Alternating least squares",
             .summary = "Minimises over one factor of all users or all items at a time (model matrix-factorization, "
                        "alternating)."},
            1),
    };
}

} // namespace optimizer_rules

} // namespace trainyard
