// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What charts and lists call the arms of a comparison: the title that the user gave it, else titles of variants and labels of policies;
// with what tells them apart where two would be alike.
#include "run/compare/Comparison.h"

namespace trainyard {

std::vector<Text> armTitles(const Scenario& scenario, const Registry& registry, const std::vector<ComparisonArm>& arms);

} // namespace trainyard
