// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ViewTables.h"

#include "record/EventMeanings.h"
#include "run/files/Export.h"
#include "session/MetricSubject.h"
#include "tables/EventTableModel.h"
#include "tables/JobsModel.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard {

namespace view_tables {

constexpr std::size_t stretch = 1 << 14; // events between two questions whether to go on

std::size_t placed(const std::vector<MachineId>& tasks) {
    return static_cast<std::size_t>(std::count_if(tasks.begin(), tasks.end(), [](MachineId m) { return m.valid(); }));
}

/// Since the job arrived, until it ended or now.
double secondsHere(const Job& job, const JobState& state, SimTime at) {
    const bool ended =
        state.phase == JobPhase::finished || state.phase == JobPhase::rejected || state.phase == JobPhase::failed;
    return state.phase == JobPhase::future ? 0 : ((ended ? state.since : at) - job.arrival).toSeconds();
}

template <class Fold>
bool foldUpTo(Fold& fold, const EventLog& log, std::size_t end, const std::function<bool()>& going) {
    for (std::size_t i = 0; i < end; ++i) {
        if (i % stretch == 0 && going && !going()) return false;
        fold.apply(log[i]);
    }
    return true;
}

std::string raw(const std::map<std::string, double>& values, const std::string& id) {
    const auto it = values.find(id);
    return it == values.end() ? std::string() : formatNumber(it->second);
}

QString shown(const std::map<std::string, double>& values, const MetricDefinition& metric) {
    const auto it = values.find(metric.id);
    return it == values.end() ? QStringLiteral("–") : metricText(it->second, metric.unit);
}

} // namespace view_tables

std::shared_ptr<const ClusterState> stateOf(const RunData& run, SimTime at, const std::function<bool()>& going) {
    auto state = std::make_shared<ClusterState>(run.workload);
    return view_tables::foldUpTo(*state, *run.log, run.log->positionAfter(at), going) ? state : nullptr;
}

TableTexts jobsTable(const ClusterState& state, SimTime at) {
    TableTexts table{
        .heads = {QCoreApplication::translate("Figure", "Job"), QCoreApplication::translate("Figure", "Kind"),
                  QCoreApplication::translate("Figure", "State"), QCoreApplication::translate("Figure", "Updates"),
                  QCoreApplication::translate("Figure", "Workers"), QCoreApplication::translate("Figure", "Servers"),
                  QCoreApplication::translate("Figure", "Loss"),
                  QCoreApplication::translate("Figure", "Time in system")},
        .numbers = {false, false, false, true, true, true, true, true}};
    for (std::size_t j = 0; j < state.jobs().size(); ++j) {
        if (j == mostTableRows) {
            table.more = state.jobs().size() - j;
            break;
        }
        const Job& job = state.workload().jobs[j];
        const JobState& s = state.jobs()[j];
        QString updates = countText(static_cast<double>(s.updates));
        if (job.stop.iterations)
            updates += QStringLiteral(" / ") + countText(static_cast<double>(*job.stop.iterations));
        table.rows.push_back(
            {jobName(job), jobKindText(job.kind()), jobPhaseText(s.phase), updates,
             QString::number(view_tables::placed(s.placement.workers)),
             QString::number(view_tables::placed(s.placement.servers)),
             s.hasLoss ? QString::fromStdString(formatNumber(s.lastLoss, 4)) : QStringLiteral("–"),
             s.phase == JobPhase::future ? QStringLiteral("–") : timeSpanText(view_tables::secondsHere(job, s, at))});
    }
    return table;
}

void writeJobsTable(CsvRows& rows, const ClusterState& state, SimTime at) {
    for (const char* head : {"at_s", "job", "name", "kind", "state", "updates", "updates_wanted", "workers", "servers",
                             "loss", "time_here_s"})
        rows << head;
    rows.end();
    for (std::size_t j = 0; j < state.jobs().size() && rows.going(); ++j) {
        const Job& job = state.workload().jobs[j];
        const JobState& s = state.jobs()[j];
        static constexpr const char* kinds[] = {"trained", "analytic", "graph"};
        static constexpr const char* phases[] = {"future", "waiting", "running", "finished", "rejected", "failed"};
        rows << at << job.key << job.name << kinds[static_cast<int>(job.kind())] << phases[static_cast<int>(s.phase)]
             << std::to_string(s.updates)
             << (job.stop.iterations ? std::to_string(*job.stop.iterations) : std::string())
             << std::to_string(view_tables::placed(s.placement.workers))
             << std::to_string(view_tables::placed(s.placement.servers))
             << (s.hasLoss ? formatNumber(s.lastLoss, 12) : std::string()) << view_tables::secondsHere(job, s, at);
        rows.end();
    }
}

