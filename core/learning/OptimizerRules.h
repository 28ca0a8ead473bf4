// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How an optimizer offers itself to the one visible list in Optimizers.cpp, and what all have in common. Internal to learning/.
#include "learning/Model.h"

#include <cmath>
#include <functional>

namespace trainyard {

namespace optimizer_rules {

/// What all rules share: η constant, or η/√t.
struct Params {
    double learningRate = 0.1;
    std::string schedule = "constant";
    double rate(std::uint64_t t) const {
        return schedule == "constant" ? learningRate : learningRate / std::sqrt(static_cast<double>(t));
    }
};

template <class P>
class Rule : public Optimizer {
public:
    explicit Rule(P params) : m_params(std::move(params)) {}
    double learningRate() const override { return m_params.learningRate; }

protected:
    P m_params;
};

struct OptimizerEntry {
    OptimizerInfo info;
    std::function<std::shared_ptr<const Optimizer>(const ParamValues&)> make;
};

template <class P>
auto rateField(double maximum) {
    return field<P, double>(&P::learningRate, "learning_rate", "Learning rate η", {1e-12, maximum}, "",
                            "Length of a step.")
        .effect("Steps become longer; if too long, training diverges.")
        .logarithmic();
}

template <class P>
auto scheduleField() {
    return choice<P>(&P::schedule, "schedule", "Schedule", {"constant", "inverse-sqrt"},
                     "How the rate changes with the number t of updates: not at all, or as 1/√t.");
}

template <class R, class P, class... T>
OptimizerEntry optimizerEntry(OptimizerInfo info, double maximumRate, BoundField<P, T>... fields) {
    auto bound = bindSchema<P>(rateField<P>(maximumRate), scheduleField<P>(), std::move(fields)...);
    info.schema = bound.schema;
    return {std::move(info), [read = bound.read](const ParamValues& values) -> std::shared_ptr<const Optimizer> {
                return std::make_shared<const R>(read(values));
            }};
}

/// Those that need the whole vector: lbfgs, boosting, alternating.
std::vector<OptimizerEntry> wholeVectorEntries();

} // namespace optimizer_rules

} // namespace trainyard
