// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// From what the fold has gathered to the numbers; the formulas are stated in MetricDefinitions.cpp.
#include "record/Metrics.h"

#include "base/SampleStatistics.h"
#include "record/Divergence.h"
#include "record/MetricsFold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace trainyard {

/// Of a job: all of its metrics, or what one of the run or of the job follows from.
class NeededMetrics {
public:
    NeededMetrics() = default;
    explicit NeededMetrics(const std::string& metric) : m_ids{"updates", "straggler_wait_s", "running_s"} {
        add(metric);
        for (std::size_t level = 0; level < timesToLevels.size(); ++level)
            if (metric == jobsToLevels[level]) add(timesToLevels[level]);
    }
    bool has(std::string_view id) const { return m_ids.empty() || std::ranges::find(m_ids, id) != m_ids.end(); }

private:
    void add(const std::string& id) {
        if (has(id)) return;
        m_ids.push_back(id);
        for (const MetricDefinition& metric : metricDefinitions())
            if (metric.id == id && !metric.numerator.empty()) {
                add(metric.numerator);
                add(metric.denominator);
            }
    }
    std::vector<std::string> m_ids; ///< empty: all
};

namespace {

double openSeconds(SimTime from, SimTime end) { return from < end ? (end - from).toSeconds() : 0; }

/// Rounded once: whole seconds come out whole, however many they are.
double exactSeconds(Duration d) { return static_cast<double>(d.ns) / 1e9; }

/// Nearest rank: the ⌈share·n⌉-th smallest.
double nearestRank(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

/// Metrics of jobs, added up or gathered for their mean as they come.
class OverJobs {
public:
    /// `means`: names of metrics that are averaged besides.
    explicit OverJobs(const std::vector<std::string>& means) {
        using Of = MetricDefinition::Of;
        for (const MetricDefinition& d : metricDefinitions())
            if (!standsForSeveral(d) && (d.of == Of::sum || d.of == Of::sumWhereAny || d.of == Of::mean))
                m_metrics.push_back({.name = d.id, .isMean = d.of == Of::mean, .has = d.of == Of::sum});
        for (const std::string& name : means) m_metrics.push_back({.name = name, .isMean = true});
        std::ranges::sort(m_metrics, {}, &Metric::name);
    }

    void add(const std::map<std::string, double>& job) {
        auto it = job.begin();
        for (Metric& metric : m_metrics) {
            while (it != job.end() && it->first < metric.name) ++it;
            if (it == job.end()) return;
            if (it->first != metric.name) continue;
            metric.has = true;
            metric.sum += it->second;
            if (metric.isMean) metric.values.push_back(it->second);
        }
    }

    /// Sums, those of keyed jobs where any has them, and means over the jobs that have the metric, where any has.
    void write(std::map<std::string, double>& out) const {
        for (const Metric& metric : m_metrics)
            if (metric.has) out[metric.name] = metric.isMean ? sampleMean(metric.values) : metric.sum;
        for (std::size_t level = 0; level < timesToLevels.size(); ++level)
            out[jobsToLevels[level]] =
                static_cast<double>(std::ranges::find(m_metrics, timesToLevels[level], &Metric::name)->values.size());
    }

private:
    struct Metric {
        std::string name;
        bool isMean = false, has = false;
        double sum = 0;
        std::vector<double> values;
    };
    std::vector<Metric> m_metrics; ///< by name, as those of a job are
};

void addRatios(std::map<std::string, double>& values, const NeededMetrics& needed) {
    for (const MetricDefinition& metric : metricDefinitions()) {
        if (metric.numerator.empty() || !needed.has(metric.id)) continue;
        const auto of = values.find(metric.numerator), over = values.find(metric.denominator);
        if (of != values.end() && over != values.end() && over->second > 0)
            values[metric.id] = of->second / over->second;
    }
}

} // namespace

MetricsFold::Closed MetricsFold::close(const JobFold& job, SimTime end) {
    Closed out;
    const bool ended =
        job.phase == JobPhase::finished || job.phase == JobPhase::rejected || job.phase == JobPhase::failed;
    out.until = ended ? job.end : end;
    out.inSystem = openSeconds(job.arrival, out.until);
    const double open = openSeconds(job.since, end);
    out.queueing = job.waiting + (job.phase == JobPhase::waiting ? open : 0);
    out.running = job.running + (job.phase == JobPhase::running ? open : 0);
    out.wait = job.stragglerWait;
    out.updateWait = job.updateWait;
    out.idle = job.idle;
    out.placed = job.placedTime;
    out.computing = job.computing;
    out.serving =
        job.serving + (job.transfers > 0 ? static_cast<double>(job.servers) * openSeconds(job.servingSince, end) : 0);
    for (std::size_t w = 0; w < job.workers.size(); ++w) {
        const auto& worker = job.workers[w];
        if (!worker.placed) continue;
        const WorkerState now = job.phases.of(w);
        const double seconds = openSeconds(now.since, end);
        if (now.phase == WorkerPhase::computing) out.computing += seconds;
        out.placed += openSeconds(worker.placedAt, end);
        if (isWaiting(now.phase)) out.wait += seconds;
        if (worker.begun && isIdle(now.phase)) out.idle += seconds;
    }
    out.attained = job.attained + job.dominant * openSeconds(job.heldSince, end);
    out.lossIntegral = job.lossIntegral + (ended ? 0 : job.loss * openSeconds(job.lossSince, end));
    return out;
}

void MetricsFold::keyedMetrics(const JobFold& job, std::map<std::string, double>& out) {
    constexpr std::array names{"pull_requests",     "pull_answers",       "pushes",           "push_answers",
                               "localize_messages", "hand_over_messages", "transfer_messages"};
    const KeyedTotals& k = job.keyed;
    double messages = 0;
    for (std::size_t t = 0; t < names.size(); ++t) {
        out[names[t]] = k.messages[t];
        messages += k.messages[t];
    }
    out["clock_messages"] = k.messages[static_cast<std::size_t>(KeyMessageType::clock)];
    const auto sumOf = [](const double(&values)[keyMessageTypes], std::initializer_list<KeyMessageType> types) {
        double sum = 0;
        for (const KeyMessageType type : types) sum += values[static_cast<std::size_t>(type)];
        return sum;
    };
    using T = KeyMessageType;
    const double intents = sumOf(k.messages, {T::intent, T::intentEnd, T::replicate});
    out["intent_messages"] = intents;
    out["messages"] = messages + out["clock_messages"] + intents;
    out["replica_messages"] = sumOf(k.messages, {T::replicaDelta, T::copy, T::refresh, T::refreshed});
    out["replica_bytes"] = sumOf(k.bytes, {T::replicaDelta, T::copy, T::refresh, T::refreshed});
    out["local_pulls"] = k.pulls[0];
    out["remote_pulls"] = k.pulls[1];
    out["pulls_not_local"] = k.pulls[1] + k.pulls[2];
    out["relocations"] = k.relocations;
    if (k.staleness > 0) out["replica_staleness_s"] = k.staleness;
    if (const double all = out["messages"] + out["replica_messages"]; all > 0) out["delivery_s"] = k.delivery / all;
    if (k.copyRefreshes > 0) out["copy_age_s"] = k.copyAge / k.copyRefreshes;
    if (!k.sampleDispersion.empty())
        out["sample_dispersion"] = std::accumulate(k.sampleDispersion.begin(), k.sampleDispersion.end(), 0.0) /
                                   static_cast<double>(k.sampleDispersion.size());
    if (!k.copies.empty() && out["running_s"] > 0)
        out["copies_held"] = *std::ranges::max_element(k.copies) / out["running_s"];
    if (job.iterationTime <= 0) return;
    out["iterations_per_s"] = job.updates / job.iterationTime;
    const auto share = [&](const std::vector<double>& byNode) {
        return byNode.empty() ? 0.0 : std::min(1.0, *std::ranges::max_element(byNode) / job.iterationTime);
    };
    out["server_thread_use"] = share(k.server);
    out["sending_use"] = share(k.sending);
    out["receiving_use"] = share(k.receiving);
}

std::map<std::string, double> MetricsFold::jobMetrics(std::size_t index, const Closed& closed,
                                                      const NeededMetrics& needed) const {
    const JobFold& job = m_jobs[index];
    if (job.phase == JobPhase::future) return {};
    std::map<std::string, double> out;
    const auto put = [&](const char* id, double value) {
        if (needed.has(id)) out[id] = value;
    };
    put("queueing_s", closed.queueing);
    put("running_s", closed.running);
    put("preemptions", job.preemptions);
    put("straggler_wait_s", closed.wait);
    put("update_wait_s", closed.updateWait);
    put("idle_s", closed.idle);
    put("assigned_samples", job.assigned);
    put("executed_samples", job.executed);
    put("used_samples", job.used);
    put("discarded_samples", job.discarded);
    put("updates", job.updates);
    put("lost_updates", job.lostUpdates);
    put("checkpoint_bytes", job.checkpointBytes);
    put("uplinks", job.uplinks);
    put("cancelled_uplinks", job.cancelledUplinks);
    put("downlinks", job.downlinks);
    put("bytes_sent", job.bytes);
    put("attained_service_s", closed.attained);
    if (job.keyed.any) keyedMetrics(job, out);
    const KeyedAccess* access = job.qualities.empty() ? nullptr : m_workload.jobs[index].keyedAccess();
    for (std::size_t q = 0; access && q < std::min(job.qualities.size(), access->qualities.size()); ++q)
        if (!std::isnan(job.qualities[q])) out[finalQuality(access->qualities[q])] = job.qualities[q];
    if (job.phase == JobPhase::finished) {
        put("jct_s", closed.inSystem);
        if (const auto& utility = m_workload.jobs[index].utility) put("utility_total", utility->at(closed.inSystem));
    }
    if (closed.placed > 0) put("straggler_wait_share", closed.wait / closed.placed);
    if (job.stalenessCount > 0) {
        put("mean_staleness", job.stalenessSum / job.stalenessCount);
        put("max_staleness", job.stalenessMax);
    }
    if (job.updates > 0) put("mean_iteration_s", job.iterationTime / job.updates);
    if (job.firstLoss) {
        put("first_loss", *job.firstLoss);
        put("final_loss", job.loss);
        put("best_loss", job.bestLoss);
        const double limit = m_quality.limitOf(index).value_or(job.bestLoss);
        if (closed.inSystem > 0 && *job.firstLoss > limit)
            put("mean_normalised_loss", (closed.lossIntegral / closed.inSystem - limit) / (*job.firstLoss - limit));
    }
    if (job.diverged || (job.firstLoss && hasRisenTooFar(*job.firstLoss, job.loss))) put("diverged_jobs", 1);
    if (job.timeToTarget) put("time_to_target_s", *job.timeToTarget);
    for (std::size_t level = 0; level < LossQuality::levels.size(); ++level)
        if (needed.has(timesToLevels[level]))
            if (const auto seconds = m_quality.timeTo(index, level)) out[timesToLevels[level]] = *seconds;
    addRatios(out, needed);
    return out;
}

void MetricsFold::completionMetrics(Metrics& out, const std::vector<Closed>& closed, SimTime end) const {
    double arrived = 0, finished = 0, rejected = 0, failed = 0, queueing = 0;
    Duration total; // in whole nanoseconds: exact in any order
    std::vector<double> times, training;
    SimTime first = SimTime::never(), last;
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const JobFold& job = m_jobs[j];
        if (job.phase == JobPhase::future) continue;
        ++arrived;
        finished += job.phase == JobPhase::finished;
        rejected += job.phase == JobPhase::rejected;
        failed += job.phase == JobPhase::failed;
        queueing += closed[j].queueing;
        first = std::min(first, job.arrival);
        last = std::max(last, std::min(closed[j].until, end));
        if (job.phase == JobPhase::finished) {
            times.push_back(closed[j].inSystem);
            total += job.end - job.arrival;
        }
        training.push_back(job.phase == JobPhase::finished ? closed[j].inSystem : end.toSeconds());
    }
    out.values["arrived_jobs"] = arrived;
    out.values["finished_jobs"] = finished;
    out.values["rejected_jobs"] = rejected;
    out.values["failed_jobs"] = failed;
    out.values["total_jct_s"] = exactSeconds(total);
    if (arrived > 0) {
        out.values["makespan_s"] = first < last ? exactSeconds(last - first) : 0;
        out.values["mean_queueing_s"] = queueing / arrived;
        out.values["training_time_s"] = nearestRank(training, 0.5);
    }
    if (!times.empty()) {
        out.values["mean_jct_s"] = sampleMean(times);
        out.values["median_jct_s"] = nearestRank(times, 0.5);
        out.values["p95_jct_s"] = nearestRank(times, 0.95);
    }
}

