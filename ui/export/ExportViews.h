// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What can be exported: every lane of a timeline, the views, the cluster at an instant, and the tables. Lanes are asked
// for whenever they are needed, on the window's thread: they come and go while a long export runs.
#include "base/ParamSchema.h"
#include "lanes/LanePainter.h"

#include <functional>
#include <map>
#include <memory>

namespace trainyard {

class LaneStack;
class RunIndex;
struct View;

/// A lane as the timeline has it.
struct LaneView {
    QString id; ///< unique among the lanes
    LanePainter* painter = nullptr;
    LaneInput look;      ///< selection, scales; its run may be any
    double height = 100; ///< in the timeline, pixels
    bool folded = false;
};
using LaneSource = std::function<std::vector<LaneView>()>;

/// The lanes of a window's timeline; none once that is gone.
LaneSource lanesOf(LaneStack& stack);
/// The id of the lane at a place of the screen; empty: there is none.
QString laneAt(LaneStack& stack, QPoint globalPosition);
/// Options of views, by the view's id.
using OptionsOfViews = std::map<std::string, ParamValues>;
/// Those that every run has, for exports without a window.
LaneSource standardLanes(const OptionsOfViews& options = {});

enum class ViewKind { lane, view, cluster, events };

struct ExportView {
    QString id; ///< names files and settings: "gantt", "cluster", "metrics" …
    QString title;
    ViewKind kind = ViewKind::lane;
    const View* view = nullptr; ///< of that kind
    bool empty = false;         ///< a lane that is folded, since it has nothing to show of this run
    bool isTable() const;
};
/// The lanes from top to bottom, then the views that concern a run (null: all), cluster, events.
std::vector<ExportView> exportViews(const LaneSource& lanes, const RunIndex* run = nullptr);
/// What a lane shows of a run that was folded up to an instant: its own scales, and its selection if that is
/// of the same run.
LaneInput exportInput(const LaneView& lane, const ShownIndex& index, SimTime at);
/// The lane of that id now; without a painter if there is none.
LaneView findLane(const LaneSource& lanes, const QString& id);

} // namespace trainyard
