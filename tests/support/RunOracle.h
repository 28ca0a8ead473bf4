// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What must hold of any run, told from its log by other code than that of the product: why jobs ended, what metrics are, how old
// parameters were. Every function gives what does not hold, in words; empty: everything does.
#include "model/Routes.h"
#include "model/Workload.h"
#include "record/EventLog.h"
#include "record/KeyCounters.h"
#include "record/KeyMessageType.h"
#include "record/MetricsFold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace trainyard::test {

using Errors = std::vector<std::string>;

inline std::string inWords(double value) { return std::to_string(value); }

/// The seconds in which a job was running, restarts and moves included, up to an instant.
struct RunningTime {
    double seconds = 0;
    std::optional<SimTime> since;
    double until(SimTime now) const { return seconds + (since ? (now - *since).toSeconds() : 0); }
    void begin(SimTime now) { since = now; }
    void end(SimTime now) {
        seconds = until(now);
        since.reset();
    }
};

/// Whether each job ended when one of its rules said so, no earlier and no more than `late` seconds later.
inline Errors endErrors(const Workload& workload, const EventLog& log, double late = 2e-9) {
    struct Course {
        RunningTime running;
        std::optional<double> loss;
        std::uint64_t lossUpdate = 0, updates = 0;
    };
    std::vector<Course> courses(workload.jobs.size());
    Errors errors;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        if (e.job >= courses.size()) continue;
        Course& course = courses[e.job];
        const Job& job = workload.jobs[e.job];
        const auto complain = [&](const std::string& what) {
            errors.push_back("job " + job.key + " at " + inWords(e.time.toSeconds()) + " s: " + what);
        };
        switch (e.type) {
        case EventType::jobStarted: course.running.begin(e.time); break;
        case EventType::jobPreempted:
            course.running.end(e.time);
            course.updates = e.a;
            break;
        case EventType::updateApplied: course.updates = e.count(); break;
        case EventType::lossEvaluated:
            course.loss = e.value;
            course.lossUpdate = e.count();
            break;
        case EventType::jobFailed: course.running.end(e.time); break;
        case EventType::jobFinished: {
            course.running.end(e.time);
            const auto reason = static_cast<FinishReason>(e.aux);
            const LossEvaluation* evaluation = nullptr;
            if (const auto* w = std::get_if<TrainedWork>(&job.work)) evaluation = &w->evaluation;
            if (const auto* w = std::get_if<AnalyticWork>(&job.work)) evaluation = &w->evaluation;
            if (reason == FinishReason::iterations &&
                course.updates != static_cast<std::uint64_t>(*job.stop.iterations))
                complain("it ended by its iterations after " + std::to_string(course.updates));
            if (reason == FinishReason::seconds && std::abs(course.running.seconds - *job.stop.seconds) > late)
                complain("it ended by its seconds after " + inWords(course.running.seconds));
            if (reason != FinishReason::loss) break;
            if (!course.loss || *course.loss > *job.stop.loss || course.lossUpdate != course.updates)
                complain("it ended by a loss that was not evaluated");
            std::uint64_t every = static_cast<std::uint64_t>(evaluation->everyIterations);
            if (const KeyedAccess* access = job.keyedAccess(); access && access->task) {
                const auto examples = static_cast<std::uint64_t>(std::get<AnalyticWork>(job.work).samples);
                every = examples * static_cast<std::uint64_t>(access->task->evaluateEvery);
                if (job.stop.iterations && course.updates == static_cast<std::uint64_t>(*job.stop.iterations)) break;
                if (job.stop.epochs &&
                    static_cast<double>(course.updates) >= *job.stop.epochs * static_cast<double>(examples) - 1)
                    break;
            }
            if (course.updates % every != 0)
                complain("it ended by its loss after " + std::to_string(course.updates) +
                         " updates, none to evaluate at");
            break;
        }
        default: break;
        }
        if (job.stop.seconds && course.running.until(e.time) > *job.stop.seconds + late)
            complain("it has run for " + inWords(course.running.until(e.time)) + " s of " + inWords(*job.stop.seconds));
    }
    return errors;
}

