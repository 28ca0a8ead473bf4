#include "plots/StragglerPainter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace straggler_painter {

/// From the bottom of a stack upwards: useful work lies at the base line, what it cost on top.
constexpr std::array<Activity, 5> stackOrder{Activity::compute, Activity::transfer, Activity::discarded,
                                             Activity::failed, Activity::waiting};

float shareOf(const LaneRun& run, Activity activity) {
    float share = 0;
    for (std::size_t k = 0; k < run.shares.size(); ++k)
        if (activityOf(static_cast<WorkerPhase>(k)) == activity) share += run.shares[k];
    return share;
}

/// Stacks are painted in pieces between these pixels: a lane that grows begins at one of them.
constexpr double piece = 64;
double pieceOf(const LaneRun& run) { return std::floor(run.x0 / piece); }

} // namespace straggler_painter

using namespace straggler_painter;

QString StragglerPainter::title() const { return QCoreApplication::translate("Lane", "Stragglers"); }

QString StragglerPainter::axisTitle(const LaneInput& input) const {
    const JobId job = input.run && !input.everyJob ? input.run->jobWithWorkers(input.job) : JobId{};
    if (!job.valid()) return QCoreApplication::translate("Lane", "workers");
    return QCoreApplication::translate("Lane", "workers of %1").arg(QString::fromStdString(input.run->jobName(job)));
}

QString StragglerPainter::emptyText(const LaneInput& input) const {
    if (!input.run)
        return QCoreApplication::translate("Lane", "Press play to see who computes, and who waits for whom.");
    if (!input.run->jobWithWorkers(input.job).valid())
        return QCoreApplication::translate("Lane", "No job has workers yet.");
    return {};
}

std::vector<StragglerPainter::Row> StragglerPainter::rowList(const LaneInput& input) const {
    std::vector<Row> rows;
    if (!input.run) return rows;
    const auto add = [&](JobId job) {
        const std::size_t workers = input.run->jobs()[job.index()].workers.size();
        for (std::uint32_t w = 0; w < workers; ++w) rows.push_back({job, w});
    };
    if (input.everyJob)
        for (std::size_t j = 0; j < input.run->jobs().size(); ++j) add(JobId(j));
    else if (const JobId job = input.run->jobWithWorkers(input.job); job.valid())
        add(job);
    return rows;
}

std::size_t StragglerPainter::rows(const LaneInput& input) const { return rowList(input).size(); }

QString StragglerPainter::rowName(const LaneInput& input, const Row& row) const {
    const WorkerHistory& worker = input.run->jobs()[row.job.index()].workers[row.worker];
    const QString number = QCoreApplication::translate("Lane", "w%1").arg(row.worker + 1);
    if (input.everyJob) return QStringLiteral("%1 %2").arg(QString::fromStdString(input.run->jobName(row.job)), number);
    if (!worker.machine.valid()) return number;
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(input.run->machineName(worker.machine)), number);
}

void StragglerPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const auto list = rowList(input);
    const RowLayout layout = RowLayout::of(canvas, list.size(), input.scroll);
    const auto [first, last] = layout.visible(canvas.plot);
    const double gap = layout.height >= 6 ? 1 : 0;
    double labelled = canvas.gutter.top() - canvas.lineHeight() / 3;
    const bool labels = canvas.from <= canvas.plot.left();
    for (std::size_t r = first; r < last; ++r) {
        const WorkerHistory& worker = input.run->jobs()[list[r].job.index()].workers[list[r].worker];
        const double y = layout.y(r);
        const double label = canvas.labelHeight(layout.height);
        if (labels && y + layout.height / 2 - label / 2 >= labelled) {
            const bool selected =
                worker.machine.valid() &&
                input.machines.contains(QString::fromStdString(input.run->workload().machine(worker.machine).key));
            canvas.rowLabel(y, layout.height, rowName(input, list[r]), selected,
                            !selected && !input.machines.isEmpty());
            labelled = y + layout.height / 2 + label / 2 - (label < canvas.lineHeight() ? 0.5 : 2);
        }
        paintRow(canvas, input, worker.track,
                 QRectF(canvas.plot.left(), y + gap, canvas.plot.width(), layout.height - 2 * gap));
    }
    if (!input.everyJob && !list.empty())
        paintUpdates(canvas, input, list.front().job, std::min(canvas.plot.bottom(), layout.y(list.size())));
}