void MetricsFold::workMetrics(Metrics& out, const std::vector<Closed>& closed, const NeededMetrics& needed) const {
    double placed = 0, staleness = 0, stalenessCount = 0, stalenessMax = 0, iterationTime = 0;
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        placed += closed[j].placed;
        staleness += m_jobs[j].stalenessSum;
        stalenessCount += m_jobs[j].stalenessCount;
        stalenessMax = std::max(stalenessMax, m_jobs[j].stalenessMax);
        iterationTime += m_jobs[j].iterationTime;
    }
    auto& values = out.values;
    if (placed > 0) values["straggler_wait_share"] = values["straggler_wait_s"] / placed;
    if (stalenessCount > 0) {
        values["mean_staleness"] = staleness / stalenessCount;
        values["max_staleness"] = stalenessMax;
    }
    if (values["updates"] > 0) values["mean_iteration_s"] = iterationTime / values["updates"];
    addRatios(values, needed);
}

void MetricsFold::fairnessMetric(Metrics& out, const std::vector<Closed>& closed) const {
    double n = 0, sum = 0, squares = 0;
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        const double weight = m_workload.jobs[j].weight;
        if (m_jobs[j].phase == JobPhase::future || closed[j].inSystem <= 0 || weight <= 0) continue;
        const double x = closed[j].attained / (weight * closed[j].inSystem);
        ++n;
        sum += x;
        squares += x * x;
    }
    if (squares > 0) out.values["jain_fairness"] = sum * sum / (n * squares);
}

