// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// New parts of the document, added under free ids so that the scenario can still run: what the buttons "Add"
// and "Duplicate" of forms and tables do. Each call is one step to undo.
#include "session/ScenarioModel.h"

namespace trainyard {

/// Adds one element of the kind and says where it is. Machines take after the last machine, links join the
/// first two nodes that have none between them. Kinds: those that are lists.
EntityRef addElement(ScenarioModel& document, EntityRef::Kind kind);
/// What the three kinds of jobs are, where one is chosen: "Trained", and a sentence that sets it apart.
struct JobKindText {
    JobKind kind = JobKind::trained;
    QString name, sentence;
};
std::vector<JobKindText> jobKinds();
/// A small job of the kind that fits the cluster, where any does.
EntityRef addJob(ScenarioModel& document, JobKind kind);
/// A fault of the machine or link (empty: of the first machine) at an instant, repaired after a tenth of it,
/// at least 1 s.
EntityRef addFault(ScenarioModel& document, const std::string& target, double atSeconds);
/// Copies of the elements at the end of their lists. A machine or switch brings its links.
std::vector<EntityRef> duplicateElements(ScenarioModel& document, const std::vector<EntityRef>& elements);

/// Adds an element of the kind to a scenario, not a document: what pasting more rows than there are does.
void appendElement(Scenario& scenario, EntityRef::Kind kind, const Registry& registry);

} // namespace trainyard
