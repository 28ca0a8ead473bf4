// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The run in the Chrome trace event format (JSON object form), as Perfetto and chrome://tracing read it: a
// process per machine, a thread per task, slices for what a worker does, inside a slice for its placement;
// instants for decisions, failures and the lives of jobs; counters for link loads and losses. Times are
// microseconds.
#include "base/Format.h"
#include "record/EventMeanings.h"
#include "record/WorkerPhases.h"
#include "run/files/AtomicFile.h"
#include "run/files/Export.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace {

constexpr int clusterProcess = 1; ///< machine m is process m + 2
constexpr int decisionThread = 1, jobThread = 2, firstTaskThread = 10;

std::string jsonText(std::string_view text) { return nlohmann::json(text).dump(-1, ' ', true); }

std::string microseconds(std::int64_t ns) {
    std::string fraction = std::to_string(1000 + ns % 1000).substr(1);
    return std::to_string(ns / 1000) + "." + fraction;
}

class TraceWriter {
public:
    TraceWriter(const RunRecord& record, AtomicFile& file)
        : m_record(record), m_file(file), m_phases(record.workload->jobs.size()) {}
    void write();

private:
    struct TaskTrace {
        int thread = 0;
        bool placed = false;
        std::uint32_t machine = 0;
        SimTime placedAt;
        const char* measure = ""; ///< of the phase it is in
        double amount = 0;
    };
    using TaskKey = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>; ///< job, role, index

    void entry(const std::string& fields) {
        m_file.write(m_first ? "\n{" : ",\n{");
        m_first = false;
        m_file.write(fields);
        m_file.write("}");
    }
    void name(const char* what, int process, int thread, const std::string& text);
    void instant(int process, int thread, const char* scope, SimTime at, const std::string& text);
    void counter(SimTime at, const std::string& name, const char* unit, double value);
    void slice(const TaskTrace& task, SimTime from, SimTime to, const std::string& text, const std::string& arguments);
    void place(const Event& e);
    void remove(TaskTrace& task, const TaskKey& key, SimTime at);
    void follow(const Event& e);
    void activity(const TaskTrace& task, const WorkerState& state, SimTime until, const char* end = "");
    void apply(const Event& e);
    void applyRare(const Event& e);
    const std::string& jobKey(std::uint32_t job) const { return m_record.workload->jobs[job].key; }

    const RunRecord& m_record;
    AtomicFile& m_file;
    std::map<TaskKey, TaskTrace> m_tasks;
    std::vector<WorkerPhases> m_phases; ///< by job
    std::map<std::pair<int, int>, bool> m_named;
    bool m_first = true;
    int m_nextThread = firstTaskThread;
};

void TraceWriter::name(const char* what, int process, int thread, const std::string& text) {
    entry("\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + std::to_string(process) +
          ",\"tid\":" + std::to_string(thread) + ",\"args\":{\"name\":" + jsonText(text) + "}");
}

void TraceWriter::instant(int process, int thread, const char* scope, SimTime at, const std::string& text) {
    entry("\"ph\":\"i\",\"s\":\"" + std::string(scope) + "\",\"pid\":" + std::to_string(process) +
          ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + microseconds(at.ns) + ",\"name\":" + jsonText(text));
}

void TraceWriter::counter(SimTime at, const std::string& text, const char* unit, double value) {
    if (!std::isfinite(value)) return;
    entry("\"ph\":\"C\",\"pid\":" + std::to_string(clusterProcess) + ",\"ts\":" + microseconds(at.ns) +
          ",\"name\":" + jsonText(text) + ",\"args\":{\"" + unit + "\":" + formatNumber(value) + "}");
}

void TraceWriter::slice(const TaskTrace& task, SimTime from, SimTime to, const std::string& text,
                        const std::string& arguments) {
    if (to <= from) return;
    entry("\"ph\":\"X\",\"pid\":" + std::to_string(task.machine + 2) + ",\"tid\":" + std::to_string(task.thread) +
          ",\"ts\":" + microseconds(from.ns) + ",\"dur\":" + microseconds((to - from).ns) +
          ",\"name\":" + jsonText(text) + ",\"args\":{" + arguments + "}");
}

void TraceWriter::place(const Event& e) {
    TaskTrace& task = m_tasks[{e.job, e.aux, e.a}];
    if (task.thread == 0) task.thread = m_nextThread++;
    task.placed = true;
    task.machine = e.b;
    task.placedAt = e.time;
    const int process = static_cast<int>(e.b) + 2;
    if (!std::exchange(m_named[{process, task.thread}], true))
        name("thread_name", process, task.thread,
             jobKey(e.job) + " " + fieldText(FieldKind::role, e.aux, *m_record.workload) + " " + std::to_string(e.a));
}

void TraceWriter::remove(TaskTrace& task, const TaskKey& key, SimTime at) {
    slice(task, task.placedAt, at, jobKey(std::get<0>(key)), "");
    task.placed = false;
}

