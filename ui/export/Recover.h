// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// From a figure back to its run: opens an exported SVG, PDF, PNG or CSV (or a record) as the scenario it
// shows, set to the seed and mode it ran with. Used by the window's Open and by drag and drop.
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"

#include <QString>

namespace trainyard {

struct RecoveredRun {
    Scenario scenario;        ///< seed and mode as run
    RunProvenance provenance; ///< with the commands given during the run and the digest to expect
};

/// Problems: not a file of Trainyard's, damaged, or a scenario that this version cannot read.
Result<RecoveredRun> scenarioFromFigure(const QString& path);

} // namespace trainyard
