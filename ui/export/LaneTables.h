// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The numbers behind the lanes, as CSV rows: all that lies between two instants, exactly as recorded.
// Formats: docs/format/records.md. Used by exports and by the clipboard.
#include "base/CsvRows.h"
#include "lanes/LanePainter.h"

namespace trainyard {

class ShownIndex;

/// The part of a run that is exported, ends included.
struct TimeSpan {
    SimTime from, to;
};

/// Rows of a lane known by its id ("stragglers", "gantt"), with a head.
/// `byJob`: of the Gantt with a row per job.
void writeLaneTable(CsvRows& rows, const QString& lane, bool byJob, const ShownIndex& run, const TimeSpan& span);

} // namespace trainyard
