// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/MetricSubject.h"

#include "analysis/PictureParts.h"
#include "model/ResourceLabel.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace trainyard {

namespace metric_subject {

constexpr std::string_view utilization = "utilization_", busy = "busy_", quality = "final_";

bool isOneOf(const std::string& id, std::initializer_list<const char*> ids) {
    return std::any_of(ids.begin(), ids.end(), [&](const char* other) { return id == other; });
}

} // namespace metric_subject

using namespace metric_subject;

QString metricLabel(const MetricDefinition& metric) {
    const auto& known = metricDefinitions();
    if (std::ranges::find(known, metric.id, &MetricDefinition::id) != known.end()) return coreText(metric.label);
    const auto named = [&](std::string_view family, const QString& text) {
        return text.arg(QString::fromStdString(resourceLabel(metric.id.substr(family.size()))));
    };
    if (metric.id.starts_with(busy))
        return named(busy, QCoreApplication::translate("MetricSubject", "Busy share of %1"));
    if (metric.id.starts_with(utilization))
        return named(utilization, QCoreApplication::translate("MetricSubject", "Allocated share of %1"));
    if (metric.id.starts_with(quality))
        return named(quality, QCoreApplication::translate("MetricSubject", "Last value of %1"));
    return coreText(metric.label);
}

QString whyNoSeries(const MetricDefinition& metric, bool ofJob) {
    if (!ofJob && !metric.ofRun())
        return QCoreApplication::translate("MetricSubject",
                                           "It is defined per job: choose Each job, or one job, above");
    if (metric.id == "makespan_s")
        return QCoreApplication::translate("MetricSubject",
                                           "Over time it is only the time since the first job arrived");
    if (metric.id == "mean_normalised_loss")
        return QCoreApplication::translate(
            "MetricSubject", "It is relative to the minimum loss of the whole run, which is known only at the end");
    if (metric.id == "first_loss" || (ofJob && isOneOf(metric.id, {"jct_s", "time_to_target_s", "utility_total"})))
        return QCoreApplication::translate("MetricSubject", "It is a single number that does not change once known");
    return {};
}

HistorySubject metricSubject(const std::string& metric, const std::string& job) {
    HistorySubject::Options options{{QStringLiteral("metric"), QString::fromStdString(metric)}};
    if (!job.empty()) {
        options.emplace_back(QStringLiteral("of_job"), QStringLiteral("true"));
        options.emplace_back(QStringLiteral("job"), QString::fromStdString(job));
    }
    return HistorySubject::of(QStringLiteral("metric"), options);
}

QString metricText(double value, const std::string& unit) {
    if (unit == "s") return timeSpanText(value);
    const QString number =
        std::abs(value) >= 1000 ? countText(value) : QString::fromStdString(quantityText(value, {}, 4));
    return unit.empty() ? number : QStringLiteral("%1 %2").arg(number, coreText(unit));
}

} // namespace trainyard
