// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// "Add to Timeline" in a context menu, for a machine, a link or a job, and why it would do nothing, for
// metrics too. Used by the canvas's menu, the outline and the metrics table.
#include "session/Histories.h"

class QAction;
class QMenu;

namespace trainyard {

/// Why these cannot be added; empty if at least one can. `whyNone`: where there is nothing to add.
QString whyNotOnTimeline(const Histories& histories, const std::vector<HistorySubject>& subjects,
                         const QString& whyNone);
/// What adding does, for tooltips.
QString timelineHelp();
/// Adds these to the timeline; disabled, with the reason in its tooltip, where that would do nothing.
QAction* addTimelineAction(QMenu& menu, Histories& histories, std::vector<HistorySubject> subjects);

} // namespace trainyard
