// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/GanttPainter.h"

#include "analysis/LoggedTasks.h"
#include "analysis/Outages.h"
#include "drawing/JobColours.h"
#include "drawing/RowNames.h"
#include "lanes/LaneRuns.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace gantt_painter {

std::size_t slotRows(const MachineHistory& machine) { return std::max<std::size_t>(1, machine.slotLanes.size()); }

/// The least number of rows that a machine of this one's rack has. Without a rack: its own.
std::size_t fewestRowsInRack(const ShownIndex& run, std::size_t m) {
    const auto& machines = run.workload().cluster.machines;
    const std::string& rack = machines[m].rack;
    std::size_t first = m, fewest = slotRows(run.machines()[m]);
    if (rack.empty()) return fewest;
    while (first > 0 && machines[first - 1].rack == rack) --first;
    for (std::size_t i = first; i < machines.size() && machines[i].rack == rack; ++i)
        fewest = std::min(fewest, slotRows(run.machines()[i]));
    return fewest;
}

/// The rack that begins with this machine, and its rows. Within a rack: none. Without one: the machine's own rows.
std::pair<QString, std::size_t> rackAt(const ShownIndex& run, std::size_t m) {
    const auto& machines = run.workload().cluster.machines;
    const std::string& rack = machines[m].rack;
    if (rack.empty()) return {{}, slotRows(run.machines()[m])};
    if (m > 0 && machines[m - 1].rack == rack) return {{}, 0};
    std::size_t rows = 0;
    for (std::size_t i = m; i < machines.size() && machines[i].rack == rack; ++i) rows += slotRows(run.machines()[i]);
    const auto& racks = run.workload().cluster.racks;
    const auto it = std::find_if(racks.begin(), racks.end(), [&](const Rack& each) { return each.key == rack; });
    return {QString::fromStdString(it == racks.end() || it->name.empty() ? rack : it->name), rows};
}

/// The job's colour, as strong as the activity is useful.
QColor taskShade(const Theme& theme, const QColor& job, WorkerPhase phase) {
    switch (phase) {
    case WorkerPhase::computing: return job;
    case WorkerPhase::pulling:
    case WorkerPhase::pushing: return Theme::mix(job, theme.surface, 0.62);
    case WorkerPhase::discarded: return Theme::mix(job, theme.surface, 0.45);
    default: return Theme::mix(job, theme.surface, 0.28);
    }
}

QString taskName(const ShownIndex& run, const SlotHistory::Stay& stay) {
    const QString job = QString::fromStdString(run.jobName(JobId(stay.job)));
    return stay.role == TaskRole::worker
               ? QCoreApplication::translate("Lane", "%1 worker %2").arg(job).arg(stay.index + 1)
               : QCoreApplication::translate("Lane", "%1 server %2").arg(job).arg(stay.index + 1);
}

/// The least height of a row, gaps included, in which tasks have names.
double namedRow(const LaneCanvas& canvas) { return canvas.lineHeight() + 1; }

constexpr double leastTextured = 8; // pixels: narrower bars have neither texture nor stripe

/// A little left of where painting begins, which is the beginning of a piece: what reaches into it has its texture.
double scanFrom(const LaneCanvas& canvas) { return canvas.from - leastTextured; }

/// Of several intervals in one column, each as much as it lasts.
QColor meanShade(const Theme& theme, const QColor& job, const LaneRun& run) {
    double red = 0, green = 0, blue = 0;
    for (std::size_t k = 0; k < run.shares.size(); ++k) {
        const QColor shade = taskShade(theme, job, static_cast<WorkerPhase>(k));
        const auto share = static_cast<double>(run.shares[k]);
        red += share * shade.red();
        green += share * shade.green();
        blue += share * shade.blue();
    }
    return {static_cast<int>(std::lround(red)), static_cast<int>(std::lround(green)),
            static_cast<int>(std::lround(blue))};
}

} // namespace gantt_painter

using namespace gantt_painter;

