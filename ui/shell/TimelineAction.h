#pragma once
// "Add to Timeline" in a context menu, for a machine, a link or a job. Used by the canvas's menu and the
// outline's.
#include "session/Histories.h"

class QAction;
class QMenu;

namespace trainyard {

/// Adds these to the timeline; disabled, with the reason in its tooltip, where that would do nothing.
QAction* addTimelineAction(QMenu& menu, Histories& histories, std::vector<HistorySubject> subjects);

} // namespace trainyard
