// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the loss lane says in words and dots: legend, hover, the instant under the pointer. See LossPlot.h.
#include "plots/JobColours.h"
#include "plots/LossCurves.h"
#include "plots/LossPlot.h"
#include "plots/LostToWaiting.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace trainyard {

std::vector<LegendEntry> LossPlot::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    const auto add = [&](const RunFold& run, std::size_t j, bool ghost) {
        const LossSeries& losses = run.jobs()[j].losses;
        if (losses.size() == 0) return;
        if (entries.size() >= input.mostEntries) {
            entries.push_back({.job = JobId(j)});
            return;
        }
        // Of a whole run it is the last one, however long the other run took.
        const std::size_t i = input.wholeRun ? losses.size() - 1 : losses.indexAt(input.at.toSeconds());
        QString label = QString::fromStdString(run.jobName(JobId(j)));
        if (ghost)
            label = QStringLiteral("%1, %2").arg(label, input.ghostName.isEmpty()
                                                            ? QCoreApplication::translate("Lane", "previous run")
                                                            : input.ghostName);
        const double value = i < losses.size() ? valuesOf(run, j, input)[i] : std::nan("");
        const QColor colour = jobColour(theme, run, JobId(j), input.job);
        const QString number = std::isfinite(value) ? numberText(value, 3) : QStringLiteral("–");
        entries.push_back({.label = label,
                           .value = value > shown().ceiling ? QStringLiteral("▲ ") + number : number,
                           .swatch = ghost ? LegendEntry::Swatch::dashes : LegendEntry::Swatch::line,
                           .colour = ghost ? theme.ghost(colour) : colour,
                           .job = JobId(j),
                           .dimmed = input.job.valid() && input.job != JobId(j)});
    };
    if (input.run)
        for (const bool coloured : {true, false})
            for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
                if (input.run->isColoured(JobId(j)) != coloured) continue;
                add(*input.run, j, false);
                if (input.ghost && j < input.ghost->jobs().size()) add(*input.ghost, j, true);
            }
    if (const JobId job = jobLostToWaiting(input); job.valid()) {
        const LossSeries& losses = input.run->jobs()[job.index()].losses;
        const auto cost = waitingCost(losses, valuesOf(*input.run, job.index(), input), input.at.toSeconds());
        entries.push_back({.label = QCoreApplication::translate("Lane", "lost to waiting"),
                           .value = cost ? numberText(cost->loss, 2) : QStringLiteral("–"),
                           .colour = theme.activity(Activity::waiting),
                           .activity = Activity::waiting});
    }
    return entries;
}

double LossPlot::secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const {
    if (!hasOwnAxis(input) || !input.run) return canvas.time.seconds(x);
    const double across = lossAcross(shown(), canvas, input, x);
    if (!input.byUpdate) return across;
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const std::size_t k = input.job.valid() ? input.job.index() : j;
        const LossSeries& all = input.run->jobs()[std::min(k, input.run->jobs().size() - 1)].losses;
        if (all.size() == 0) {
            if (input.job.valid()) break;
            continue;
        }
        const LossSeries kept = keptUpdates(all);
        const auto it = std::lower_bound(kept.update.begin(), kept.update.end(), across);
        return it == kept.update.end() ? kept.time.back()
                                       : kept.time[static_cast<std::size_t>(it - kept.update.begin())];
    }
    return 0;
}

std::vector<std::pair<QPointF, QColor>> LossPlot::markers(const LaneCanvas& canvas, const LaneInput& input) const {
    std::vector<std::pair<QPointF, QColor>> result;
    if (!input.run || input.run->jobs().size() > 24) return result;
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const LossSeries& losses = input.run->jobs()[j].losses;
        const std::size_t i = losses.indexAt(input.at.toSeconds());
        if (i >= losses.size() || (input.job.valid() && input.job != JobId(j))) continue;
        const double value = valuesOf(*input.run, j, input)[i];
        if (!std::isfinite(value)) continue;
        const QPointF p = lossPlace(shown(), canvas, input, input.byUpdate ? losses.update[i] : losses.time[i], value);
        if (canvas.plot.contains(p)) result.emplace_back(p, jobColour(canvas.theme, *input.run, JobId(j), input.job));
    }
    return result;
}

LaneHit LossPlot::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    if (!input.run) return result;
    const double seconds = secondsAt(canvas, input, pointer.x());
    double nearest = 14; // pixels
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const LossSeries& losses = input.run->jobs()[j].losses;
        const std::size_t i = losses.indexAt(seconds);
        if (i >= losses.size()) continue;
        const double value = valuesOf(*input.run, j, input)[i];
        const QPointF p = lossPlace(shown(), canvas, input, input.byUpdate ? losses.update[i] : losses.time[i], value);
        if (!std::isfinite(value) || std::abs(p.y() - pointer.y()) >= nearest) continue;
        nearest = std::abs(p.y() - pointer.y());
        result.job = JobId(j);
        const QString what = input.gradientNorm
                                 ? QCoreApplication::translate("Lane", "%1 · gradient norm %2 after %3 updates")
                                 : QCoreApplication::translate("Lane", "%1 · loss %2 after %3 updates");
        result.text = what.arg(QString::fromStdString(input.run->jobName(JobId(j))), numberText(value, 4),
                               countText(static_cast<double>(losses.update[i])));
        if (value > shown().ceiling)
            result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "above the axis");
        if (input.smoothing > 0) {
            LaneInput plain = input;
            plain.smoothing = 0;
            result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "smoothed, %1 unsmoothed")
                                                       .arg(numberText(valuesOf(*input.run, j, plain)[i], 4));
        }
    }
    addWaitingCost(result, input, seconds);
    return result;
}

void LossPlot::addWaitingCost(LaneHit& hit, const LaneInput& input, double seconds) const {
    const JobId job = jobLostToWaiting(input);
    if (!job.valid() || (hit.job.valid() && hit.job != job) || seconds > input.end.toSeconds()) return;
    const auto cost =
        waitingCost(input.run->jobs()[job.index()].losses, valuesOf(*input.run, job.index(), input), seconds);
    if (!cost) return;
    if (hit.text.isEmpty()) hit.text = QString::fromStdString(input.run->jobName(job));
    hit.text +=
        QStringLiteral(" · ") + QCoreApplication::translate("Lane", "%1 of loss lost to waiting, %2 of it so far")
                                    .arg(numberText(cost->loss, 2), durationText(cost->seconds));
}

} // namespace trainyard
