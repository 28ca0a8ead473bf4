// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What workers do, told from the log by the definition (docs/format/events.md) and not by record/WorkerPhases, and what all who
// read the log say of it: metrics, index, state and trace. For property tests.
#include "analysis/RunIndex.h"
#include "base/Format.h"
#include "record/Metrics.h"
#include "run/files/Export.h"
#include "support/RunOracle.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <fstream>

namespace trainyard::test {

/// Nanoseconds of one worker, or of several.
struct WaitingTimes {
    std::int64_t others = 0, servers = 0, computing = 0;
    double share = 0; ///< ∫ of the share of placed workers that wait for others; seconds
    friend bool operator==(const WaitingTimes& a, const WaitingTimes& b) {
        return a.others == b.others && a.servers == b.servers && a.computing == b.computing;
    }
};

/// The events of one job, looked at again for every question.
class JobPhaseOracle {
public:
    JobPhaseOracle(const EventLog& log, JobId job, SimTime end) : m_end(end) {
        for (std::size_t i = 0; i < log.size(); ++i)
            if (log[i].job == job.value) m_events.push_back(log[i]);
    }

    WaitingTimes of(std::uint32_t worker) const {
        WaitingTimes out;
        std::optional<Open> open;
        std::uint32_t task = 0;
        std::optional<SimTime> computes;
        const auto stop = [&](SimTime at) {
            if (computes) out.computing += (at - *computes).ns;
            computes.reset();
        };
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const Event& e = m_events[i];
            if (e.type == EventType::jobRestored && open) {
                add(out, open->since, std::max(open->since, resizedBefore(i)));
                open.reset();
            }
            const bool placing = e.type == EventType::taskPlaced || e.type == EventType::taskRemoved;
            if (placing && e.aux != static_cast<std::uint16_t>(TaskRole::worker)) continue;
            if (e.a != worker || !concernsWorker(e.type)) continue;
            const bool waits = (e.type == EventType::gradientArrived && e.b == task) ||
                               (e.type == EventType::taskCancelled && e.b >= task) ||
                               (e.type == EventType::workerBlocked && !(open && open->blocked));
            const bool begins = e.type == EventType::pullStarted || e.type == EventType::computeStarted || placing ||
                                (e.type == EventType::pushStarted && e.b >= task);
            if (!waits && !begins) continue;
            stop(e.time);
            if (open) close(out, *open, i);
            open.reset();
            if (waits) open = Open{e.time, e.type == EventType::workerBlocked};
            if (e.type == EventType::computeStarted) computes = e.time;
            if (placing) task = 0;
            if (begins && !placing) task = e.b;
            if (e.type == EventType::taskCancelled) task = e.b;
        }
        stop(m_end);
        if (open) add(out, open->since, m_end);
        return out;
    }

private:
    struct Open {
        SimTime since;
        bool blocked = false;
    };
    static bool concernsWorker(EventType type) {
        return type == EventType::taskPlaced || type == EventType::taskRemoved || type == EventType::pullStarted ||
               type == EventType::computeStarted || type == EventType::pushStarted ||
               type == EventType::gradientArrived || type == EventType::taskCancelled ||
               type == EventType::workerBlocked;
    }
    SimTime resizedBefore(std::size_t position) const {
        while (position-- > 0)
            if (m_events[position].type == EventType::jobResized) return m_events[position].time;
        return {};
    }
    /// The arrival of the last gradient of the update after which what happens at `position` happens.
    std::optional<SimTime> lastNeeded(std::size_t position) const {
        bool freed = false;
        for (std::size_t i = position; i-- > 0;) {
            const EventType type = m_events[i].type;
            if (!freed && (type == EventType::gradientArrived || type == EventType::jobRestored)) return std::nullopt;
            freed = freed || type == EventType::lossEvaluated || type == EventType::updateApplied;
            if (type == EventType::updateApplied) return lastArrival(i);
        }
        return std::nullopt;
    }
    std::optional<SimTime> lastArrival(std::size_t update) const {
        std::optional<SimTime> last;
        for (std::size_t i = update; i-- > 0 && m_events[i].type != EventType::updateApplied;) {
            if (m_events[i].type != EventType::gradientUsed) continue;
            for (std::size_t k = i; k-- > 0;) {
                const Event& e = m_events[k];
                if (e.type != EventType::gradientArrived || e.a != m_events[i].a || e.b != m_events[i].b) continue;
                last = last ? std::max(*last, e.time) : e.time;
                break;
            }
        }
        return last;
    }
    void close(WaitingTimes& out, const Open& wait, std::size_t position) const {
        const SimTime to = m_events[position].time;
        const SimTime split = std::clamp(lastNeeded(position).value_or(to), wait.since, to);
        add(out, wait.since, split);
        out.servers += (to - split).ns;
    }
    void add(WaitingTimes& out, SimTime from, SimTime to) const {
        out.others += (to - from).ns;
        int placed = 0;
        SimTime at = from;
        for (const Event& e : m_events) {
            if ((e.type != EventType::taskPlaced && e.type != EventType::taskRemoved) ||
                e.aux != static_cast<std::uint16_t>(TaskRole::worker))
                continue;
            if (e.time > at && at < to && placed > 0) {
                out.share += (std::min(e.time, to) - at).toSeconds() / placed;
                at = std::min(e.time, to);
            }
            placed += e.type == EventType::taskPlaced ? 1 : -1;
        }
        if (at < to && placed > 0) out.share += (to - at).toSeconds() / placed;
    }

