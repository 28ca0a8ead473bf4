#include "shell/TimelineAction.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace trainyard {

QAction* addTimelineAction(QMenu& menu, Histories& histories, std::vector<HistorySubject> subjects) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("TimelineAction", text); };
    const bool shown = std::all_of(subjects.begin(), subjects.end(),
                                   [&](const HistorySubject& subject) { return histories.has(subject); });
    const QString why = subjects.empty() ? tr("Only machines, links and jobs have a history")
                        : shown          ? tr("It is in the timeline already")
                                         : histories.whyNotAdd();
    menu.setToolTipsVisible(true);
    QAction* action =
        menu.addAction(tr("Add to &Timeline"), &histories,
                       [&histories, subjects = std::move(subjects)] { histories.add(subjects); });
    action->setObjectName(QStringLiteral("addToTimeline"));
    action->setEnabled(why.isEmpty());
    action->setToolTip(why.isEmpty() ? tr("Its history as a lane of its own, under the others") : why);
    return action;
}

} // namespace trainyard
