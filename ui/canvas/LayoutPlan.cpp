// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/LayoutPlan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace trainyard {

/// Plans one cluster, group by group. A group is a rack, or the machines that are in none.
class PlanBuilder {
public:
    explicit PlanBuilder(const Cluster& cluster)
        : m_cluster(cluster), m_card(cardWidthOf(cluster), ClusterLayout::cardHeight(ClusterLayout::barsOf(cluster))) {
        for (const Switch& each : cluster.switches)
            m_switchSizes.emplace_back(
                ClusterLayout::widthFor(ClusterLayout::labelOf(cluster, each.name, each.key, each.rack),
                                        ClusterLayout::switchWidth),
                ClusterLayout::switchHeight);
        m_rackOf.reserve(cluster.racks.size());
        for (std::size_t i = 0; i < cluster.racks.size(); ++i) m_rackOf.emplace(cluster.racks[i].key, i);
        m_vertexOf.reserve(cluster.machines.size() + cluster.switches.size());
        for (std::size_t i = 0; i < cluster.machines.size(); ++i) m_vertexOf.emplace(cluster.machines[i].key, i);
        for (std::size_t i = 0; i < cluster.switches.size(); ++i)
            m_vertexOf.emplace(cluster.switches[i].key, cluster.machines.size() + i);
        m_groups.resize(cluster.racks.size() + 1);
        m_rackSwitches.resize(cluster.racks.size());
        m_out.m_machines.resize(cluster.machines.size());
        m_out.m_switches.resize(cluster.switches.size());
    }

    LayoutPlan build() {
        for (std::size_t i = 0; i < m_cluster.machines.size(); ++i)
            m_groups[groupOf(m_cluster.machines[i].rack)].push_back(i);
        for (std::size_t i = 0; i < m_cluster.switches.size(); ++i)
            if (const std::size_t g = groupOf(m_cluster.switches[i].rack); g < m_rackSwitches.size())
                m_rackSwitches[g].push_back(i);
        joinLinks();
        placeGroups();
        placeSwitches();
        for (std::size_t g = 0; g < m_cluster.racks.size(); ++g)
            m_out.m_racks.push_back({std::move(m_groups[g]), std::move(m_rackSwitches[g])});
        return std::move(m_out);
    }

private:
    /// One width for all, so that they make a grid: that of the longest name.
    static double cardWidthOf(const Cluster& cluster) {
        QString longest;
        for (const QString& label : ClusterLayout::machineLabels(cluster))
            if (label.size() > longest.size()) longest = label;
        return ClusterLayout::widthFor(longest, ClusterLayout::cardWidth);
    }
    /// The widest of some switches, beside each other.
    double widthOf(const std::vector<std::size_t>& switches) const {
        double width = 0;
        for (const std::size_t i : switches) width = std::max(width, m_switchSizes[i].width());
        return width;
    }

    std::size_t groupOf(const std::string& rack) const {
        const auto it = m_rackOf.find(rack);
        return it == m_rackOf.end() ? m_cluster.racks.size() : it->second;
    }
    std::uint32_t vertex(const std::string& key) const {
        const auto it = m_vertexOf.find(key);
        return it == m_vertexOf.end() ? LayoutPlan::nowhere : static_cast<std::uint32_t>(it->second);
    }

    void joinLinks() {
        std::unordered_map<std::uint64_t, std::uint32_t> first;
        first.reserve(m_cluster.links.size());
        for (const Link& link : m_cluster.links) {
            LayoutPlan::Ends ends{vertex(link.from), vertex(link.to)};
            if (ends.from == LayoutPlan::nowhere || ends.to == LayoutPlan::nowhere) ends = {};
            const auto index = static_cast<std::uint32_t>(m_out.m_links.size());
            const std::uint64_t way = (std::uint64_t{ends.from} << 32) | ends.to;
            m_out.m_links.push_back(ends);
            m_out.m_sameWay.push_back(first.try_emplace(way, index).first->second);
        }
    }

    /// Columns that make a group of n cards wide, as the canvas is: about as high as wide in a rack, else four times as wide as
    /// high (one row for a handful).
    std::size_t columnsFor(std::size_t n, bool racked) const {
        if (!racked && n <= 6) return std::max<std::size_t>(n, 1);
        if (racked && n <= 3) return 1 + (n > 1 && m_cluster.racks.size() < 3);
        const double cells = static_cast<double>(n) * m_card.height() / m_card.width();
        return std::max<std::size_t>(2, static_cast<std::size_t>(std::ceil(std::sqrt(cells * (racked ? 1.0 : 4.0)))));
    }

