#include "waiting/IterationPainter.h"

#include "waiting/ChartArea.h"
#include "waiting/WaitingValues.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

struct IterationPainter::Layout {
    ChartArea area; ///< seconds since the iteration began; y is not used
    SimTime zero;
    std::vector<std::uint32_t> workers; ///< by row
    double row = 1;                     ///< its height

    double x(SimTime t) const { return area.px((t - zero).toSeconds()); }
    double gap() const; ///< between rows
    double y(std::size_t r) const { return area.rect.top() + row * static_cast<double>(r); }
};

QString IterationPainter::title() const {
    return waitingText("One iteration");
}

QString IterationPainter::axisTitle(const LaneInput& input) const {
    return input.byWorker ? waitingText("workers") : waitingText("workers, in order of arrival");
}

QString IterationPainter::horizontalTitle(const LaneInput&) const {
    return waitingText("time since the update before (s)");
}

QString IterationPainter::meaning(const LaneInput&) const {
    return waitingText(
        "What every worker did for one update: reading and sending parameters, computing, "
        "waiting. The line is the k-th answer, which the update was waiting for; work that was "
        "cancelled then is hatched.");
}

const IterationBars& IterationPainter::bars(const LaneInput& input) const {
    const JobId job = jobOf(input);
    const RunFold& run = *input.run;
    if (m_kept.log.lock() != run.run().log || m_kept.job != job || m_kept.at != input.at ||
        m_kept.position != run.position())
        m_kept = {run.run().log, job, input.at, run.position(), iterationAt(run, job, input.at)};
    return m_kept.bars;
}

IterationPainter::Layout IterationPainter::layoutOf(const LaneCanvas& canvas, const LaneInput& input) const {
    const IterationBars& iteration = bars(input);
    Layout layout;
    layout.zero = iteration.from;
    layout.area.rect = canvas.plot.adjusted(0, canvas.lineHeight() + 4, 0, -numbersHeight(canvas));
    const double before = (iteration.earliest() - iteration.from).toSeconds();
    const double length = std::max((iteration.to - iteration.from).toSeconds(), 1e-9);
    layout.area.x = {before, length + 0.02 * (length - before)};
    layout.workers = iteration.byArrival;
    if (input.byWorker) std::sort(layout.workers.begin(), layout.workers.end());
    layout.row =
        std::min(canvas.mostRow, layout.area.rect.height() /
                                     static_cast<double>(std::max<std::size_t>(1, layout.workers.size())));
    return layout;
}

double IterationPainter::Layout::gap() const {
    return row >= 3 ? 1 : 0;
}

void IterationPainter::paintBar(LaneCanvas& canvas, const Layout& layout, const TaskBar& bar,
                                std::size_t row) const {
    const double top = layout.y(row), height = std::max(layout.row - layout.gap(), canvas.finest());
    const bool lost = bar.fate == TaskBar::Fate::cancelled || bar.fate == TaskBar::Fate::dropped;
    const auto part = [&](SimTime from, SimTime to, Activity activity) {
        from = std::max(from, layout.zero + Duration::seconds(layout.area.x.from));
        if (from == SimTime::never() || to <= from) return;
        const QRectF box(layout.x(from), top, layout.x(to) - layout.x(from), height);
        if (!lost) {
            canvas.activityBox(box, activity);
            return;
        }
        const QColor ground = Theme::mix(canvas.theme.activity(activity), canvas.theme.surface, 0.4);
        const QColor line = Theme::mix(canvas.theme.activity(Activity::discarded), ground, 0.6);
        canvas.texturedBox(box, ground, Activity::discarded, line);
        // A row too low for a texture of its own shares one with its neighbours.
        if (height >= 5 || canvas.vector) return;
        QBrush brush(canvas.theme.activityPattern(Activity::discarded));
        brush.setColor(line);
        canvas.painter.fillRect(box.toRect(), brush);
    };
    const SimTime afterPull = std::min({bar.compute, bar.push, bar.end});
    const SimTime afterCompute = std::min(bar.push, bar.end);
    if (bar.pull != SimTime::never()) part(bar.pull, afterPull, Activity::transfer);
    if (bar.compute != SimTime::never()) part(bar.compute, afterCompute, Activity::compute);
    if (bar.push != SimTime::never()) part(bar.push, bar.end, Activity::transfer);
}

void IterationPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const IterationBars& iteration = bars(input);
    const Layout layout = layoutOf(canvas, input);
    ChartArea axes = layout.area;
    axes.y = {0, 0}; // rows have names, no numbers
    axes.drawAxes(canvas);
    std::vector<std::size_t> rowOf; // by worker
    for (std::size_t r = 0; r < layout.workers.size(); ++r) {
        if (rowOf.size() <= layout.workers[r]) rowOf.resize(layout.workers[r] + 1, 0);
        rowOf[layout.workers[r]] = r;
    }
    // A pixel has room for one row only.
    const auto every = static_cast<std::size_t>(std::max(1.0, std::floor(canvas.finest() / layout.row)));
    const JobId job = jobOf(input);
    std::vector<SimTime> idle(layout.workers.size(), iteration.to); // since when a row waits
    for (const TaskBar& bar : iteration.bars) {
        const std::size_t row = rowOf[bar.worker];
        if (row % every != 0) continue;
        paintBar(canvas, layout, bar, row);
        idle[row] = bar.arrived ? bar.end : iteration.to;
    }
    double labelled = canvas.gutter.top();
    for (std::size_t r = 0; r < layout.workers.size(); r += every) {
        if (idle[r] < iteration.to)
            canvas.activityBox(QRectF(layout.x(idle[r]), layout.y(r),
                                      layout.x(iteration.to) - layout.x(idle[r]),
                                      std::max(layout.row - layout.gap(), canvas.finest())),
                               Activity::waiting);
        const double label = canvas.labelHeight(layout.row), middle = layout.y(r) + layout.row / 2;
        if (middle - label / 2 < labelled) continue;
        canvas.rowLabel(layout.y(r), layout.row, workerText(*input.run, job, layout.workers[r]), false,
                        false);
        labelled = middle + label / 2;
    }
    paintFinish(canvas, layout, iteration);
}

