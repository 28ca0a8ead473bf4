// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/StragglerPainter.h"

#include "analysis/LoggedTasks.h"
#include "drawing/RowNames.h"
#include "lanes/LaneRuns.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace straggler_painter {

/// From the bottom of a stack upwards: useful work lies at the base line, what it cost on top.
constexpr std::array<Activity, 6> stackOrder{Activity::compute,   Activity::transfer, Activity::update,
                                             Activity::discarded, Activity::failed,   Activity::waiting};

constexpr double leastTextured = 8; // pixels: as in the Gantt
constexpr double leastStack = 2;    // pixels: of lower rows the longest activity is shown

float shareOf(const LaneRun& run, Activity activity) {
    float share = 0;
    for (std::size_t k = 0; k < run.shares.size(); ++k)
        if (activityOf(static_cast<WorkerPhase>(k)) == activity) share += run.shares[k];
    return share;
}

/// Why the selected job has no workers to show.
QString withoutWorkers(const ShownIndex& run, JobId id) {
    const QString name = QString::fromStdString(run.jobName(id));
    const JobHistory& job = run.jobs()[id.index()];
    if (job.phase() == JobHistory::Phase::future)
        return QCoreApplication::translate("Lane", "%1 has not arrived yet: it has no workers.").arg(name);
    if (job.end() == JobHistory::End::rejected)
        return (run.workload().admitsAtOnce(run.workload().job(id))
                    ? QCoreApplication::translate("Lane", "%1 was blocked: it never had workers.")
                    : QCoreApplication::translate("Lane", "%1 was rejected: it never had workers."))
            .arg(name);
    return QCoreApplication::translate("Lane", "%1 waits in the queue: it has no workers yet.").arg(name);
}

/// Why nothing is told of the tasks of these jobs; empty: it is.
QString whyNoTasks(const ShownIndex& run, const std::vector<JobId>& shown) {
    const Workload& workload = run.workload();
    if (std::any_of(shown.begin(), shown.end(), [&](JobId job) { return logsTasks(workload, job); })) return {};
    const Job& job = workload.job(shown.front());
    if (job.keyedAccess())
        return QCoreApplication::translate(
            "Lane", "The log of a keyed job does not tell what each worker does. Views, Local and remote "
                    "reads, shows what they wait for.");
    return job.kind() == JobKind::graph
               ? QCoreApplication::translate("Lane",
                                             "A graph job is timed as a whole. Views, A step ahead, shows what its "
                                             "servers do.")
               : QCoreApplication::translate("Lane",
                                             "The rate model computes updates per second, not what each worker does. "
                                             "With the network model flow it is seen who waits for whom.");
}

} // namespace straggler_painter

using namespace straggler_painter;

QString StragglerPainter::title() const { return QCoreApplication::translate("Lane", "Stragglers"); }

std::vector<JobId> StragglerPainter::shownJobs(const LaneInput& input) {
    std::vector<JobId> shown;
    if (!input.run) return shown;
    const auto& jobs = input.run->jobs();
    std::size_t workers = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (jobs[j].workers.empty() || (input.job.valid() && input.job != JobId(j))) continue;
        shown.push_back(JobId(j));
        workers += jobs[j].workers.size();
    }
    if (!input.everyJob && workers > mostLabelledRows && shown.size() > 1) shown.resize(1);
    return shown;
}

QString StragglerPainter::axisTitle(const LaneInput& input) const {
    const std::vector<JobId> shown = shownJobs(input);
    if (shown.size() != 1 || input.run->jobs().size() == 1) return QCoreApplication::translate("Lane", "workers");
    return QCoreApplication::translate("Lane", "workers of %1")
        .arg(QString::fromStdString(input.run->jobName(shown.front())));
}

QString StragglerPainter::emptyText(const LaneInput& input) const {
    if (!input.run)
        return QCoreApplication::translate("Lane", "Press play to see who computes, and who waits for whom.");
    if (const auto shown = shownJobs(input); !shown.empty()) return whyNoTasks(*input.run, shown);
    return input.job.valid() ? withoutWorkers(*input.run, input.job)
                             : QCoreApplication::translate("Lane", "No job has workers yet.");
}

std::vector<StragglerPainter::Row> StragglerPainter::rowList(const LaneInput& input) const {
    std::vector<Row> rows;
    for (const JobId job : shownJobs(input)) {
        const std::size_t workers = input.run->jobs()[job.index()].workers.size();
        for (std::uint32_t w = 0; w < workers; ++w) rows.push_back({job, w});
    }
    return rows;
}

std::size_t StragglerPainter::rows(const LaneInput& input) const { return rowList(input).size(); }

QString StragglerPainter::rowName(const LaneInput& input, const Row& row) const {
    const WorkerHistory& worker = input.run->jobs()[row.job.index()].workers[row.worker];
    QString name = QCoreApplication::translate("Lane", "w%1").arg(row.worker + 1);
    if (worker.machine.valid())
        name.prepend(QString::fromStdString(input.run->machineName(worker.machine)) + QStringLiteral(" · "));
    if (shownJobs(input).size() == 1) return name;
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(input.run->jobName(row.job)), name);
}

/// As short as the row above allows: of several jobs, the name of one stands at its first worker.
QString StragglerPainter::rowLabel(const LaneInput& input, const Row& row, bool oneJob, RowNames& names) const {
    const WorkerHistory& worker = input.run->jobs()[row.job.index()].workers[row.worker];
    const QString number = QCoreApplication::translate("Lane", "w%1").arg(row.worker + 1);
    if (oneJob)
        return worker.machine.valid() ? QStringLiteral("%1 · %2").arg(names.next(worker.machine), number) : number;
    return row.worker > 0 ? number
                          : QStringLiteral("%1 · %2").arg(QString::fromStdString(input.run->jobName(row.job)), number);
}

void StragglerPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const auto list = rowList(input);
    const RowLayout layout = RowLayout::of(canvas, list.size(), input.scroll);
    const auto [first, last] = layout.visible(canvas.plot);
    const double gap = layout.height >= 6 ? 1 : 0;
    double labelled = canvas.gutter.top() - canvas.lineHeight() / 3;
    const bool labels = canvas.from <= canvas.plot.left(), oneJob = shownJobs(input).size() == 1;
    RowNames names(*input.run);
    for (std::size_t r = first; r < last; ++r) {
        const WorkerHistory& worker = input.run->jobs()[list[r].job.index()].workers[list[r].worker];
        const double y = layout.y(r);
        // Where rows are too low for labels of their own, the workers of a job have one together.
        const bool together = !oneJob && !canvas.isLabelled(layout.height);
        const std::size_t count = together ? input.run->jobs()[list[r].job.index()].workers.size() : 1;
        const double tall = layout.height * static_cast<double>(count), label = canvas.labelHeight(tall);
        if (labels && (!together || list[r].worker == 0) && y + tall / 2 - label / 2 >= labelled) {
            const bool selected =
                !together && worker.machine.valid() &&
                input.machines.contains(QString::fromStdString(input.run->workload().machine(worker.machine).key));
            canvas.rowLabel(y, tall,
                            together ? QString::fromStdString(input.run->jobName(list[r].job))
                                     : rowLabel(input, list[r], oneJob, names),
                            selected, !selected && !input.machines.isEmpty());
            labelled = y + tall / 2 + label / 2 - (label < canvas.lineHeight() ? 0.5 : 2);
        }
        if (r > 0 && list[r].job != list[r - 1].job) {
            canvas.painter.setPen(QPen(canvas.theme.hairline, 1));
            const double line = canvas.vector ? y : std::floor(y) + 0.5;
            canvas.painter.drawLine(QPointF(canvas.plot.left(), line), QPointF(canvas.plot.right(), line));
        }
        paintRow(canvas, input, worker.track,
                 QRectF(canvas.plot.left(), y + gap, canvas.plot.width(), layout.height - 2 * gap));
    }
    if (oneJob) paintUpdates(canvas, input, list.front().job, std::min(canvas.plot.bottom(), layout.y(list.size())));
}

void StragglerPainter::paintRow(LaneCanvas& canvas, const LaneInput& input, const IntervalTrack& track,
                                const QRectF& bar) const {
    const auto runs = laneRuns(track, canvas.time, std::max(bar.left(), canvas.from - leastTextured), bar.right(),
                               input.end, canvas.finest());
    for (std::size_t k = 0; k < runs.size();) {
        if (runs[k].merged && bar.height() >= leastStack) {
            std::size_t to = k;
            while (to < runs.size() && runs[to].merged && lanePieceAt(runs[to].x0) == lanePieceAt(runs[k].x0)) ++to;
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
    if (const std::vector<JobId> shown = shownJobs(input); shown.size() == 1) {
        // Whose workers are shown may have been decided just now, and lines of updates come and go together.
        const JobId job = shown.front();
        const auto& workers = input.run->jobs()[job.index()].workers;
        const bool isNew = workers.front().track.empty() || workers.front().track.start(0) >= before.head;
        if (isNew || showsUpdates(canvas, input, job, before.head) != showsUpdates(canvas, input, job, input.end))
            return canvas.plot.left();
    }
    const SimTime changed = std::min(before.head, input.run->changedSince(before.position));
    return lanePieceAt(canvas.time.x(changed.toSeconds()) - 2);
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
    std::array<double, 6> spent{}; // nanoseconds
    for (const Row& row : rowList(input)) {
        const IntervalTrack& track = input.run->jobs()[row.job.index()].workers[row.worker].track;
        if (track.empty()) continue;
        if (const std::size_t i = track.indexAt(input.at); i != IntervalTrack::none)
            if (const auto a = activityOf(track.phase(i))) ++now[static_cast<std::size_t>(*a)];
        const auto sums = track.sumsUntil(input.end, track.size() - 1);
        for (std::size_t k = 0; k < sums.size(); ++k)
            if (const auto a = activityOf(static_cast<WorkerPhase>(k)); a && sums[k] > 0) {
                seen[static_cast<std::size_t>(*a)] = true;
                spent[static_cast<std::size_t>(*a)] += static_cast<double>(sums[k]);
            }
    }
    const double all = std::max(1.0, std::accumulate(spent.begin(), spent.end(), 0.0));
    for (const Activity a : {Activity::compute, Activity::transfer, Activity::waiting, Activity::update,
                             Activity::discarded, Activity::failed}) {
        const auto k = static_cast<std::size_t>(a);
        if (!seen[k] && (a == Activity::failed || a == Activity::update)) continue;
        entries.push_back({.label = activityName(a),
                           .value = input.wholeRun ? QCoreApplication::translate("Lane", "%1 %")
                                                         .arg(static_cast<int>(std::lround(100 * spent[k] / all)))
                                                   : QString::number(now[k]),
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
        result.text +=
            QStringLiteral(" · ") + QCoreApplication::translate("Lane", "iteration %1").arg(worker.track.task(i));
    return result;
}

} // namespace trainyard
