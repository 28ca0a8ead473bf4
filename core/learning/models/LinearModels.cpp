// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Models that see a row only through one score z = ⟨w, x⟩ (+ b): least squares (plain, ridge, lasso),
// logistic regression and the support vector machine, linear or of degree 2. Parameters are [w, b] with an intercept, else w.
// The intercept is never penalised.
#include "learning/models/ModelEntry.h"

#include <Eigen/Core>

#include <cmath>

namespace trainyard {

namespace linear_models {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const RowMajor>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

struct Point {
    double loss, slope; ///< slope = ∂loss/∂score
};

struct Squared {
    Point operator()(double score, double y) const {
        const double residual = score - y;
        return {0.5 * residual * residual, residual};
    }
};

/// t = +1 for the positive class, −1 for all others.
struct Binary {
    double positive = 1;
    double sign(double y) const { return y == positive ? 1.0 : -1.0; }
};

struct Logistic : Binary {
    /// log(1 + e^{−tz}), written so that neither end overflows.
    Point operator()(double score, double y) const {
        const double t = sign(y), margin = t * score;
        const double e = std::exp(-std::abs(margin));
        const double loss = std::log1p(e) + (margin < 0 ? -margin : 0.0);
        return {loss, -t * (margin < 0 ? 1.0 : e) / (1.0 + e)};
    }
};

struct Hinge : Binary {
    /// max(0, 1 − tz); the subgradient at the corner is 0.
    Point operator()(double score, double y) const {
        const double t = sign(y), gap = 1 - t * score;
        return gap > 0 ? Point{gap, -t} : Point{0, 0};
    }
};

enum class Penalty { none, squared, absolute };

template <class Loss>
class LinearModel final : public Model {
public:
    LinearModel(Loss loss, std::size_t features, bool intercept, Penalty penalty, double lambda)
        : m_loss(loss), m_features(features), m_intercept(intercept), m_penalty(penalty), m_lambda(lambda) {}

    std::size_t parameterCount() const override { return m_features + (m_intercept ? 1 : 0); }
    bool isLeastSquares() const override { return std::is_same_v<Loss, Squared> && m_penalty == Penalty::none; }
    void initialise(std::span<double> parameters, RandomStream&) const override {
        std::fill(parameters.begin(), parameters.end(), 0.0); // convex: the start does not matter
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        Eigen::VectorXd slopes = scores(parameters, batch);
        const double share = 1.0 / static_cast<double>(batch.rows);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const Point p = m_loss(slopes[static_cast<Eigen::Index>(i)], batch.y[i]);
            loss += p.loss;
            slopes[static_cast<Eigen::Index>(i)] = p.slope * share;
        }
        Vector g(message.data(), static_cast<Eigen::Index>(m_features));
        g.noalias() = rows(batch).transpose() * slopes;
        if (m_intercept) message[m_features] = sumInOrder({slopes.data(), batch.rows});
        addPenaltySlope(parameters, message);
        return loss * share + penalty(parameters);
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        const Eigen::VectorXd z = scores(parameters, batch);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss += m_loss(z[static_cast<Eigen::Index>(i)], batch.y[i]).loss;
        const double share = 1.0 / static_cast<double>(batch.rows); // as gradient() does, to the bit
        return loss * share + penalty(parameters);
    }

private:
    static Rows rows(const Batch& batch) {
        return {batch.x.data(), static_cast<Eigen::Index>(batch.rows), static_cast<Eigen::Index>(batch.features)};
    }
    Eigen::VectorXd scores(std::span<const double> parameters, const Batch& batch) const {
        Eigen::VectorXd z(static_cast<Eigen::Index>(batch.rows));
        z.noalias() = rows(batch) * ConstVector(parameters.data(), static_cast<Eigen::Index>(m_features));
        if (m_intercept) z.array() += parameters[m_features];
        return z;
    }
    double penalty(std::span<const double> parameters) const {
        if (m_penalty == Penalty::squared) return 0.5 * m_lambda * squaredNorm(parameters.first(m_features));
        if (m_penalty == Penalty::none) return 0;
        double sum = 0;
        for (std::size_t i = 0; i < m_features; ++i) sum += std::abs(parameters[i]);
        return m_lambda * sum;
    }
    /// Lasso: the subgradient λ·sign(w), 0 at w = 0. Subgradient steps approach zeros but do not stay on
    /// them.
    void addPenaltySlope(std::span<const double> parameters, std::span<double> message) const {
        if (m_penalty == Penalty::none) return;
        for (std::size_t i = 0; i < m_features; ++i) {
            const double w = parameters[i];
            message[i] += m_lambda * (m_penalty == Penalty::squared ? w : w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0);
        }
    }

