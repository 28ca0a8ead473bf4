// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/BlockPlacement.h"

#include <algorithm>

namespace trainyard {

std::optional<BlockChoice> firstFit(const std::vector<int>& sizes, const ServerBlocks& blocks, ServerMask occupied) {
    BlockChoice out;
    for (const int parts : sizes) {
        const int first = blocks.firstFree(parts, occupied);
        if (first < 0) return std::nullopt;
        out.block.push_back(static_cast<std::uint16_t>(first));
        out.servers |= blocks.blocks(parts)[static_cast<std::size_t>(first)].mask;
    }
    return out;
}

GraphPlacement placementOf(const SplitGraph& graph, const ServerBlocks& blocks, const BlockChoice& choice) {
    GraphPlacement out;
    for (std::size_t v = 0; v < graph.forwardOperations(); ++v) {
        const auto size = std::find(graph.sizes().begin(), graph.sizes().end(), graph.parts(v));
        const std::uint16_t block = choice.block[static_cast<std::size_t>(size - graph.sizes().begin())];
        out.emplace_back(blocks.blocks(graph.parts(v))[block].servers);
    }
    return out;
}

bool memoryNeverBinds(const SplitGraph& graph, double memoryBytes) {
    double all = 0;
    for (std::size_t v = 0; v < graph.operations(); ++v) all += graph.partMemory(v);
    return all <= memoryBytes;
}

namespace {

class MemoryPlacer {
public:
    MemoryPlacer(const ComputationGraph& graph, const SplitGraph& split, const ServerBlocks& blocks,
                 ServerMask occupied)
        : m_graph(graph), m_split(split), m_blocks(blocks), m_occupied(occupied),
          m_free(static_cast<std::size_t>(blocks.network().serverCount()), blocks.network().memoryBytes),
          m_chosen(graph.operations.size(), none) {}

    std::optional<std::vector<std::uint16_t>> place() {
        std::vector<std::vector<std::uint32_t>> before(m_graph.operations.size());
        for (const Dependency& d : m_graph.dependencies) before[d.to].push_back(d.from);
        for (const std::uint32_t v : m_graph.topologicalOrder()) {
            const std::uint16_t block = blockFor(v, before[v]);
            if (block == none) return std::nullopt;
            m_chosen[v] = block;
            // The backward part is beside the forward one, and as large.
            for (const std::uint8_t s : at(v, block).servers) m_free[s] -= 2 * m_split.partMemory(v);
        }
        return m_chosen;
    }

private:
    static constexpr std::uint16_t none = 0xffff;

    const ServerBlock& at(std::uint32_t v, std::uint16_t block) const {
        return m_blocks.blocks(m_split.parts(v))[block];
    }

    std::uint16_t blockFor(std::uint32_t v, const std::vector<std::uint32_t>& before) const {
        for (const std::uint32_t u : before)
            if (m_split.parts(u) == m_split.parts(v) && hasMemory(v, m_chosen[u])) return m_chosen[u];
        const auto& all = m_blocks.blocks(m_split.parts(v));
        for (std::size_t b = 0; b < all.size(); ++b)
            if ((all[b].mask & m_occupied) == 0 && hasMemory(v, static_cast<std::uint16_t>(b)))
                return static_cast<std::uint16_t>(b);
        return none;
    }

    bool hasMemory(std::uint32_t v, std::uint16_t block) const {
        const auto& servers = at(v, block).servers;
        return std::all_of(servers.begin(), servers.end(),
                           [&](std::uint8_t s) { return m_free[s] >= 2 * m_split.partMemory(v); });
    }

    const ComputationGraph& m_graph;
    const SplitGraph& m_split;
    const ServerBlocks& m_blocks;
    ServerMask m_occupied;
    std::vector<double> m_free; ///< bytes, by server
    std::vector<std::uint16_t> m_chosen;
};

} // namespace

std::optional<std::vector<std::uint16_t>> firstFitInMemory(const ComputationGraph& graph, const SplitGraph& split,
                                                           const ServerBlocks& blocks, ServerMask occupied) {
    return MemoryPlacer(graph, split, blocks, occupied).place();
}

} // namespace trainyard
