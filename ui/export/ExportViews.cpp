#include "export/ExportViews.h"

#include "plots/Lane.h"
#include "plots/LaneStack.h"
#include "plots/RunFold.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/TimeAxis.h"
#include "waiting/WaitingPainter.h"
#include "waiting/WaitingPanel.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSet>

namespace trainyard {

namespace export_views {

/// A timeline that is never shown and has no run.
struct EmptyTimeline {
    RunModel run{std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{}};
    TimeAxis axis;
    Selection selection;
    Histories histories;
    LaneStack stack{run, axis, selection, histories};
    std::vector<std::unique_ptr<WaitingPainter>> waiting = makeWaitingPainters();
};

std::vector<LaneView> viewsOf(const std::vector<std::unique_ptr<WaitingPainter>>& painters, const LaneInput& look) {
    std::vector<LaneView> views;
    for (const auto& painter : painters)
        views.push_back({.id = painter->id(), .painter = painter.get(), .look = look, .ofInstant = true});
    return views;
}

} // namespace export_views

LaneSource lanesOf(LaneStack& stack) {
    return [timeline = QPointer<LaneStack>(&stack)] {
        std::vector<LaneView> views;
        if (!timeline) return views;
        QSet<QString> taken; // what is no lane keeps its name
        for (const char* id : {"cluster", "jobs", "metrics", "events"}) taken << QLatin1String(id);
        for (Lane* lane : timeline->lanes()) {
            const QString id = lane->painter().id();
            QString unique = id;
            for (int i = 2; taken.contains(unique); ++i) unique = QStringLiteral("%1-%2").arg(id).arg(i);
            taken << unique;
            views.push_back({unique, &lane->painter(), lane->input(), static_cast<double>(lane->height()),
                             lane->collapsed()});
        }
        return views;
    };
}

LaneSource waitingLanes(WaitingPanel& panel) {
    return [waiting = QPointer<WaitingPanel>(&panel)] {
        return waiting ? export_views::viewsOf(waiting->views(), waiting->makeInput()) : std::vector<LaneView>{};
    };
}

LaneSource joined(LaneSource first, LaneSource second) {
    return [first = std::move(first), second = std::move(second)] {
        std::vector<LaneView> views = first();
        for (LaneView& view : second()) views.push_back(std::move(view));
        return views;
    };
}

LaneSource standardLanes() {
    return [timeline = std::make_shared<export_views::EmptyTimeline>()] {
        std::vector<LaneView> views = lanesOf(timeline->stack)();
        for (LaneView& view : export_views::viewsOf(timeline->waiting, {})) views.push_back(std::move(view));
        for (LaneView& view : views) {
            view.height = 100; // never laid out
            view.folded = false;
        }
        return views;
    };
}

std::vector<ExportView> exportViews(const LaneSource& lanes) {
    const auto words = [](const char* text) { return QCoreApplication::translate("Export", text); };
    std::vector<ExportView> views;
    for (const LaneView& lane : lanes()) views.push_back({lane.id, lane.painter->title(), ViewKind::lane});
    views.push_back({QStringLiteral("cluster"), words("Cluster"), ViewKind::cluster});
    views.push_back({QStringLiteral("jobs"), words("Jobs"), ViewKind::jobs});
    views.push_back({QStringLiteral("metrics"), words("Metrics"), ViewKind::metrics});
    views.push_back({QStringLiteral("events"), words("Events"), ViewKind::events});
    return views;
}

LaneInput exportInput(const LaneView& lane, const RunFold& fold, SimTime at) {
    LaneInput input = lane.look;
    // Another run may be on show by now: what belongs to it means nothing here.
    if (!input.run || input.run->run().id != fold.run().id) {
        input.ghost = nullptr;
        input.history = nullptr;
        input.job = {};
    }
    input.run = &fold;
    input.at = input.end = at;
    input.machines.clear();
    input.scroll = 0;
    input.everyJob = !input.job.valid();
    return input;
}

LaneView findLane(const LaneSource& lanes, const QString& id) {
    for (LaneView& lane : lanes())
        if (lane.id == id) return lane;
    return {};
}

} // namespace trainyard
