// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/LaneTables.h"

#include "plots/HistoryFold.h"
#include "plots/RunFold.h"

#include <algorithm>

namespace trainyard {

namespace lane_tables {

bool within(const TimeSpan& span, double seconds) {
    return seconds >= span.from.toSeconds() && seconds <= span.to.toSeconds();
}

void heads(CsvRows& rows, std::initializer_list<const char*> names) {
    for (const char* name : names) rows << name;
    rows.end();
}

void lossRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"job", "time_s", "update", "loss"});
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        const LossSeries& s = run.jobs()[j].losses;
        for (std::size_t i = 0; i < s.size() && rows.going(); ++i)
            if (within(span, s.time[i]))
                (rows << run.workload().jobs[j].key << s.time[i] << s.update[i] << s.loss[i]).end();
    }
}

void trackRows(CsvRows& rows, const RunFold& run, const TimeSpan& span, std::size_t job, std::size_t worker) {
    const IntervalTrack& track = run.jobs()[job].workers[worker].track;
    for (std::size_t i = 0; i < track.size() && rows.going(); ++i) {
        const SimTime start = track.start(i), end = track.end(i, run.head());
        if (track.phase(i) == WorkerPhase::absent || end < span.from || start > span.to) continue;
        (rows << run.workload().jobs[job].key << "w" + std::to_string(worker + 1) << std::to_string(track.task(i))
              << std::string(phaseKey(track.phase(i))) << start << end)
            .end();
    }
}

void stragglerRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"job", "worker", "iteration", "activity", "start_s", "end_s"});
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        for (std::size_t w = 0; w < run.jobs()[j].workers.size(); ++w) trackRows(rows, run, span, j, w);
}

void ganttRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"machine", "slot", "job", "role", "task", "start_s", "end_s"});
    for (std::size_t m = 0; m < run.machines().size(); ++m) {
        const std::string& key = run.workload().cluster.machines[m].key;
        const MachineHistory& machine = run.machines()[m];
        for (std::size_t s = 0; s < machine.slotLanes.size(); ++s)
            for (const auto& stay : machine.slotLanes[s].stays) {
                if (!rows.going()) return;
                const SimTime end = std::min(stay.end, run.head());
                if (end < span.from || stay.start > span.to) continue;
                (rows << key << std::to_string(s) << run.workload().jobs[stay.job].key
                      << (stay.role == TaskRole::worker ? "worker" : "server")
                      << (stay.role == TaskRole::worker ? "w" : "s") + std::to_string(stay.index + 1) << stay.start
                      << end)
                    .end();
            }
        for (const Outage& outage : machine.outages) {
            const SimTime end = std::min(outage.end, run.head());
            if (end < span.from || outage.start > span.to) continue;
            (rows << key << ""
                  << ""
                  << "down"
                  << "" << outage.start << end)
                .end();
        }
    }
}

/// With the value that holds at the beginning of the span. `last`: one more field, the same in each row.
void stepRows(CsvRows& rows, const std::string& name, const StepSeries& series, const TimeSpan& span,
              const std::optional<std::string>& last = {}) {
    if (series.size() == 0) return;
    const double from = span.from.toSeconds();
    std::size_t i = series.after(from);
    if (i > 0) --i;
    for (; i < series.size() && series.time(i) <= span.to.toSeconds() && rows.going(); ++i) {
        rows << name << std::max(series.time(i), from) << series.value(i);
        if (last) rows << *last;
        rows.end();
    }
}

const char* endId(JobHistory::End end) {
    switch (end) {
    case JobHistory::End::finished: return "finished";
    case JobHistory::End::failed: return "failed";
    case JobHistory::End::rejected: return "rejected";
    case JobHistory::End::none: break;
    }
    return "";
}

/// What a job went through, in order of time: its waits, its numbers of workers, its end.
void jobGanttRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"job", "state", "workers", "start_s", "end_s"});
    struct Part {
        const char* state;
        std::string workers;
        double from, to;
    };
    const double head = run.head().toSeconds();
    for (std::size_t j = 0; j < run.jobs().size() && rows.going(); ++j) {
        const JobHistory& job = run.jobs()[j];
        std::vector<Part> parts;
        for (const JobHistory::Wait& wait : job.waits())
            parts.push_back({"waiting", {}, wait.start.toSeconds(), std::min(wait.end, run.head()).toSeconds()});
        const StepSeries& placed = job.placed();
        for (std::size_t i = 0; i < placed.size(); ++i)
            if (placed.value(i) > 0)
                parts.push_back({"running", formatNumber(placed.value(i)), placed.time(i),
                                 i + 1 < placed.size() ? placed.time(i + 1) : head});
        if (job.end() != JobHistory::End::none)
            parts.push_back({endId(job.end()), {}, job.endedAt().toSeconds(), job.endedAt().toSeconds()});
        std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.from < b.from; });
        for (const Part& part : parts)
            if (part.to >= span.from.toSeconds() && part.from <= span.to.toSeconds())
                (rows << run.workload().jobs[j].key << part.state << part.workers << part.from << part.to).end();
    }
}

void queueRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"state", "time_s", "jobs"});
    stepRows(rows, "waiting", run.waitingJobs(), span);
    stepRows(rows, "running", run.runningJobs(), span);
}

std::string curveId(const HistoryFold& history, const HistoryFold::Curve& curve) {
    const Cluster& cluster = history.run().workload->cluster;
    using What = HistoryFold::Curve::What;
    switch (curve.what) {
    case What::resource:
        return curve.index < cluster.resourceNames.size() ? cluster.resourceNames[curve.index]
                                                          : "resource " + std::to_string(curve.index + 1);
    case What::busyTasks: return "computing tasks";
    case What::load: {
        const Link& link = cluster.links[history.index()];
        return "to " + (curve.index == 0 ? link.to : link.from);
    }
    case What::placed: return "placed workers";
    case What::computing: return "computing workers";
    case What::waiting: return "waiting workers";
    }
    return {};
}

void metricRows(CsvRows& rows, const MetricHistory& metric, const TimeSpan& span) {
    if (!metric.known()) return;
    const LinePoints line = metric.points();
    for (std::size_t i = 0; i < line.x.size() && rows.going(); ++i)
        if (line.x[i] >= span.from.toSeconds() && line.x[i] <= span.to.toSeconds())
            (rows << metric.definition().id << line.x[i] << line.y[i] << std::string()).end();
}

void utilizationRows(CsvRows& rows, const RunFold& run, const TimeSpan& span) {
    heads(rows, {"resource", "time_s", "share"});
    const auto& names = run.workload().cluster.resourceNames;
    for (std::size_t r = 0; r < run.utilization().size(); ++r) {
        const std::string name = r < names.size() ? names[r] : "resource " + std::to_string(r + 1);
        stepRows(rows, name, run.utilization()[r], span);
        stepRows(rows, name + " busy", run.busy()[r], span);
    }
    stepRows(rows, "busiest link", run.busiestLink(), span);
}

} // namespace lane_tables

bool writeLaneTable(CsvRows& rows, const QString& lane, bool byJob, const RunFold& run, const TimeSpan& span) {
    if (lane == QLatin1String("loss"))
        lane_tables::lossRows(rows, run, span);
    else if (lane == QLatin1String("stragglers"))
        lane_tables::stragglerRows(rows, run, span);
    else if (lane == QLatin1String("gantt") && byJob)
        lane_tables::jobGanttRows(rows, run, span);
    else if (lane == QLatin1String("gantt"))
        lane_tables::ganttRows(rows, run, span);
    else if (lane == QLatin1String("queue"))
        lane_tables::queueRows(rows, run, span);
    else if (lane == QLatin1String("utilization"))
        lane_tables::utilizationRows(rows, run, span);
    else
        return false;
    return true;
}

void writeHistoryTable(CsvRows& rows, const HistoryFold& history, const TimeSpan& span) {
    using What = HistoryFold::Curve::What;
    lane_tables::heads(rows, {"series", "time_s", "value", "capacity"});
    if (const MetricHistory* metric = history.metric()) {
        lane_tables::metricRows(rows, *metric, span);
        return;
    }
    for (const HistoryFold::Curve& curve : history.curves()) {
        const bool limited = curve.what == What::resource || curve.what == What::load;
        lane_tables::stepRows(rows, lane_tables::curveId(history, curve), curve.series, span,
                              limited ? formatNumber(curve.full) : std::string());
    }
    lane_tables::stepRows(rows, "placed tasks", history.tasks(), span, std::string());
    StepSeries down;
    for (const Outage& outage : history.outages()) {
        down.set(outage.start.toSeconds(), 1);
        if (outage.end != SimTime::never()) down.set(outage.end.toSeconds(), 0);
    }
    lane_tables::stepRows(rows, "down", down, span, std::string());
}

void writeLaneReadings(CsvRows& rows, const LanePainter& painter, LaneInput input, const TimeSpan& span, int samples,
                       int first, int last) {
    if (first == 0) lane_tables::heads(rows, {"time_s", "series", "reading"});
    const Theme theme = Theme::print();
    for (int i = first; i < last && rows.going(); ++i) {
        const double share = samples > 1 ? static_cast<double>(i) / (samples - 1) : 1;
        input.at =
            SimTime{span.from.ns + static_cast<std::int64_t>(share * static_cast<double>((span.to - span.from).ns))};
        for (const LegendEntry& entry : painter.legend(theme, input))
            if (!entry.value.isEmpty())
                (rows << input.at << entry.label.toStdString() << entry.value.toStdString()).end();
    }
}

} // namespace trainyard