    QSizeF sizeOf(std::size_t group) const {
        const std::size_t n = m_groups[group].size(), columns = columnsFor(n, group < m_cluster.racks.size());
        const std::size_t rows = (n + columns - 1) / columns;
        const double gap = ClusterLayout::gap;
        return {static_cast<double>(columns) * (m_card.width() + gap) - gap,
                static_cast<double>(rows) * (m_card.height() + gap) - gap + topOf(group)};
    }
    /// Room above the machines of a rack, for its own switches.
    double topOf(std::size_t group) const {
        return group < m_rackSwitches.size() && !m_rackSwitches[group].empty() ? ClusterLayout::switchHeight + 40 : 0;
    }

    static constexpr double betweenGroups = 2 * ClusterLayout::rackPadding + 40;

    /// Calls place(group, origin) for each that is not empty, in rows no wider than `wrap`; returns how large they are together.
    template <class Place>
    QSizeF inRows(double wrap, Place place) const {
        double x = 0, y = 0, rowHeight = 0, width = 0;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            if (m_groups[g].empty()) continue;
            const QSizeF size = m_groupSizes[g];
            if (x > 0 && x + size.width() > wrap) {
                x = 0;
                y += rowHeight + betweenGroups + ClusterLayout::rackTitle;
                rowHeight = 0;
            }
            place(g, QPointF(x, y));
            width = std::max(width, x + size.width());
            x += size.width() + betweenGroups;
            rowHeight = std::max(rowHeight, size.height());
        }
        return {width, y + rowHeight};
    }

    /// In rows of the width with which all of them are seen largest on a canvas that is three times as wide as high.
    void placeGroups() {
        constexpr double aspect = 3, step = 1.1, above = 160; // of wraps that are tried; switches
        const auto nothing = [](std::size_t, QPointF) {};
        for (std::size_t g = 0; g < m_groups.size(); ++g) m_groupSizes.push_back(sizeOf(g));
        const double widest = inRows(1e18, nothing).width();
        double best = 0, wrap = 1e18;
        for (double tried = widest; tried > 1; tried /= step) {
            const QSizeF size = inRows(tried, nothing);
            const double zoom = std::min(aspect / size.width(), 1 / (size.height() + above));
            if (zoom > best) best = zoom, wrap = tried;
            if (size.width() > tried) break; // the widest group alone
        }
        inRows(wrap, [this](std::size_t g, QPointF origin) { placeGroup(g, origin); });
    }

    void placeGroup(std::size_t group, QPointF origin) {
        const auto& members = m_groups[group];
        const std::size_t columns = columnsFor(members.size(), group < m_cluster.racks.size());
        const double gap = ClusterLayout::gap;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const QPointF at(origin.x() + static_cast<double>(i % columns) * (m_card.width() + gap),
                             origin.y() + topOf(group) + static_cast<double>(i / columns) * (m_card.height() + gap));
            m_out.m_machines[members[i]] = {at, m_card};
        }
        if (group >= m_rackSwitches.size()) return;
        const auto& switches = m_rackSwitches[group];
        const double step = widthOf(switches) + gap;
        const double first =
            origin.x() + (sizeOf(group).width() - static_cast<double>(switches.size()) * step + gap) / 2;
        for (std::size_t i = 0; i < switches.size(); ++i)
            m_out.m_switches[switches[i]] = {{first + static_cast<double>(i) * step, origin.y()},
                                             m_switchSizes[switches[i]]};
    }

    /// Switches outside racks: one row per distance from the machines, each over the middle of what it
    /// connects below.
    void placeSwitches() {
        const std::size_t machines = m_cluster.machines.size(), n = machines + m_cluster.switches.size();
        std::vector<std::vector<std::size_t>> neighbours(n);
        for (const auto& [a, b] : m_out.m_links) {
            if (a == LayoutPlan::nowhere) continue;
            neighbours[a].push_back(b);
            neighbours[b].push_back(a);
        }
        constexpr int unreached = 1 << 20;
        std::vector<int> level(n, unreached);
        std::vector<std::size_t> queue;
        for (std::size_t i = 0; i < machines; ++i) {
            level[i] = 0;
            queue.push_back(i);
        }
        for (std::size_t q = 0; q < queue.size(); ++q)
            for (std::size_t next : neighbours[queue[q]])
                if (level[next] == unreached) {
                    level[next] = level[queue[q]] + 1;
                    queue.push_back(next);
                }
        std::vector<double> middle(n, 0);
        for (std::size_t i = 0; i < machines; ++i) middle[i] = m_out.m_machines[i].center().x();
        std::map<int, std::vector<std::size_t>> rows;
        for (std::size_t v = machines; v < n; ++v) {
            const bool racked = groupOf(m_cluster.switches[v - machines].rack) < m_cluster.racks.size();
            if (racked)
                middle[v] = m_out.m_switches[v - machines].center().x();
            else
                rows[level[v] == unreached ? 1 : level[v]].push_back(v);
        }
        double y = -ClusterLayout::rackTitle - ClusterLayout::rackPadding - 64;
        for (auto& [rowLevel, row] : rows) {
            placeSwitchRow(row, rowLevel, y, neighbours, level, middle);
            y -= 80;
        }
    }

    void placeSwitchRow(std::vector<std::size_t>& row, int rowLevel, double y,
                        const std::vector<std::vector<std::size_t>>& neighbours, const std::vector<int>& level,
                        std::vector<double>& middle) {
        for (std::size_t v : row) {
            double sum = 0;
            int below = 0;
            for (std::size_t u : neighbours[v])
                if (level[u] < rowLevel) {
                    sum += middle[u];
                    ++below;
                }
            middle[v] = below ? sum / below : 0;
        }
        std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) { return middle[a] < middle[b]; });
        double widest = 0;
        for (const std::size_t v : row) widest = std::max(widest, m_switchSizes[v - m_cluster.machines.size()].width());
        const double step = widest + ClusterLayout::gap;
        const double mean =
            std::accumulate(row.begin(), row.end(), 0.0, [&](double s, std::size_t v) { return s + middle[v]; }) /
            static_cast<double>(row.size());
        // Push apart from left to right, then put the row's middle back where it was.
        std::vector<double> x;
        for (std::size_t v : row) x.push_back(x.empty() ? middle[v] : std::max(middle[v], x.back() + step));
        const double shift = mean - std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            middle[row[i]] = x[i] + shift;
            const std::size_t s = row[i] - m_cluster.machines.size();
            m_out.m_switches[s] = {{middle[row[i]] - m_switchSizes[s].width() / 2, y}, m_switchSizes[s]};
        }
    }

    const Cluster& m_cluster;
    QSizeF m_card;
    std::vector<QSizeF> m_switchSizes; ///< by SwitchId
    std::unordered_map<std::string_view, std::size_t> m_rackOf, m_vertexOf;
    std::vector<std::vector<std::size_t>> m_groups, m_rackSwitches;
    std::vector<QSizeF> m_groupSizes;
    LayoutPlan m_out;
};