    std::vector<Event> m_events;
    SimTime m_end;
};

/// Nanoseconds by what the slices of a trace are called.
inline std::map<std::string, std::int64_t> traceSums(std::shared_ptr<const Workload> workload, const EventLog& log,
                                                     const ClusterState& state) {
    RunRecord record;
    record.scenarioText = "{}";
    record.workload = std::move(workload);
    record.log = {std::shared_ptr<const void>(), &log};
    record.state = {std::shared_ptr<const void>(), &state};
    const QTemporaryDir directory;
    const std::string path = directory.filePath(QStringLiteral("trace.json")).toStdString();
    if (!exportTrace(record, path).empty()) throw InvariantError("no trace could be written");
    std::ifstream file(path);
    const auto json = nlohmann::json::parse(file);
    std::map<std::string, std::int64_t> sums;
    for (const auto& entry : json["traceEvents"])
        if (entry["ph"] == "X") {
            std::string name = entry["name"].get<std::string>();
            name = name.substr(0, name.find(" (cancelled)"));
            sums[name] += std::llround(entry["dur"].get<double>() * 1e3);
        }
    return sums;
}

inline Errors phaseErrors(std::shared_ptr<const Workload> workload, const EventLog& log, const ClusterState& state) {
    Errors errors;
    const SimTime end = state.now();
    RunIndex index(
        {.workload = workload, .log = {std::shared_ptr<const void>(), &log}, .explanations = nullptr, .resources = {}});
    index.update();
    const Metrics metrics = computeMetrics(*workload, log, end);
    WaitingTimes all;
    const auto differ = [&](const std::string& what, double is, double should) {
        const double rounding = 1e-15 * end.toSeconds(); // of instants as seconds
        if (!(std::abs(is - should) <= 1e-9 * std::max(1.0, std::abs(should)) + rounding))
            errors.push_back(what + " is " + formatNumber(is) + ", by the log " + formatNumber(should));
    };
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const JobPhaseOracle oracle(log, JobId(j), end);
        const std::string job = workload->jobs[j].key;
        const JobHistory& history = index.jobs()[j];
        WaitingTimes ofJob;
        for (std::uint32_t w = 0; w < history.workers.size(); ++w) {
            const WaitingTimes should = oracle.of(w);
            const IntervalTrack& track = history.workers[w].track;
            const auto sums = track.empty() ? IntervalTrack::Sums{} : track.sumsUntil(end, track.indexAt(end));
            const auto sum = [&](WorkerPhase phase) { return sums[static_cast<std::size_t>(phase)]; };
            const WaitingTimes is{sum(WorkerPhase::waiting) + sum(WorkerPhase::blocked), sum(WorkerPhase::updating),
                                  sum(WorkerPhase::computing) + sum(WorkerPhase::discarded)};
            if (!(is == should))
                errors.push_back("worker " + std::to_string(w) + " of \"" + job + "\" waits in the strip for others " +
                                 std::to_string(is.others) + " ns and for servers " + std::to_string(is.servers) +
                                 ", by the log " + std::to_string(should.others) + " and " +
                                 std::to_string(should.servers) + "; computes " + std::to_string(is.computing) +
                                 ", by the log " + std::to_string(should.computing));
            ofJob.others += should.others;
            ofJob.servers += should.servers;
            ofJob.computing += should.computing;
            ofJob.share += should.share;
        }
        const auto& values = metrics.jobs[j];
        if (values.contains("straggler_wait_s")) {
            differ("straggler_wait_s of " + job, values.at("straggler_wait_s"),
                   static_cast<double>(ofJob.others) * 1e-9);
            differ("update_wait_s of " + job, values.at("update_wait_s"), static_cast<double>(ofJob.servers) * 1e-9);
        }
        differ("the time lost to waiting of " + job, history.waitedUntil(end), ofJob.share);
        all.others += ofJob.others;
        all.servers += ofJob.servers;
        all.computing += ofJob.computing;
    }
    auto trace = traceSums(workload, log, state);
    if (trace["waiting"] + trace["blocked"] != all.others || trace["update"] != all.servers ||
        trace["compute"] != all.computing)
        errors.push_back("the trace waits for others " + std::to_string(trace["waiting"] + trace["blocked"]) +
                         " ns, for servers " + std::to_string(trace["update"]) + ", computes " +
                         std::to_string(trace["compute"]) + ", by the log " + std::to_string(all.others) + ", " +
                         std::to_string(all.servers) + ", " + std::to_string(all.computing));
    return errors;
}

