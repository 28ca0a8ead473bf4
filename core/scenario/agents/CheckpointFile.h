// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A training that was interrupted, as JSON: what core/training goes on from, as plain values.
#include "base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

struct StoredAdam {
    std::vector<float> first, second; ///< moments of each parameter
    std::uint64_t steps = 0;
};

struct StoredCandidate {
    std::string name;
    double blocking = 1;
    std::vector<float> parameters;
};

struct StoredCurve {
    std::vector<double> steps, rewards, blockings; ///< equally many; blocking −1: none was measured
};

struct StoredCheckpoint {
    static constexpr int version = 1;
    std::string plan; ///< the plan's canonical text
    std::size_t stage = 0;
    int iteration = 0;
    std::uint64_t steps = 0;
    double reward = 0, loss = 0, entropy = 0;
    std::vector<float> policy, value;
    StoredAdam policyAdam, valueAdam;
    std::vector<std::uint8_t> actions; ///< of Q-learning, and
    std::vector<float> priorities;
    std::vector<std::vector<float>> distilled;
    std::vector<StoredCandidate> best;
    std::vector<StoredCurve> curves;
};

std::string writeStoredCheckpoint(const StoredCheckpoint& checkpoint);
/// Problems with file, line and pointer: see training/TrainingFiles.h.
Result<StoredCheckpoint> parseStoredCheckpoint(std::string_view text, const std::string& name);

} // namespace trainyard
