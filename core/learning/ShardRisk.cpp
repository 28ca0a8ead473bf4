// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/ShardRisk.h"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace shard_risk {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t rowsAtOnce = 512;
/// Numbers multiplied: by the normal equations, and by each of the two descents.
constexpr double mostProducts = 5e9, mostDescent = 1.5e9;
constexpr std::size_t widestSystem = 800;
constexpr double mostEvaluations = 5000, leastEvaluations = 50;
/// A gradient shorter than this share of what those of single shards measure at the start ends a descent.
constexpr double flat = 1e-6;

/// Calls f(batch, share of the shard's rows) for all rows of a shard; false when stopped.
template <class F>
bool eachBatch(const DataSet& data, Shard shard, const std::stop_token& stop, F&& f) {
    Batch batch;
    for (std::size_t begin = 0; begin < shard.size(); begin += rowsAtOnce) {
        if (stop.stop_requested()) return false;
        const Shard rows = shard.subspan(begin, std::min(rowsAtOnce, shard.size() - begin));
        batch.rows = 0;
        batch.x.clear();
        batch.y.clear();
        data.gather(rows, batch);
        f(batch, static_cast<double>(rows.size()) / static_cast<double>(shard.size()));
    }
    return true;
}

/// ½ wᵀHw − bᵀw + constant, without the constant.
struct Quadratic {
    Matrix h;
    Vector b;
    explicit Quadratic(Eigen::Index n) : h(Matrix::Zero(n, n)), b(Vector::Zero(n)) {}
    void add(double weight, const Quadratic& other) {
        h += weight * other.h;
        b += weight * other.b;
    }
    Vector minimiser() const { return h.completeOrthogonalDecomposition().solve(b); }
};

class Losses {
public:
    Losses(const Model& model, const DataSet& data, std::span<const Shard> shards, const std::stop_token& stop)
        : m_model(model), m_data(data), m_shards(shards), m_stop(stop) {}

    /// Σ weights_i F_i(w) and its gradient; nothing when stopped.
    std::optional<double> gradient(const Vector& w, std::span<const double> weights, Vector& out) const {
        out.setZero(w.size());
        Vector part(w.size());
        double loss = 0;
        for (std::size_t i = 0; i < m_shards.size(); ++i) {
            if (weights[i] == 0) continue;
            const bool done = eachBatch(m_data, m_shards[i], m_stop, [&](const Batch& batch, double rows) {
                loss += weights[i] * rows * m_model.gradient(numbers(w), batch, {part.data(), size(part)});
                out += weights[i] * rows * part;
            });
            if (!done) return std::nullopt;
        }
        return loss;
    }
    /// Σ weights_i ‖∇F_i(w)‖.
    std::optional<double> meanSlope(const Vector& w, std::span<const double> weights) const {
        std::vector<double> one(m_shards.size(), 0.0);
        Vector g;
        double sum = 0;
        for (std::size_t i = 0; i < m_shards.size(); ++i) {
            one[i] = 1;
            if (!gradient(w, one, g)) return std::nullopt;
            sum += weights[i] * g.norm();
            one[i] = 0;
        }
        return sum;
    }
    std::optional<double> loss(const Vector& w, std::span<const double> weights) const {
        double loss = 0;
        for (std::size_t i = 0; i < m_shards.size(); ++i) {
            const bool done = eachBatch(m_data, m_shards[i], m_stop, [&](const Batch& batch, double rows) {
                loss += weights[i] * rows * m_model.loss(numbers(w), batch);
            });
            if (!done) return std::nullopt;
        }
        return loss;
    }
    /// Of least squares, with or without an intercept.
    std::optional<Quadratic> quadratic(Shard shard) const {
        const auto n = static_cast<Eigen::Index>(m_model.parameterCount());
        const auto features = static_cast<Eigen::Index>(m_data.features());
        Quadratic out(n);
        const bool done = eachBatch(m_data, shard, m_stop, [&](const Batch& batch, double rows) {
            const auto count = static_cast<Eigen::Index>(batch.rows);
            Matrix x = Matrix::Ones(count, n); // the last column is that of the intercept
            x.leftCols(features) = Eigen::Map<const RowMajor>(batch.x.data(), count, features);
            const Eigen::Map<const Vector> y(batch.y.data(), count);
            const double weight = rows / static_cast<double>(batch.rows);
            out.h.noalias() += weight * (x.transpose() * x);
            out.b.noalias() += weight * (x.transpose() * y);
        });
        if (!done) return std::nullopt;
        return out;
    }

private:
    static std::span<const double> numbers(const Vector& v) { return {v.data(), size(v)}; }
    static std::size_t size(const Vector& v) { return static_cast<std::size_t>(v.size()); }