/// What the state says of a worker at each instant is what the index says, but for what is known only afterwards.
inline Errors stateErrors(std::shared_ptr<const Workload> workload, const EventLog& log) {
    Errors errors;
    RunIndex index(
        {.workload = workload, .log = {std::shared_ptr<const void>(), &log}, .explanations = nullptr, .resources = {}});
    index.update();
    ClusterState state(workload);
    const auto sameness = [](WorkerPhase phase) {
        if (phase == WorkerPhase::discarded) return WorkerPhase::computing;
        return isIdle(phase) ? WorkerPhase::waiting : phase;
    };
    for (std::size_t i = 0; i < log.size() && errors.empty(); ++i) {
        state.apply(log[i]);
        const Event& e = log[i];
        if ((i + 1 < log.size() && log[i + 1].time == e.time) || e.job == JobId::none) continue;
        const auto& workers = state.job(e.jobId()).workers;
        for (std::size_t w = 0; w < workers.size(); ++w) {
            if (!state.job(e.jobId()).placement.workers[w].valid()) continue;
            const IntervalTrack& track = index.jobs()[e.job].workers[w].track;
            const WorkerPhase strip = track.phase(track.indexAt(e.time));
            if (sameness(strip) != sameness(workers[w].phase))
                errors.push_back("worker " + std::to_string(w) + " of job " + std::to_string(e.job) + " at " +
                                 std::to_string(e.time.ns) + " ns is \"" + std::string(phaseKey(workers[w].phase)) +
                                 "\" in the state, \"" + std::string(phaseKey(strip)) + "\" in the strip");
        }
    }
    return errors;
}

} // namespace trainyard::test