QString GanttPainter::title() const { return QCoreApplication::translate("Lane", "Gantt"); }
QString GanttPainter::axisTitle(const LaneInput& input) const {
    if (input.byJob) return m_byJob.axisTitle(input);
    return QCoreApplication::translate("Lane", "machines");
}

double GanttPainter::leastRow(const LaneInput& input, double line) const {
    if (input.byJob) return m_byJob.leastRow(input, line);
    constexpr double leastOfMap = 3, leastOfMachine = 2;
    if (GanttMap::isFor(input)) return leastOfMap;
    const std::size_t count = rows(input);
    if (count <= mostLabelledRows) return LanePainter::leastRow(input, line);
    // All machines are seen together, however many slots share the height of one.
    return leastOfMachine * static_cast<double>(input.run->machines().size()) / static_cast<double>(count);
}
double GanttPainter::wantedHeight(const LaneInput& input, double line) const {
    if (input.byJob) return m_byJob.wantedHeight(input, line);
    constexpr double ofMap = 6;
    if (GanttMap::isFor(input)) return ofMap * static_cast<double>(rows(input));
    const std::size_t machines = input.run ? input.run->machines().size() : 0;
    return std::max(LanePainter::wantedHeight(input, line), static_cast<double>(machines) * labelledRow(line));
}
std::optional<std::size_t> GanttPainter::rowInView(const LaneInput& input) const {
    if (input.byJob) return m_byJob.rowInView(input);
    if (!input.run || input.machines.isEmpty()) return std::nullopt;
    if (GanttMap::isFor(input)) return m_map.rowInView(input);
    std::size_t row = 0;
    for (std::size_t m = 0; m < input.run->machines().size(); ++m) {
        if (input.machines.contains(QString::fromStdString(input.run->workload().machine(MachineId(m)).key)))
            return row;
        row += slotRows(input.run->machines()[m]);
    }
    return std::nullopt;
}

QString GanttPainter::emptyText(const LaneInput& input) const {
    if (input.byJob) return m_byJob.emptyText(input);
    if (!input.run) return QCoreApplication::translate("Lane", "Press play to see which task runs on which machine.");
    for (const auto& machine : input.run->machines())
        if (!machine.slotLanes.empty() || !machine.outages.empty()) return {};
    return QCoreApplication::translate("Lane", "No task has been placed yet.");
}

std::size_t GanttPainter::rows(const LaneInput& input) const {
    if (input.byJob) return m_byJob.rows(input);
    if (GanttMap::isFor(input)) return m_map.rows(*input.run);
    std::size_t n = 0;
    if (input.run)
        for (const auto& machine : input.run->machines()) n += slotRows(machine);
    return n;
}

/// Rows high enough for names change as far back as the task that is there now began.
double GanttPainter::grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const {
    if (!input.byJob && GanttMap::isFor(input)) return m_map.grownFrom(canvas, input, before);
    const RowLayout layout = RowLayout::of(canvas, before.rows, input.scroll);
    if (input.byJob || rows(input) != before.rows || layout.height >= namedRow(canvas)) return canvas.plot.left();
    const SimTime changed = std::min(before.head, input.run->changedSince(before.position));
    return std::max(canvas.plot.left(), lanePieceAt(canvas.time.x(changed.toSeconds()) - leastTextured));
}

void GanttPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    if (input.byJob) return m_byJob.paint(canvas, input);
    if (GanttMap::isFor(input)) return m_map.paint(canvas, input);
    RowNames names(*input.run);
    const RowLayout layout = RowLayout::of(canvas, rows(input), input.scroll);
    const double gap = layout.height >= 6 ? 1 : 0;
    std::size_t row = 0;
    double labelled = canvas.gutter.top() - canvas.lineHeight() / 3;
    for (std::size_t m = 0; m < input.run->machines().size(); ++m) {
        const MachineHistory& machine = input.run->machines()[m];
        const std::size_t count = slotRows(machine);
        const QRectF band(canvas.plot.left(), layout.y(row), canvas.plot.width(),
                          layout.height * static_cast<double>(count));
        if (band.bottom() >= canvas.plot.top() && band.top() <= canvas.plot.bottom()) {
            const MachineId id(m);
            const bool selected =
                input.machines.contains(QString::fromStdString(input.run->workload().machine(id).key));
            // Labels that would touch each other are left out, except a selected one's. Machines of a rack have one label together,
            // where one of them is too low for its own.
            const auto [text, rowsOfLabel] =
                selected || canvas.isLabelled(layout.height * static_cast<double>(fewestRowsInRack(*input.run, m)))
                    ? std::pair(QString(), count)
                    : rackAt(*input.run, m);
            const double tall = layout.height * static_cast<double>(rowsOfLabel), label = canvas.labelHeight(tall);
            const double middle = band.top() + tall / 2;
            if (rowsOfLabel > 0 && canvas.from <= canvas.plot.left() && (selected || middle - label / 2 >= labelled)) {
                canvas.rowLabel(band.top(), tall, text.isEmpty() ? names.next(id) : text, selected,
                                !selected && !input.machines.isEmpty());
                labelled = middle + label / 2 - (label < canvas.lineHeight() ? 0.5 : 2);
            }
            if (m > 0 && layout.height * static_cast<double>(count) >= 8) {
                canvas.painter.setPen(QPen(canvas.theme.grid, 1));
                const double y = canvas.vector ? band.top() : std::floor(band.top()) + 0.5;
                canvas.painter.drawLine(QPointF(canvas.plot.left(), y), QPointF(canvas.plot.right(), y));
            }
            for (std::size_t s = 0; s < machine.slotLanes.size(); ++s)
                paintSlot(canvas, input, machine.slotLanes[s],
                          QRectF(band.left(), layout.y(row + s) + gap, band.width(), layout.height - 2 * gap));
            paintOutages(canvas, input, machine, band.adjusted(0, gap, 0, -gap));
        }
        row += count;
    }
}

void GanttPainter::paintSlot(LaneCanvas& canvas, const LaneInput& input, const SlotHistory& slot,
                             const QRectF& row) const {
    const TimeScale& time = canvas.time;
    const double from = std::max(time.from, time.seconds(scanFrom(canvas)));
    std::size_t i = slot.firstEndingAfter(SimTime::seconds(from));
    // Of stays narrower than a pixel the first that ends in it is drawn.
    const auto pixelOf = [&](SimTime t) { return std::floor(time.x(t.toSeconds())); };
    double painted = i > 0 ? pixelOf(slot.stays[i - 1].end) : row.left() - 1;
    while (i < slot.stays.size()) {
        const SlotHistory::Stay& stay = slot.stays[i];
        const double x0 = std::max(row.left(), time.x(stay.start.toSeconds()));
        if (x0 >= row.right() || stay.start >= input.end) break;
        const SimTime end = std::min(stay.end, input.end);
        const double x1 = std::min(row.right(), time.x(end.toSeconds()));
        if (x1 - x0 >= 1 || pixelOf(end) > painted) {
            paintStay(canvas, input, stay, QRectF(x0, row.top(), std::max(x1 - x0, 0.5), row.height()));
            painted = pixelOf(end);
            ++i;
        } else {
            // Everything that ends within this pixel is hidden behind it: go on after it.
            i = std::max(i + 1, slot.firstEndingAfter(SimTime::seconds(time.seconds(painted + 1))));
        }
    }
}

