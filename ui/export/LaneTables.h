// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The numbers behind the lanes, as CSV rows: all that lies between two instants, exactly as recorded.
// Formats: docs/format/records.md. Used by exports and by the clipboard.
#include "export/CsvRows.h"
#include "plots/LanePainter.h"

namespace trainyard {

class HistoryFold;
class RunFold;

/// The part of a run that is exported, ends included.
struct TimeSpan {
    SimTime from, to;
};

/// Rows of a lane known by its id ("loss", "stragglers", "gantt", "utilization", "queue"), with a head.
/// `byJob`: of the Gantt with a row per job. False: the lane has no table of its own.
bool writeLaneTable(CsvRows& rows, const QString& lane, bool byJob, const RunFold& run, const TimeSpan& span);

/// Every step of every curve in the history of one machine, link or job, or the corners of a metric's curve,
/// with a head.
void writeHistoryTable(CsvRows& rows, const HistoryFold& history, const TimeSpan& span);

/// Any lane's readings: what its legend says at `samples` instants, evenly spread over the span. On the
/// window's thread, a stretch of samples [first, last) at a time; the head comes with the first.
void writeLaneReadings(CsvRows& rows, const LanePainter& painter, LaneInput input, const TimeSpan& span, int samples,
                       int first, int last);

} // namespace trainyard