MetricsPair metricsOf(const RunData& run, SimTime at, SimTime end, const std::function<bool()>& going) {
    MetricsFold fold(*run.workload);
    const std::size_t now = run.log->positionAfter(at), last = run.log->positionAfter(end);
    if (!view_tables::foldUpTo(fold, *run.log, std::min(now, last), going)) return {};
    MetricsPair metrics{.at = fold.at(std::min(at, end))};
    for (std::size_t i = std::min(now, last); i < last; ++i) {
        if (i % view_tables::stretch == 0 && going && !going()) return {};
        fold.apply((*run.log)[i]);
    }
    metrics.end = fold.at(end);
    return metrics;
}

TableTexts metricsTable(const MetricsPair& metrics, const Workload& workload, SimTime at, SimTime end) {
    TableTexts table{.heads = {QCoreApplication::translate("Figure", "Metric"),
                               QCoreApplication::translate("Figure", "At %1").arg(clockText(end))},
                     .numbers = {false, true}};
    const bool both = at < end;
    if (both) {
        table.heads.insert(1, QCoreApplication::translate("Figure", "At %1").arg(clockText(at)));
        table.numbers.push_back(true);
    }
    for (const MetricDefinition& each : metricDefinitionsFor(workload)) {
        if (!metrics.at.values.contains(each.id) && !metrics.end.values.contains(each.id)) continue;
        QStringList row{metricLabel(each)};
        if (both) row << view_tables::shown(metrics.at.values, each);
        table.rows.push_back(row << view_tables::shown(metrics.end.values, each));
    }
    return table;
}

void writeMetricsTable(CsvRows& rows, const MetricsPair& metrics, const Workload& workload) {
    for (const char* head : {"metric", "of", "at_cursor", "at_end", "unit", "meaning"}) rows << head;
    rows.end();
    const auto row = [&](const MetricDefinition& metric, const std::string& of, const auto& at, const auto& end) {
        rows << metric.id << of << view_tables::raw(at, metric.id) << view_tables::raw(end, metric.id) << metric.unit
             << metric.definition;
        rows.end();
    };
    const std::vector<MetricDefinition> definitions = metricDefinitionsFor(workload);
    for (const MetricDefinition& each : definitions) row(each, "whole run", metrics.at.values, metrics.end.values);
    const std::size_t jobs = std::min(metrics.at.jobs.size(), metrics.end.jobs.size());
    for (std::size_t j = 0; j < jobs && rows.going(); ++j)
        for (const MetricDefinition& each : definitions)
            if (each.perJob()) row(each, workload.jobs[j].key, metrics.at.jobs[j], metrics.end.jobs[j]);
}

TableTexts eventsTable(const RunData& run, const TimeSpan& span) {
    TableTexts table{.heads = {QCoreApplication::translate("Figure", "Time"),
                               QCoreApplication::translate("Figure", "Event"),
                               QCoreApplication::translate("Figure", "Job"),
                               QCoreApplication::translate("Figure", "Where and what")},
                     .numbers = {true, false, false, false}};
    const std::size_t first = span.from > SimTime::zero() ? run.log->positionAfter(span.from) : 0;
    const std::size_t last = run.log->positionAfter(span.to);
    for (std::size_t i = first; i < std::min(last, first + mostTableRows); ++i) {
        const Event& e = (*run.log)[i];
        QStringList what{eventPlaceText(e, *run.workload), eventValueText(e, *run.workload)};
        what.removeAll(QString());
        table.rows.push_back({clockText(e.time), eventTypeText(e.type),
                              e.job < run.workload->jobs.size() ? jobName(run.workload->jobs[e.job]) : QString(),
                              what.join(QStringLiteral(" · "))});
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
