#pragma once
// The numbers behind the views of waiting, as CSV rows, for all jobs that have workers. Formats:
// docs/format/records.md. Used by exports and by the clipboard.
#include "export/LaneTables.h"

namespace trainyard {

/// Rows of a view known by its id ("iteration", "rates", "k-and-load", "response-times", "staleness",
/// "participation"), with a head: of the span, or as of an instant. False: it is none of these.
bool writeWaitingTable(CsvRows& rows, const QString& view, const RunFold& run, const TimeSpan& span,
                       SimTime at);

} // namespace trainyard
