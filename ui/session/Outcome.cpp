// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Outcome.h"

#include "analysis/PictureParts.h"
#include "base/Format.h"
#include "record/Metrics.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace outcome {

constexpr std::size_t mostEvents = 4'000'000; // more would take the window seconds to count

std::optional<double> valueOf(const Metrics& metrics, const char* id) {
    const auto it = metrics.values.find(id);
    return it == metrics.values.end() ? std::nullopt : std::optional(it->second);
}

bool isComparable(const RunData* run) {
    return run && run->log && run->workload && !run->running && !run->cutShort && run->log->size() > 0 &&
           run->log->size() <= mostEvents;
}

/// None was still waiting or running at the end.
bool isOver(const Metrics& metrics, const RunData& run) {
    double over = 0;
    for (const char* id : {"finished_jobs", "rejected_jobs", "failed_jobs"}) over += valueOf(metrics, id).value_or(0);
    return over >= static_cast<double>(run.workload->jobs.size());
}

/// Three digits, zeros at the end included: 0.110 beside 0.102.
QString lossText(double loss) {
    const int decimals = loss > 0 && loss < 1e4 ? std::max(0, 2 - static_cast<int>(std::floor(std::log10(loss)))) : -1;
    return decimals >= 0 && decimals <= 6 ? QString::number(loss, 'f', decimals)
                                          : QString::fromStdString(quantityText(loss));
}

} // namespace outcome

Outcome::Outcome(RunModel& runs, QObject* parent) : QObject(parent), m_runs(runs) {
    connect(&runs, &RunModel::frame, this, &Outcome::refresh);
    connect(&runs, &RunModel::runStarted, this, &Outcome::refresh);
    connect(&runs, &RunModel::runEnded, this, &Outcome::refresh);
    connect(&runs, &RunModel::ghostChanged, this, &Outcome::refresh);
}

void Outcome::refresh() {
    const RunData &now = m_runs.current(), *before = m_runs.ghost();
    const bool known = outcome::isComparable(&now) && outcome::isComparable(before);
    const RunId nowId = known || now.cutShort ? now.id : 0, beforeId = known ? before->id : 0;
    if (std::exchange(m_now, nowId) == nowId && std::exchange(m_before, beforeId) == beforeId) return;
    m_before = beforeId;
    const QString text = known ? compare(now, *before) : now.cutShort ? coreText(now.cutShort->message) : QString();
    if (text == m_text) return;
    m_text = text;
    Q_EMIT changed();
}

QString Outcome::compare(const RunData& now, const RunData& before) {
    using namespace outcome;
    const auto measure = [](const RunData& run) {
        return computeMetrics(*run.workload, *run.log, (*run.log)[run.log->size() - 1].time);
    };
    const Metrics a = measure(now), b = measure(before);
    const auto pair = [&](const char* id) {
        const auto x = valueOf(a, id), y = valueOf(b, id);
        return x && y ? std::optional(std::pair(*x, *y)) : std::nullopt;
    };
    QStringList parts;
    const auto compared = [](const QString& one, const QString& other, const QString& both, const QString& same) {
        return one == other ? same.arg(one) : both.arg(one, other);
    };
    const auto share = [](double of) {
        return QStringLiteral("%1 %").arg(QString::fromStdString(formatNumber(100 * of, 3)));
    };
    if (const auto blocked = pair("blocking_rate_decided")) // what jobs that are admitted at once are about
        parts << compared(share(blocked->first), share(blocked->second), tr("%1 of the jobs blocked instead of %2"),
                          tr("%1 of the jobs blocked, as before"));
    const std::size_t jobs = std::max(now.workload->jobs.size(), before.workload->jobs.size());
    const auto done = pair("finished_jobs");
    const bool doAllFinish = done && std::min(done->first, done->second) >= static_cast<double>(jobs);
    if (done && !doAllFinish && jobs > 1 && !pair("blocking_rate_decided")) { // else the times are of unlike jobs
        const QString one = countText(done->first), other = countText(done->second);
        const QString finished = tr("%1 of %n job(s) finished", nullptr, static_cast<int>(jobs)).arg(one);
        parts << (one == other ? tr("%1, as before").arg(finished) : tr("%1 instead of %2").arg(finished, other));
    }
    // Of a run that ends before its jobs the span is only its end.
    if (const auto span = pair("makespan_s"); span && isOver(a, now) && isOver(b, before))
        parts << compared(timeSpanText(span->first), timeSpanText(span->second), tr("%1 instead of %2"),
                          tr("%1, as before"));
    if (const auto jct = pair("mean_jct_s"); jct && now.workload->jobs.size() > 1)
        parts << compared(timeSpanText(jct->first), timeSpanText(jct->second),
                          tr("a job takes %1 on average instead of %2"), tr("a job takes %1 on average, as before"));
    const KeyedAccess* keyed = now.workload->jobs.size() == 1 ? now.workload->jobs[0].keyedAccess() : nullptr;
    if (keyed && !keyed->qualities.empty()) {
        const std::string& id = keyed->qualities.front();
        const QString name = id == "mrr" ? QStringLiteral("MRR") : QString::fromStdString(id).replace(u'_', u' ');
        if (const auto quality = pair(("final_" + id).c_str()))
            parts << name + u' ' +
                         compared(lossText(quality->first), lossText(quality->second), tr("%1 instead of %2"),
                                  tr("%1, as before"));
    }
    if (const auto loss = pair("final_loss"); loss && (loss->first != 0 || loss->second != 0)) // 0: of jobs without one
        parts << compared(lossText(loss->first), lossText(loss->second), tr("loss %1 instead of %2"),
                          tr("loss %1, as before"));
    return parts.join(QStringLiteral("; "));
}

} // namespace trainyard