void MetricsFold::clusterMetrics(Metrics& out, const std::vector<Closed>& closed, SimTime end) const {
    const double tail = openSeconds(m_resourcesSince, end);
    const bool simulated = // task by task; the rate model says nothing about who computes
        std::any_of(closed.begin(), closed.end(), [](const Closed& job) { return job.computing > 0; });
    for (std::size_t r = 0; r < m_allocatedTime.size(); ++r) {
        const double capacity = m_capacityTime[r] + m_upCapacity.amount(r) * tail;
        if (capacity <= 0) continue;
        const std::string& name = m_workload.cluster.resourceNames[r];
        out.values["utilization_" + name] = (m_allocatedTime[r] + m_allocated.amount(r) * tail) / capacity;
        double busy = 0;
        for (std::size_t j = 0; j < closed.size(); ++j)
            busy += m_workload.jobs[j].workerDemand.amount(r) * closed[j].computing +
                    m_workload.jobs[j].serverDemand.amount(r) * closed[j].serving;
        if (simulated) out.values["busy_" + name] = busy / capacity;
    }
    if (m_links.empty()) return;
    double total = 0, busiest = 0, utilization = 0;
    const double length = openSeconds(m_firstArrival.value_or(SimTime::zero()), end);
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        const double bytes = m_links[l].bytes + m_links[l].load * openSeconds(m_links[l].since, end);
        total += bytes;
        busiest = std::max(busiest, bytes);
        if (length > 0) utilization += bytes / (m_workload.cluster.links[l / 2].bandwidth * length);
    }
    out.values["link_bytes"] = total;
    out.values["busiest_link_bytes"] = busiest;
    if (length > 0) out.values["mean_link_utilization"] = utilization / static_cast<double>(m_links.size());
}