    Loss m_loss;
    std::size_t m_features;
    bool m_intercept;
    Penalty m_penalty;
    double m_lambda;
};

/// The features of the kernel (1 + ⟨x, x'⟩)² but for its constant: √2 x_i, x_i², √2 x_i x_j.
class PolynomialSvm final : public Model {
public:
    PolynomialSvm(Hinge loss, std::size_t features, bool intercept, double lambda)
        : m_features(features), m_linear(loss, features + features * (features + 1) / 2, intercept,
                                         lambda > 0 ? Penalty::squared : Penalty::none, lambda) {}
    std::size_t parameterCount() const override { return m_linear.parameterCount(); }
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        m_linear.initialise(parameters, random);
    }
    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        return m_linear.gradient(parameters, expanded(batch), message);
    }
    double loss(std::span<const double> parameters, const Batch& batch) const override {
        return m_linear.loss(parameters, expanded(batch));
    }

private:
    Batch expanded(const Batch& batch) const {
        Batch out{
            .rows = batch.rows, .features = m_features + m_features * (m_features + 1) / 2, .x = {}, .y = batch.y};
        out.x.reserve(out.rows * out.features);
        const double root = std::sqrt(2.0);
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const double* x = &batch.x[i * m_features];
            for (std::size_t j = 0; j < m_features; ++j) out.x.push_back(root * x[j]);
            for (std::size_t j = 0; j < m_features; ++j)
                for (std::size_t k = j; k < m_features; ++k) out.x.push_back((j == k ? 1 : root) * x[j] * x[k]);
        }
        return out;
    }

    std::size_t m_features;
    LinearModel<Hinge> m_linear;
};

struct RegressionParams {
    bool intercept = false;
};
struct PenalisedParams {
    bool intercept = false;
    double regularisation = 0.01;
};
struct BinaryParams {
    bool intercept = true;
    double regularisation = 0;
    int positiveClass = 1;
};
struct SvmParams : BinaryParams {
    SvmParams() { regularisation = 1e-3; }
};

template <class P>
auto interceptField() {
    return flag<P>(&P::intercept, "intercept", "Intercept",
                   "Whether the score has a constant term; the synthetic regression data need none.");
}

template <class P>
auto lambdaField(const char* help) {
    return field<P, double>(&P::regularisation, "regularisation", "Regularisation λ", {0, 1e6}, "", help)
        .effect("Weights shrink.");
}

template <class P>
auto positiveField() {
    return field<P, int>(&P::positiveClass, "positive_class", "Positive class", {0, 1e6}, "",
                         "The class to separate from all others.");
}

template <class Loss>
Result<std::shared_ptr<const Model>> makeBinary(const BinaryParams& p, const DataSet& data) {
    if (auto problem = noSuchClass(p.positiveClass, data)) return *problem;
    return {std::make_shared<const LinearModel<Loss>>(
        Loss{{static_cast<double>(p.positiveClass)}}, data.features(), p.intercept,
        p.regularisation > 0 ? Penalty::squared : Penalty::none, p.regularisation)};
}

Result<std::shared_ptr<const Model>> makePolynomial(const SvmParams& p, const DataSet& data) {
    constexpr std::size_t mostFeatures = 2000; // two million weights
    if (auto problem = noSuchClass(p.positiveClass, data)) return *problem;
    if (data.features() > mostFeatures)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("{0} features have too many products; at most {1} can be used"),
                                   {std::to_string(data.features()), std::to_string(mostFeatures)}},
                       .pointer = "/id"};
    return {std::make_shared<const PolynomialSvm>(Hinge{{static_cast<double>(p.positiveClass)}}, data.features(),
                                                  p.intercept, p.regularisation)};
}

