// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gradient-boosted trees (Friedman 2001; gains and leaf values as in Chen and Guestrin 2016), grown level by level. Workers send
// histograms: by node of the level that is being grown and by bin of each feature, the sums of the loss's gradient and curvature in the
// score. They are linear in the rows, so that weighted means of messages are right. The optimizer "boosting" calls grow(), which splits
// the nodes of the level. A message says which level it is of; one of another level, or a mean of several, is passed over:
// the level waits for the next.
#include "learning/models/ModelEntry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace boosted_trees {

struct Params {
    int depth = 3;
    int trees = 100;
    int bins = 16;
    int positiveClass = 1;
};

/// Parameters: how many levels have been grown and how many nodes split, then tree by tree the splits of its inner nodes (in the order
/// of a heap: children of i are 2i + 1 and 2i + 2; number of the cut, or noSplit) and the values of its leaves. Rows go left at a node
/// without a split, so that it is a leaf whose value is in the first place below it.
class BoostedTrees final : public Model {
public:
    /// Cuts between quantiles of the rows. `positive`: the class told apart; negative: regression.
    BoostedTrees(const DataSet& data, const Params& params, int positive)
        : m_depth(static_cast<std::size_t>(params.depth)), m_trees(static_cast<std::size_t>(params.trees)),
          m_positive(positive) {
        Batch all;
        std::vector<std::uint32_t> rows(data.rows());
        std::iota(rows.begin(), rows.end(), 0u);
        data.gather(rows, all);
        std::vector<double> column(all.rows);
        const auto bins = static_cast<std::size_t>(params.bins);
        for (std::size_t j = 0; j < all.features; ++j) {
            m_firstCut.push_back(m_cuts.size());
            for (std::size_t i = 0; i < all.rows; ++i) column[i] = all.x[i * all.features + j];
            std::sort(column.begin(), column.end());
            for (std::size_t b = 1; b < bins; ++b) {
                const std::size_t at = b * all.rows / bins;
                if (at == 0 || column[at - 1] == column[at]) continue;
                const double threshold = 0.5 * (column[at - 1] + column[at]);
                if (m_cuts.size() == m_firstCut.back() || threshold > m_cuts.back().threshold)
                    m_cuts.push_back({j, threshold});
            }
        }
        m_firstCut.push_back(m_cuts.size());
    }
    std::size_t cuts() const { return m_cuts.size(); }

    std::size_t parameterCount() const override { return heading + m_trees * treeSize(); }
    bool hasCurvature() const override { return true; }
    bool isEnsemble() const override { return true; }
    std::size_t gradientSize() const override { return leaves() / 2 * bins(); }
    std::size_t messageSize() const override { return 2 * gradientSize() + 3; }

    void initialise(std::span<double> parameters, RandomStream&) const override {
        std::fill(parameters.begin(), parameters.end(), 0.0);
        for (std::size_t t = 0; t < m_trees; ++t)
            for (double& split : tree(parameters, t).first(leaves() - 1)) split = noSplit;
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        const Progress now = progress(parameters);
        const double share = 1.0 / static_cast<double>(batch.rows);
        std::fill(message.begin(), message.end(), 0.0);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const auto row = rowOf(batch, i);
            const double before = score(parameters, now.tree, row);
            const Point p = point(before, batch.y[i]);
            std::size_t node = 0; // of the level
            if (now.level == 0) {
                loss += p.loss;
            } else {
                const auto growing = tree(parameters, now.tree);
                const std::size_t leaf = leafOf(growing, row);
                loss += point(before + growing[leaves() - 1 + leaf], batch.y[i]).loss;
                node = leaf >> (m_depth - now.level);
            }
            if (now.tree == m_trees) continue;
            const auto slopes = message.subspan(node * bins()), curvatures = slopes.subspan(gradientSize());
            for (std::size_t j = 0; j < batch.features; ++j) {
                const std::size_t bin = binOf(j, row[j]);
                slopes[bin] += share * p.slope;
                curvatures[bin] += share * p.curvature;
            }
        }
        const double level = isWhole(parameters, now.tree) ? parameters[0] : -1;
        const auto moments = message.last(3);
        moments[0] = 1;
        moments[1] = level;
        moments[2] = level * level;
        return loss * share;
    }

    /// Levels of the tree that is being grown count, too.
    double loss(std::span<const double> parameters, const Batch& batch) const override {
        const Progress now = progress(parameters);
        const std::size_t count = now.tree + (now.level > 0 ? 1 : 0);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i)
            loss += point(score(parameters, count, rowOf(batch, i)), batch.y[i]).loss;
        return loss * (1.0 / static_cast<double>(batch.rows));
    }

    /// Splits each node of the level where that gains most; where nothing gains, the tree is complete.
    void grow(std::span<double> parameters, std::span<const double> message, const TreeGrowth& rule) const override {
        const Progress now = progress(parameters);
        if (now.tree == m_trees || !isOf(parameters[0], message)) return;
        const auto growing = tree(parameters, now.tree);
        const auto values = growing.subspan(leaves() - 1);
        const std::size_t nodes = std::size_t{1} << now.level, below = m_depth - now.level - 1;
        bool split = false;
        for (std::size_t node = 0; node < nodes; ++node) {
            const Best best = bestSplit(node, message, rule);
            if (best.cut == m_cuts.size()) {
                if (now.level == 0) values[0] = best.left.value(rule); // the whole node: a tree of one leaf
                continue;
            }
            split = true;
            ++parameters[1];
            growing[nodes - 1 + node] = static_cast<double>(best.cut);
            values[(2 * node) << below] = best.left.value(rule);
            values[(2 * node + 1) << below] = best.right.value(rule);
        }
        parameters[0] = split ? parameters[0] + 1 : static_cast<double>((now.tree + 1) * m_depth);
    }