void StragglerPainter::paintRow(LaneCanvas& canvas, const LaneInput& input, const IntervalTrack& track,
                                const QRectF& bar) const {
    const auto runs = laneRuns(track, canvas.time, std::max(bar.left(), canvas.from - piece), bar.right(), input.end,
                               canvas.finest());
    for (std::size_t k = 0; k < runs.size();) {
        if (runs[k].merged && bar.height() >= 5) {
            std::size_t to = k;
            while (to < runs.size() && runs[to].merged && pieceOf(runs[to]) == pieceOf(runs[k])) ++to;
            paintStack(canvas, runs, k, to, bar);
            k = to;
            continue;
        }
        LaneRun run = runs[k++];
        const auto activity = activityOf(run.phase);
        while (k < runs.size() && run.merged && runs[k].merged && activityOf(runs[k].phase) == activity)
            run.x1 = runs[k++].x1;
        const QRectF part(run.x0, bar.top(), run.x1 - run.x0, bar.height());
        if (!activity) {
            if (run.phase == WorkerPhase::idle) canvas.box(part, canvas.theme.grid);
            continue;
        }
        if (run.merged)
            canvas.box(part, canvas.theme.activity(*activity));
        else
            canvas.activityBox(part, *activity);
    }
}

void StragglerPainter::paintStack(LaneCanvas& canvas, const std::vector<LaneRun>& runs, std::size_t from,
                                  std::size_t to, const QRectF& bar) const {
    // Painted from the whole stack down to its lowest part: each layer is one polygon over all columns.
    canvas.painter.setPen(Qt::NoPen);
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    std::vector<float> height(to - from);
    for (std::size_t k = from; k < to; ++k)
        for (const Activity a : stackOrder) height[k - from] += shareOf(runs[k], a);
    for (auto layer = stackOrder.rbegin(); layer != stackOrder.rend(); ++layer) {
        QPolygonF shape;
        bool any = false;
        for (std::size_t k = from; k < to; ++k) {
            const double y = bar.bottom() - static_cast<double>(height[k - from]) * bar.height();
            any = any || shareOf(runs[k], *layer) > 0;
            // Equal neighbours need no corner between them.
            if (shape.size() >= 2 && std::abs(shape.back().y() - y) < 0.05) {
                shape.back().setX(runs[k].x1);
            } else {
                shape << QPointF(runs[k].x0, y) << QPointF(runs[k].x1, y);
            }
            height[k - from] -= shareOf(runs[k], *layer);
        }
        if (!any) continue;
        shape << QPointF(runs[to - 1].x1, bar.bottom()) << QPointF(runs[from].x0, bar.bottom());
        canvas.painter.setBrush(canvas.theme.activity(*layer));
        canvas.painter.drawPolygon(shape);
        canvas.items += static_cast<std::size_t>(shape.size()) / 4 + 1;
    }
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Only where iterations can be told apart.
bool StragglerPainter::showsUpdates(const LaneCanvas& canvas, const LaneInput& input, JobId job, SimTime until) const {
    const auto& times = input.run->jobs()[job.index()].updateTimes;
    const auto first = std::lower_bound(times.begin(), times.end(), canvas.time.from);
    const auto last = std::upper_bound(first, times.end(), std::min(canvas.time.to, until.toSeconds()));
    return first == last || canvas.plot.width() / static_cast<double>(last - first) >= 10;
}

double StragglerPainter::grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const {
    if (rows(input) != before.rows) return canvas.plot.left();
    if (const JobId job = input.run->jobWithWorkers(input.job); !input.everyJob && job.valid()) {
        // Whose workers are shown may have been decided just now, and lines of updates come and go together.
        const auto& workers = input.run->jobs()[job.index()].workers;
        const bool isNew = workers.front().track.empty() || workers.front().track.start(0) >= before.head;
        if (isNew || showsUpdates(canvas, input, job, before.head) != showsUpdates(canvas, input, job, input.end))
            return canvas.plot.left();
    }
    const SimTime changed = std::min(before.head, input.run->changedSince(before.position));
    return piece * std::floor((canvas.time.x(changed.toSeconds()) - 2) / piece);
}

void StragglerPainter::paintUpdates(LaneCanvas& canvas, const LaneInput& input, JobId job, double bottom) const {
    if (!showsUpdates(canvas, input, job, input.end)) return;
    const auto& times = input.run->jobs()[job.index()].updateTimes;
    const auto first = std::lower_bound(times.begin(), times.end(), canvas.time.from);
    const auto last = std::upper_bound(first, times.end(), std::min(canvas.time.to, input.end.toSeconds()));
    for (auto it = first; it != last; ++it) {
        const double x = canvas.time.x(*it);
        canvas.box(QRectF(x - 0.5, canvas.plot.top(), 1, bottom - canvas.plot.top()),
                   canvas.theme.activity(Activity::update));
    }
}

std::vector<LegendEntry> StragglerPainter::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    if (!input.run) return entries;
    std::array<int, 6> now{};
    std::array<bool, 6> seen{};
    for (const Row& row : rowList(input)) {
        const IntervalTrack& track = input.run->jobs()[row.job.index()].workers[row.worker].track;
        if (track.empty()) continue;
        if (const std::size_t i = track.indexAt(input.at); i != IntervalTrack::none)
            if (const auto a = activityOf(track.phase(i))) ++now[static_cast<std::size_t>(*a)];
        const auto sums = track.sumsUntil(input.end, track.size() - 1);
        for (std::size_t k = 0; k < sums.size(); ++k)
            if (const auto a = activityOf(static_cast<WorkerPhase>(k)); a && sums[k] > 0)
                seen[static_cast<std::size_t>(*a)] = true;
    }
    for (const Activity a :
         {Activity::compute, Activity::transfer, Activity::waiting, Activity::discarded, Activity::failed}) {
        const auto k = static_cast<std::size_t>(a);
        if (!seen[k] && a == Activity::failed) continue;
        entries.push_back({.label = activityName(a),
                           .value = QString::number(now[k]),
                           .colour = theme.activity(a),
                           .activity = a,
                           .dimmed = !seen[k]});
    }
    return entries;
}

LaneHit StragglerPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const auto list = rowList(input);
    const std::size_t r = RowLayout::of(canvas, list.size(), input.scroll).rowAt(pointer.y());
    if (r >= list.size()) return result;
    const WorkerHistory& worker = input.run->jobs()[list[r].job.index()].workers[list[r].worker];
    result.job = list[r].job;
    result.row = rowName(input, list[r]);
    if (worker.machine.valid())
        result.machine = QString::fromStdString(input.run->workload().machine(worker.machine).key);
    const SimTime at = SimTime::seconds(canvas.time.seconds(pointer.x()));
    const std::size_t i = at > input.end ? IntervalTrack::none : worker.track.indexAt(at);
    result.text = result.row;
    if (i == IntervalTrack::none) return result;
    result.text += QStringLiteral(" · ") + workerPhaseText(worker.track.phase(i));
    const double length = (worker.track.end(i, input.end) - worker.track.start(i)).toSeconds();
    result.text += QStringLiteral(" · ") + durationText(length);
    if (worker.track.task(i) > 0)
        result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "task %1").arg(worker.track.task(i));
    return result;
}

} // namespace trainyard
