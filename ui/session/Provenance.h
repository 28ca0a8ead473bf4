// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What ties an exported file to its run: the recipe of a run that the window holds, and the line that goes
// into every file. Called by every writer, off the window's thread too.
#include "run/files/RunRecord.h"
#include "session/RunData.h"

#include <QByteArray>

namespace trainyard {

/// Scenario, seed, commands taken from the run's log, digest of the log as far as it has come.
RunRecipe recipeOf(const RunData& run);

/// The line of provenance() (run/RunRecord.h), all ASCII, without an end of line.
QByteArray provenanceLine(const RunRecipe& recipe);
/// The run in few words, for the foot of a figure: the line without the scenario itself.
QString provenanceFooter(const RunRecipe& recipe);

} // namespace trainyard
