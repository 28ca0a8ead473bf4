// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Softmax (multinomial logistic) regression. Parameters: W (features × classes, row-major), then one
// intercept per class.
#include "learning/models/ModelEntry.h"
#include "learning/models/SoftmaxHead.h"

#include <Eigen/Core>

namespace trainyard {

namespace softmax_model {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const RowMajor>;

struct Params {
    double regularisation = 0;
};

class SoftmaxModel final : public Model {
public:
    SoftmaxModel(std::size_t features, std::size_t classes, double lambda)
        : m_features(features), m_classes(classes), m_lambda(lambda) {}

    std::size_t parameterCount() const override { return (m_features + 1) * m_classes; }
    void initialise(std::span<double> parameters, RandomStream&) const override {
        std::fill(parameters.begin(), parameters.end(), 0.0); // convex: the start does not matter
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        RowMajor z = scores(parameters, batch);
        const double loss = softmaxCrossEntropy(flat(z), m_classes, batch.y, true);
        Eigen::Map<RowMajor> g(message.data(), static_cast<Eigen::Index>(m_features), z.cols());
        g.noalias() = rows(batch).transpose() * z;
        const auto biases = message.subspan(m_features * m_classes);
        std::fill(biases.begin(), biases.end(), 0.0);
        for (Eigen::Index i = 0; i < z.rows(); ++i)
            for (Eigen::Index c = 0; c < z.cols(); ++c) biases[static_cast<std::size_t>(c)] += z(i, c);
        if (m_lambda > 0)
            for (std::size_t i = 0; i < m_features * m_classes; ++i) message[i] += m_lambda * parameters[i];
        return loss + penalty(parameters);
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        RowMajor z = scores(parameters, batch);
        return softmaxCrossEntropy(flat(z), m_classes, batch.y, false) + penalty(parameters);
    }

private:
    static Rows rows(const Batch& batch) {
        return {batch.x.data(), static_cast<Eigen::Index>(batch.rows), static_cast<Eigen::Index>(batch.features)};
    }
    static std::span<double> flat(RowMajor& m) { return {m.data(), static_cast<std::size_t>(m.size())}; }
    RowMajor scores(std::span<const double> parameters, const Batch& batch) const {
        const auto classes = static_cast<Eigen::Index>(m_classes);
        RowMajor z(static_cast<Eigen::Index>(batch.rows), classes);
        z.noalias() = rows(batch) * Rows(parameters.data(), static_cast<Eigen::Index>(m_features), classes);
        z.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(parameters.data() + m_features * m_classes, classes);
        return z;
    }
    double penalty(std::span<const double> parameters) const {
        return m_lambda > 0 ? 0.5 * m_lambda * squaredNorm(parameters.first(m_features * m_classes)) : 0.0;
    }

    std::size_t m_features, m_classes;
    double m_lambda;
};

} // namespace softmax_model

ModelEntry softmaxEntry() {
    using namespace softmax_model;
    return modelEntry<Params>(
        {.id = "softmax",
         .label = "Softmax regression",
         .summary = "Separates all classes by linear scores.",
         .formula = "−mean log softmax(Wᵀx + b)[y] + ½ λ ‖W‖²",
         .needsClasses = true},
        [](const Params& p, const DataSet& data) -> std::shared_ptr<const Model> {
            return std::make_shared<const SoftmaxModel>(data.features(), static_cast<std::size_t>(data.classes()),
                                                        p.regularisation);
        },
        field(&Params::regularisation, "regularisation", "Regularisation λ", {0, 1e6}, "",
              "Weight of ½‖W‖² in the loss.")
            .effect("Weights shrink."));
}

} // namespace trainyard
