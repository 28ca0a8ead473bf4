// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// k-means and the Gaussian mixture. Their messages are [gradient | curvature] such that w −
// gradient/curvature is the weighted mean that Lloyd's and the EM algorithm ask for, element by element: any
// cut of the parameters over servers, and any mean over workers, stays exact.
#include "learning/models/ModelEntry.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace trainyard {

namespace cluster_models {

/// Four partial sums in a fixed pattern: faster than one chain, the same bits everywhere.
double squaredDistance(const double* a, const double* b, std::size_t n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        const double d0 = a[j] - b[j], d1 = a[j + 1] - b[j + 1], d2 = a[j + 2] - b[j + 2], d3 = a[j + 3] - b[j + 3];
        s0 += d0 * d0;
        s1 += d1 * d1;
        s2 += d2 * d2;
        s3 += d3 * d3;
    }
    for (; j < n; ++j) s0 += (a[j] - b[j]) * (a[j] - b[j]);
    return (s0 + s1) + (s2 + s3);
}

/// Rows spread evenly over the data (streams: the first of a fixed draw), from which starts are chosen.
Batch seedingSample(const DataSet& data) {
    constexpr std::size_t most = 1024;
    Batch out;
    if (data.rows() == 0) {
        RandomStream random(0, Purpose::initialWeights);
        data.draw(random, most, out);
        return out;
    }
    std::vector<std::uint32_t> rows(std::min(most, data.rows()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i * data.rows() / rows.size());
    data.gather(rows, out);
    return out;
}

/// k-means++ (Arthur, Vassilvitskii 2007): each next centre is a row drawn ∝ its squared distance to those
/// chosen.
void chooseCentres(const Batch& sample, std::size_t clusters, RandomStream& random, double* centres) {
    const std::size_t d = sample.features, n = sample.rows;
    std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
    std::size_t pick = random.below(n);
    for (std::size_t c = 0; c < clusters; ++c) {
        if (c > 0) {
            const double total = sumInOrder(nearest);
            double target = random.unit() * total;
            for (pick = 0; pick + 1 < n && (target -= nearest[pick]) >= 0;) ++pick;
        }
        std::copy_n(sample.x.begin() + static_cast<std::ptrdiff_t>(pick * d), d, centres + c * d);
        for (std::size_t i = 0; i < n; ++i)
            nearest[i] = std::min(nearest[i], squaredDistance(&sample.x[i * d], centres + c * d, d));
    }
}

struct Params {
    int clusters = 0;
};
struct MixtureParams : Params {
    double minimumVariance = 1e-3;
};

template <class P>
std::size_t clusterCount(const P& p, const DataSet& data) {
    return static_cast<std::size_t>(p.clusters > 0 ? p.clusters : std::max(2, data.classes()));
}

template <class P>
auto clustersField() {
    return field<P, int>(&P::clusters, "clusters", "Clusters", {0, 10000}, "",
                         "How many; 0 means as many as the data set has classes (at least 2).");
}

class KMeans final : public Model {
public:
    KMeans(std::size_t clusters, const DataSet& data)
        : m_clusters(clusters), m_features(data.features()), m_sample(seedingSample(data)) {}

    std::size_t parameterCount() const override { return m_clusters * m_features; }
    bool hasCurvature() const override { return true; }
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        chooseCentres(m_sample, m_clusters, random, parameters.data());
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        std::fill(message.begin(), message.end(), 0.0);
        const auto g = message.first(parameterCount()), h = message.subspan(parameterCount());
        const double share = 1.0 / static_cast<double>(batch.rows);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const double* x = &batch.x[i * m_features];
            const auto [own, distance] = nearest(parameters, x);
            loss += distance;
            for (std::size_t j = own * m_features, k = 0; k < m_features; ++j, ++k) {
                g[j] += share * (parameters[j] - x[k]);
                h[j] += share;
            }
        }
        return 0.5 * loss * share;
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss += nearest(parameters, &batch.x[i * m_features]).distance;
        return 0.5 * loss * (1.0 / static_cast<double>(batch.rows));
    }

private:
    struct Nearest {
        std::size_t own;
        double distance; ///< squared
    };
    Nearest nearest(std::span<const double> centres, const double* x) const {
        Nearest best{0, std::numeric_limits<double>::infinity()};
        for (std::size_t c = 0; c < m_clusters; ++c) {
            const double distance = squaredDistance(x, &centres[c * m_features], m_features);
            if (distance < best.distance) best = {c, distance};
        }
        return best;
    }

    std::size_t m_clusters, m_features;
    Batch m_sample;
};

/// Parameters: weights π (K), means μ (K × d), second moments s (K × d); variances v = s − μ². In these mean
/// coordinates the M-step is an elementwise weighted mean, and the message is the Fisher metric's inverse
/// times the gradient of the loss.
class GaussianMixture final : public Model {
public:
    GaussianMixture(std::size_t clusters, double minimumVariance, const DataSet& data)
        : m_clusters(clusters), m_features(data.features()), m_minimumVariance(minimumVariance),
          m_sample(seedingSample(data)) {}

    std::size_t parameterCount() const override { return m_clusters * (1 + 2 * m_features); }
    bool hasCurvature() const override { return true; }

