// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The links in ClusterPainter's picture: curves one by one in small clusters, straight lines in batches in
// large ones, and the dots that move along them.
#include "canvas/ClusterPainter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

/// 10 Mbit/s is a hair, 100 Gbit/s a trunk; every factor of ten is the same step.
double ClusterPainter::linkWidth(std::size_t link) const {
    const double decades = std::log10(std::max(m_content.cluster.links[link].bandwidth, 1.0)) - 6;
    return std::clamp(1.2 + 1.1 * decades, 1.0, 7.0);
}

void ClusterPainter::paintLink(QPainter& painter, std::size_t link, const QPen& pen) const {
    const auto curve = m_content.layout.links[link].curve();
    QPainterPath path(curve[0]);
    path.cubicTo(curve[1], curve[2], curve[3]);
    painter.strokePath(path, pen);
}

/// Straight lines go out in batches; one pixel wide they are several times cheaper than any other.
bool ClusterPainter::linksAreCurved() const {
    return m_detail <= Detail::shapes && m_content.layout.links.size() <= 400;
}

bool ClusterPainter::isExposed(std::size_t link) const {
    const auto& line = m_content.layout.links[link];
    return line.from != line.to && QRectF(line.from, line.to)
                                       .normalized()
                                       .adjusted(-8, line.goesOver() ? -ClusterLayout::LinkLine::lift - 8 : -8, 8, 8)
                                       .intersects(m_exposed);
}

bool ClusterPainter::isMarked(std::size_t link) const {
    return (m_content.hovered.kind == ClusterLayout::Kind::link && m_content.hovered.index == link) ||
           m_content.isSelected(m_content.cluster.links[link].key);
}

void ClusterPainter::paintSingleLink(QPainter& painter, std::size_t link) const {
    const double width = linkWidth(link), share = m_content.linkShare(link);
    if (isMarked(link)) paintLink(painter, link, QPen(m_theme.accent, width + 4, Qt::SolidLine, Qt::RoundCap));
    if (!m_content.isLinkUp(link)) {
        paintLink(painter, link, QPen(m_theme.activity(Activity::failed), width, Qt::DashLine));
        return;
    }
    const QColor idle =
        m_content.carriesKeys(link) ? m_theme.activity(Activity::transfer) : m_theme.rest(0.35, m_theme.window);
    if (share > 0) // an edge, so that the lightest loads stand out on a light ground
        paintLink(painter, link,
                  QPen(Theme::mix(m_theme.text, m_theme.window, 0.45), width + 2, Qt::SolidLine, Qt::FlatCap));
    paintLink(painter, link, QPen(share > 0 ? m_theme.load(share) : idle, width, Qt::SolidLine, Qt::FlatCap));
}

void ClusterPainter::paintBatch(QPainter& painter, const QVector<QLineF>& lines, const QColor& colour,
                                double width) const {
    if (lines.isEmpty()) return;
    QPen pen(colour, m_forPrint ? width / m_zoom : width);
    pen.setCosmetic(!m_forPrint);
    painter.setPen(pen);
    painter.drawLines(lines);
}

void ClusterPainter::paintLinksAtRest(QPainter& painter, bool lifted) const {
    const auto& links = m_content.layout.links;
    std::vector<bool> drawn(links.size(), false);
    QVector<QLineF> lines;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (m_content.isLinkLifted(i) != lifted || drawn[m_content.plan.sameWay()[i]] || !m_content.isLinkUp(i) ||
            !isExposed(i))
            continue;
        drawn[m_content.plan.sameWay()[i]] = true;
        lines.push_back({links[i].from, links[i].to});
    }
    paintBatch(painter, lines, m_theme.rest(0.25, m_theme.window), 1);
}

/// Over those at rest: a batch for each step of the load scale, the busiest on top.
void ClusterPainter::paintBusyLinks(QPainter& painter) const {
    const auto& links = m_content.layout.links;
    constexpr std::size_t steps = 12;
    std::vector<std::uint8_t> stepOf(links.size(), 0); // by way; 0: at rest
    for (std::size_t i = 0; i < links.size(); ++i) {
        const bool single = !m_content.isLinkUp(i) || isMarked(i);
        if (single && isExposed(i)) paintSingleLink(painter, i);
        const double share = m_content.linkShare(i);
        if (single || share <= 0) continue;
        const auto step = 1 + std::min(static_cast<std::size_t>(share * steps), steps - 1);
        auto& most = stepOf[m_content.plan.sameWay()[i]];
        most = std::max(most, static_cast<std::uint8_t>(step));
    }
    std::array<QVector<QLineF>, steps + 1> batches;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (stepOf[i] > 0 && isExposed(i)) batches[stepOf[i]].push_back({links[i].from, links[i].to});
    for (std::size_t step = 1; step <= steps; ++step)
        paintBatch(painter, batches[step], m_theme.load((static_cast<double>(step) - 0.5) / steps),
                   m_detail >= Detail::blocks ? 1 : 1.5);
}

/// Parameters on their way: dots that move while bytes do.
void ClusterPainter::paintFlows(QPainter& painter) const {
    if (!m_content.state) return;
    painter.setPen(QPen(m_theme.surface, 1));
    painter.setBrush(m_theme.activity(Activity::transfer));
    int left = 300; // more would be noise
    for (std::size_t i = 0; i < m_content.layout.links.size() && left > 0; ++i) {
        const ClusterLayout::LinkLine& line = m_content.layout.links[i];
        const double length = std::max(QLineF(line.from, line.to).length(), 1.0);
        const int dots = std::clamp(static_cast<int>(length / 36), 1, 8);
        for (int direction = 0; direction < 2; ++direction) {
            const bool flows = m_content.state->linkLoads()[2 * i + static_cast<std::size_t>(direction)] > 0 ||
                               m_content.carriesKeys(i);
            if (!flows) continue;
            for (int d = 0; d < dots; ++d, --left) {
                const double t = std::fmod(d / static_cast<double>(dots) + m_content.flowPhase * 90 / length, 1.0);
                painter.drawEllipse(line.at(direction == 0 ? t : 1 - t), 3.2, 3.2);
            }
        }
    }
}

} // namespace trainyard