Metrics MetricsFold::at(SimTime end) const { return at(end, NeededMetrics()); }

std::optional<double> MetricsFold::valueAt(SimTime end, const std::string& metric,
                                           std::optional<std::size_t> job) const {
    Metrics out;
    if (job) {
        out.jobs.resize(m_jobs.size());
        out.jobs[*job] = jobMetrics(*job, close(m_jobs[*job], end), NeededMetrics(metric));
        for (const auto& reader : m_readers) reader->write(out, end);
    } else {
        out = at(end, NeededMetrics(metric));
    }
    const auto& values = job ? out.jobs[*job] : out.values;
    const auto it = values.find(metric);
    return it == values.end() ? std::nullopt : std::optional(it->second);
}

Metrics MetricsFold::at(SimTime end, const NeededMetrics& needed) const {
    Metrics out;
    std::vector<Closed> closed;
    closed.reserve(m_jobs.size());
    out.jobs.reserve(m_jobs.size());
    OverJobs overJobs(m_qualityMetrics);
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        closed.push_back(close(m_jobs[j], end));
        out.jobs.push_back(jobMetrics(j, closed[j], needed));
    }
    for (const auto& reader : m_readers) reader->write(out, end);
    for (const auto& job : out.jobs) overJobs.add(job);
    overJobs.write(out.values);
    completionMetrics(out, closed, end);
    workMetrics(out, closed, needed);
    fairnessMetric(out, closed);
    if (const auto loss = m_quality.meanActiveLoss(end)) out.values["mean_active_loss"] = *loss;
    clusterMetrics(out, closed, end);
    return out;
}

LossAccounts MetricsFold::lossAccounts(SimTime end) const {
    LossAccounts out = m_quality.accounts(end);
    for (auto& open : out.jobs) {
        const Closed closed = close(m_jobs[open.job], end);
        open.inSystem = closed.inSystem;
        open.lossIntegral = closed.lossIntegral;
    }
    for (std::size_t j = 0; j < m_jobs.size(); ++j) {
        if (!m_quality.limitIsKnown(j)) continue;
        const auto metrics = jobMetrics(j, close(m_jobs[j], end), NeededMetrics("mean_normalised_loss"));
        const auto it = metrics.find("mean_normalised_loss");
        if (it != metrics.end()) out.normalised.add(it->second);
    }
    return out;
}

Metrics computeMetrics(const Workload& workload, const EventLog& log, SimTime end) {
    MetricsFold fold(workload);
    log.walk(0, log.size(), [&](const Event& event) { fold.apply(event); });
    Metrics out = fold.at(end);
    if (auto losses = fold.lossAccounts(end); !losses.jobs.empty())
        out.losses = std::make_shared<const LossAccounts>(std::move(losses));
    return out;
}

} // namespace trainyard
