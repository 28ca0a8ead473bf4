// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ClusterFigure.h"

#include "canvas/ClusterPainter.h"
#include "drawing/Legend.h"
#include "tables/JobsModel.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace trainyard {

namespace cluster_figure {

constexpr double most = 1.5; // larger than life a small cluster looks empty

std::vector<LegendEntry> jobEntries(const Theme& theme, const CanvasContent& content) {
    std::vector<bool> seen;
    for (const auto& slots : content.slots)
        for (const TaskSlot& slot : slots) {
            seen.resize(std::max(seen.size(), slot.job.index() + 1));
            seen[slot.job.index()] = true;
        }
    std::vector<LegendEntry> entries;
    int others = 0;
    for (std::size_t j = 0; j < seen.size(); ++j) {
        if (!seen[j]) continue;
        if (content.isColoured(JobId(j)))
            entries.push_back(
                {.label = jobName(content.state->workload().jobs[j]), .colour = theme.job(JobId(j)), .job = JobId(j)});
        else
            ++others;
    }
    if (others > 0)
        entries.push_back({.label = QCoreApplication::translate("Export", "%n other job(s)", nullptr, others),
                           .colour = theme.job({}, false)});
    return entries;
}

/// Signs from left to right: worker, server, load of links.
void paintKey(QPainter& painter, const Theme& theme, const QRectF& line) {
    const QFontMetricsF metrics(painter.font());
    const QColor sign = Theme::mix(theme.text, theme.surface, 0.7);
    double x = line.left();
    const auto label = [&](const QString& text) {
        painter.setPen(theme.muted);
        painter.drawText(QRectF(x, line.top(), 300, line.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + 20;
    };
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(sign);
    painter.drawRoundedRect(QRectF(x, line.center().y() - 5, 10, 10), 2, 2);
    x += 15;
    label(QCoreApplication::translate("Figure", "worker"));
    painter.setPen(Qt::NoPen);
    painter.setBrush(sign);
    painter.drawEllipse(QRectF(x, line.center().y() - 5, 10, 10));
    painter.setBrush(theme.surface);
    painter.drawEllipse(QPointF(x + 5, line.center().y()), 2, 2);
    x += 15;
    label(QCoreApplication::translate("Figure", "parameter server"));
    constexpr int steps = 16; // boxes, not a gradient: every format knows them
    constexpr double wide = 5;
    painter.setRenderHint(QPainter::Antialiasing, false);
    label(QCoreApplication::translate("Figure", "load of a link: 0 %"));
    x -= 14;
    for (int i = 0; i < steps; ++i)
        painter.fillRect(QRectF(x + i * wide, line.center().y() - 4, wide, 8), theme.load((i + 0.5) / steps));
    x += steps * wide + 6;
    label(QCoreApplication::translate("Figure", "100 %"));
}

} // namespace cluster_figure

CanvasContent clusterContent(const Cluster& cluster, std::shared_ptr<const ClusterState> state) {
    CanvasContent content;
    content.setCluster(cluster);
    content.setState(std::move(state));
    return content;
}

void paintCluster(QPainter& painter, const Theme& theme, const CanvasContent& content, const QRectF& area) {
    const QRectF bounds = content.layout.bounds;
    if (bounds.isEmpty()) {
        painter.setPen(theme.muted);
        painter.drawText(area, Qt::AlignCenter, QCoreApplication::translate("Figure", "No machines"));
        return;
    }
    const double zoom =
        std::min({area.width() / bounds.width(), area.height() / bounds.height(), cluster_figure::most});
    painter.save();
    painter.translate(area.center());
    painter.scale(zoom, zoom);
    painter.translate(-bounds.center());
    painter.setFont(figureFont(12));
    ClusterPainter cluster(content, theme, bounds.adjusted(-8, -8, 8, 8), zoom);
    cluster.forPrint();
    cluster.paint(painter);
    painter.restore();
}

void paintClusterFigure(QPainter& painter, const FigureFrame& frame, const CanvasContent& content) {
    QRectF area = paintFigureFrame(painter, frame);
    LaneCanvas canvas(painter, frame.theme, figureFont(12));
    canvas.vector = frame.vector;
    area.setTop(area.top() + paintLegendRow(canvas, area, cluster_figure::jobEntries(frame.theme, content)) + 8);
    painter.setFont(canvas.font);
    const QRectF key(area.left(), area.bottom() - canvas.lineHeight() - 4, area.width(), canvas.lineHeight() + 4);
    cluster_figure::paintKey(painter, frame.theme, key);
    area.setBottom(key.top() - 8);
    paintCluster(painter, frame.theme, content, area);
}

void writeClusterTable(CsvRows& rows, const CanvasContent& content) {
    const Cluster& cluster = content.cluster;
    rows << "machine"
         << "rack"
         << "state";
    for (const std::string& resource : cluster.resourceNames) rows << resource + "_used" << resource + "_capacity";
    rows << "tasks";
    rows.end();
    for (std::size_t m = 0; m < cluster.machines.size() && rows.going(); ++m) {
        const Machine& machine = cluster.machines[m];
        rows << machine.key << machine.rack << (content.isUp(MachineId(m)) ? "up" : "down");
        for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r) {
            const double capacity = machine.capacity.amount(r);
            const double free = content.state ? content.state->machine(MachineId(m)).free.amount(r) : capacity;
            rows << capacity - free << capacity;
        }
        std::string tasks;
        for (const TaskSlot& slot : content.slots[m])
            tasks += (tasks.empty() ? "" : " ") + content.state->workload().jobs[slot.job.index()].key +
                     (slot.role == TaskRole::worker ? ":w" : ":s") + std::to_string(slot.task + 1);
        rows << tasks;
        rows.end();
    }
}

} // namespace trainyard