LayoutPlan::LayoutPlan(const Cluster& cluster) : LayoutPlan(PlanBuilder(cluster).build()) {}

bool LayoutPlan::isShared(const Cluster& one, const Cluster& other) {
    const auto sameNode = [](const auto& a, const auto& b) {
        return a.key == b.key && a.rack == b.rack && a.name == b.name;
    };
    return ClusterLayout::barsOf(one) == ClusterLayout::barsOf(other) &&
           std::ranges::equal(one.machines, other.machines, sameNode) &&
           std::ranges::equal(one.switches, other.switches, sameNode) && one.racks == other.racks &&
           std::ranges::equal(one.links, other.links,
                              [](const Link& a, const Link& b) { return a.from == b.from && a.to == b.to; });
}

ClusterLayout LayoutPlan::place(const Cluster& cluster) const {
    ClusterLayout out;
    out.machines = m_machines;
    out.switches = m_switches;
    const auto take = [](QRectF& rect, const std::optional<Position>& given) {
        if (given) rect.moveCenter({given->x, given->y});
    };
    for (std::size_t i = 0; i < out.machines.size(); ++i) take(out.machines[i], cluster.machines[i].position);
    for (std::size_t i = 0; i < out.switches.size(); ++i) take(out.switches[i], cluster.switches[i].position);

    for (const Members& members : m_racks) {
        QRectF box;
        for (std::size_t m : members.machines) box |= out.machines[m];
        for (std::size_t s : members.switches) box |= out.switches[s];
        out.racks.push_back(box.isNull() ? box : ClusterLayout::frameAround(box));
    }

    const auto rectOf = [&](std::uint32_t vertex) {
        return vertex < out.machines.size() ? out.machines[vertex] : out.switches[vertex - out.machines.size()];
    };
    // Leave through the side that faces the other end.
    const auto port = [](const QRectF& own, const QRectF& other) {
        if (other.bottom() <= own.top()) return QPointF(own.center().x(), own.top());
        if (other.top() >= own.bottom()) return QPointF(own.center().x(), own.bottom());
        return other.center().x() < own.center().x() ? QPointF(own.left(), own.center().y())
                                                     : QPointF(own.right(), own.center().y());
    };
    out.links.reserve(m_links.size());
    for (const Ends& ends : m_links) {
        if (ends.from == nowhere) {
            out.links.push_back({});
            continue;
        }
        const QRectF from = rectOf(ends.from), to = rectOf(ends.to);
        out.links.push_back({port(from, to), port(to, from)});
    }
    for (const auto& r : out.machines) out.bounds |= r;
    for (const auto& r : out.switches) out.bounds |= r;
    for (const auto& r : out.racks) out.bounds |= r;
    return out;
}

} // namespace trainyard