void GanttPainter::paintStay(LaneCanvas& canvas, const LaneInput& input, const SlotHistory::Stay& stay,
                             const QRectF& whole) const {
    const JobId id(stay.job);
    // Grey ones beside each other are told apart by a gap.
    const bool gap = !input.run->isColoured(id) && whole.width() >= 4;
    const QRectF bar = gap ? whole.adjusted(0, 0, -1, 0) : whole;
    const bool dimmed = input.job.valid() && input.job != id;
    QColor colour = jobColour(canvas.theme, *input.run, id, input.job);
    if (dimmed) colour = Theme::mix(colour, canvas.theme.surface, 0.32);
    const bool server = stay.role == TaskRole::server, logged = logsTasks(input.run->workload(), id);
    canvas.box(bar, server ? Theme::mix(colour, canvas.theme.surface, 0.5)
                           : taskShade(canvas.theme, colour, logged ? WorkerPhase::idle : WorkerPhase::computing));
    const auto& workers = input.run->jobs()[stay.job].workers;
    if (!server && logged && stay.index < workers.size() && bar.width() >= 2) {
        const auto runs = laneRuns(workers[stay.index].track, canvas.time, std::max(bar.left(), scanFrom(canvas)),
                                   bar.right(), input.end, canvas.finest());
        for (const LaneRun& run : runs) {
            if (run.merged) {
                canvas.box(QRectF(run.x0, bar.top(), run.x1 - run.x0, bar.height()),
                           meanShade(canvas.theme, colour, run));
                continue;
            }
            const auto activity = activityOf(run.phase);
            if (!activity || isIdle(run.phase)) continue; // the ground says it
            const QRectF part(run.x0, bar.top(), run.x1 - run.x0, bar.height());
            canvas.texturedBox(part, taskShade(canvas.theme, colour, run.phase), *activity,
                               Theme::mix(colour, canvas.theme.surface, dimmed ? 0.7 : 0.9));
        }
    }
    if (!server && logged && bar.width() >= 2) canvas.outline(bar, colour);
    if (input.run->isColoured(id) && canvas.theme.jobStriped(id) && bar.width() >= 6 &&
        bar.height() >= 4) { // hues repeat after ten jobs
        ++canvas.items;
        canvas.painter.fillRect(QRectF(bar.left(), bar.center().y() - 1, bar.width(), 2), canvas.theme.surface);
    }
    if (bar.height() < namedRow(canvas) - 2 || bar.width() < 64) return;
    const QString name = taskName(*input.run, stay);
    QFont font = canvas.font;
    const QFontMetricsF metrics(font);
    const double high = std::ceil(metrics.height()) + 1; // descenders and all
    const QRectF chip(bar.left() + 4, std::floor(bar.center().y() - high / 2),
                      std::min(metrics.horizontalAdvance(name) + 8, bar.width() - 8), high);
    QColor ground = canvas.theme.surface;
    ground.setAlphaF(0.86f);
    canvas.painter.fillRect(chip, ground);
    canvas.painter.setFont(font);
    canvas.painter.setPen(dimmed ? canvas.theme.muted : canvas.theme.text);
    canvas.painter.drawText(chip.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                            metrics.elidedText(name, Qt::ElideRight, chip.width() - 6));
}

void GanttPainter::paintOutages(LaneCanvas& canvas, const LaneInput& input, const MachineHistory& machine,
                                const QRectF& band) const {
    const QColor failed = canvas.theme.activity(Activity::failed);
    constexpr double mark = 2; // pixels, at the start of each
    const TimeScale& time = canvas.time;
    const SimTime from = SimTime::seconds(std::max(time.from, time.seconds(std::floor(scanFrom(canvas) - mark))));
    auto later = outagesEndingAfter(machine.outages, from);
    while (!later.empty() && later.front().start < input.end) {
        const Outage& outage = later.front();
        const SimTime end = std::min(outage.end, input.end);
        const double x0 = std::max(band.left(), time.x(outage.start.toSeconds())),
                     x1 = std::min(band.right(), time.x(end.toSeconds()));
        if (x0 >= band.right()) return;
        // Of those narrower than a pixel the first that ends in it is drawn.
        later = outagesEndingAfter(later.subspan(1),
                                   SimTime::seconds(time.seconds(std::floor(time.x(end.toSeconds())) + 1)));
        canvas.texturedBox(QRectF(x0, band.top(), x1 - x0, band.height()),
                           Theme::mix(failed, canvas.theme.surface, 0.22), Activity::failed,
                           Theme::mix(failed, canvas.theme.surface, 0.6));
        canvas.box(QRectF(x0, band.top(), mark, band.height()), failed);
    }
}

