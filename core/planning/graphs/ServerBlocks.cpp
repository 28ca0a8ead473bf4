// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/ServerBlocks.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

bool fits(const BlockShape& shape, const OpticalNetwork& network) {
    return shape.groups <= network.groups && shape.racks <= network.racks && shape.servers <= network.servers;
}

/// Of each factorization parts = a·b, a descending: √a × √a × b, a × 1 × b, a × b × 1; then a diagonal, and a row of groups.
std::vector<BlockShape> shapesFor(int parts, const OpticalNetwork& network) {
    std::vector<BlockShape> out;
    const auto add = [&](const BlockShape& shape) {
        if (fits(shape, network) && std::find(out.begin(), out.end(), shape) == out.end()) out.push_back(shape);
    };
    for (int b = 1; b <= parts; ++b) {
        if (parts % b != 0) continue;
        const int a = parts / b, root = static_cast<int>(std::lround(std::sqrt(a)));
        if (root * root == a) add({root, root, b});
        if (a > network.groups || b > network.servers) continue;
        add({a, 1, b});
        add({a, b, 1});
    }
    if (parts > 1) add({parts, parts, 1, true});
    add({parts, 1, 1});
    return out;
}

ServerBlock blockAt(ServerPlace origin, const BlockShape& shape, const OpticalNetwork& network) {
    ServerBlock block;
    const auto add = [&](int group, int rack, int place) {
        const int server = serverAt(network, {origin.group + group, origin.rack + rack, origin.place + place});
        block.servers.push_back(static_cast<std::uint8_t>(server));
        block.mask |= ServerMask{1} << server;
    };
    for (int c = 0; c < shape.groups; ++c)
        if (shape.diagonal)
            add(c, c, 0);
        else
            for (int r = 0; r < shape.racks; ++r)
                for (int s = 0; s < shape.servers; ++s) add(c, r, s);
    return block;
}

} // namespace

ServerBlocks::ServerBlocks(const OpticalNetwork& network) : m_network(network) {
    const int servers = network.serverCount();
    require(servers >= 1 && servers <= OpticalNetwork::mostServers, "an optical network has 1 to 64 servers");
    m_all = ~ServerMask{0} >> (OpticalNetwork::mostServers - servers);
    m_sizes.resize(static_cast<std::size_t>(servers) + 1);
    for (int parts = 1; parts <= servers; ++parts) {
        Size& size = m_sizes[static_cast<std::size_t>(parts)];
        size.shapes = shapesFor(parts, network);
        for (std::size_t i = 0; i < size.shapes.size(); ++i) {
            const BlockShape& shape = size.shapes[i];
            for (int c = 0; c + shape.groups <= network.groups; ++c)
                for (int r = 0; r + shape.racks <= network.racks; ++r)
                    for (int s = 0; s + shape.servers <= network.servers; ++s) {
                        size.blocks.push_back(blockAt({c, r, s}, shape, network));
                        size.blocks.back().shape = static_cast<std::uint16_t>(i);
                        size.masks.push_back(size.blocks.back().mask);
                    }
        }
    }
}

int ServerBlocks::firstFree(int parts, ServerMask occupied) const {
    const std::vector<ServerMask>& masks = m_sizes[index(parts)].masks;
    for (std::size_t i = 0; i < masks.size(); ++i)
        if ((masks[i] & occupied) == 0) return static_cast<int>(i);
    return -1;
}

int ServerBlocks::countFree(int parts, ServerMask occupied) const {
    const std::vector<ServerMask>& masks = m_sizes[index(parts)].masks;
    return static_cast<int>(
        std::count_if(masks.begin(), masks.end(), [&](ServerMask m) { return (m & occupied) == 0; }));
}

} // namespace trainyard
