// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A training in words: what its configuration says, where it stands, what came of it.
#include "training/WatchedTraining.h"

#include <QString>

namespace trainyard {

/// Rich text: graphs, laws, loads, network, the three kinds of seeds, how long it is.
QString planInWords(const AgentPlan& plan, const std::filesystem::path& resources);
/// "Iteration 34 of 400 · deadlines uniform, corrected rules · 81 % in time · best candidate 18.2 % blocked"
QString progressInWords(const WatchedTraining& watched);
/// "deadlines uniform, corrected rules"
QString stageInWords(const WatchedStage& stage);
/// In how many laws the best candidate blocks less than both simple rules; empty as long as it is not known of all.
QString outcomeInWords(const WatchedTraining& watched);
/// One line for each, as the command line prints them: file, line, place, what is wrong.
QString problemsInWords(const Problems& problems);

} // namespace trainyard
