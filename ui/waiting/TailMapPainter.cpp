#include "waiting/TailMapPainter.h"

#include "analysis/ResponseTimes.h"
#include "analysis/TradeOffs.h"
#include "waiting/ChartArea.h"
#include "waiting/WaitingValues.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace tail_map_painter {

QRectF gridOf(const LaneCanvas& canvas) {
    return canvas.plot.adjusted(0, 4, -6, -numbersHeight(canvas));
}

QRectF cellOf(const QRectF& grid, const TailMap& map, std::size_t tail, std::size_t share) {
    const double wide = grid.width() / static_cast<double>(map.tails.size());
    const double high = grid.height() / static_cast<double>(map.shares.size());
    return {grid.left() + wide * static_cast<double>(tail),
            grid.bottom() - high * static_cast<double>(share + 1), wide, high};
}

/// From the ground (one) to the accent (all), by ratios: from 1 to 2 is as far as from 16 to 32.
QColor colourOf(const Theme& theme, int k, int workers) {
    const double share = workers > 1 ? std::log(std::max(1, k)) / std::log(workers) : 1;
    return Theme::mix(theme.accent, theme.surface, 0.08 + 0.82 * share);
}

int workersOf(const LaneInput& input, JobId job) {
    return static_cast<int>(input.run->jobs()[job.index()].workers.size());
}

} // namespace tail_map_painter

using namespace tail_map_painter;

std::optional<ErrorNow> errorNowAt(const RunFold& run, JobId job, SimTime at) {
    const ChoiceNow now = choiceAt(run, job, at);
    if (!now.choice) return std::nullopt;
    const double batch = batchOf(run.workload().job(job));
    const auto model = modelOf(*now.choice, batch);
    return model ? std::optional(ErrorNow{*model, now.error, batch}) : std::nullopt;
}

QString TailMapPainter::title() const {
    return waitingText("Best k, by tail and network");
}
QString TailMapPainter::axisTitle(const LaneInput&) const {
    return waitingText("share of communication");
}
QString TailMapPainter::horizontalTitle(const LaneInput&) const {
    return waitingText("tail index α of the computing times (Pareto; to the right lighter)");
}

QString TailMapPainter::meaning(const LaneInput& input) const {
    const QString what =
        waitingText("For how many of this many workers it would be best to wait, were their computing times "
                    "Pareto and their communication exponential, of one mean together. ");
    const JobId job = input.run ? jobOf(input) : JobId{};
    if (job.valid() && errorNowAt(*input.run, job, input.at))
        return what +
               waitingText(
                   "Best: lowers the error of now fastest, by the policy's own model; the map changes as "
                   "training goes on.");
    return what +
           waitingText("Best: most gradients used per second; how the error falls is not known of this job.");
}

const TailMap* TailMapPainter::mapOf(const LaneInput& input, bool wait) const {
    const int workers = std::min(mostTailWorkers, workersOf(input, jobOf(input)));
    if (workers < 1) return nullptr;
    return m_known.get(workers, wait,
                       [workers](const std::stop_token& stop) { return tailMap(workers, stop); });
}

void TailMapPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    QPainter& p = canvas.painter;
    const TailMap* map = mapOf(input, !canvas.gradual);
    p.setFont(canvas.font);
    if (!map) {
        p.setPen(canvas.theme.muted);
        p.drawText(canvas.plot, Qt::AlignCenter, waitingText("Computing…"));
        return;
    }
    const auto now = errorNowAt(*input.run, jobOf(input), input.at);
    const QRectF grid = gridOf(canvas);
    const double line = canvas.lineHeight();
    for (std::size_t share = 0; share < map->shares.size(); ++share)
        for (std::size_t tail = 0; tail < map->tails.size(); ++tail) {
            const QRectF cell = cellOf(grid, *map, tail, share);
            const int k = bestWait(map->cell(tail, share), now);
            const QColor ground = colourOf(canvas.theme, k, map->workers);
            canvas.box(cell.adjusted(0, 0, -1, -1), ground);
            if (cell.height() < 0.8 * line) continue;
            p.setPen(Theme::contrast(canvas.theme.text, ground) >=
                             Theme::contrast(canvas.theme.surface, ground)
                         ? canvas.theme.text
                         : canvas.theme.surface);
            p.drawText(cell, Qt::AlignCenter, QString::number(k));
        }
    p.setPen(canvas.theme.muted);
    for (std::size_t tail = 0; tail < map->tails.size(); ++tail) {
        const QRectF cell = cellOf(grid, *map, tail, 0);
        p.drawText(QRectF(cell.left(), grid.bottom() + 2, cell.width(), line), Qt::AlignCenter,
                   numberText(map->tails[tail], 3));
    }
    for (std::size_t share = 0; share < map->shares.size(); ++share) {
        const QRectF cell = cellOf(grid, *map, 0, share);
        const QString text = waitingText("%1 %").arg(numberText(100 * map->shares[share], 3));
        canvas.widestLabel = std::max(canvas.widestLabel, QFontMetricsF(canvas.font).horizontalAdvance(text));
        p.drawText(QRectF(grid.left() - 108, cell.center().y() - line / 2, 100, line),
                   Qt::AlignRight | Qt::AlignVCenter, text);
    }
}

std::vector<LegendEntry> TailMapPainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!emptyText(input).isEmpty()) return {};
    const int workers = std::min(mostTailWorkers, workersOf(input, jobOf(input)));
    std::vector<LegendEntry> entries;
    std::vector<int> shown;
    for (const int k : {1, workers / 8, workers / 2, workers})
        if (k > 0 && (shown.empty() || k > shown.back())) shown.push_back(k);
    for (const int k : shown)
        entries.push_back(
            {.label = waitingText("k = %1").arg(k), .value = {}, .colour = colourOf(theme, k, workers)});
    const auto plain = [&](const QString& label, const QString& value) {
        entries.push_back(
            {.label = label, .value = value, .swatch = LegendEntry::Swatch::none, .colour = theme.text});
    };
    plain(waitingText("workers"), QString::number(workers));
    if (const auto now = errorNowAt(*input.run, jobOf(input), input.at))
        plain(waitingText("error now"), numberText(now->error, 3));
    return entries;
}

LaneHit TailMapPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const TailMap* map = mapOf(input, false);
    if (!map) return result;
    const QRectF grid = gridOf(canvas);
    for (std::size_t share = 0; share < map->shares.size(); ++share)
        for (std::size_t tail = 0; tail < map->tails.size(); ++tail) {
            if (!cellOf(grid, *map, tail, share).contains(pointer)) continue;
            const auto& means = map->cell(tail, share);
            const int k = bestWait(means, errorNowAt(*input.run, jobOf(input), input.at));
            if (k < 1) return result;
            result.text =
                waitingText("α = %1, communication %2 %: best k = %3 of %4, on average after %5 mean answers")
                    .arg(numberText(map->tails[tail], 3), numberText(100 * map->shares[share], 3))
                    .arg(k)
                    .arg(map->workers)
                    .arg(numberText(means[static_cast<std::size_t>(k) - 1], 3));
            return result;
        }
    return result;
}

} // namespace trainyard