/// mean_staleness of a job with one server, whose links are whole: a worker's parameters are those of the instant at which its
/// request has reached the server. Given as a range: requests may arrive at the instant of an update, and their 64 bytes share links with
/// at most one message of every other worker. Nothing: none was used.
inline std::optional<std::pair<double, double>> meanStaleness(const Workload& workload, const EventLog& log, JobId id) {
    struct Read {
        std::uint64_t least = 0, most = 0; ///< the version read
    };
    RouteTable routes(workload.cluster);
    std::vector<SimTime> applied; ///< by version − 1
    std::map<std::uint32_t, MachineId> workers;
    MachineId server;
    using Arrival = std::pair<SimTime, SimTime>; ///< of a request: the earliest and the latest possible
    std::map<std::uint32_t, Arrival> arrival;    ///< of a worker's last request
    std::map<std::pair<std::uint32_t, std::uint32_t>, Arrival> of; ///< by worker and task
    double least = 0, most = 0;
    int used = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        if (e.job != id.value) continue;
        switch (e.type) {
        case EventType::taskPlaced: {
            MachineId machine;
            machine.value = e.b;
            if (e.aux == static_cast<std::uint16_t>(TaskRole::worker))
                workers[e.a] = machine;
            else
                server = machine;
            break;
        }
        case EventType::pullStarted: {
            const auto route = routes.route(routes.vertexOf(workers[e.a]), routes.vertexOf(server));
            const bool local = workers[e.a] == server;
            const SimTime earliest = e.time + (local ? Duration{} : route->latency);
            const double sending = 64.0 * static_cast<double>(workers.size()) / route->bottleneck;
            arrival[e.a] = {earliest, earliest + (local ? Duration{} : Duration::seconds(sending))};
            break;
        }
        case EventType::computeStarted: of[{e.a, e.b}] = arrival[e.a]; break;
        case EventType::updateApplied: applied.push_back(e.time); break;
        case EventType::gradientUsed: {
            const auto it = of.find({e.a, e.b});
            if (it == of.end()) break;
            const auto before = std::lower_bound(applied.begin(), applied.end(), it->second.first) - applied.begin();
            const auto upTo = std::upper_bound(applied.begin(), applied.end(), it->second.second) - applied.begin();
            least += static_cast<double>(static_cast<std::ptrdiff_t>(applied.size()) - upTo);
            most += static_cast<double>(static_cast<std::ptrdiff_t>(applied.size()) - before);
            ++used;
            of.erase(it);
            break;
        }
        default: break;
        }
    }
    if (used == 0) return std::nullopt;
    return std::pair(least / used, most / used);
}

