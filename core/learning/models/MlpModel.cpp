// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A small fully connected network with one or two hidden layers and softmax cross-entropy. Parameters, layer
// by layer: W (inputs × outputs, row-major), then b. The cost beside the matrix products is kept small: one
// scratch allocation per call, products without temporaries, bias and activation in one pass.
#include "learning/MatrixProducts.h"
#include "learning/models/ModelEntry.h"
#include "learning/models/SoftmaxHead.h"

#include <Eigen/Core>

#include <cmath>

namespace trainyard {

namespace mlp_model {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = Eigen::Map<RowMajor>;
using ConstMatrix = Eigen::Map<const RowMajor>;
using ConstRow = Eigen::Map<const Eigen::RowVectorXd>;
using Row = Eigen::Map<Eigen::RowVectorXd>;

struct Params {
    int hidden1 = 32, hidden2 = 0;
    std::string activation = "relu";
    double regularisation = 0;
};

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

class MlpModel final : public Model {
public:
    MlpModel(std::vector<std::size_t> sizes, bool relu, double lambda)
        : m_sizes(std::move(sizes)), m_relu(relu), m_lambda(lambda) {
        for (std::size_t l = 1; l < m_sizes.size(); ++l) {
            m_weights.push_back(m_count);
            m_count += (m_sizes[l - 1] + 1) * m_sizes[l];
        }
    }

    std::size_t parameterCount() const override { return m_count; }

    /// Weights N(0, 2/inputs) for ReLU (He et al. 2015), N(0, 1/inputs) for tanh; biases 0.
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        for (std::size_t l = 0; l < layers(); ++l) {
            const double scale = std::sqrt((m_relu ? 2.0 : 1.0) / static_cast<double>(m_sizes[l]));
            for (double& w : parameters.subspan(m_weights[l], weightCount(l))) w = scale * random.normal();
            for (double& b : parameters.subspan(biases(l), m_sizes[l + 1])) b = 0;
        }
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        Scratch scratch(*this, batch.rows);
        forward(parameters, batch, scratch);
        double* delta = scratch.outputs[layers()];
        const double loss = softmaxCrossEntropy({delta, batch.rows * m_sizes.back()}, m_sizes.back(), batch.y, true);
        const auto rows = index(batch.rows);
        double *spare = scratch.delta, *other = scratch.otherDelta;
        for (std::size_t l = layers(); l-- > 0;) {
            const auto in = index(m_sizes[l]), out = index(m_sizes[l + 1]);
            const ConstMatrix input(l ? scratch.outputs[l] : batch.x.data(), rows, in);
            const ConstMatrix d(delta, rows, out);
            Matrix(message.data() + m_weights[l], in, out).noalias() = input.transpose() * d;
            Row bias(message.data() + biases(l), out);
            bias.setZero();
            for (Eigen::Index i = 0; i < rows; ++i) bias += d.row(i);
            if (l == 0) break;
            // The layer's output is not needed once its derivative is: deltas and outputs take turns in two
            // places.
            Matrix(spare, rows, in).noalias() = d * ConstMatrix(parameters.data() + m_weights[l], in, out).transpose();
            throughActivation({scratch.outputs[l], batch.rows * m_sizes[l]}, spare);
            delta = spare;
            std::swap(spare, other);
        }
        return loss + penalise(parameters, message);
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        Scratch scratch(*this, batch.rows);
        forward(parameters, batch, scratch);
        return softmaxCrossEntropy({scratch.outputs[layers()], batch.rows * m_sizes.back()}, m_sizes.back(), batch.y,
                                   false) +
               penalise(parameters, {});
    }

private:
    /// Outputs of layers 1 … L, and two deltas as wide as the widest hidden layer that take turns; one
    /// uninitialised block.
    struct Scratch {
        Scratch(const MlpModel& model, std::size_t rows) : outputs(model.m_sizes.size()) {
            const auto padded = [rows](std::size_t width) { return (rows * width + 7) / 8 * 8; };
            std::size_t total = 0, widest = 0;
            for (std::size_t l = 1; l < outputs.size(); ++l) {
                total += padded(model.m_sizes[l]);
                if (l + 1 < outputs.size()) widest = std::max(widest, model.m_sizes[l]);
            }
            block.resize(index(total + 2 * padded(widest)));
            double* at = block.data();
            for (std::size_t l = 1; l < outputs.size(); ++l) {
                outputs[l] = at;
                at += padded(model.m_sizes[l]);
            }
            delta = at;
            otherDelta = at + padded(widest);
        }
        Eigen::VectorXd block;
        std::vector<double*> outputs;
        double *delta, *otherDelta;
    };

    std::size_t layers() const { return m_sizes.size() - 1; }
    std::size_t weightCount(std::size_t l) const { return m_sizes[l] * m_sizes[l + 1]; }
    std::size_t biases(std::size_t l) const { return m_weights[l] + weightCount(l); }