std::vector<LegendEntry> GanttPainter::legend(const Theme& theme, const LaneInput& input) const {
    if (input.byJob) return m_byJob.legend(theme, input);
    std::vector<LegendEntry> entries;
    if (!input.run) return entries;
    if (GanttMap::isFor(input)) return m_map.legend(theme, input);
    std::vector<int> tasks(input.run->jobs().size(), 0);
    for (const auto& machine : input.run->machines())
        for (const auto& slot : machine.slotLanes) {
            const std::size_t i = slot.firstEndingAfter(input.at);
            if (i < slot.stays.size() && slot.stays[i].start <= input.at) ++tasks[slot.stays[i].job];
        }
    const auto add = [&](std::size_t j) {
        const JobHistory& job = input.run->jobs()[j];
        const bool shown = tasks[j] > 0 || input.job == JobId(j) || (tasks.size() <= 8 && !job.workers.empty());
        if (!shown) return;
        if (entries.size() >= input.mostEntries && input.job != JobId(j)) {
            entries.push_back({.job = JobId(j)});
            return;
        }
        const QString count =
            tasks[j] > 0 ? QCoreApplication::translate("Lane", "%n task(s)", nullptr, tasks[j]) : QStringLiteral("–");
        entries.push_back({.label = QString::fromStdString(input.run->jobName(JobId(j))),
                           .value = count,
                           .colour = jobColour(theme, *input.run, JobId(j), input.job),
                           .job = JobId(j),
                           .dimmed = input.job.valid() && input.job != JobId(j)});
    };
    for (const bool coloured : {true, false})
        for (std::size_t j = 0; j < tasks.size(); ++j)
            if (input.run->isColoured(JobId(j)) == coloured) add(j);
    if (!entries.empty() && entries.size() < input.mostEntries && logsTasks(input.run->workload(), JobId()))
        entries.push_back({.label = QCoreApplication::translate("Lane", "allocated, idle"),
                           .swatch = LegendEntry::Swatch::outlined,
                           .colour = theme.muted});
    return entries;
}

LaneHit GanttPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    if (input.byJob) return m_byJob.hit(canvas, input, pointer);
    LaneHit result;
    if (!input.run) return result;
    if (GanttMap::isFor(input)) return m_map.hit(canvas, input, pointer);
    const RowLayout layout = RowLayout::of(canvas, rows(input), input.scroll);
    std::size_t row = layout.rowAt(pointer.y());
    for (std::size_t m = 0; m < input.run->machines().size(); ++m) {
        const MachineHistory& machine = input.run->machines()[m];
        if (row >= slotRows(machine)) {
            row -= slotRows(machine);
            continue;
        }
        result.machine = QString::fromStdString(input.run->workload().machine(MachineId(m)).key);
        const QString name = QString::fromStdString(input.run->machineName(MachineId(m)));
        result.row = name;
        const SimTime at = SimTime::seconds(canvas.time.seconds(pointer.x()));
        if (isDownAt(machine, at)) {
            result.text = QCoreApplication::translate("Lane", "%1 · down").arg(name);
            return result;
        }
        result.text = QCoreApplication::translate("Lane", "%1 · free slot").arg(name);
        if (row >= machine.slotLanes.size() || at > input.end) return result;
        const SlotHistory& slot = machine.slotLanes[row];
        const std::size_t i = slot.firstEndingAfter(at);
        if (i == slot.stays.size() || slot.stays[i].start > at) return result;
        const SlotHistory::Stay& stay = slot.stays[i];
        result.job = JobId(stay.job);
        result.text = QStringLiteral("%1 · %2").arg(name, taskName(*input.run, stay));
        const auto& workers = input.run->jobs()[stay.job].workers;
        if (stay.role == TaskRole::worker && stay.index < workers.size() &&
            logsTasks(input.run->workload(), result.job)) { // else what it does is not known
            const std::size_t k = workers[stay.index].track.indexAt(at);
            if (k != IntervalTrack::none)
                result.text += QStringLiteral(" · ") + workerPhaseText(workers[stay.index].track.phase(k));
        }
        return result;
    }
    return result;
}

} // namespace trainyard
