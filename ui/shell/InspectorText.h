// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the inspector says about the selection, as rich text: what it does at the instant shown, and why a
// policy decided so. Pure functions of state and explanations.
#include "record/ClusterState.h"
#include "record/Explanation.h"
#include "scenario/Scenario.h"

#include <QString>
#include <QStringList>

namespace trainyard {

struct InspectorSubject {
    JobId job;
    QStringList entities;
    bool over = false; ///< the run ended here
};

QString inspectorNow(const ClusterState& state, SimTime now, const InspectorSubject& subject);
/// The last decisions up to `now` about the selected job (about anything, if none is selected), newest first.
/// With machines selected: those that put a task there. A job that waits is told first what it lacks, machine by
/// machine, at the instant of `state` (null: not known).
QString inspectorWhy(const ExplanationLog* explanations, const Workload* workload, const ClusterState* state,
                     SimTime now, const InspectorSubject& subject);

} // namespace trainyard
