// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Blocks of servers on an optical network that a split operation can have: shapes in the order in which they are tried, and for each its
// blocks by ascending origin, as masks. Placing is taking the first free one.
#include "model/OpticalNetwork.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

/// Bit i: server i.
using ServerMask = std::uint64_t;

struct BlockShape {
    int groups = 1, racks = 1, servers = 1;
    bool diagonal = false; ///< server m at group origin + m, rack origin + m
    friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

struct ServerBlock {
    ServerMask mask = 0;
    std::vector<std::uint8_t> servers; ///< in order: part i of an operation is on the i-th
    std::uint16_t shape = 0;           ///< which of the shapes of its size
};

class ServerBlocks {
public:
    explicit ServerBlocks(const OpticalNetwork& network);

    const OpticalNetwork& network() const { return m_network; }
    ServerMask all() const { return m_all; }
    /// Shapes for so many parts, in the order in which they are tried; none: no operation can be split so.
    const std::vector<BlockShape>& shapes(int parts) const { return m_sizes[index(parts)].shapes; }
    /// All blocks of so many servers: by shape, then origin (group, rack, place ascending). Blocks do not wrap around.
    const std::vector<ServerBlock>& blocks(int parts) const { return m_sizes[index(parts)].blocks; }
    /// The first of them that is free; -1 if none is.
    int firstFree(int parts, ServerMask occupied) const;
    int countFree(int parts, ServerMask occupied) const;

private:
    struct Size {
        std::vector<BlockShape> shapes;
        std::vector<ServerBlock> blocks;
        std::vector<ServerMask> masks; ///< of `blocks`
    };
    std::size_t index(int parts) const {
        return parts < 1 || parts > m_network.serverCount() ? 0 : static_cast<std::size_t>(parts);
    }
    OpticalNetwork m_network;
    ServerMask m_all = 0;
    std::vector<Size> m_sizes; ///< by number of servers; 0: nothing
};

} // namespace trainyard
