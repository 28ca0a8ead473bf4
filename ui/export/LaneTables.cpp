// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/LaneTables.h"

#include "session/ShownIndex.h"

#include <algorithm>

namespace trainyard {

namespace lane_tables {

void heads(CsvRows& rows, std::initializer_list<const char*> names) {
    for (const char* name : names) rows << name;
    rows.end();
}

void trackRows(CsvRows& rows, const ShownIndex& run, const TimeSpan& span, std::size_t job, std::size_t worker) {
    const IntervalTrack& track = run.jobs()[job].workers[worker].track;
    for (std::size_t i = 0; i < track.size() && rows.going(); ++i) {
        const SimTime start = track.start(i), end = track.end(i, run.head());
        if (track.phase(i) == WorkerPhase::absent || end < span.from || start > span.to) continue;
        (rows << run.workload().jobs[job].key << "w" + std::to_string(worker + 1) << std::to_string(track.task(i))
              << std::string(phaseKey(track.phase(i))) << start << end)
            .end();
    }
}

void stragglerRows(CsvRows& rows, const ShownIndex& run, const TimeSpan& span) {
    heads(rows, {"job", "worker", "iteration", "activity", "start_s", "end_s"});
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        for (std::size_t w = 0; w < run.jobs()[j].workers.size(); ++w) trackRows(rows, run, span, j, w);
}

void ganttRows(CsvRows& rows, const ShownIndex& run, const TimeSpan& span) {
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
void jobGanttRows(CsvRows& rows, const ShownIndex& run, const TimeSpan& span) {
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

} // namespace lane_tables

void writeLaneTable(CsvRows& rows, const QString& lane, bool byJob, const ShownIndex& run, const TimeSpan& span) {
    if (lane == QLatin1String("stragglers"))
        lane_tables::stragglerRows(rows, run, span);
    else if (lane == QLatin1String("gantt") && byJob)
        lane_tables::jobGanttRows(rows, run, span);
    else if (lane == QLatin1String("gantt"))
        lane_tables::ganttRows(rows, run, span);
}

} // namespace trainyard
