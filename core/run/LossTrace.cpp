// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/LossTrace.h"

#include "base/SampleStatistics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

LossTrace lossTrace(const EventLog& log, std::size_t jobs, std::size_t points) {
    LossTrace all;
    std::vector<double> latest(jobs);
    std::vector<bool> known(jobs);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& event = log[i];
        if (event.type != EventType::lossEvaluated || event.job >= jobs || !std::isfinite(event.value)) continue;
        latest[event.job] = event.value;
        known[event.job] = true;
        double sum = 0, count = 0;
        for (std::size_t j = 0; j < jobs; ++j)
            if (known[j]) sum += latest[j], count += 1;
        const double at = event.time.toSeconds();
        if (!all.seconds.empty() && all.seconds.back() == at) {
            all.loss.back() = sum / count;
        } else {
            all.seconds.push_back(at);
            all.loss.push_back(sum / count);
        }
    }
    if (all.seconds.size() <= points || points < 2) return all;
    LossTrace out;
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
    return nlohmann::json{{"seconds", trace.seconds}, {"loss", trace.loss}}.dump();
}

std::optional<LossTrace> lossTraceFrom(const std::string& text) {
    try {
        const auto json = nlohmann::json::parse(text);
        LossTrace out{json.at("seconds").get<std::vector<double>>(), json.at("loss").get<std::vector<double>>()};
        if (out.seconds.size() != out.loss.size()) return std::nullopt;
        return out;
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

} // namespace trainyard
