// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a model file offers its model to the one visible list in Models.cpp. Internal to learning/.
#include "learning/Model.h"

#include <functional>

namespace trainyard {

struct ModelEntry {
    ModelInfo info;
    /// Values are complete and in range; problems are about the data set.
    std::function<Result<std::shared_ptr<const Model>>(const ParamValues&, const DataSet&)> make;
};

/// modelEntry<Params>({"softmax", …}, makeFunction, field(…), …)
template <class Params, class Make, class... T>
ModelEntry modelEntry(ModelInfo info, Make make, BoundField<Params, T>... fields) {
    auto bound = bindSchema<Params>(std::move(fields)...);
    info.schema = bound.schema;
    return {std::move(info), [read = bound.read, make](const ParamValues& values, const DataSet& data) {
                return Result<std::shared_ptr<const Model>>(make(read(values), data));
            }};
}

ModelEntry linearRegressionEntry();
ModelEntry ridgeEntry();
ModelEntry lassoEntry();
ModelEntry logisticRegressionEntry();
ModelEntry linearSvmEntry();
ModelEntry polynomialSvmEntry();
ModelEntry boostedTreesEntry();
ModelEntry softmaxEntry();
ModelEntry kMeansEntry();
ModelEntry gaussianMixtureEntry();
ModelEntry matrixFactorizationEntry();
ModelEntry mlpEntry();
ModelEntry topicModelEntry();

/// Of a model that tells one class from the others.
inline std::optional<Problem> noSuchClass(int positiveClass, const DataSet& data) {
    if (positiveClass < data.classes()) return std::nullopt;
    return Problem{.code = "out-of-range",
                   .message = {TRAINYARD_TEXT("\"positive_class\" is {0}, but the data set has the classes 0 to {1}"),
                               {std::to_string(positiveClass), std::to_string(data.classes() - 1)}},
                   .pointer = "/parameters/positive_class"};
}

/// Sum in the order of the span: independent of alignment, so that a parameter vector may lie anywhere.
inline double sumInOrder(std::span<const double> values) {
    double sum = 0;
    for (double v : values) sum += v;
    return sum;
}

inline double squaredNorm(std::span<const double> values) {
    double sum = 0;
    for (double v : values) sum += v * v;
    return sum;
}

} // namespace trainyard
