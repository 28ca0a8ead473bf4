// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gradient boosting of stumps: the score is a sum over features and thresholds, each a tree with two leaves. All leaves are
// parameters, zero at first; the optimizer "boosting" picks the stump whose two leaves lower the loss the most by Newton's step
// (Friedman 2001; gain and leaf values as in Chen and Guestrin 2016, without a penalty). Messages are [gradient | curvature].
#include "learning/models/ModelEntry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace boosted_stumps {

struct Params {
    int bins = 16;
    int positiveClass = 1;
};

class BoostedStumps final : public Model {
public:
    /// Thresholds between quantiles of the rows. `positive`: the class told apart; negative: regression.
    BoostedStumps(const DataSet& data, std::size_t bins, int positive)
        : m_positive(positive), m_thresholds(data.features()) {
        Batch all;
        std::vector<std::uint32_t> rows(data.rows());
        std::iota(rows.begin(), rows.end(), 0u);
        data.gather(rows, all);
        std::vector<double> column(all.rows);
        for (std::size_t j = 0; j < m_thresholds.size(); ++j) {
            m_first.push_back(m_stumps);
            for (std::size_t i = 0; i < all.rows; ++i) column[i] = all.x[i * all.features + j];
            std::sort(column.begin(), column.end());
            for (std::size_t b = 1; b < bins; ++b) {
                const std::size_t at = b * all.rows / bins;
                if (at == 0 || column[at - 1] == column[at]) continue;
                const double threshold = 0.5 * (column[at - 1] + column[at]);
                if (m_thresholds[j].empty() || threshold > m_thresholds[j].back()) m_thresholds[j].push_back(threshold);
            }
            m_stumps += m_thresholds[j].size();
        }
    }
    std::size_t stumps() const { return m_stumps; }

    std::size_t parameterCount() const override { return 2 * m_stumps; }
    bool hasCurvature() const override { return true; }
    bool isEnsemble() const override { return true; }
    void initialise(std::span<double> parameters, RandomStream&) const override {
        std::fill(parameters.begin(), parameters.end(), 0.0);
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        const std::vector<double> sums = scoresByBin(parameters);
        const double share = 1.0 / static_cast<double>(batch.rows);
        std::vector<double> slopes(sums.size(), 0.0), curvatures(sums.size(), 0.0); // by bin
        double loss = 0, slope = 0, curvature = 0;
        std::vector<std::size_t> bins(m_thresholds.size());
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const Point p = point(score(sums, batch, i, bins), batch.y[i]);
            loss += p.loss;
            slope += share * p.slope;
            curvature += share * p.curvature;
            for (const std::size_t bin : bins) {
                slopes[bin] += share * p.slope;
                curvatures[bin] += share * p.curvature;
            }
        }
        const auto leaves = [&](const std::vector<double>& byBin, double total, std::span<double> out) {
            for (std::size_t j = 0; j < m_thresholds.size(); ++j) {
                double left = 0;
                for (std::size_t k = 0; k < m_thresholds[j].size(); ++k) {
                    left += byBin[firstBin(j) + k];
                    out[2 * (m_first[j] + k)] = left;
                    out[2 * (m_first[j] + k) + 1] = total - left;
                }
            }
        };
        leaves(slopes, slope, message.first(parameterCount()));
        leaves(curvatures, curvature, message.subspan(parameterCount()));
        return loss * share;
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        const std::vector<double> sums = scoresByBin(parameters);
        std::vector<std::size_t> bins(m_thresholds.size());
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss += point(score(sums, batch, i, bins), batch.y[i]).loss;
        return loss * (1.0 / static_cast<double>(batch.rows));
    }

private:
    struct Point {
        double loss = 0, slope = 0, curvature = 0;
    };
    Point point(double score, double y) const {
        if (m_positive < 0) return {0.5 * (score - y) * (score - y), score - y, 1};
        const double t = y == m_positive ? 1.0 : -1.0, margin = t * score, e = std::exp(-std::abs(margin));
        const double wrong = (margin < 0 ? 1.0 : e) / (1 + e); // 1 − the probability of the row's class
        return {std::log1p(e) + (margin < 0 ? -margin : 0.0), -t * wrong, e / ((1 + e) * (1 + e))};
    }
    /// A feature of k thresholds has k + 1 bins.
    std::size_t firstBin(std::size_t feature) const { return m_first[feature] + feature; }
    /// By bin of each feature, what its stumps add to the score.
    std::vector<double> scoresByBin(std::span<const double> parameters) const {
        std::vector<double> sums(m_stumps + m_thresholds.size(), 0.0);
        for (std::size_t j = 0; j < m_thresholds.size(); ++j) {
            const std::size_t count = m_thresholds[j].size();
            for (std::size_t k = 0; k < count; ++k) sums[firstBin(j)] += parameters[2 * (m_first[j] + k)];
            for (std::size_t b = 1; b <= count; ++b) {
                const std::size_t passed = 2 * (m_first[j] + b - 1);
                sums[firstBin(j) + b] = sums[firstBin(j) + b - 1] - parameters[passed] + parameters[passed + 1];
            }
        }
        return sums;
    }
    double score(const std::vector<double>& sums, const Batch& batch, std::size_t row,
                 std::vector<std::size_t>& bins) const {
        double score = 0;
        for (std::size_t j = 0; j < m_thresholds.size(); ++j) {
            const auto& t = m_thresholds[j];
            const auto above = std::lower_bound(t.begin(), t.end(), batch.x[row * batch.features + j]) - t.begin();
            bins[j] = firstBin(j) + static_cast<std::size_t>(above);
            score += sums[bins[j]];
        }
        return score;
    }

    int m_positive;
    std::vector<std::vector<double>> m_thresholds; ///< by feature, ascending
    std::vector<std::size_t> m_first;              ///< by feature, its first stump
    std::size_t m_stumps = 0;
};

Result<std::shared_ptr<const Model>> make(const Params& p, const DataSet& data) {
    if (data.rows() == 0)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("stumps are cut at quantiles of the rows, and a stream has no rows; "
                                                  "choose another data set"),
                                   {}},
                       .pointer = "/id"};
    if (data.classes() > 0)
        if (auto problem = noSuchClass(p.positiveClass, data)) return *problem;
    auto model = std::make_shared<const BoostedStumps>(data, static_cast<std::size_t>(p.bins),
                                                       data.classes() > 0 ? p.positiveClass : -1);
    if (model->stumps() == 0)
        return Problem{
            .code = "unusable-data",
            .message = {TRAINYARD_TEXT("every feature of the data set is constant: there is nothing to cut"), {}},
            .pointer = "/id"};
    return std::shared_ptr<const Model>(std::move(model));
}

} // namespace boosted_stumps

ModelEntry boostedStumpsEntry() {
    using namespace boosted_stumps;
    return modelEntry<Params>(
        {.id = "boosted-stumps",
         .label = "Gradient-boosted stumps",
         .summary = "A sum of trees with two leaves, one tree per update; tells one class from all others, or predicts "
                    "numbers.",
         .formula = "mean log(1 + exp(−t F(x))), t = ±1, or ½ mean (F(x) − y)²; F(x) = Σ stumps (left if x_j ≤ c, else "
                    "right)"},
        make, field(&Params::bins, "bins", "Bins", {2, 256}, "", "Quantiles of a feature, between which it is cut."),
        field(&Params::positiveClass, "positive_class", "Positive class", {0, 1e6}, "",
              "The class told apart from all others; without meaning for regression."));
}

} // namespace trainyard
