// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How the workers of a keyed job access its parameters, which are many keys of a few float32 values each: each iteration draws a key,
// reads it, computes, and adds to it; or it trains a model by an example, which reads and changes a handful of keys.
#include "model/KeyedTask.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What accesses cost besides the network. The defaults are times of the authors' code of NuPS on one machine.
struct KeyedCosts {
    double pullSeconds = 0.44e-6;  ///< of a worker, to read a key that its node holds
    double pushSeconds = 0.71e-6;  ///< of a worker, to add to a key that its node holds
    double messageSeconds = 2e-6;  ///< of a node's server thread, per message
    double perKeySeconds = 0.3e-6; ///< of a node's server thread, per key of a message
    friend bool operator==(const KeyedCosts&, const KeyedCosts&) = default;
};

class KeyedModel; // learning/keyed/KeyedModel.h
class KeyRanks;   // learning/KeyRanks.h

/// Those whose steps add up.
enum class KeyedOptimizer { sgd, adagrad };

struct KeyedAccess {
    static constexpr std::int64_t mostKeys = 1'000'000'000;

    std::int64_t keys = 100'000;
    int valuesPerKey = 100; ///< float32 each
    /// Key of rank r (from 1) is drawn with probability proportional to 1 / r^exponent; 0: all alike. See learning/KeyRanks.h.
    double exponent = 1.1;
    std::uint64_t permutationSeed = 5; ///< which key has which rank: hot keys are spread over all homes
    std::uint64_t workerSeed = 1234;   ///< worker w draws from the generator of seed workerSeed + 7919·w
    /// Iterations of a worker after which other keys become frequent; 0: never. After n times the key of rank r is that which had rank
    /// r + n·max(1, ⌊keys/16⌋), modulo the keys, at the start.
    std::int64_t shiftEvery = 0;
    double push = 0.5; ///< added to each value of a key, under adagrad by shorter and shorter steps
    KeyedOptimizer optimizer = KeyedOptimizer::sgd;
    double step = 0.1;      ///< η of adagrad: push·η/√(Σ push²) is added
    int lookAhead = 64;     ///< iterations ahead of which keys are localized; of policies that relocate
    int localizeEvery = 16; ///< keys of so many iterations are localized together
    KeyedCosts costs;
    /// What is trained; nothing: keys are drawn. Sizes are the model's, and `exponent`, `push`, `optimizer` and seeds have no meaning.
    std::optional<KeyedTask> task;
    /// Of the task, in the workload of a run: its model, the model's keys by how often they are accessed, and the ids of its qualities.
    std::shared_ptr<const KeyedModel> model;
    std::shared_ptr<const KeyRanks> ranks;
    std::vector<std::string> qualities;
    std::vector<double> watchedRanks;                         ///< from 1: keys whose messages are logged one by one
    double bytesPerKey() const { return 4.0 * valuesPerKey; } ///< in messages
    /// float32 numbers that are kept of a key.
    std::int64_t storedPerKey() const {
        return (optimizer == KeyedOptimizer::adagrad ? 2 : 1) * std::int64_t{valuesPerKey};
    }
    friend bool operator==(const KeyedAccess&, const KeyedAccess&) = default;
};

} // namespace trainyard
