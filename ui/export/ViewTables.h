// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The tables of a run at an instant: jobs, metrics and events, as texts for a picture and as CSV with raw
// numbers. Computed from the log alone, on any thread. Used by exports, the clipboard and the preview.
#include "export/Figure.h"
#include "export/LaneTables.h"
#include "record/MetricsFold.h"
#include "session/RunData.h"

#include <QStringList>

namespace trainyard {

/// What a picture of a table shows. Cells by row; `numbers`: columns aligned to the right.
struct TableTexts {
    QStringList heads;
    std::vector<bool> numbers;
    std::vector<QStringList> rows;
    std::size_t more = 0; ///< rows left out
};
constexpr std::size_t mostTableRows = 60; ///< of a picture; a CSV file has all

/// The fold of the log up to an instant. `going`: asked now and then; false gives up and returns null.
std::shared_ptr<const ClusterState> stateOf(const RunData& run, SimTime at, const std::function<bool()>& going);

TableTexts jobsTable(const ClusterState& state, SimTime at);
void writeJobsTable(CsvRows& rows, const ClusterState& state, SimTime at);

/// Metrics at an instant and at the end of the run so far, for the whole run and per job.
struct MetricsPair {
    Metrics at, end;
};
MetricsPair metricsOf(const RunData& run, SimTime at, SimTime end, const std::function<bool()>& going);
/// The whole run's that have a value; one column of values where the instant is the end.
TableTexts metricsTable(const MetricsPair& metrics, const Workload& workload, SimTime at, SimTime end);
void writeMetricsTable(CsvRows& rows, const MetricsPair& metrics, const Workload& workload);

/// The first events of the span.
TableTexts eventsTable(const RunData& run, const TimeSpan& span);
/// As events.csv of a record (docs/format/records.md).
void writeEventsTable(CsvRows& rows, const RunData& run, const TimeSpan& span);

/// Everything within the frame.
void paintTableFigure(QPainter& painter, const FigureFrame& frame, const TableTexts& table);
/// The height that a table figure of this width asks for.
double tableFigureHeight(const TableTexts& table, bool footer);

} // namespace trainyard