    const Model& m_model;
    const DataSet& m_data;
    std::span<const Shard> m_shards;
    const std::stop_token& m_stop;
};

struct Descent {
    Vector at;
    bool settled = false;
};

// Gradient descent with the step of Barzilai and Borwein (IMA Journal of Numerical Analysis, 1988), halved
// until the loss has fallen enough below the highest of the last few (Raydan, SIAM Journal on Optimization,
// 1997).
std::optional<Descent> descend(const Losses& losses, std::span<const double> weights, Vector w, double evaluations,
                               double shortest) {
    constexpr double enough = 1e-4;
    Vector g, next, nextG;
    auto f = losses.gradient(w, weights, g);
    if (!f) return std::nullopt;
    Descent out;
    std::array<double, 8> last;
    last.fill(*f);
    std::size_t round = 0;
    double step = g.norm() > 0 ? 1 / g.norm() : 1;
    for (; evaluations > 0; ++round) {
        if (g.norm() <= shortest) {
            out.settled = true;
            break;
        }
        const double highest = *std::max_element(last.begin(), last.end());
        std::optional<double> fell;
        for (; evaluations > 0; --evaluations, step /= 2) {
            next = w - step * g;
            fell = losses.gradient(next, weights, nextG);
            if (!fell) return std::nullopt;
            if (*fell <= highest - enough * step * g.squaredNorm()) break;
            if (next == w) evaluations = 0; // at a kink: no step is too short for it
        }
        if (evaluations <= 0) break;
        --evaluations;
        const Vector moved = next - w, turned = nextG - g;
        const double curved = moved.dot(turned);
        step = curved > 0 ? moved.squaredNorm() / curved : 2 * step;
        w = next;
        g = nextG;
        f = fell;
        last[round % last.size()] = *f;
    }
    out.at = w;
    return out;
}

std::optional<ShardRisk> bySystem(const Losses& losses, std::span<const Shard> shards, std::span<const double> shares,
                                  std::span<const double> equal, Eigen::Index n) {
    Quadratic mean(n), weighted(n);
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const auto one = losses.quadratic(shards[i]);
        if (!one) return std::nullopt;
        mean.add(equal[i], *one);
        weighted.add(shares[i], *one);
    }
    const Vector best = mean.minimiser(), away = weighted.minimiser() - best;
    const auto least = losses.loss(best, equal);
    if (!least) return std::nullopt;
    return ShardRisk{.excess = 0.5 * away.dot(mean.h * away), .least = *least, .exact = true};
}

std::optional<ShardRisk> byDescent(const Losses& losses, std::span<const double> shares, std::span<const double> equal,
                                   const std::vector<double>& start, double evaluations) {
    const Vector from = Eigen::Map<const Vector>(start.data(), static_cast<Eigen::Index>(start.size()));
    const auto slope = losses.meanSlope(from, equal);
    if (!slope) return std::nullopt;
    const auto best = descend(losses, equal, from, evaluations, flat * *slope);
    if (!best) return std::nullopt;
    const auto other = descend(losses, shares, best->at, evaluations, flat * *slope);
    if (!other) return std::nullopt;
    const auto least = losses.loss(best->at, equal), reached = losses.loss(other->at, equal);
    if (!least || !reached) return std::nullopt;
    return ShardRisk{.excess = std::max(0.0, *reached - *least),
                     .least = *least,
                     .exact = false,
                     .settled = best->settled && other->settled};
}

} // namespace shard_risk

std::optional<ShardRisk> shardRisk(const Model& model, const DataSet& data, std::span<const Shard> shards,
                                   std::span<const double> shares, std::vector<double> start,
                                   const std::stop_token& stop) {
    using namespace shard_risk;
    require(shards.size() == shares.size() && start.size() == model.parameterCount(),
            "shards and what they count do not match");
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (data.rows() == 0 || model.hasCurvature() || !(sum > 0)) return std::nullopt;
    std::vector<double> pi(shares.begin(), shares.end());
    for (double& share : pi) share /= sum;
    const std::vector<double> equal(shards.size(), 1.0 / static_cast<double>(shards.size()));
    double rows = 0;
    for (const Shard shard : shards) rows += static_cast<double>(shard.size());
    const auto n = static_cast<double>(model.parameterCount());
    const Losses losses(model, data, shards, stop);
    if (model.isLeastSquares() && model.parameterCount() <= widestSystem && rows * n * n <= mostProducts)
        return bySystem(losses, shards, pi, equal, static_cast<Eigen::Index>(model.parameterCount()));
    const double evaluations = std::min(mostEvaluations, mostDescent / (rows * n));
    if (evaluations < leastEvaluations) return std::nullopt;
    return byDescent(losses, pi, equal, start, evaluations);
}

} // namespace trainyard
