#include "canvas/ClusterLayout.h"

#include <QHash>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

/// Places one cluster, group by group. A group is a rack, or the machines that are in none.
class LayoutBuilder {
public:
    explicit LayoutBuilder(const Cluster& cluster)
        : m_cluster(cluster),
          m_card(ClusterLayout::cardWidth, ClusterLayout::cardHeight(cluster.resourceNames.size())) {
        for (std::size_t i = 0; i < cluster.racks.size(); ++i)
            m_rackOf.insert(QString::fromStdString(cluster.racks[i].key), i);
        for (std::size_t i = 0; i < cluster.machines.size(); ++i)
            m_vertexOf.insert(QString::fromStdString(cluster.machines[i].key), i);
        for (std::size_t i = 0; i < cluster.switches.size(); ++i)
            m_vertexOf.insert(QString::fromStdString(cluster.switches[i].key), cluster.machines.size() + i);
        m_groups.resize(cluster.racks.size() + 1);
        m_rackSwitches.resize(cluster.racks.size());
        m_out.machines.resize(cluster.machines.size());
        m_out.switches.resize(cluster.switches.size());
    }

    ClusterLayout build() {
        for (std::size_t i = 0; i < m_cluster.machines.size(); ++i)
            m_groups[groupOf(m_cluster.machines[i].rack)].push_back(i);
        for (std::size_t i = 0; i < m_cluster.switches.size(); ++i)
            if (const std::size_t g = groupOf(m_cluster.switches[i].rack); g < m_rackSwitches.size())
                m_rackSwitches[g].push_back(i);
        placeGroups();
        placeSwitches();
        takeGivenPositions();
        frameRacks();
        connectLinks();
        for (const auto& r : m_out.machines) m_out.bounds |= r;
        for (const auto& r : m_out.switches) m_out.bounds |= r;
        for (const auto& r : m_out.racks) m_out.bounds |= r;
        return std::move(m_out);
    }

private:
    std::size_t groupOf(const std::string& rack) const {
        return m_rackOf.value(QString::fromStdString(rack), m_cluster.racks.size());
    }

    /// Columns that make a group of n cards about twice as wide as high (one row for a handful).
    std::size_t columnsFor(std::size_t n, bool racked) const {
        if (!racked && n <= 6) return std::max<std::size_t>(n, 1);
        if (racked && n <= 3) return 1 + (n > 1 && m_cluster.racks.size() < 3);
        const double cells = static_cast<double>(n) * m_card.height() / m_card.width();
        return std::max<std::size_t>(
            2, static_cast<std::size_t>(std::ceil(std::sqrt(cells * (racked ? 1.0 : 2.0)))));
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
        return group < m_rackSwitches.size() && !m_rackSwitches[group].empty()
                   ? ClusterLayout::switchSize().height() + 40
                   : 0;
    }