void IterationPainter::paintFinish(LaneCanvas& canvas, const Layout& layout,
                                   const IterationBars& iteration) const {
    if (iteration.lastNeeded == SimTime::never()) return;
    const double at = (iteration.lastNeeded - layout.zero).toSeconds();
    if (iteration.to > iteration.lastNeeded)
        layout.area.drawVertical(canvas, (iteration.to - layout.zero).toSeconds(),
                                 QPen(canvas.theme.activity(Activity::update), canvas.lineWidth));
    layout.area.drawVertical(canvas, at, QPen(canvas.theme.text, canvas.lineWidth * 4 / 3));
    const QString text = waitingText("update %1: answer %2 of %3 after %4")
                             .arg(countText(static_cast<qint64>(iteration.update + 1)))
                             .arg(iteration.used)
                             .arg(iteration.byArrival.size())
                             .arg(durationText(at));
    layout.area.drawText(canvas, layout.area.px(at), layout.area.rect.top() - canvas.lineHeight() - 2, text,
                         canvas.theme.text, true);
}

std::vector<LegendEntry> IterationPainter::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    if (!emptyText(input).isEmpty()) return entries;
    const IterationBars& iteration = bars(input);
    std::size_t lost = 0, going = 0;
    for (const TaskBar& bar : iteration.bars) {
        lost += bar.fate == TaskBar::Fate::cancelled || bar.fate == TaskBar::Fate::dropped;
        going += bar.fate == TaskBar::Fate::underWay;
    }
    const auto box = [&](Activity a, const QString& label, const QString& value) {
        entries.push_back({.label = label, .value = value, .colour = theme.activity(a), .activity = a});
    };
    box(Activity::compute, activityName(Activity::compute), {});
    box(Activity::transfer, activityName(Activity::transfer), {});
    box(Activity::waiting, activityName(Activity::waiting), {});
    box(Activity::discarded, waitingText("cancelled"), QString::number(lost));
    if (going > 0)
        entries.push_back({.label = waitingText("under way"),
                           .value = QString::number(going),
                           .swatch = LegendEntry::Swatch::none});
    entries.push_back({.label = waitingText("k-th answer"),
                       .value = iteration.used > 0 ? QString::number(iteration.used) : QString(),
                       .swatch = LegendEntry::Swatch::line,
                       .colour = theme.text});
    return entries;
}

QString IterationPainter::tell(const RunFold& run, JobId job, const IterationBars& iteration,
                               const TaskBar& bar) const {
    QStringList parts{workerText(run, job, bar.worker)};
    const auto length = [&](SimTime from, SimTime to, Activity activity) {
        if (from != SimTime::never() && to > from)
            parts << QStringLiteral("%1 %2").arg(activityName(activity),
                                                 durationText((to - from).toSeconds()));
    };
    length(bar.compute, std::min(bar.push, bar.end), Activity::compute);
    if (bar.push != SimTime::never()) length(bar.push, bar.end, Activity::transfer);
    switch (bar.fate) {
    case TaskBar::Fate::used:
        parts << waitingText("answer %1 of the %2 used").arg(bar.place).arg(iteration.used);
        break;
    case TaskBar::Fate::dropped:
        parts << waitingText("came too late: thrown away");
        break;
    case TaskBar::Fate::cancelled:
        parts << waitingText("cancelled after %1").arg(durationText((bar.end - bar.start()).toSeconds()));
        break;
    case TaskBar::Fate::underWay:
        parts << (bar.arrived ? waitingText("arrived, not used yet") : waitingText("goes on"));
        break;
    }
    return parts.join(QStringLiteral(" · "));
}

LaneHit IterationPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const Layout layout = layoutOf(canvas, input);
    const double row = std::floor((pointer.y() - layout.area.rect.top()) / layout.row);
    if (!layout.area.rect.contains(pointer) || row < 0 || row >= static_cast<double>(layout.workers.size()))
        return result;
    const JobId job = jobOf(input);
    const std::uint32_t worker = layout.workers[static_cast<std::size_t>(row)];
    const IterationBars& iteration = bars(input);
    const SimTime at = layout.zero + Duration::seconds(layout.area.xAt(pointer.x()));
    const TaskBar* found = nullptr;
    for (const TaskBar& bar : iteration.bars)
        if (bar.worker == worker && (!found || bar.start() <= at)) found = &bar;
    result.job = job;
    result.row = workerText(*input.run, job, worker);
    result.text = found ? tell(*input.run, job, iteration, *found) : result.row;
    return result;
}

std::optional<double> IterationPainter::xOf(const LaneCanvas& canvas, const LaneInput& input,
                                            SimTime at) const {
    const Layout layout = layoutOf(canvas, input);
    return layout.x(at);
}

double IterationPainter::secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const {
    const Layout layout = layoutOf(canvas, input);
    // Never onto the update before: that is the iteration before.
    const double since = std::max(layout.area.xAt(x), 1e-9);
    return std::min(layout.zero.toSeconds() + since, bars(input).to.toSeconds());
}

std::optional<double> IterationPainter::finishLine(const LaneCanvas& canvas, const LaneInput& input) const {
    const IterationBars& iteration = bars(input);
    if (iteration.lastNeeded == SimTime::never()) return std::nullopt;
    return layoutOf(canvas, input).x(iteration.lastNeeded);
}

} // namespace trainyard
