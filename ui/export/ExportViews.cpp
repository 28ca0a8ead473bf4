// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportViews.h"

#include "charts/ChartLane.h"
#include "charts/ViewChoice.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "session/ShownIndex.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSet>

namespace trainyard {

LaneSource lanesOf(LaneStack& stack) {
    return [timeline = QPointer<LaneStack>(&stack)] {
        std::vector<LaneView> views;
        if (!timeline) return views;
        QSet<QString> taken; // what is no lane keeps its name
        for (const char* id : {"cluster", "jobs", "metrics", "events"}) taken << QLatin1String(id);
        for (const View& view : trainyard::views()) taken << QString::fromStdString(view.id);
        for (Lane* lane : timeline->lanes()) // lanes that every run has stand for the views of their names
            if (lane->objectName() != QLatin1String("history")) taken.remove(lane->painter().id());
        for (Lane* lane : timeline->lanes()) {
            const QString id = lane->painter().id();
            QString unique = id;
            for (int i = 2; taken.contains(unique); ++i) unique = QStringLiteral("%1-%2").arg(id).arg(i);
            taken << unique;
            views.push_back(
                {unique, &lane->painter(), lane->input(), static_cast<double>(lane->height()), lane->collapsed()});
        }
        return views;
    };
}

QString laneAt(LaneStack& stack, QPoint at) {
    for (const LaneView& view : lanesOf(stack)())
        for (Lane* lane : stack.lanes())
            if (&lane->painter() == view.painter && lane->rect().contains(lane->mapFromGlobal(at))) return view.id;
    return {};
}

LaneSource standardLanes(const OptionsOfViews& options) {
    const auto lanes = std::make_shared<std::vector<std::unique_ptr<LanePainter>>>(makeLanePainters(makeChartLane));
    for (const auto& painter : *lanes)
        if (const auto given = options.find(painter->id().toStdString()); given != options.end())
            painter->setSubject(viewSubject(*findView(given->first), given->second));
    return [lanes] {
        std::vector<LaneView> views;
        for (const auto& painter : *lanes) views.push_back({.id = painter->id(), .painter = painter.get(), .look = {}});
        return views;
    };
}

bool ExportView::isTable() const { return kind == ViewKind::events || (view && view->isTable); }

std::vector<ExportView> exportViews(const LaneSource& lanes, const RunIndex* run) {
    std::vector<ExportView> views;
    QSet<QString> shown;
    for (const LaneView& lane : lanes()) {
        const bool empty = lane.folded && lane.look.run && !lane.painter->emptyText(lane.look).isEmpty();
        views.push_back({.id = lane.id, .title = lane.painter->title(), .kind = ViewKind::lane, .empty = empty});
        shown << lane.id;
    }
    for (const View& view : trainyard::views())
        if (concernsRun(view, run) && !shown.contains(QString::fromStdString(view.id)))
            views.push_back({QString::fromStdString(view.id), coreText(view.title), ViewKind::view, &view});
    views.push_back({QStringLiteral("cluster"), QCoreApplication::translate("Export", "Cluster"), ViewKind::cluster});
    views.push_back({QStringLiteral("events"), QCoreApplication::translate("Export", "Events"), ViewKind::events});
    return views;
}

LaneInput exportInput(const LaneView& lane, const ShownIndex& index, SimTime at) {
    LaneInput input = lane.look;
    // Another run may be on show by now: what belongs to it means nothing here.
    if (!input.run || input.run->run().id != index.run().id) input.ghost = nullptr;
    input.run = &index;
    input.at = input.end = at;
    input.job = {}; // what is selected is the window's: nothing is pale for it in a figure
    input.machines.clear();
    input.scroll = 0;
    input.everyJob = true;
    return input;
}

LaneView findLane(const LaneSource& lanes, const QString& id) {
    for (LaneView& lane : lanes())
        if (lane.id == id) return lane;
    return {};
}

} // namespace trainyard