private:
    static constexpr double noSplit = -1;
    static constexpr std::size_t heading = 2;

    struct Cut {
        std::size_t feature;
        double threshold; ///< rows up to it go left
    };
    struct Progress {
        std::size_t tree, level; ///< that are to be grown next
    };
    struct Point {
        double loss = 0, slope = 0, curvature = 0;
    };
    /// Means over all rows of the batch, of the rows in a leaf.
    struct Sums {
        double slope = 0, curvature = 0;
        double gain(const TreeGrowth& rule) const {
            return curvature > 0 ? slope * slope / (curvature + rule.penalty) : 0;
        }
        double value(const TreeGrowth& rule) const {
            return curvature > rule.leastWeight ? -rule.rate * slope / (curvature + rule.penalty) : 0;
        }
    };
    struct Best {
        std::size_t cut; ///< all cuts: none gains
        Sums left, right;
    };

    std::size_t leaves() const { return std::size_t{1} << m_depth; }
    std::size_t treeSize() const { return 2 * leaves() - 1; }
    /// A feature of k cuts has k + 1 bins; they stand one after the other.
    std::size_t bins() const { return m_cuts.size() + m_firstCut.size() - 1; }
    std::size_t binOf(std::size_t feature, double x) const {
        const auto first = m_cuts.begin() + static_cast<std::ptrdiff_t>(m_firstCut[feature]);
        const auto last = m_cuts.begin() + static_cast<std::ptrdiff_t>(m_firstCut[feature + 1]);
        const auto cut = std::lower_bound(first, last, x, [](const Cut& c, double v) { return c.threshold < v; });
        return static_cast<std::size_t>(cut - m_cuts.begin()) + feature;
    }
    template <class T>
    std::span<T> tree(std::span<T> parameters, std::size_t number) const {
        return parameters.subspan(heading + number * treeSize(), treeSize());
    }
    static std::span<const double> rowOf(const Batch& batch, std::size_t i) {
        return std::span(batch.x).subspan(i * batch.features, batch.features);
    }
    Progress progress(std::span<const double> parameters) const {
        require(parameters[0] >= 0 && parameters[0] <= static_cast<double>(m_trees * m_depth),
                "an ensemble of more levels than its trees have");
        const auto levels = static_cast<std::size_t>(parameters[0]);
        return {levels / m_depth, levels % m_depth};
    }
    /// Whether all splits are there. A worker whose parameters come from several servers may have read some before they were changed.
    bool isWhole(std::span<const double> parameters, std::size_t growing) const {
        std::size_t splits = 0;
        for (std::size_t t = 0; t <= growing && t < m_trees; ++t)
            for (const double split : tree(parameters, t).first(leaves() - 1)) splits += split != noSplit ? 1 : 0;
        return static_cast<double>(splits) == parameters[1];
    }
    std::size_t leafOf(std::span<const double> tree, std::span<const double> row) const {
        std::size_t node = 0;
        for (std::size_t level = 0; level < m_depth; ++level) {
            bool right = false;
            if (tree[node] >= 0) {
                const Cut& cut = m_cuts[static_cast<std::size_t>(tree[node])];
                right = row[cut.feature] > cut.threshold;
            }
            node = 2 * node + (right ? 2 : 1);
        }
        return node - (leaves() - 1);
    }
    /// Of the first trees.
    double score(std::span<const double> parameters, std::size_t trees, std::span<const double> row) const {
        double score = 0;
        for (std::size_t t = 0; t < trees; ++t) {
            const auto one = tree(parameters, t);
            score += one[leaves() - 1 + leafOf(one, row)];
        }
        return score;
    }
    Point point(double score, double y) const {
        if (m_positive < 0) return {0.5 * (score - y) * (score - y), score - y, 1};
        const double t = y == m_positive ? 1.0 : -1.0, margin = t * score, e = std::exp(-std::abs(margin));
        const double wrong = (margin < 0 ? 1.0 : e) / (1 + e); // 1 − the probability of the row's class
        return {std::log1p(e) + (margin < 0 ? -margin : 0.0), -t * wrong, e / ((1 + e) * (1 + e))};
    }
    /// Whether all messages that were added up are of this level: they carry their weight, and the mean and mean square of their levels.
    /// One of n that is of the level before moves the mean by 1/n.
    static bool isOf(double level, std::span<const double> message) {
        const double rounding = 1e-9 + 1e-12 * level * level;
        const auto moments = message.last(3);
        if (!(moments[0] > 0)) return false;
        const double mean = moments[1] / moments[0], variance = moments[2] / moments[0] - mean * mean;
        return std::abs(mean - level) < rounding && variance < rounding;
    }
    /// The first of those that gain alike, which does not depend on the order in which rows were added. Both sides must have weight.
    Best bestSplit(std::size_t node, std::span<const double> message, const TreeGrowth& rule) const {
        constexpr double rounding = 1e-9;
        const double weight = message[2 * gradientSize()];
        const auto slopes = message.subspan(node * bins()), curvatures = slopes.subspan(gradientSize());
        Sums all;
        for (std::size_t b = 0; b <= m_firstCut[1]; ++b) {
            all.slope += slopes[b] / weight;
            all.curvature += curvatures[b] / weight;
        }
        Best best{m_cuts.size(), all, {}};
        double most = all.gain(rule);
        for (std::size_t j = 0; j + 1 < m_firstCut.size(); ++j) {
            Sums left;
            for (std::size_t c = m_firstCut[j]; c < m_firstCut[j + 1]; ++c) {
                left.slope += slopes[c + j] / weight;
                left.curvature += curvatures[c + j] / weight;
                const Sums right{all.slope - left.slope, all.curvature - left.curvature};
                if (!(left.curvature > rule.leastWeight && right.curvature > rule.leastWeight)) continue;
                const double gain = left.gain(rule) + right.gain(rule);
                if (!(gain > most * (1 + rounding))) continue;
                most = gain;
                best = {c, left, right};
            }
        }
        return best;
    }

    std::size_t m_depth, m_trees;
    int m_positive;
    std::vector<Cut> m_cuts;             ///< by feature, ascending
    std::vector<std::size_t> m_firstCut; ///< by feature, and the number of cuts
};

