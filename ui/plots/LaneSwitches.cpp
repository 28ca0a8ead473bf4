// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LaneSwitches.h"

#include "plots/Lane.h"

#include <QAction>

namespace trainyard {

LaneSwitches::LaneSwitches(Lane& gantt, QObject* parent)
    : QObject(parent),
      m_byJob(gantt.addSwitch(tr("by job"), tr("A Row per &Job"),
                              tr("A row per job instead of a row per machine: when it waits in the queue, with how "
                                 "many workers it runs, how it ends"))) {
    connect(m_byJob, &QAction::toggled, this, &LaneSwitches::changed);
}

void LaneSwitches::applyTo(LaneInput& input) const { input.byJob = byJob(); }
bool LaneSwitches::byJob() const { return m_byJob->isChecked(); }
void LaneSwitches::setByJob(bool byJob) { m_byJob->setChecked(byJob); }

} // namespace trainyard
