// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What ties an exported file to its run: the provenance of a run that the window holds, and the line that goes
// into every file. Called by every writer, off the window's thread too.
#include "run/files/RunRecord.h"
#include "session/RunData.h"

#include <QByteArray>

namespace trainyard {

/// Scenario, seed, commands taken from the run's log, digest of the log as far as it has come.
RunProvenance provenanceOf(const RunData& run);

/// The line of provenanceText() (run/RunRecord.h), all ASCII, without an end of line.
QByteArray provenanceLine(const RunProvenance& provenance);
/// The run in few words, for the foot of a figure: the line without the scenario itself.
QString provenanceFooter(const RunProvenance& provenance);

} // namespace trainyard