/// What each phase measures.
std::pair<const char*, double> measured(const Event& e) {
    switch (e.type) {
    case EventType::pullStarted:
    case EventType::pushStarted: return {"bytes", e.value};
    case EventType::computeStarted: return {"samples", e.value};
    case EventType::gradientArrived: return {"staleness", e.value};
    default: return {"", 0};
    }
}

void TraceWriter::follow(const Event& e) {
    for (const auto& [worker, before, after] : m_phases[e.job].apply(e)) {
        const auto it = m_tasks.find({e.job, static_cast<std::uint16_t>(TaskRole::worker), worker});
        if (it == m_tasks.end()) continue;
        activity(it->second, before, after.since, e.type == EventType::taskCancelled ? " (cancelled)" : "");
        std::tie(it->second.measure, it->second.amount) =
            after.since == e.time ? measured(e) : std::pair<const char*, double>("", 0);
    }
}

void TraceWriter::activity(const TaskTrace& task, const WorkerState& state, SimTime until, const char* end) {
    if (!activityOf(state.phase)) return;
    std::string arguments = "\"task\":" + std::to_string(state.task);
    if (*task.measure && std::isfinite(task.amount))
        arguments += ",\"" + std::string(task.measure) + "\":" + formatNumber(task.amount);
    slice(task, state.since, until, std::string(phaseKey(state.phase)) + end, arguments);
}

void TraceWriter::apply(const Event& e) {
    if (e.type == EventType::taskPlaced) place(e);
    if (e.job != JobId::none) follow(e);
    switch (e.type) {
    case EventType::taskRemoved: {
        const TaskKey key{e.job, e.aux, e.a};
        if (const auto it = m_tasks.find(key); it != m_tasks.end() && it->second.placed)
            remove(it->second, key, e.time);
        break;
    }
    case EventType::linkLoad:
        counter(e.time, "link " + directedLinkName(e.a, m_record.workload->cluster), "bytes_per_s", e.value);
        break;
    case EventType::noiseMeasured: counter(e.time, "noise scale " + jobKey(e.job), "samples", e.value); break;
    case EventType::lossEvaluated: counter(e.time, "loss " + jobKey(e.job), "loss", e.value); break;
    default: applyRare(e); break;
    }
}

void TraceWriter::applyRare(const Event& e) {
    switch (e.type) {
    case EventType::decision: {
        std::string text = fieldText(FieldKind::family, e.aux, *m_record.workload);
        if (const auto* why = m_record.explanations->at(e.a)) text += ": " + why->summary.english();
        instant(clusterProcess, decisionThread, "t", e.time, text);
        break;
    }
    case EventType::machineFailed:
    case EventType::machineRepaired:
        instant(static_cast<int>(e.a) + 2, 0, "p", e.time, std::string(eventName(e.type)));
        break;
    case EventType::linkFailed:
    case EventType::linkRepaired:
        instant(clusterProcess, decisionThread, "p", e.time,
                std::string(eventName(e.type)) + " " + linkName(e.a, m_record.workload->cluster));
        break;
    case EventType::jobArrived:
    case EventType::jobStarted:
    case EventType::jobResized:
    case EventType::batchChanged:
    case EventType::jobPreempted:
    case EventType::jobRejected:
    case EventType::jobFinished:
    case EventType::jobFailed:
    case EventType::checkpointDone:
    case EventType::jobRestored:
        instant(clusterProcess, jobThread, "t", e.time, std::string(eventName(e.type)) + " " + jobKey(e.job));
        break;
    default: break;
    }
}

void TraceWriter::write() {
    m_file.write("{\"provenance\":" + provenanceJsonText(m_record) +
                 ",\n\"displayTimeUnit\":\"ms\",\n\"traceEvents\":[");
    name("process_name", clusterProcess, 0, "cluster");
    name("thread_name", clusterProcess, decisionThread, "decisions");
    name("thread_name", clusterProcess, jobThread, "jobs");
    const auto& machines = m_record.workload->cluster.machines;
    for (std::size_t m = 0; m < machines.size(); ++m)
        name("process_name", static_cast<int>(m) + 2, 0, machines[m].name.empty() ? machines[m].key : machines[m].name);
    const std::size_t count = m_record.log->size();
    for (std::size_t i = 0; i < count && !m_file.failed(); ++i) apply((*m_record.log)[i]);
    for (auto& [key, task] : m_tasks) {
        const auto& [job, role, index] = key;
        if (!task.placed) continue;
        if (role == static_cast<std::uint16_t>(TaskRole::worker))
            activity(task, m_phases[job].of(index), m_record.state->now());
        remove(task, key, m_record.state->now());
    }
    m_file.write("\n]}\n");
}

} // namespace

Problems exportTrace(const RunRecord& record, const std::filesystem::path& path) {
    AtomicFile file(path);
    TraceWriter(record, file).write();
    return file.commit();
}

} // namespace trainyard
