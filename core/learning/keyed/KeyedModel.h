// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A model whose parameters are many keys of a few float32 values each, of which a step touches a handful: embeddings, factorizations. A
// step reads the values of its keys and of sampled ones, and gives for each what is to be added to it, so that steps of many workers add
// up in any order. State of an optimizer is part of a key's values. Immutable; any thread may call it. Trained by a loop over a plain array
// (PlainTraining.h) or as a keyed job.
#include "learning/keyed/AliasTable.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

/// Keys [first, end) of one kind.
struct KeyTable {
    std::string name;
    std::uint32_t first = 0, end = 0;
};

/// Where a model draws the keys that it contrasts with those of an example: [first, first + weights.size()), by weight.
struct SampleLaw {
    std::uint32_t first = 0;
    std::vector<double> weights;
};

/// A figure of how good parameters are, on examples that are not trained on.
struct Quality {
    std::string name; ///< snake_case
    double value = 0;
    bool moreIsBetter = true;
};

class KeyedModel {
public:
    virtual ~KeyedModel() = default;
    virtual std::uint32_t keys() const = 0;
    virtual std::uint32_t valuesPerKey() const = 0;
    virtual std::vector<KeyTable> tables() const = 0;
    /// By key: how often an epoch reads it, samples included, in the mean.
    virtual std::vector<double> accesses() const = 0;
    /// Writes valuesPerKey() numbers, the same for each call with this key.
    virtual void initialise(std::uint32_t key, float* values) const = 0;

    /// Examples of one worker of so many, in the order of an epoch. Those of all workers are all of them, each once.
    virtual std::vector<std::uint32_t> share(std::uint32_t worker, std::uint32_t workers) const = 0;
    virtual std::uint32_t examples() const = 0;
    /// Appends the keys that an example reads; keys may repeat.
    virtual void keysOf(std::uint32_t example, std::vector<std::uint32_t>& out) const = 0;
    /// How many sampled keys a step reads besides.
    virtual std::uint32_t samplesPerExample() const = 0;
    virtual SampleLaw sampleLaw() const { return {}; }
    /// `values`: of the example's keys, then of the samples, as they were read; `deltas`: as many, written whole, where no values lie. `progress`: share of the
    /// training that is done, 0 … 1. Returns the loss of the example before the step, without regularisation.
    virtual double step(std::uint32_t example, std::span<const float* const> values, std::span<float* const> deltas,
                        double progress) const = 0;

    /// Of a key: valuesPerKey() numbers, valid until the next call.
    using ReadValues = std::function<const float*(std::uint32_t key)>;
    virtual std::vector<Quality> evaluate(const ReadValues& values) const = 0;
};

} // namespace trainyard
