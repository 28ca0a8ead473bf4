// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/LossTrace.h"

#include "base/SampleStatistics.h"
#include "record/LossQuality.h"
#include "run/files/RecordJson.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

bool isLoss(const Event& event, const Workload& workload) {
    return event.type == EventType::lossEvaluated && event.job < workload.jobs.size() && std::isfinite(event.value);
}

/// Adds a step, or changes the last one where the instant is the same.
void addStep(LossTrace& trace, SimTime time, double loss) {
    const double at = time.toSeconds();
    if (!trace.seconds.empty() && trace.seconds.back() == at) {
        trace.loss.back() = loss;
        return;
    }
    trace.seconds.push_back(at);
    trace.loss.push_back(loss);
}

LossTrace traceOfOne(const EventLog& log, const Workload& workload) {
    LossTrace out;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (isLoss(log[i], workload)) addStep(out, log[i].time, log[i].value);
    return out;
}

LossTrace traceOfMany(const EventLog& log, const Workload& workload) {
    struct Fold {
        std::optional<double> first;
        double limit = 0, now = 1;
    };
    std::vector<Fold> jobs(workload.jobs.size());
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (!isLoss(log[i], workload)) continue;
        Fold& job = jobs[log[i].job];
        job.limit = job.first ? std::min(job.limit, log[i].value) : log[i].value;
        if (!job.first) job.first = log[i].value;
    }
    for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].limit = lossLimit(workload.jobs[j]).value_or(jobs[j].limit);
    LossTrace out{.normalised = true};
    double sum = 0, arrived = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& event = log[i];
        if (event.type == EventType::jobArrived && workload.jobs[event.job].kind() != JobKind::graph) {
            sum += 1;
            arrived += 1;
        } else if (isLoss(event, workload)) {
            Fold& job = jobs[event.job];
            const double next = normalisedLoss(event.value, *job.first, job.limit);
            sum += next - job.now;
            job.now = next;
        } else {
            continue;
        }
        addStep(out, event.time, sum / arrived);
    }
    return out;
}

} // namespace

LossTrace lossTrace(const EventLog& log, const Workload& workload, std::size_t points) {
    LossTrace all = workload.jobs.size() == 1 ? traceOfOne(log, workload) : traceOfMany(log, workload);
    if (all.seconds.size() <= points || points < 2) return all;
    LossTrace out{.normalised = all.normalised};
    for (std::size_t p = 0; p < points; ++p) {
        const std::size_t i = p * (all.seconds.size() - 1) / (points - 1);
        out.seconds.push_back(all.seconds[i]);
        out.loss.push_back(all.loss[i]);
    }
    return out;
}

std::optional<double> lossAt(const LossTrace& trace, double seconds) {
    const auto after = std::upper_bound(trace.seconds.begin(), trace.seconds.end(), seconds);
    if (after == trace.seconds.begin()) return std::nullopt;
    return trace.loss[static_cast<std::size_t>(after - trace.seconds.begin()) - 1];
}

LossBand lossBand(const std::vector<const LossTrace*>& traces, std::size_t points) {
    double from = std::numeric_limits<double>::infinity(), to = -from;
    for (const LossTrace* trace : traces)
        if (!trace->empty()) from = std::min(from, trace->seconds.front()), to = std::max(to, trace->seconds.back());
    LossBand out;
    if (!(from <= to)) return out;
    for (std::size_t p = 0; p < points; ++p) {
        const double at =
            p + 1 == points ? to : from + (to - from) * static_cast<double>(p) / static_cast<double>(points - 1);
        std::vector<double> values;
        for (const LossTrace* trace : traces)
            if (const auto loss = lossAt(*trace, at)) values.push_back(*loss);
        std::sort(values.begin(), values.end());
        const bool enough = !values.empty() && 2 * values.size() >= traces.size();
        out.seconds.push_back(at);
        out.low.push_back(enough ? quantileOfSorted(values, 0.25) : NAN);
        out.median.push_back(enough ? quantileOfSorted(values, 0.5) : NAN);
        out.high.push_back(enough ? quantileOfSorted(values, 0.75) : NAN);
    }
    return out;
}

std::string lossTraceText(const LossTrace& trace) {
    return nlohmann::json{{"seconds", trace.seconds}, {"loss", trace.loss}, {"normalised", trace.normalised}}.dump();
}

std::optional<LossTrace> lossTraceFrom(const std::string& text) {
    try {
        const auto json = readJson(text);
        LossTrace out{json.at("seconds").get<std::vector<double>>(), json.at("loss").get<std::vector<double>>(),
                      json.at("normalised").get<bool>()};
        if (out.seconds.size() != out.loss.size()) return std::nullopt;
        return out;
    } catch (const std::exception&) { return std::nullopt; }
}

} // namespace trainyard
