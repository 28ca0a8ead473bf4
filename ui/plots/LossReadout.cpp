// What the loss lane says in words and dots: legend, hover, the instant under the pointer. See LossPlot.h.
#include "plots/LossCurves.h"
#include "plots/LossPlot.h"

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
        const std::size_t i = losses.indexAt(input.at.toSeconds());
        QString label = QString::fromStdString(run.jobName(JobId(j)));
        if (ghost) label = QCoreApplication::translate("Lane", "%1, before").arg(label);
        const QColor colour = theme.job(JobId(j));
        entries.push_back({.label = label,
                           .value = i < losses.size() ? numberText(losses.loss[i], 3) : QStringLiteral("–"),
                           .swatch = ghost ? LegendEntry::Swatch::dashes : LegendEntry::Swatch::line,
                           .colour = ghost ? Theme::mix(colour, theme.surface, 0.55) : colour,
                           .job = JobId(j),
                           .dimmed = input.job.valid() && input.job != JobId(j)});
    };
    if (input.run)
        for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
            add(*input.run, j, false);
            if (input.ghost && j < input.ghost->jobs().size()) add(*input.ghost, j, true);
        }
    return entries;
}

double LossPlot::secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const {
    if (!input.byUpdate || !input.run) return canvas.time.seconds(x);
    const double update =
        shown().left + (x - canvas.plot.left()) / canvas.plot.width() * (shown().right - shown().left);
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const std::size_t k = input.job.valid() ? input.job.index() : j;
        const LossSeries& all = input.run->jobs()[std::min(k, input.run->jobs().size() - 1)].losses;
        if (all.size() == 0) {
            if (input.job.valid()) break;
            continue;
        }
        const LossSeries kept = keptUpdates(all);
        const auto it = std::lower_bound(kept.update.begin(), kept.update.end(), update);
        return it == kept.update.end() ? kept.time.back()
                                       : kept.time[static_cast<std::size_t>(it - kept.update.begin())];
    }
    return 0;
}

std::vector<std::pair<QPointF, QColor>> LossPlot::markers(const LaneCanvas& canvas,
                                                          const LaneInput& input) const {
    std::vector<std::pair<QPointF, QColor>> result;
    if (!input.run || input.run->jobs().size() > 24) return result;
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const LossSeries& losses = input.run->jobs()[j].losses;
        const std::size_t i = losses.indexAt(input.at.toSeconds());
        if (i >= losses.size() || (input.job.valid() && input.job != JobId(j))) continue;
        const QPointF p = lossPlace(shown(), canvas, input,
                                    input.byUpdate ? losses.update[i] : losses.time[i], losses.loss[i]);
        if (canvas.plot.contains(p)) result.emplace_back(p, canvas.theme.job(JobId(j)));
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
        const QPointF p = lossPlace(shown(), canvas, input,
                                    input.byUpdate ? losses.update[i] : losses.time[i], losses.loss[i]);
        if (std::abs(p.y() - pointer.y()) >= nearest) continue;
        nearest = std::abs(p.y() - pointer.y());
        result.job = JobId(j);
        result.text =
            QCoreApplication::translate("Lane", "%1 · loss %2 after %3 updates")
                .arg(QString::fromStdString(input.run->jobName(JobId(j))), numberText(losses.loss[i], 4),
                     countText(static_cast<qint64>(losses.update[i])));
    }
    return result;
}

} // namespace trainyard