    void forward(std::span<const double> parameters, const Batch& batch, Scratch& scratch) const {
        const auto rows = index(batch.rows);
        for (std::size_t l = 0; l < layers(); ++l) {
            const auto in = index(m_sizes[l]), out = index(m_sizes[l + 1]);
            const ConstMatrix input(l ? scratch.outputs[l] : batch.x.data(), rows, in);
            Matrix output(scratch.outputs[l + 1], rows, out);
            output.noalias() = input * ConstMatrix(parameters.data() + m_weights[l], in, out);
            const ConstRow bias(parameters.data() + biases(l), out);
            const bool hidden = l + 1 < layers();
            for (Eigen::Index i = 0; i < rows; ++i) {
                auto row = output.row(i);
                if (hidden && m_relu)
                    row = (row + bias).cwiseMax(0.0);
                else
                    row += bias;
            }
            // std::tanh, value by value: a vectorised one would treat the ends of a row differently.
            if (hidden && !m_relu)
                for (double& v : std::span(scratch.outputs[l + 1], batch.rows * m_sizes[l + 1])) v = std::tanh(v);
        }
    }

    /// delta ← delta ∘ activation'(…), told from the outputs: 1 where ReLU passed, 1 − tanh².
    void throughActivation(std::span<const double> outputs, double* delta) const {
        if (m_relu)
            for (std::size_t i = 0; i < outputs.size(); ++i) delta[i] = outputs[i] > 0 ? delta[i] : 0.0;
        else
            for (std::size_t i = 0; i < outputs.size(); ++i) delta[i] *= 1 - outputs[i] * outputs[i];
    }

    /// ½ λ ‖W‖², and λ W into the message if there is one.
    double penalise(std::span<const double> parameters, std::span<double> message) const {
        if (!(m_lambda > 0)) return 0;
        double sum = 0;
        for (std::size_t l = 0; l < layers(); ++l) {
            sum += squaredNorm(parameters.subspan(m_weights[l], weightCount(l)));
            if (!message.empty())
                for (std::size_t i = m_weights[l]; i < biases(l); ++i) message[i] += m_lambda * parameters[i];
        }
        return 0.5 * m_lambda * sum;
    }

    std::vector<std::size_t> m_sizes; ///< inputs, hidden layers, classes
    bool m_relu;
    double m_lambda;
    std::vector<std::size_t> m_weights; ///< where each layer's W begins; its b follows
    std::size_t m_count = 0;
};

} // namespace mlp_model

ModelEntry mlpEntry() {
    using namespace mlp_model;
    return modelEntry<Params>(
        {.id = "mlp",
         .label = "Small neural network",
         .summary = "One or two hidden layers.",
         .formula = "−mean log softmax(W₂ᵀ φ(W₁ᵀx + b₁) + b₂)[y] + ½ λ Σ‖W‖²",
         .needsClasses = true},
        [](const Params& p, const DataSet& data) -> std::shared_ptr<const Model> {
            std::vector<std::size_t> sizes{data.features(), static_cast<std::size_t>(p.hidden1)};
            if (p.hidden2 > 0) sizes.push_back(static_cast<std::size_t>(p.hidden2));
            sizes.push_back(static_cast<std::size_t>(data.classes()));
            return std::make_shared<const MlpModel>(std::move(sizes), p.activation == "relu", p.regularisation);
        },
        field(&Params::hidden1, "hidden1", "First hidden layer", {1, 4096}, "", "Number of units.").logarithmic(),
        field(&Params::hidden2, "hidden2", "Second hidden layer", {0, 4096}, "", "Number of units; 0 leaves it out."),
        choice(&Params::activation, "activation", "Activation φ", {"relu", "tanh"}, "What each hidden unit applies."),
        field(&Params::regularisation, "regularisation", "Regularisation λ", {0, 1e6}, "",
              "Weight of ½‖W‖² in the loss.")
            .effect("Weights shrink."));
}

struct MatrixProducts::Impl {
    std::vector<std::size_t> sizes;
    std::vector<mlp_model::RowMajor> outputs, deltas, weights, gradients;
};

MatrixProducts::MatrixProducts(std::vector<std::size_t> sizes, std::size_t rows) : m_impl(std::make_unique<Impl>()) {
    using namespace mlp_model;
    Impl& i = *m_impl;
    const auto filled = [](std::size_t r, std::size_t c) {
        return RowMajor(RowMajor::Constant(index(r), index(c), 0.01));
    };
    for (std::size_t l = 0; l < sizes.size(); ++l) {
        i.outputs.push_back(filled(rows, sizes[l]));
        i.deltas.push_back(filled(rows, sizes[l]));
        if (l == 0) continue;
        i.weights.push_back(filled(sizes[l - 1], sizes[l]));
        i.gradients.push_back(filled(sizes[l - 1], sizes[l]));
    }
    i.sizes = std::move(sizes);
}

MatrixProducts::~MatrixProducts() = default;

double MatrixProducts::run() {
    Impl& i = *m_impl;
    const std::size_t layers = i.sizes.size() - 1;
    for (std::size_t l = 0; l < layers; ++l) i.outputs[l + 1].noalias() = i.outputs[l] * i.weights[l];
    for (std::size_t l = layers; l-- > 0;) {
        i.gradients[l].noalias() = i.outputs[l].transpose() * i.deltas[l + 1];
        if (l > 0) i.deltas[l].noalias() = i.deltas[l + 1] * i.weights[l].transpose();
    }
    return i.gradients[0](0, 0) + i.outputs[layers](0, 0);
}

} // namespace trainyard
