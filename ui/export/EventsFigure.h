// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The events of a run: as a table for a figure, and as CSV rows. Computed from the log alone, on any thread.
#include "analysis/Table.h"
#include "export/LaneTables.h"
#include "session/RunData.h"

namespace trainyard {

/// The first events of the span.
Table eventsTable(const RunData& run, const TimeSpan& span);
/// As events.csv of a record (docs/format/records.md).
void writeEventsTable(CsvRows& rows, const RunData& run, const TimeSpan& span);

} // namespace trainyard
