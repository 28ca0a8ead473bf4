// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/Topologies.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard {

namespace topology {

constexpr double stepX = 192, stepY = 128; ///< a card of 160×96 and a gap
constexpr double tierY = 224;              ///< between tiers of switches

double onGrid(double pixels) { return 8 * std::round(pixels / 8); }

std::string numbered(const char* prefix, std::size_t index) { return prefix + std::to_string(index + 1); }

/// A cluster under construction, with the parts that everything in it has in common.
class Builder {
public:
    explicit Builder(const TopologyParts& parts) : m_parts(parts) { m_cluster.resourceNames = parts.resourceNames; }

    std::string machine(double x, double y, std::string rack = {}) {
        Machine m;
        m.key = numbered("m", m_cluster.machines.size());
        m.capacity = m_parts.capacity;
        m.rack = std::move(rack);
        m.position = Position{onGrid(x), onGrid(y)};
        m_cluster.machines.push_back(std::move(m));
        return m_cluster.machines.back().key;
    }
    std::string switchAt(double x, double y, std::string rack = {}) {
        Switch s;
        s.key = numbered("s", m_cluster.switches.size());
        s.rack = std::move(rack);
        s.position = Position{onGrid(x), onGrid(y)};
        m_cluster.switches.push_back(std::move(s));
        return m_cluster.switches.back().key;
    }
    std::string rack() {
        m_cluster.racks.push_back({.key = numbered("r", m_cluster.racks.size())});
        return m_cluster.racks.back().key;
    }
    void link(std::string from, std::string to, double factor = 1) {
        Link l;
        l.from = std::move(from);
        l.to = std::move(to);
        l.bandwidth = factor * m_parts.bandwidth;
        l.latency = m_parts.latency;
        m_cluster.links.push_back(std::move(l));
    }
    Cluster take() { return std::move(m_cluster); }

private:
    TopologyParts m_parts;
    Cluster m_cluster;
};

/// `machines` on a circle wide enough for their cards.
std::vector<std::string> circle(Builder& builder, int machines) {
    const double radius = std::max(stepX, stepX * 1.1 * machines / (2 * std::numbers::pi));
    std::vector<std::string> keys;
    for (int i = 0; i < machines; ++i) {
        const double angle = 2 * std::numbers::pi * i / machines - std::numbers::pi / 2;
        keys.push_back(builder.machine(radius * (1 + std::cos(angle)), radius * (1 + std::sin(angle))));
    }
    return keys;
}

} // namespace topology

Cluster starCluster(int machines, const TopologyParts& parts) {
    require(machines >= 1, "a star needs at least one machine");
    topology::Builder builder(parts);
    const int columns = std::min(machines, std::max(4, static_cast<int>(std::ceil(std::sqrt(2.0 * machines)))));
    const auto hub = builder.switchAt(topology::stepX * (columns - 1) / 2, 0);
    for (int i = 0; i < machines; ++i)
        builder.link(
            builder.machine(topology::stepX * (i % columns), topology::tierY + topology::stepY * (i / columns)), hub);
    return builder.take();
}

Cluster treeCluster(int racks, int machinesPerRack, double uplinkFactor, const TopologyParts& parts) {
    require(racks >= 1 && machinesPerRack >= 1, "a tree needs at least one rack with one machine");
    topology::Builder builder(parts);
    // Few machines stand in a column, many in a block, so that a rack stays about as wide as high.
    const int columns = machinesPerRack <= 4 ? 1 : static_cast<int>(std::ceil(std::sqrt(machinesPerRack / 2.0)));
    const double width = topology::stepX * columns + 64;
    const double height = topology::tierY + topology::stepY * std::ceil(machinesPerRack / double(columns)) + 64;
    // So do few racks in a row, many in rows: about twice as wide as high.
    constexpr int mostInARow = 12;
    const int across = racks <= mostInARow ? racks : static_cast<int>(std::ceil(std::sqrt(2 * racks * height / width)));
    const auto top = builder.switchAt(width * (across - 1) / 2, 0);
    for (int r = 0; r < racks; ++r) {
        const auto rack = builder.rack();
        const double left = width * (r % across), up = topology::tierY + height * (r / across);
        const auto edge = builder.switchAt(left, up, rack);
        builder.link(edge, top, uplinkFactor);
        for (int i = 0; i < machinesPerRack; ++i) {
            const double x = left + topology::stepX * (i % columns - (columns - 1) / 2.0);
            builder.link(builder.machine(x, up + topology::tierY + topology::stepY * (i / columns), rack), edge);
        }
    }
    return builder.take();
}