    void placeGroups() {
        const double frame = ClusterLayout::rackPadding, between = 2 * frame + 40;
        double total = 0;
        std::size_t used = 0;
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (!m_groups[g].empty()) {
                total +=
                    (sizeOf(g).width() + between) * (sizeOf(g).height() + between + ClusterLayout::rackTitle);
                ++used;
            }
        const double wrap = used <= 4 ? 1e18 : std::sqrt(total * 2.0); // about twice as wide as high
        double x = 0, y = 0, rowHeight = 0;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            if (m_groups[g].empty()) continue;
            const QSizeF size = sizeOf(g);
            if (x > 0 && x + size.width() > wrap) {
                x = 0;
                y += rowHeight + between + ClusterLayout::rackTitle;
                rowHeight = 0;
            }
            placeGroup(g, {x, y});
            x += size.width() + between;
            rowHeight = std::max(rowHeight, size.height());
        }
    }

    void placeGroup(std::size_t group, QPointF origin) {
        const auto& members = m_groups[group];
        const std::size_t columns = columnsFor(members.size(), group < m_cluster.racks.size());
        const double gap = ClusterLayout::gap;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const QPointF at(origin.x() + static_cast<double>(i % columns) * (m_card.width() + gap),
                             origin.y() + topOf(group) +
                                 static_cast<double>(i / columns) * (m_card.height() + gap));
            m_out.machines[members[i]] = {at, m_card};
        }
        if (group >= m_rackSwitches.size()) return;
        const auto& switches = m_rackSwitches[group];
        const QSizeF size = ClusterLayout::switchSize();
        const double width = static_cast<double>(switches.size()) * (size.width() + gap) - gap;
        for (std::size_t i = 0; i < switches.size(); ++i)
            m_out.switches[switches[i]] = {{origin.x() + (sizeOf(group).width() - width) / 2 +
                                                static_cast<double>(i) * (size.width() + gap),
                                            origin.y()},
                                           size};
    }

    /// Switches outside racks: one row per distance from the machines, each over the middle of what it
    /// connects below.
    void placeSwitches() {
        const std::size_t machines = m_cluster.machines.size(), n = machines + m_cluster.switches.size();
        std::vector<std::vector<std::size_t>> neighbours(n);
        for (const auto& link : m_cluster.links) {
            const std::size_t a = vertex(link.from), b = vertex(link.to);
            if (a >= n || b >= n) continue;
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
        for (std::size_t i = 0; i < machines; ++i) middle[i] = m_out.machines[i].center().x();
        std::map<int, std::vector<std::size_t>> rows;
        for (std::size_t v = machines; v < n; ++v) {
            const bool racked = groupOf(m_cluster.switches[v - machines].rack) < m_cluster.racks.size();
            if (racked)
                middle[v] = m_out.switches[v - machines].center().x();
            else
                rows[level[v] == unreached ? 1 : level[v]].push_back(v);
        }
        double y = -ClusterLayout::rackTitle - ClusterLayout::rackPadding - 88;
        for (auto& [rowLevel, row] : rows) {
            placeSwitchRow(row, rowLevel, y, neighbours, level, middle);
            y -= 96;
        }
    }

    void placeSwitchRow(std::vector<std::size_t>& row, int rowLevel, double y,
                        const std::vector<std::vector<std::size_t>>& neighbours,
                        const std::vector<int>& level, std::vector<double>& middle) {
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
        std::stable_sort(row.begin(), row.end(),
                         [&](std::size_t a, std::size_t b) { return middle[a] < middle[b]; });
        const QSizeF size = ClusterLayout::switchSize();
        const double step = size.width() + ClusterLayout::gap;
        const double mean = std::accumulate(row.begin(), row.end(), 0.0,
                                            [&](double s, std::size_t v) { return s + middle[v]; }) /
                            static_cast<double>(row.size());
        // Push apart from left to right, then put the row's middle back where it was.
        std::vector<double> x;
        for (std::size_t v : row) x.push_back(x.empty() ? middle[v] : std::max(middle[v], x.back() + step));
        const double shift = mean - std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            middle[row[i]] = x[i] + shift;
            m_out.switches[row[i] - m_cluster.machines.size()] = {{middle[row[i]] - size.width() / 2, y},
                                                                  size};
        }
    }

    void takeGivenPositions() {
        const auto take = [](QRectF& rect, const std::optional<Position>& given) {
            if (given) rect.moveCenter({given->x, given->y});
        };
        for (std::size_t i = 0; i < m_out.machines.size(); ++i)
            take(m_out.machines[i], m_cluster.machines[i].position);
        for (std::size_t i = 0; i < m_out.switches.size(); ++i)
            take(m_out.switches[i], m_cluster.switches[i].position);
    }

    void frameRacks() {
        m_out.racks.resize(m_cluster.racks.size());
        for (std::size_t g = 0; g < m_cluster.racks.size(); ++g) {
            QRectF box;
            for (std::size_t m : m_groups[g]) box |= m_out.machines[m];
            for (std::size_t s : m_rackSwitches[g]) box |= m_out.switches[s];
            if (!box.isNull()) m_out.racks[g] = ClusterLayout::frameAround(box);
        }
    }

    std::size_t vertex(const std::string& key) const {
        return m_vertexOf.value(QString::fromStdString(key),
                                m_cluster.machines.size() + m_cluster.switches.size());
    }
    QRectF rectOf(std::size_t vertex) const {
        return vertex < m_out.machines.size() ? m_out.machines[vertex]
                                              : m_out.switches[vertex - m_out.machines.size()];
    }

    void connectLinks() {
        const std::size_t n = m_cluster.machines.size() + m_cluster.switches.size();
        for (const auto& link : m_cluster.links) {
            const std::size_t a = vertex(link.from), b = vertex(link.to);
            if (a >= n || b >= n) {
                m_out.links.push_back({});
                continue;
            }
            const QRectF from = rectOf(a), to = rectOf(b);
            // Leave through the side that faces the other end.
            const auto port = [](const QRectF& own, const QRectF& other) {
                if (other.bottom() <= own.top()) return QPointF(own.center().x(), own.top());
                if (other.top() >= own.bottom()) return QPointF(own.center().x(), own.bottom());
                return other.center().x() < own.center().x() ? QPointF(own.left(), own.center().y())
                                                             : QPointF(own.right(), own.center().y());
            };
            m_out.links.push_back({port(from, to), port(to, from)});
        }
    }

    const Cluster& m_cluster;
    QSizeF m_card;
    QHash<QString, std::size_t> m_rackOf, m_vertexOf;
    std::vector<std::vector<std::size_t>> m_groups, m_rackSwitches;
    ClusterLayout m_out;
};

double distanceToLine(QPointF p, const ClusterLayout::LinkLine& line) {
    const QPointF d = line.to - line.from, v = p - line.from;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(v, d) / length, 0.0, 1.0) : 0;
    return QLineF(p, line.from + t * d).length();
}

} // namespace

ClusterLayout ClusterLayout::of(const Cluster& cluster) {
    return LayoutBuilder(cluster).build();
}

QRectF ClusterLayout::frameAround(const QRectF& members) {
    constexpr double p = rackPadding;
    return members.adjusted(-p, -p / 2 - rackTitle, p, p);
}

ClusterLayout::Hit ClusterLayout::at(QPointF point, double reach) const {
    for (std::size_t i = machines.size(); i-- > 0;)
        if (machines[i].contains(point)) return {Kind::machine, i};
    for (std::size_t i = switches.size(); i-- > 0;)
        if (switches[i].contains(point)) return {Kind::switchNode, i};
    Hit nearest;
    double best = reach;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (const double d = distanceToLine(point, links[i]); links[i].from != links[i].to && d < best) {
            best = d;
            nearest = {Kind::link, i};
        }
    if (nearest.kind != Kind::nothing) return nearest;
    for (std::size_t i = 0; i < racks.size(); ++i)
        if (racks[i].contains(point)) return {Kind::rack, i};
    return {};
}

} // namespace trainyard
