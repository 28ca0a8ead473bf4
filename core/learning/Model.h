// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A model that can be trained by parameter servers: parameters are one flat vector, a worker's message is a
// mean gradient of the same length (and, for EM-type models, a curvature of the same length, so that every
// update is elementwise and parameters can be partitioned over servers in any way). Trees alone send something
// else, of another length. Immutable; any thread may call it.
#include "learning/DataSet.h"

namespace trainyard {

/// How the optimizer "boosting" has trees grow.
struct TreeGrowth {
    double rate = 1;        ///< η: what of a leaf's best value is taken
    double leastWeight = 0; ///< of a leaf: the sum of its rows' curvatures, divided by the number of all rows
    double penalty = 0;     ///< λ of ½ λ (value of a leaf)², divided by the number of all rows
};

class Model {
public:
    virtual ~Model() = default;
    virtual std::size_t parameterCount() const = 0;
    /// True if messages carry a curvature half (k-means, Gaussian mixture): message = [gradient | curvature].
    virtual bool hasCurvature() const { return false; }
    /// True if the loss is the plain ½ mean squared residual of a linear predictor, so that
    /// DataSet::exactRisk applies.
    virtual bool isLeastSquares() const { return false; }
    /// More than 1: the loss is quadratic in each parameter of a block while all others stay, so that an optimizer can go
    /// through the blocks and minimise over one at a time. They need the curvature.
    virtual std::size_t blocks() const { return 1; }
    virtual std::size_t blockOf(std::size_t /*parameter*/) const { return 0; }
    /// True if parameters are trees, which grow() extends; messages are for it, and no gradient of the parameters.
    virtual bool isEnsemble() const { return false; }
    virtual void grow(std::span<double> /*parameters*/, std::span<const double> /*message*/,
                      const TreeGrowth& /*rule*/) const {}
    virtual std::size_t messageSize() const { return hasCurvature() ? 2 * parameterCount() : parameterCount(); }
    /// So many numbers of a message, its first, are a gradient; the parameters', where it is no ensemble.
    virtual std::size_t gradientSize() const { return parameterCount(); }
    virtual void initialise(std::span<double> parameters, RandomStream& random) const = 0;
    /// Mean loss over the batch, regularisation included; writes the mean gradient (and curvature) into
    /// `message`.
    virtual double gradient(std::span<const double> parameters, const Batch& batch,
                            std::span<double> message) const = 0;
    /// Mean loss over the batch, regularisation included.
    virtual double loss(std::span<const double> parameters, const Batch& batch) const = 0;
};

struct ModelInfo {
    std::string id, label, summary;
    std::string formula; ///< the loss, as text
    ParamSchema schema;
    bool needsClasses = false; ///< only data sets with classes ≥ 2
    bool needsRatings = false; ///< only data sets with users > 0; all others refuse those
};

const std::vector<ModelInfo>& models();
/// Problems: unknown id, parameters, or a data set the model cannot use. Pointers are relative to the choice.
Result<std::shared_ptr<const Model>> makeModel(const Choice& choice, const DataSet& data);

/// An update rule. Elementwise ones: step() may be called on any sub-range of the parameters. Those that need the whole vector: the
/// servers that hold its parts would exchange inner products or the best of their parts, a few numbers that no link is charged for.
/// `state` is stateSize() numbers per parameter, laid out parameter by parameter, zero at the start; t counts updates from 1.
class Optimizer {
public:
    virtual ~Optimizer() = default;
    virtual std::size_t stateSize() const = 0;
    virtual double learningRate() const = 0;
    /// True if step() divides by the curvature: only for models that have one.
    virtual bool needsCurvature() const { return false; }
    /// True if it has the trees of an ensemble grow; no other optimizer can train one.
    virtual bool needsEnsemble() const { return false; }
    /// True if it goes through the blocks of a model.
    virtual bool needsBlocks() const { return false; }
    /// True: wholeStep() is called instead of step().
    virtual bool needsWhole() const { return false; }
    virtual void step(std::span<double> parameters, std::span<const double> gradient, std::span<const double> curvature,
                      std::span<double> state, std::uint64_t t) const = 0;
    /// All parameters at once, with all of the message.
    virtual void wholeStep(const Model& /*model*/, std::span<double> parameters, std::span<const double> message,
                           std::span<double> state, std::uint64_t t) const {
        const std::size_t n = parameters.size();
        step(parameters, message.first(n), message.subspan(n), state, t);
    }
};

struct OptimizerInfo {
    std::string id, label, summary;
    ParamSchema schema;
};

const std::vector<OptimizerInfo>& optimizers();
Result<std::shared_ptr<const Optimizer>> makeOptimizer(const Choice& choice);

} // namespace trainyard
