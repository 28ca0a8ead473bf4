// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What to compare a scenario with that names no variants: other policies of the family that decides most for its jobs. Used by the form of
// the place Compare.
#include "scenario/Scenario.h"

#include <string>
#include <vector>

namespace trainyard {

class Registry;

/// "synchronization=async", … in the order of the registry, which begins with the plainest; empty: no job asks any family.
/// `everyJob`: jobs with policies of their own get them, too.
std::vector<std::string> otherPolicies(const Scenario& scenario, const Registry& registry, bool everyJob);

} // namespace trainyard