// A node of level i is (group g, copy b): g numbers the subtrees of height i, b < w1·…·wi the nodes at the
// top of one. Level i + 1's parents of (g, b) are the copies b + (w1·…·wi)·p, p < w(i+1), of the subtree that
// holds g.
Cluster fatTreeCluster(std::span<const int> down, std::span<const int> up, const TopologyParts& parts) {
    require(!down.empty() && down.size() == up.size(), "a fat tree needs as many numbers of parents as of children");
    require(std::ranges::all_of(down, [](int n) { return n >= 1; }) &&
                std::ranges::all_of(up, [](int n) { return n >= 1; }),
            "numbers of parents and children are at least 1");
    topology::Builder builder(parts);
    const std::size_t levels = down.size();
    std::size_t machines = 1;
    for (const int m : down) machines *= static_cast<std::size_t>(m);
    const auto leafSize = static_cast<std::size_t>(down[0]);
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(leafSize))));
    const double leafWidth = topology::stepX * static_cast<double>(columns) + 32;
    const double width = leafWidth * static_cast<double>(machines / leafSize);
    const double bottom = topology::tierY * static_cast<double>(levels);

    std::vector<std::string> racks, below;
    for (std::size_t r = 0; r < machines / leafSize; ++r) racks.push_back(builder.rack());
    for (std::size_t i = 0; i < machines; ++i) {
        const std::size_t leaf = i / leafSize, within = i % leafSize;
        below.push_back(builder.machine(leafWidth * static_cast<double>(leaf) +
                                            topology::stepX * static_cast<double>(within % columns),
                                        bottom + topology::stepY * static_cast<double>(within / columns), racks[leaf]));
    }
    std::size_t groups = machines, copies = 1;
    for (std::size_t level = 0; level < levels; ++level) {
        const auto children = static_cast<std::size_t>(down[level]), parents = static_cast<std::size_t>(up[level]);
        const std::size_t above = groups / children * copies * parents;
        std::vector<std::string> here;
        for (std::size_t s = 0; s < above; ++s)
            here.push_back(builder.switchAt(width * (static_cast<double>(s) + 0.5) / static_cast<double>(above) -
                                                topology::stepX / 2,
                                            bottom - topology::tierY * static_cast<double>(level + 1),
                                            level == 0 && parents == 1 ? racks[s] : std::string{}));
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t b = 0; b < copies; ++b)
                for (std::size_t p = 0; p < parents; ++p)
                    builder.link(below[g * copies + b], here[g / children * copies * parents + b + copies * p]);
        below = std::move(here);
        groups /= children;
        copies *= parents;
    }
    return builder.take();
}

Cluster fatTreeCluster(int ports, const TopologyParts& parts) {
    require(ports >= 2 && ports % 2 == 0, "a fat tree is made of switches with an even number of ports");
    const int half = ports / 2;
    const int down[] = {half, half, ports}, up[] = {1, half, half};
    return fatTreeCluster(down, up, parts);
}

Cluster ringCluster(int machines, const TopologyParts& parts) {
    require(machines >= 1, "a ring needs at least one machine");
    topology::Builder builder(parts);
    const auto keys = topology::circle(builder, machines);
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) builder.link(keys[i], keys[i + 1]);
    if (keys.size() > 2) builder.link(keys.back(), keys.front());
    return builder.take();
}

Cluster torusCluster(int columns, int rows, const TopologyParts& parts) {
    require(columns >= 1 && rows >= 1, "a torus needs at least one machine");
    topology::Builder builder(parts);
    const auto w = static_cast<std::size_t>(columns), h = static_cast<std::size_t>(rows);
    std::vector<std::string> keys;
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x)
            keys.push_back(builder.machine((topology::stepX + 64) * static_cast<double>(x),
                                           (topology::stepY + 64) * static_cast<double>(y)));
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) {
            if (x + 1 < w || w > 2) builder.link(keys[y * w + x], keys[y * w + (x + 1) % w]);
            if (y + 1 < h || h > 2) builder.link(keys[y * w + x], keys[(y + 1) % h * w + x]);
        }
    return builder.take();
}

Cluster meshCluster(int machines, const TopologyParts& parts) {
    require(machines >= 1, "a mesh needs at least one machine");
    topology::Builder builder(parts);
    const auto keys = topology::circle(builder, machines);
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = i + 1; j < keys.size(); ++j) builder.link(keys[i], keys[j]);
    return builder.take();
}

Cluster rampCluster(int groups, int racks, int nodes, const TopologyParts& parts) {
    require(racks >= 1 && nodes >= 1, "a RAMP network needs at least one rack with one machine");
    require(racks <= groups, "a RAMP network has at most as many racks in a group as groups");
    topology::Builder builder(parts);
    const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(nodes / 2.0))));
    const int rows = (nodes + columns - 1) / columns;
    const double width = topology::stepX * columns + 48, height = topology::stepY * rows + 64;
    std::vector<std::string> keys;
    for (int g = 0; g < groups; ++g)
        for (int r = 0; r < racks; ++r) {
            const auto rack = builder.rack();
            for (int n = 0; n < nodes; ++n)
                keys.push_back(builder.machine(width * g + topology::stepX * (n % columns),
                                               height * r + topology::stepY * (n / columns), rack));
        }
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = i + 1; j < keys.size(); ++j) builder.link(keys[i], keys[j]);
    return builder.take();
}

} // namespace trainyard
