// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "RunSummary.h"

#include "Common.h"
#include "MetricWords.h"

#include "analysis/PictureParts.h"
#include "base/Format.h"

#include <algorithm>
#include <optional>

namespace trainyard::cli {

namespace run_summary {

std::optional<double> valueOf(const RunRecord& record, const std::string& id) {
    const auto it = record.metrics.values.find(id);
    return it == record.metrics.values.end() ? std::nullopt : std::optional(it->second);
}

std::string valueText(const MetricDefinition& metric, double value) {
    if (metric.isShare) return formatNumber(100 * value, 3) + " %";
    if (metric.unit == "s") return quantityText(value, "s");
    if (metric.unit != "bytes") return groupedText(value, 4) + (metric.unit.empty() ? "" : " " + metric.unit);
    constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (; value >= 1000 && prefix + 1 < std::size(prefixes); ++prefix) value /= 1000;
    return formatNumber(value, 3) + " " + prefixes[prefix] + (prefix == 0 ? "bytes" : "B");
}

std::string padded(const std::string& text, std::size_t cells) {
    const std::size_t wide = columnsOf(text);
    return text + std::string(wide < cells ? cells - wide : 1, ' ');
}

std::size_t countOf(const RunRecord& record, const char* id) {
    return static_cast<std::size_t>(valueOf(record, id).value_or(0));
}

} // namespace run_summary

using namespace run_summary;

std::string outcomeSentence(const RunRecord& record) {
    const std::size_t arrived = countOf(record, "arrived_jobs"), finished = countOf(record, "finished_jobs"),
                      rejected = countOf(record, "rejected_jobs"), failed = countOf(record, "failed_jobs");
    const auto number = [](std::size_t n) { return groupedText(static_cast<double>(n), 15); };
    if (arrived == 0) return "No job arrived.";
    std::string text = finished < arrived ? number(finished) + " of " + number(arrived) +
                                                (arrived == 1 ? " job finished" : " jobs finished")
                       : arrived == 1 ? "The job finished"
                                      : "All " + number(arrived) + " jobs finished";
    const bool admission = valueOf(record, "blocking_rate").has_value();
    const auto add = [&](std::size_t n, const char* what) {
        if (n > 0) text += ", " + number(n) + (n == 1 ? " was " : " were ") + what;
    };
    add(rejected, admission ? "blocked" : "rejected");
    if (failed > 0) text += ", " + number(failed) + " failed";
    add(arrived - std::min(arrived, finished + rejected + failed), "still in the system at the end");
    if (const auto span = valueOf(record, "makespan_s"))
        text += (finished < arrived ? ", within " : " within ") + quantityText(*span, "s");
    const auto jct = valueOf(record, "mean_jct_s");
    if (jct && finished > 1) text += "; a job took " + quantityText(*jct, "s") + " on average";
    const auto first = valueOf(record, "first_loss"), last = valueOf(record, "final_loss");
    if (first && last && arrived == 1)
        text += "; its loss went from " + formatNumber(*first, 3) + " to " + formatNumber(*last, 3);
    const auto waited = valueOf(record, "straggler_wait_share");
    if (waited && *waited >= 0.05)
        text += "; workers waited for stragglers " + formatNumber(100 * *waited, 3) + " % of their time";
    return text + ".";
}

std::string metricGroups(const RunRecord& record) {
    const bool single = countOf(record, "arrived_jobs") == 1;
    const auto matters = [&](const MetricDefinition& metric) {
        const auto value = valueOf(record, metric.id);
        // Of a single job percentiles and means are its time.
        const bool isItsTime = single && (metric.id.ends_with("_jct_s") || metric.id == "jain_fairness");
        return value && !isNegligible(metric, *value) && !isItsTime;
    };
    std::string out;
    for (const MetricGroup& group : metricsByGroup(metricDefinitionsFor(*record.workload), matters)) {
        out += "\n" + group.heading + "\n";
        for (const MetricDefinition& metric : group.metrics)
            out += "  " + padded(metricLabel(metric), 36) + padded(valueText(metric, *valueOf(record, metric.id)), 16) +
                   metric.id + "\n";
    }
    return out;
}

std::string jobLine(const RunRecord& record, std::size_t job) {
    const auto& metrics = record.metrics.jobs[job];
    const auto numberOf = [&](const char* id) {
        const auto it = metrics.find(id);
        return it == metrics.end() ? std::nullopt : std::optional(it->second);
    };
    std::string text;
    if (const auto jct = numberOf("jct_s")) text += " after " + quantityText(*jct, "s");
    if (const auto queueing = numberOf("queueing_s"); queueing && *queueing > 0)
        text += ", " + quantityText(*queueing, "s") + " of them in the queue";
    if (const auto updates = numberOf("updates"); updates && *updates > 0)
        text += ", " + groupedText(*updates, 15) + (*updates == 1 ? " update" : " updates");
    if (const auto loss = numberOf("final_loss")) text += ", loss " + formatNumber(*loss, 3);
    return text;
}

} // namespace trainyard::cli