/// The metrics that can be told by plain sums over the log.
inline std::map<std::string, double> plainMetrics(const Workload& workload, const EventLog& log, SimTime end) {
    struct Times {
        std::optional<SimTime> arrival, over;
        bool finished = false;
        RunningTime running, waiting;
        std::uint64_t version = 0;
        std::optional<double> first, last, best;
        std::map<std::uint16_t, double> qualities;
    };
    std::vector<Times> jobs(workload.jobs.size());
    std::map<std::string, double> sums;
    const std::size_t resources = workload.cluster.resourceNames.size();
    std::vector<double> held(resources), free(resources);
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>, std::pair<SimTime, std::uint32_t>> placed;
    std::vector<std::optional<SimTime>> down(workload.cluster.machines.size());
    std::vector<double> downTime(workload.cluster.machines.size()), load(2 * workload.cluster.links.size()),
        linkBytes(load);
    std::vector<SimTime> loadSince(load.size());
    std::optional<SimTime> origin;
    for (std::size_t i = 0; i < log.size() && !origin; ++i)
        if (log[i].type == EventType::jobArrived) origin = log[i].time;
    const auto since = [&](SimTime from, SimTime to) {
        from = std::max(from, origin.value_or(end));
        return to > from ? (to - from).toSeconds() : 0.0;
    };
    const auto count = [&](const char* name, double value = 1) { sums[name] += value; };
    for (const char* name :
         {"arrived_jobs", "finished_jobs", "rejected_jobs", "failed_jobs", "preemptions", "updates", "used_samples",
          "lost_updates", "uplinks", "downlinks", "bytes_sent", "checkpoint_bytes", "running_s", "assigned_samples"})
        sums[name] = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        Times* job = e.job < jobs.size() ? &jobs[e.job] : nullptr;
        const auto over = [&] {
            job->over = e.time;
            if (job->running.since) job->running.end(e.time);
            if (job->waiting.since) job->waiting.end(e.time);
        };
        switch (e.type) {
        case EventType::jobArrived:
            job->arrival = e.time;
            job->waiting.begin(e.time);
            count("arrived_jobs");
            break;
        case EventType::jobStarted:
            job->waiting.end(e.time);
            job->running.begin(e.time);
            break;
        case EventType::jobPreempted:
            job->running.end(e.time);
            job->waiting.begin(e.time);
            job->version = e.a;
            count("preemptions");
            count("lost_updates", e.b);
            break;
        case EventType::jobFinished:
            over();
            job->finished = true;
            count("finished_jobs");
            break;
        case EventType::jobRejected: over(), count("rejected_jobs"); break;
        case EventType::jobFailed: over(), count("failed_jobs"); break;
        case EventType::updateApplied:
            count("updates", static_cast<double>(e.count() - job->version));
            count("used_samples", e.value);
            job->version = e.count();
            break;
        case EventType::gradientArrived: count("uplinks"); break;
        case EventType::pullStarted: count("downlinks"), count("bytes_sent", e.value); break;
        case EventType::computeStarted: count("assigned_samples", e.value); break;
        case EventType::checkpointStarted: count("checkpoint_bytes", e.value), count("bytes_sent", e.value); break;
        case EventType::pushStarted:
        case EventType::messageSent:
        case EventType::jobRestored: count("bytes_sent", e.value); break;
        case EventType::keysCounted:
            if (e.aux == static_cast<std::uint16_t>(KeyCounter::messageBytes) &&
                !isOfReplicas(static_cast<KeyMessageType>(e.b)))
                count("bytes_sent", e.value); // those of rounds are replica_bytes
            break;
        case EventType::lossEvaluated:
            if (const auto* work = std::get_if<AnalyticWork>(&workload.jobs[e.job].work);
                work && work->curve.family != LossCurve::Family::recorded && work->curve.a == 0 && work->curve.c == 0)
                break; // no loss is known of it
            if (!job->first) job->first = e.value;
            job->last = e.value;
            job->best = std::min(job->best.value_or(e.value), e.value);
            break;
        case EventType::qualityEvaluated: job->qualities[e.aux] = e.value; break;
        case EventType::taskPlaced: placed[{e.job, e.aux, e.a}] = {e.time, e.b}; break;
        case EventType::taskRemoved: {
            const auto it = placed.find({e.job, e.aux, e.a});
            const Job& spec = workload.jobs[e.job];
            const auto& demand =
                e.aux == static_cast<std::uint16_t>(TaskRole::worker) ? spec.workerDemand : spec.serverDemand;
            for (std::size_t r = 0; r < resources; ++r) held[r] += demand.amount(r) * since(it->second.first, e.time);
            placed.erase(it);
            break;
        }
        case EventType::machineFailed:
            if (!down[e.a]) down[e.a] = e.time;
            break;
        case EventType::machineRepaired:
            if (down[e.a]) downTime[e.a] += since(*down[e.a], e.time);
            down[e.a].reset();
            break;
        case EventType::linkLoad:
            linkBytes[e.a] += load[e.a] * (e.time - loadSince[e.a]).toSeconds();
            load[e.a] = e.value;
            loadSince[e.a] = e.time;
            break;
        case EventType::linkCarried: linkBytes[e.a] += e.value; break;
        default: break;
        }
    }
    for (const auto& [task, from] : placed) {
        const Job& spec = workload.jobs[std::get<0>(task)];
        const auto& demand =
            std::get<1>(task) == static_cast<std::uint16_t>(TaskRole::worker) ? spec.workerDemand : spec.serverDemand;
        for (std::size_t r = 0; r < resources; ++r) held[r] += demand.amount(r) * since(from.first, end);
    }
    for (std::size_t m = 0; m < down.size(); ++m) {
        if (down[m]) downTime[m] += since(*down[m], end);
        const double up = since(SimTime{}, end) - downTime[m];
        for (std::size_t r = 0; r < resources; ++r) free[r] += workload.cluster.machines[m].capacity.amount(r) * up;
    }
    for (std::size_t r = 0; r < resources; ++r)
        if (free[r] > 0) sums["utilization_" + workload.cluster.resourceNames[r]] = held[r] / free[r];
    double bytes = 0, busiest = 0;
    for (std::size_t l = 0; l < load.size(); ++l) {
        linkBytes[l] += load[l] * (end - loadSince[l]).toSeconds();
        bytes += linkBytes[l];
        busiest = std::max(busiest, linkBytes[l]);
    }
    sums["link_bytes"] = bytes;
    sums["busiest_link_bytes"] = busiest;
    std::vector<double> jct;
    double queueing = 0, firsts = 0, lasts = 0, bests = 0;
    int evaluated = 0;
    SimTime latest;
    for (Times& job : jobs) {
        if (!job.arrival) continue;
        latest = std::max(latest, job.over.value_or(end));
        if (job.finished) jct.push_back((*job.over - *job.arrival).toSeconds());
        queueing += job.waiting.until(end);
        count("running_s", job.running.until(end));
        if (!job.first) continue;
        ++evaluated;
        firsts += *job.first;
        lasts += *job.last;
        bests += *job.best;
    }
    if (origin) sums["makespan_s"] = (latest - *origin).toSeconds();
    if (sums["arrived_jobs"] > 0) sums["mean_queueing_s"] = queueing / sums["arrived_jobs"];
    std::sort(jct.begin(), jct.end());
    double total = 0;
    for (const double seconds : jct) total += seconds;
    sums["total_jct_s"] = total;
    if (!jct.empty()) {
        const auto rank = [&](double p) {
            return jct[static_cast<std::size_t>(std::ceil(p * static_cast<double>(jct.size()))) - 1];
        };
        sums["mean_jct_s"] = total / static_cast<double>(jct.size());
        sums["median_jct_s"] = rank(0.5);
        sums["p95_jct_s"] = rank(0.95);
    }
    if (evaluated > 0) {
        sums["first_loss"] = firsts / evaluated;
        sums["final_loss"] = lasts / evaluated;
        sums["best_loss"] = bests / evaluated;
    }
    std::map<std::string, std::vector<double>> qualities;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        for (const auto& [place, value] : jobs[j].qualities)
            qualities["final_" + workload.jobs[j].keyedAccess()->qualities.at(place)].push_back(value);
    for (const auto& [name, values] : qualities) {
        double sum = 0;
        for (const double value : values) sum += value;
        sums[name] = sum / static_cast<double>(values.size());
    }
    return sums;
}

