// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterThumbnail.h"

#include "canvas/ClusterPainter.h"

#include <QPainter>

#include <algorithm>

namespace trainyard {

namespace cluster_thumbnail {
constexpr std::size_t mostLinks = 6000; // more would be one grey area

QRectF block(const QRectF& box) {
    constexpr double least = 1.5;
    QRectF grown(QPointF(), QSizeF(std::max(box.width(), least), std::max(box.height(), least)));
    grown.moveCenter(box.center());
    return grown;
}

bool fits(const ResourceVector& demand, const ResourceVector& free, std::size_t resources) {
    for (std::size_t r = 0; r < resources; ++r)
        if (demand.amount(r) > free.amount(r)) return false;
    return true;
}

/// Each job in turn with as many tasks as find a machine: what the cluster looks like when it is busy.
std::shared_ptr<const ClusterState> busyState(const std::shared_ptr<const Workload>& workload) {
    auto state = std::make_shared<ClusterState>(workload);
    const std::size_t machines = workload->cluster.machines.size();
    std::size_t next = 0; // tasks go round, so that all machines get their share
    const auto place = [&](std::size_t job, TaskRole role, int tasks, const ResourceVector& demand) {
        for (int task = 0; task < tasks; ++task)
            for (std::size_t tried = 0; tried < machines; ++tried) {
                const std::size_t m = (next + tried) % machines;
                if (!fits(demand, state->machine(MachineId(m)).free, workload->cluster.resourceNames.size())) continue;
                state->apply({.type = EventType::taskPlaced,
                              .aux = static_cast<std::uint16_t>(role),
                              .job = static_cast<std::uint32_t>(job),
                              .a = static_cast<std::uint32_t>(task),
                              .b = static_cast<std::uint32_t>(m)});
                next = m + 1;
                break;
            }
    };
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const Job& job = workload->jobs[j];
        place(j, TaskRole::worker, job.workers.minimum, job.workerDemand);
        place(j, TaskRole::server, job.servers.minimum, job.serverDemand);
    }
    return state;
}
} // namespace cluster_thumbnail

ThumbnailFit ThumbnailFit::of(const QRectF& scene, const QRectF& picture, double largest) {
    if (scene.width() <= 0 || scene.height() <= 0) return {1, picture.center()};
    const double scale = std::min({picture.width() / scene.width(), picture.height() / scene.height(), largest});
    return {scale, picture.center() - scene.center() * scale};
}

void paintThumbnail(QPainter& painter, const ClusterLayout& layout, const ThumbnailFit& fit, const Theme& theme,
                    const QColor& machines) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::mix(theme.muted, theme.raised, 0.14));
    for (const QRectF& rack : layout.racks)
        if (!rack.isNull()) painter.drawRoundedRect(fit.toPicture(rack), 2, 2);
    QVector<QLineF> lines;
    for (const auto& link : layout.links)
        if (link.from != link.to && static_cast<std::size_t>(lines.size()) < cluster_thumbnail::mostLinks)
            lines.push_back({fit.toPicture(link.from), fit.toPicture(link.to)});
    QColor hair = Theme::mix(theme.muted, theme.raised, 0.7);
    if (lines.size() > 120) hair.setAlpha(std::clamp(static_cast<int>(18000 / lines.size()), 24, 150));
    painter.setPen(QPen(hair, 1));
    painter.drawLines(lines);
    painter.setPen(Qt::NoPen);
    painter.setBrush(machines);
    for (const QRectF& card : layout.machines) painter.drawRect(cluster_thumbnail::block(fit.toPicture(card)));
    painter.setBrush(Theme::mix(theme.text, theme.raised, 0.7));
    for (const QRectF& node : layout.switches) {
        const QRectF box = cluster_thumbnail::block(fit.toPicture(node));
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    }
}

QPixmap busyThumbnail(const std::shared_ptr<const Workload>& workload, const Theme& theme, QSize size,
                      double devicePixelRatio) {
    constexpr double margin = 12, largestZoom = 0.5; // a single machine is no poster
    const Cluster& cluster = workload->cluster;
    QPixmap picture(size * devicePixelRatio);
    picture.setDevicePixelRatio(devicePixelRatio);
    picture.fill(theme.window);
    if (cluster.machines.empty() && cluster.switches.empty()) return picture;
    CanvasContent content;
    content.setCluster(cluster);
    content.setState(cluster_thumbnail::busyState(workload));
    const QRectF bounds = content.layout.bounds;
    const QRectF inside = QRectF(QPointF(), size).adjusted(margin, margin, -margin, -margin);
    const ThumbnailFit fit = ThumbnailFit::of(bounds, inside, largestZoom);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(fit.origin);
    painter.scale(fit.scale, fit.scale);
    ClusterPainter painted(content, theme, bounds.adjusted(-100, -100, 100, 100), fit.scale);
    painted.withoutText();
    painted.paint(painter);
    return picture;
}

} // namespace trainyard
