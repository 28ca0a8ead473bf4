// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/TimelineAction.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace trainyard {

QString whyNotOnTimeline(const Histories& histories, const std::vector<HistorySubject>& subjects,
                         const QString& whyNone) {
    if (subjects.empty()) return whyNone;
    const bool shown = std::all_of(subjects.begin(), subjects.end(),
                                   [&](const HistorySubject& subject) { return histories.has(subject); });
    return shown ? QCoreApplication::translate("TimelineAction", "It is already in the timeline")
                 : histories.whyNotAdd();
}

QString timelineHelp() {
    return QCoreApplication::translate("TimelineAction", "Adds its history as a lane under the others");
}

QAction* addTimelineAction(QMenu& menu, Histories& histories, std::vector<HistorySubject> subjects) {
    const QString why =
        whyNotOnTimeline(histories, subjects,
                         QCoreApplication::translate("TimelineAction", "Only machines, links and jobs have a history"));
    menu.setToolTipsVisible(true);
    QAction* action = menu.addAction(QCoreApplication::translate("TimelineAction", "Add to &Timeline"), &histories,
                                     [&histories, subjects = std::move(subjects)] { histories.add(subjects); });
    action->setObjectName(QStringLiteral("addToTimeline"));
    action->setEnabled(why.isEmpty());
    action->setToolTip(why.isEmpty() ? timelineHelp() : why);
    return action;
}

} // namespace trainyard
