// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasTips.h"

#include "base/Format.h"
#include "model/ResourceLabel.h"

#include <QCoreApplication>

#include <array>

namespace trainyard {

namespace {

QString tipNumber(double value) { return QString::fromStdString(formatNumber(value, 3)); }

QString phaseText(WorkerPhase phase) {
    switch (phase) {
    case WorkerPhase::idle: return QCoreApplication::translate("CanvasTips", "idle");
    case WorkerPhase::pulling: return QCoreApplication::translate("CanvasTips", "reading parameters");
    case WorkerPhase::computing: return QCoreApplication::translate("CanvasTips", "computing");
    case WorkerPhase::pushing: return QCoreApplication::translate("CanvasTips", "sending its gradient");
    case WorkerPhase::waiting: return QCoreApplication::translate("CanvasTips", "waiting for the others");
    case WorkerPhase::blocked: return QCoreApplication::translate("CanvasTips", "blocked by the synchronization");
    case WorkerPhase::updating: // folds alone know these
    case WorkerPhase::absent:
    case WorkerPhase::discarded:
    case WorkerPhase::failed: break;
    }
    return {};
}

QString machineTip(const CanvasContent& content, std::size_t index) {
    const Machine& m = content.cluster.machines[index];
    const MachineId id(index);
    QString text;
    if (!content.isUp(id)) text += QCoreApplication::translate("CanvasTips", "Down.") + QStringLiteral("<br>");
    for (std::size_t r = 0; r < content.cluster.resourceNames.size(); ++r) {
        const double share = content.usedShare(id, r), capacity = m.capacity.amount(r);
        if (share < 0) continue;
        text += QCoreApplication::translate("CanvasTips", "%1: %2 of %3 used")
                    .arg(QString::fromStdString(resourceLabel(content.cluster.resourceNames[r])).toHtmlEscaped(),
                         tipNumber(share * capacity), tipNumber(capacity)) +
                QStringLiteral("<br>");
    }
    if (!m.device.empty())
        text += QCoreApplication::translate("CanvasTips", "Device %1, speed %2")
                    .arg(QString::fromStdString(m.device).toHtmlEscaped(), tipNumber(content.cluster.speed(id))) +
                QStringLiteral("<br>");
    if (m.straggler.persistentFactor != 1)
        text += QCoreApplication::translate("CanvasTips", "Always %1 times slower")
                    .arg(tipNumber(m.straggler.persistentFactor)) +
                QStringLiteral("<br>");
    int shown = 0;
    for (const TaskSlot& slot : content.slots[index]) {
        if (++shown > 8) {
            text += QCoreApplication::translate("CanvasTips", "… and %n more task(s)", nullptr,
                                                content.slots[index].size() - 8);
            break;
        }
        const Job& job = content.state->workload().job(slot.job);
        const QString name = QString::fromStdString(job.name.empty() ? job.key : job.name).toHtmlEscaped();
        text += slot.role == TaskRole::server
                    ? QCoreApplication::translate("CanvasTips", "%1, server %2").arg(name).arg(slot.task + 1)
                    : QCoreApplication::translate("CanvasTips", "%1, worker %2: %3")
                          .arg(name)
                          .arg(slot.task + 1)
                          .arg(slot.isLogged ? phaseText(slot.phase)
                                             : QCoreApplication::translate("CanvasTips", "running"));
        text += QStringLiteral("<br>");
    }
    if (content.slots[index].empty() && content.state)
        text += QCoreApplication::translate("CanvasTips", "No tasks here now");
    return text;
}

QString linkTip(const CanvasContent& content, std::size_t index) {
    const Link& link = content.cluster.links[index];
    QString text = QCoreApplication::translate("CanvasTips", "%1 each way").arg(rateText(link.bandwidth));
    if (link.latency.ns > 0)
        text +=
            QCoreApplication::translate("CanvasTips", ", %1 ms latency").arg(tipNumber(link.latency.toSeconds() * 1e3));
    text += QStringLiteral("<br>");
    if (!content.isLinkUp(index)) return text + QCoreApplication::translate("CanvasTips", "Down.");
    if (!content.state) return text;
    if (content.carriesKeys(index) && content.linkShare(index) <= 0)
        return text + QCoreApplication::translate(
                          "CanvasTips", "Blue: messages of keyed jobs go over it; how many is not logged by link. "
                                        "Views, Server threads and networks, shows it by machine.");
    const std::array<std::pair<const std::string*, const std::string*>, 2> ways = {
        {{&link.from, &link.to}, {&link.to, &link.from}}};
    for (std::size_t d = 0; d < 2; ++d) {
        const double load = content.state->linkLoads()[2 * index + d];
        text += QCoreApplication::translate("CanvasTips", "%1 → %2: %3 (%4 %)")
                    .arg(QString::fromStdString(*ways[d].first).toHtmlEscaped(),
                         QString::fromStdString(*ways[d].second).toHtmlEscaped(), rateText(load),
                         tipNumber(link.bandwidth > 0 ? 100 * load / link.bandwidth : 0)) +
                QStringLiteral("<br>");
    }
    return text;
}

} // namespace

QString rateText(double bytesPerSecond) {
    static constexpr std::array<const char*, 5> units = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    std::size_t unit = 0;
    while (bytesPerSecond >= 1000 && unit + 1 < units.size()) {
        bytesPerSecond /= 1000;
        ++unit;
    }
    return tipNumber(bytesPerSecond) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString canvasTip(const CanvasContent& content, ClusterLayout::Hit hit) {
    if (hit.kind == ClusterLayout::Kind::nothing) return {};
    QString text = QStringLiteral("<b>%1</b><br>").arg(content.nameOf(hit).toHtmlEscaped());
    switch (hit.kind) {
    case ClusterLayout::Kind::machine: text += machineTip(content, hit.index); break;
    case ClusterLayout::Kind::link: text += linkTip(content, hit.index); break;
    case ClusterLayout::Kind::switchNode: text += QCoreApplication::translate("CanvasTips", "Switch"); break;
    case ClusterLayout::Kind::rack:
        text += QCoreApplication::translate("CanvasTips", "Rack; drag its frame to move everything in it");
        break;
    case ClusterLayout::Kind::nothing: break;
    }
    while (text.endsWith(QLatin1String("<br>"))) text.chop(4);
    return text;
}

} // namespace trainyard
