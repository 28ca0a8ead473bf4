// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The computation graph of one training step: operations with compute times and memory, dependencies with bytes.
// Used by jobs of kind "graph"; a partitioner splits operations, the look-ahead (planning/) gives the step time.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

struct Operation {
    std::string name;
    double forwardSeconds = 0, backwardSeconds = 0;
    double activationBytes = 0, parameterBytes = 0;
    friend bool operator==(const Operation&, const Operation&) = default;
};

struct Dependency {
    std::uint32_t from = 0, to = 0; ///< indices into ComputationGraph::operations
    friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct ComputationGraph {
    static constexpr std::size_t mostOperations = 20'000, mostDependencies = 200'000; ///< larger ones are refused
    std::vector<Operation> operations;
    std::vector<Dependency> dependencies;
    /// Whose backward pass follows its own forward pass, the loss; nothing: the last operation that nothing depends on.
    std::optional<std::uint32_t> output = {};
    std::uint32_t outputOperation() const;
    /// Σ (forward + backward), seconds of one step on one device of speed 1.
    double sequentialSeconds() const;
    /// Of a step that is not split: activations and parameters of all operations, forward and backward, and what all dependencies carry,
    /// the one from the output to its backward operation among them.
    double offeredBytes() const;
    /// An order in which every operation follows its predecessors; empty if there is a cycle.
    std::vector<std::uint32_t> topologicalOrder() const;
    friend bool operator==(const ComputationGraph&, const ComputationGraph&) = default;
};

} // namespace trainyard