/// One metric asked for alone is what it is among all.
inline Errors singleMetricErrors(const Workload& workload, const EventLog& log, SimTime end) {
    MetricsFold fold(workload);
    log.walk(0, log.size(), [&](const Event& event) { fold.apply(event); });
    const Metrics all = fold.at(end);
    Errors errors;
    const auto compare = [&](const std::string& id, const std::map<std::string, double>& values,
                             std::optional<std::size_t> job) {
        const auto it = values.find(id);
        const std::optional<double> alone = fold.valueAt(end, id, job);
        const bool same = it == values.end()
                              ? !alone
                              : alone && (*alone == it->second || (std::isnan(*alone) && std::isnan(it->second)));
        if (!same) errors.push_back(id + (job ? " of job " + std::to_string(*job) : std::string()) + " differs alone");
    };
    for (const MetricDefinition& metric : metricDefinitionsFor(workload)) {
        compare(metric.id, all.values, {});
        for (std::size_t j = 0; j < all.jobs.size(); ++j) compare(metric.id, all.jobs[j], j);
    }
    return errors;
}

inline Errors metricErrors(const Workload& workload, const EventLog& log, SimTime end) {
    const Metrics metrics = computeMetrics(workload, log, end);
    Errors errors = singleMetricErrors(workload, log, end);
    for (const auto& [name, expected] : plainMetrics(workload, log, end)) {
        const auto it = metrics.values.find(name);
        if (it == metrics.values.end()) {
            errors.push_back(name + " is missing; it is " + inWords(expected));
            continue;
        }
        const double scale = std::max({1.0, std::abs(expected), std::abs(it->second)});
        const bool equal = std::abs(expected - it->second) <= 1e-9 * scale || expected == it->second ||
                           (std::isnan(expected) && std::isnan(it->second));
        if (!equal) errors.push_back(name + " is " + inWords(it->second) + "; it should be " + inWords(expected));
    }
    return errors;
}

} // namespace trainyard::test
