// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/EventsFigure.h"

#include "record/EventMeanings.h"
#include "run/files/Export.h"
#include "tables/EventTableModel.h"
#include "tables/JobsModel.h"
#include "theme/TimeText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace trainyard {

Table eventsTable(const RunData& run, const TimeSpan& span) {
    constexpr std::size_t mostRows = 60; // a CSV file has all
    const auto words = [](const QString& text) { return nameText(text.toStdString()); };
    Table table;
    table.columns = {{.key = {}, .title = words(QCoreApplication::translate("Figure", "Time")), .isNumber = true},
                     {.key = {}, .title = words(QCoreApplication::translate("Figure", "Event"))},
                     {.key = {}, .title = words(QCoreApplication::translate("Figure", "Job"))},
                     {.key = {}, .title = words(QCoreApplication::translate("Figure", "Where and what"))}};
    const std::size_t first = span.from > SimTime::zero() ? run.log->positionAfter(span.from) : 0;
    const std::size_t last = run.log->positionAfter(span.to);
    for (std::size_t i = first; i < std::min(last, first + mostRows); ++i) {
        const Event& e = (*run.log)[i];
        QStringList what{eventPlaceText(e, *run.workload), eventValueText(e, *run.workload)};
        what.removeAll(QString());
        const QString job = e.job < run.workload->jobs.size() ? jobName(run.workload->jobs[e.job]) : QString();
        Table::Row& row = table.rows.emplace_back();
        for (const QString& text : {clockText(e.time), eventTypeText(e.type), job, what.join(QStringLiteral(" · "))})
            row.cells.push_back({.raw = {}, .text = words(text)});
    }
    table.more = last > first + table.rows.size() ? last - first - table.rows.size() : 0;
    return table;
}

void writeEventsTable(CsvRows& rows, const RunData& run, const TimeSpan& span) {
    const auto row = [&](const std::vector<std::string>& cells) {
        for (const std::string& cell : cells) rows << cell;
        rows.end();
    };
    row(eventCellNames());
    const std::size_t last = run.log->positionAfter(span.to);
    std::size_t i = span.from > SimTime::zero() ? run.log->positionAfter(SimTime{span.from.ns - 1}) : 0;
    for (; i < last && rows.going(); ++i) row(eventCells((*run.log)[i], *run.workload));
}

} // namespace trainyard
