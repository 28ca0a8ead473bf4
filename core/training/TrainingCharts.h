// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The charts of a training as values, from what is watched of it. Drawn by the window.
#include "analysis/Chart.h"
#include "training/WatchedTraining.h"

namespace trainyard {

/// Share of the training arrivals in time, over the arrivals learned from, stage by stage.
Chart rewardChart(const WatchedTraining& watched);
/// Of a task: blocking of each candidate on the validation seeds by law, beside the best constant and the best floor.
Chart validationChart(const WatchedTraining& watched, std::size_t task);
/// Of a stage: shares of arrivals served by each degree, by its net and by the best constant.
Chart degreeChart(const WatchedTraining& watched, std::size_t stage);

/// "constant 4", "floor 2".
std::string ruleName(const DegreeRule& rule);
/// "corrected", "faithful".
std::string rulesName(GraphRules rules);

} // namespace trainyard