std::shared_ptr<const Model> makePenalised(const PenalisedParams& p, const DataSet& data, Penalty penalty) {
    return std::make_shared<const LinearModel<Squared>>(
        Squared{}, data.features(), p.intercept, p.regularisation > 0 ? penalty : Penalty::none, p.regularisation);
}

} // namespace linear_models

ModelEntry linearRegressionEntry() {
    using namespace linear_models;
    return modelEntry<RegressionParams>(
        {.id = "linear-regression",
         .label = "Linear regression",
         .summary = "Least squares.",
         .formula = "½ mean (⟨w,x⟩ + b − y)²"},
        [](const RegressionParams& p, const DataSet& data) -> std::shared_ptr<const Model> {
            return std::make_shared<const LinearModel<Squared>>(Squared{}, data.features(), p.intercept, Penalty::none,
                                                                0.0);
        },
        interceptField<RegressionParams>());
}

ModelEntry ridgeEntry() {
    using namespace linear_models;
    return modelEntry<PenalisedParams>(
        {.id = "ridge",
         .label = "Ridge regression",
         .summary = "Least squares with squared weights penalised.",
         .formula = "½ mean (⟨w,x⟩ + b − y)² + ½ λ ‖w‖²"},
        [](const PenalisedParams& p, const DataSet& data) { return makePenalised(p, data, Penalty::squared); },
        interceptField<PenalisedParams>(), lambdaField<PenalisedParams>("Weight of ½‖w‖² in the loss."));
}

ModelEntry lassoEntry() {
    using namespace linear_models;
    return modelEntry<PenalisedParams>(
        {.id = "lasso",
         .label = "Lasso",
         .summary = "Least squares with absolute weights penalised; trained by subgradients.",
         .formula = "½ mean (⟨w,x⟩ + b − y)² + λ ‖w‖₁"},
        [](const PenalisedParams& p, const DataSet& data) { return makePenalised(p, data, Penalty::absolute); },
        interceptField<PenalisedParams>(), lambdaField<PenalisedParams>("Weight of ‖w‖₁ in the loss."));
}

ModelEntry logisticRegressionEntry() {
    using namespace linear_models;
    return modelEntry<BinaryParams>({.id = "logistic-regression",
                                     .label = "Logistic regression",
                                     .summary = "Separates one class from all others.",
                                     .formula = "mean log(1 + exp(−t(⟨w,x⟩ + b))) + ½ λ ‖w‖², t = ±1",
                                     .needsClasses = true},
                                    makeBinary<Logistic>, interceptField<BinaryParams>(),
                                    lambdaField<BinaryParams>("Weight of ½‖w‖² in the loss."),
                                    positiveField<BinaryParams>());
}

ModelEntry linearSvmEntry() {
    using namespace linear_models;
    return modelEntry<SvmParams>(
        {.id = "linear-svm",
         .label = "Linear support vector machine",
         .summary = "Separates one class from all others with the largest margin; trained by subgradients.",
         .formula = "mean max(0, 1 − t(⟨w,x⟩ + b)) + ½ λ ‖w‖², t = ±1",
         .needsClasses = true},
        makeBinary<Hinge>, interceptField<SvmParams>(), lambdaField<SvmParams>("Weight of ½‖w‖² in the loss."),
        positiveField<SvmParams>());
}

ModelEntry polynomialSvmEntry() {
    using namespace linear_models;
    return modelEntry<SvmParams>(
        {.id = "polynomial-svm",
         .label = "Support vector machine of degree 2",
         .summary = "As the linear one, on all features and their products; trained by subgradients.",
         .formula = "mean max(0, 1 − t(⟨w,φ(x)⟩ + b)) + ½ λ ‖w‖², t = ±1, ⟨φ(x),φ(x')⟩ = (1 + ⟨x,x'⟩)² − 1",
         .needsClasses = true},
        makePolynomial, interceptField<SvmParams>(), lambdaField<SvmParams>("Weight of ½‖w‖² in the loss."),
        positiveField<SvmParams>());
}

} // namespace trainyard
