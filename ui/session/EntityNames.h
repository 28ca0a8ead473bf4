// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Between the selection, which knows keys and the run's jobs, and the parts of the document that are edited;
// and how they are called.
#include "session/Workspace.h"

namespace trainyard {

/// "Machine", "12 machines".
QString kindText(EntityRef::Kind kind, std::size_t count);
/// Its name, else "Machine m3"; "12 machines", "Scenario".
QString entityTitle(const Scenario& scenario, const std::vector<EntityRef>& entities);
std::string keyOf(const Scenario& scenario, EntityRef entity);

/// What is selected, one group per kind; none if nothing is. Parts that are no longer there are left out.
std::vector<std::vector<EntityRef>> selectedEntities(const Workspace& workspace);
/// Selects these, of one kind, everywhere.
void selectEntities(Workspace& workspace, const std::vector<EntityRef>& entities);

} // namespace trainyard
