// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where the operations of a split graph go on an optical network some of whose servers are taken: first fit. Operations are placed in
// topological order; one goes where the first of its predecessors with as many parts is, if there is memory for it, else to the first block
// of its size that is free of other jobs and has memory. While memory does not bind, all operations with as many parts share the first
// free block of that size.
#include "planning/graphs/BlockLookahead.h"

#include <optional>

namespace trainyard {

/// Blocks, one for each distinct number of parts (SplitGraph::sizes): numbers in ServerBlocks::blocks.
struct BlockChoice {
    std::vector<std::uint16_t> block;
    ServerMask servers = 0; ///< all of them
    friend bool operator==(const BlockChoice&, const BlockChoice&) = default;
};

/// Where memory does not bind. nullopt: for some number of parts no block is free.
std::optional<BlockChoice> firstFit(const std::vector<int>& sizes, const ServerBlocks& blocks, ServerMask occupied);
GraphPlacement placementOf(const SplitGraph& graph, const ServerBlocks& blocks, const BlockChoice& choice);

/// Whether any server would hold all parts that could come to it, each operation's forward and backward part of the one.
bool memoryNeverBinds(const SplitGraph& graph, double memoryBytes);

/// With the memory of servers: by forward operation the number of its block. nullopt: there is no place for some operation.
std::optional<std::vector<std::uint16_t>> firstFitInMemory(const ComputationGraph& graph, const SplitGraph& split,
                                                           const ServerBlocks& blocks, ServerMask occupied);

} // namespace trainyard