    /// Equal weights, means by k-means++, the variances of the whole sample.
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        double* mean = &parameters[m_clusters];
        double* second = mean + m_clusters * m_features;
        for (std::size_t c = 0; c < m_clusters; ++c) parameters[c] = 1 / static_cast<double>(m_clusters);
        chooseCentres(m_sample, m_clusters, random, mean);
        for (std::size_t j = 0; j < m_features; ++j) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < m_sample.rows; ++i) sum += m_sample.x[i * m_features + j];
            const double centre = sum / static_cast<double>(m_sample.rows);
            for (std::size_t i = 0; i < m_sample.rows; ++i) {
                const double d = m_sample.x[i * m_features + j] - centre;
                squares += d * d;
            }
            const double variance = std::max(squares / static_cast<double>(m_sample.rows), m_minimumVariance);
            for (std::size_t at = j; at < m_clusters * m_features; at += m_features)
                second[at] = mean[at] * mean[at] + variance;
        }
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        std::fill(message.begin(), message.end(), 0.0);
        const std::size_t n = parameterCount(), moments = m_clusters * m_features;
        const auto g = message.first(n), h = message.subspan(n);
        const Densities densities(*this, parameters);
        const double share = 1.0 / static_cast<double>(batch.rows);
        std::vector<double> own(m_clusters);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const double* x = &batch.x[i * m_features];
            loss -= densities.responsibilities(x, own);
            for (std::size_t c = 0; c < m_clusters; ++c) {
                const double r = own[c] * share;
                g[c] -= r;
                for (std::size_t j = m_clusters + c * m_features, k = 0; k < m_features; ++j, ++k) {
                    g[j] += r * (parameters[j] - x[k]);
                    g[j + moments] += r * (parameters[j + moments] - x[k] * x[k]);
                    h[j] += r;
                    h[j + moments] += r;
                }
            }
        }
        for (std::size_t c = 0; c < m_clusters; ++c) {
            g[c] += parameters[c];
            h[c] = 1;
        }
        return loss * share;
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        const Densities densities(*this, parameters);
        std::vector<double> own(m_clusters);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss -= densities.responsibilities(&batch.x[i * m_features], own);
        return loss * (1.0 / static_cast<double>(batch.rows));
    }

private:
    /// What all rows share: log weight − ½ Σ log 2πv, and 1/v. Weights are made positive and normalised,
    /// variances kept above the minimum (its M-step is the constrained one), so that stale or momentum steps
    /// stay meaningful.
    class Densities {
    public:
        Densities(const GaussianMixture& model, std::span<const double> parameters)
            : m_model(model), m_mean(&parameters[model.m_clusters]), m_constant(model.m_clusters),
              m_precision(model.m_clusters * model.m_features) {
            const std::size_t d = model.m_features, moments = model.m_clusters * d;
            double total = 0;
            for (std::size_t c = 0; c < model.m_clusters; ++c) total += m_constant[c] = std::max(parameters[c], 1e-12);
            for (std::size_t c = 0; c < model.m_clusters; ++c) {
                m_constant[c] = std::log(m_constant[c] / total);
                for (std::size_t j = c * d; j < (c + 1) * d; ++j) {
                    const double v = std::max(m_mean[j + moments] - m_mean[j] * m_mean[j], model.m_minimumVariance);
                    m_precision[j] = 1 / v;
                    m_constant[c] -= 0.5 * std::log(2 * std::numbers::pi * v);
                }
            }
        }
        /// Returns log p(x); own[c] becomes P(component c | x).
        double responsibilities(const double* x, std::vector<double>& own) const {
            const std::size_t d = m_model.m_features;
            double top = -std::numeric_limits<double>::infinity();
            for (std::size_t c = 0; c < own.size(); ++c) {
                double exponent = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    const double off = x[j] - m_mean[c * d + j];
                    exponent += off * off * m_precision[c * d + j];
                }
                own[c] = m_constant[c] - 0.5 * exponent;
                top = std::max(top, own[c]);
            }
            double sum = 0;
            for (double& r : own) sum += r = std::exp(r - top);
            for (double& r : own) r /= sum;
            return top + std::log(sum);
        }

    private:
        const GaussianMixture& m_model;
        const double* m_mean;
        std::vector<double> m_constant, m_precision;
    };

    std::size_t m_clusters, m_features;
    double m_minimumVariance;
    Batch m_sample;
};

} // namespace cluster_models

ModelEntry kMeansEntry() {
    using namespace cluster_models;
    return modelEntry<Params>(
        {.id = "k-means",
         .label = "k-means",
         .summary = "Each row belongs to its nearest centre; with the optimizer em: Lloyd's algorithm.",
         .formula = "½ mean min_c ‖x − μ_c‖²"},
        [](const Params& p, const DataSet& data) -> std::shared_ptr<const Model> {
            return std::make_shared<const KMeans>(clusterCount(p, data), data);
        },
        clustersField<Params>());
}

ModelEntry gaussianMixtureEntry() {
    using namespace cluster_models;
    return modelEntry<MixtureParams>(
        {.id = "gaussian-mixture",
         .label = "Gaussian mixture",
         .summary = "Overlapping clusters with a variance per coordinate; with the optimizer em: the EM algorithm.",
         .formula = "−mean log Σ_c π_c N(x; μ_c, diag(s_c − μ_c²))"},
        [](const MixtureParams& p, const DataSet& data) -> std::shared_ptr<const Model> {
            return std::make_shared<const GaussianMixture>(clusterCount(p, data), p.minimumVariance, data);
        },
        clustersField<MixtureParams>(),
        field(&MixtureParams::minimumVariance, "minimum_variance", "Minimum variance", {1e-12, 1e6}, "",
              "Prevents a component from collapsing onto one row.")
            .logarithmic());
}

} // namespace trainyard