Result<std::shared_ptr<const Model>> make(const Params& p, const DataSet& data) {
    if (data.rows() == 0)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("trees are cut at quantiles of the rows, and a stream has no rows; "
                                                  "choose another data set"),
                                   {}},
                       .pointer = "/id"};
    if (data.classes() > 0)
        if (auto problem = noSuchClass(p.positiveClass, data)) return *problem;
    auto model = std::make_shared<const BoostedTrees>(data, p, data.classes() > 0 ? p.positiveClass : -1);
    if (model->cuts() == 0)
        return Problem{
            .code = "unusable-data",
            .message = {TRAINYARD_TEXT("every feature of the data set is constant: there is nothing to cut"), {}},
            .pointer = "/id"};
    return std::shared_ptr<const Model>(std::move(model));
}

} // namespace boosted_trees

ModelEntry boostedTreesEntry() {
    using namespace boosted_trees;
    return modelEntry<Params>(
        {.id = "boosted-trees",
         .label = "Gradient-boosted trees",
         .summary = "A sum of trees, one level of a tree per update; tells one class from all others, or predicts "
                    "numbers. For the optimizer boosting.",
         .formula = "mean log(1 + exp(−t F(x))), t = ±1, or ½ mean (F(x) − y)²; F(x) = Σ trees (the value of the leaf "
                    "that x comes to)"},
        make,
        field(&Params::depth, "depth", "Depth", {1, 6}, "levels",
              "Levels of splits of a tree: it has up to 2^depth leaves. 1: stumps.")
            .effect("Trees tell more features together; messages double with each level."),
        field(&Params::trees, "trees", "Trees", {1, 10000}, "",
              "How many trees there can be; updates after the last change nothing.")
            .logarithmic()
            .usual(1000),
        field(&Params::bins, "bins", "Bins", {2, 256}, "", "Quantiles of a feature, between which it is cut."),
        field(&Params::positiveClass, "positive_class", "Positive class", {0, 1e6}, "",
              "The class told apart from all others; without meaning for regression."));
}

} // namespace trainyard
