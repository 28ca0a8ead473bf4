// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/GanttMap.h"

#include "analysis/Outages.h"
#include "model/ResourceLabel.h"
#include "theme/SharedParts.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace gantt_map {

constexpr std::size_t mostRows = 24; // unless there are a few more racks

std::string nameOf(const std::string& name, const std::string& key) { return name.empty() ? key : name; }

/// One row per rack, where machines of a rack stand together and the racks are few; else none.
std::vector<GanttMap::Row> racksOf(const ShownIndex& run) {
    const Cluster& cluster = run.workload().cluster;
    std::vector<GanttMap::Row> rows;
    for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
        const std::string& rack = cluster.machines[m].rack;
        if (rack.empty() || rows.size() > mostLabelledRows) return {};
        if (m > 0 && cluster.machines[m - 1].rack == rack) {
            rows.back().last = m + 1;
            continue;
        }
        const auto it = std::find_if(cluster.racks.begin(), cluster.racks.end(),
                                     [&](const Rack& candidate) { return candidate.key == rack; });
        const QString name =
            QString::fromStdString(it == cluster.racks.end() ? rack : gantt_map::nameOf(it->name, it->key));
        rows.push_back({m, m + 1, name, name});
    }
    return rows.size() > mostLabelledRows ? std::vector<GanttMap::Row>{} : rows;
}

/// "01…115 – 02…117" of "01-node-gpu-115" and "02-node-gpu-117": what they have in common between the numbers is left out.
QString acrossRacks(std::string first, std::string last) {
    std::size_t from = 0, most = 0;
    for (std::size_t i = 0, alike = 0; i < first.size(); ++i) {
        alike = first[i] == last[i] ? alike + 1 : 0;
        if (alike > most) most = alike, from = i + 1 - alike;
    }
    const auto isDigit = [&](std::size_t i) { return first[i] >= '0' && first[i] <= '9'; };
    const auto isInside = [&](std::size_t i) { return (static_cast<unsigned char>(first[i]) & 0xC0) == 0x80; };
    while (most > 0 && (isDigit(from) || isInside(from))) ++from, --most; // numbers and letters stay whole
    while (most > 0 && (isDigit(from + most - 1) || (from + most < first.size() && isInside(from + most)))) --most;
    const auto shorten = [&](std::string name) { return QString::fromStdString(name.replace(from, most, "…")); };
    return QStringLiteral("%1 – %2").arg(shorten(std::move(first)), shorten(std::move(last)));
}

/// "node-001 – 003": of the second name only what the first does not say.
QString spanOf(const std::string& first, const std::string& last) {
    if (first == last) return QString::fromStdString(first);
    const std::string rest = SharedParts{SharedParts::of({first, last}, 12).front, 0}.without(last);
    return QStringLiteral("%1 – %2").arg(QString::fromStdString(first), QString::fromStdString(rest));
}

double allocatedAt(const LaneInput& input, const GanttMap::Row& row, std::size_t resource, double seconds) {
    const TimeScale instant{.from = seconds, .to = seconds + 1e-9, .left = 0, .right = 1};
    const auto share = GanttMap::shares(input, row, resource, instant, 0, 1);
    return share.empty() ? 0 : share.front();
}

QString shareText(double share) {
    return QCoreApplication::translate("Lane", "%1 %").arg(static_cast<int>(std::lround(100 * share)));
}

} // namespace gantt_map

using namespace gantt_map;

bool GanttMap::isFor(const LaneInput& input) { return input.run && input.run->machines().size() > mostLabelledRows; }

std::vector<GanttMap::Row> GanttMap::rowsOf(const ShownIndex& run) {
    std::vector<Row> rows = racksOf(run);
    if (!rows.empty()) return rows;
    const std::size_t machines = run.machines().size(), each = (machines + mostRows - 1) / mostRows;
    std::vector<std::string> names;
    for (std::size_t m = 0; m < machines; ++m) names.push_back(run.machineName(MachineId(m)));
    const SharedParts shared = SharedParts::of(names);
    for (std::size_t first = 0; first < machines; first += each) {
        const std::size_t last = std::min(machines, first + each);
        const std::string &from = names[first], &to = names[last - 1];
        const std::string begin = shared.without(from), end = shared.without(to);
        constexpr std::size_t enough = 12; // bytes
        const bool across = begin.size() > enough && begin.size() == end.size() && begin != end &&
                            SharedParts::of({begin, end}, enough).front == 0;
        rows.push_back({first, last, spanOf(from, to), across ? acrossRacks(begin, end) : spanOf(begin, end)});
    }
    return rows;
}

std::size_t GanttMap::scarcestResource(const Workload& workload) {
    std::size_t scarcest = 0;
    double most = 0;
    for (std::size_t r = 0; r < workload.cluster.resourceNames.size(); ++r) {
        double capacity = 0, wanted = 0;
        for (const Machine& machine : workload.cluster.machines) capacity += machine.capacity.amount(r);
        for (const Job& job : workload.jobs)
            wanted += job.workerDemand.amount(r) * static_cast<double>(job.workers.maximum);
        if (capacity > 0 && wanted / capacity > most) {
            most = wanted / capacity;
            scarcest = r;
        }
    }
    return scarcest;
}

std::vector<double> GanttMap::shares(const LaneInput& input, const Row& row, std::size_t resource,
                                     const TimeScale& time, double left, double right) {
    const Workload& workload = input.run->workload();
    const auto columns = static_cast<std::size_t>(std::max(0.0, std::ceil((right - left) / column)));
    std::vector<double> taken(columns, 0.0),
        change(columns + 1, 0.0); // of columns that a stay fills: from one to the next
    double capacity = 0;
    const SimTime from = SimTime::seconds(std::max(0.0, time.seconds(left)));
    for (std::size_t m = row.first; m < row.last; ++m) {
        capacity += workload.cluster.machines[m].capacity.amount(resource);
        for (const SlotHistory& slot : input.run->machines()[m].slotLanes)
            for (std::size_t i = slot.firstEndingAfter(from); i < slot.stays.size(); ++i) {
                const SlotHistory::Stay& stay = slot.stays[i];
                const double x0 = std::max(left, time.x(stay.start.toSeconds()));
                if (x0 >= right) break;
                if (input.job.valid() && input.job.index() != stay.job) continue;
                const Job& job = workload.jobs[stay.job];
                const double amount =
                    (stay.role == TaskRole::worker ? job.workerDemand : job.serverDemand).amount(resource);
                const double x1 = std::min(right, time.x(std::min(stay.end, input.end).toSeconds()));
                if (x1 <= x0) continue;
                const auto first = std::min(columns - 1, static_cast<std::size_t>((x0 - left) / column)),
                           last = std::min(columns - 1, static_cast<std::size_t>((x1 - left) / column));
                const auto addPart = [&](std::size_t at) {
                    const double begin = left + column * static_cast<double>(at), end = std::min(right, begin + column);
                    taken[at] += amount * std::max(0.0, std::min(x1, end) - std::max(x0, begin)) / (end - begin);
                };
                addPart(first);
                if (last == first) continue;
                addPart(last);
                change[first + 1] += amount;
                change[last] -= amount;
            }
    }
    double whole = 0;
    for (std::size_t at = 0; at < columns; ++at) {
        whole += change[at];
        taken[at] = capacity > 0 ? std::clamp((taken[at] + whole) / capacity, 0.0, 1.0) : 0;
    }
    return taken;
}

int GanttMap::stepOf(double share) {
    constexpr double nothing = 1e-6; // rounding of the ends of intervals leaves less
    return share < nothing ? -1 : static_cast<int>(std::lround(share * steps));
}

double GanttMap::grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const {
    const SimTime changed = std::min(before.head, input.run->changedSince(before.position));
    return std::max(canvas.plot.left(), canvas.time.x(changed.toSeconds()) - column);
}

const GanttMap::Known& GanttMap::known(const ShownIndex& run) const {
    if (m_known.workload != run.source().workload)
        m_known = {run.source().workload, rowsOf(run), scarcestResource(run.workload())};
    return m_known;
}

void GanttMap::paint(LaneCanvas& canvas, const LaneInput& input) const {
    const auto& [workload, rows, resource] = known(*input.run);
    const RowLayout layout = RowLayout::of(canvas, rows.size(), input.scroll);
    const auto [first, last] = layout.visible(canvas.plot);
    const double gap = layout.height >= 6 ? 0.5 : 0,
                 right = std::min(canvas.plot.right(), canvas.time.x(input.end.toSeconds()));
    const double left = column * std::floor(std::max(canvas.plot.left(), canvas.from - column) / column);
    const auto selected = rowInView(input);
    double labelled = canvas.gutter.top() - canvas.lineHeight() / 3;
    for (std::size_t r = first; r < last; ++r) {
        const double y = layout.y(r), label = canvas.labelHeight(layout.height);
        if (canvas.from <= canvas.plot.left() && (selected == r || y + layout.height / 2 - label / 2 >= labelled)) {
            canvas.rowLabel(y, layout.height, rows[r].label, selected == r, selected && selected != r);
            labelled = y + layout.height / 2 + label / 2 - (label < canvas.lineHeight() ? 0.5 : 2);
        }
        const std::vector<double> share = shares(input, rows[r], resource, canvas.time, left, right);
        for (std::size_t i = 0; i < share.size();) {
            const int step = stepOf(share[i]);
            std::size_t to = i + 1;
            while (to < share.size() && stepOf(share[to]) == step) ++to;
            const double x0 = std::max(canvas.plot.left(), left + column * static_cast<double>(i)),
                         x1 = std::min(right, left + column * static_cast<double>(to));
            canvas.box(QRectF(x0, y + gap, x1 - x0, layout.height - 2 * gap),
                       canvas.theme.load(step < 0 ? -1 : static_cast<double>(step) / steps));
            i = to;
        }
    }
}

std::vector<LegendEntry> GanttMap::legend(const Theme& theme, const LaneInput& input) const {
    const Workload& workload = input.run->workload();
    const std::size_t r = known(*input.run).resource;
    const QString resource = r < workload.cluster.resourceNames.size()
                                 ? QString::fromStdString(resourceLabel(workload.cluster.resourceNames[r]))
                                 : QString();
    std::vector<LegendEntry> entries{
        {.label = QCoreApplication::translate("Lane", "%1 allocated").arg(resource),
         .value = shareText(allocatedAt(input, {0, input.run->machines().size(), {}}, r, input.at.toSeconds())),
         .swatch = LegendEntry::Swatch::none}};
    entries.push_back({.label = QCoreApplication::translate("Lane", "none"), .colour = theme.load(-1)});
    for (const double share : {0.25, 0.5, 0.75, 1.0})
        entries.push_back({.label = shareText(share), .colour = theme.load(share)});
    return entries;
}

LaneHit GanttMap::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const auto& [workload, rows, resource] = known(*input.run);
    const std::size_t r = RowLayout::of(canvas, rows.size(), input.scroll).rowAt(pointer.y());
    if (r >= rows.size()) return result;
    result.row = result.text = rows[r].name;
    const double seconds = canvas.time.seconds(pointer.x());
    if (seconds < 0 || seconds > input.end.toSeconds()) return result;
    std::size_t down = 0;
    for (std::size_t m = rows[r].first; m < rows[r].last; ++m)
        down += isDownAt(input.run->machines()[m], SimTime::seconds(seconds));
    result.text += QStringLiteral(" · ") + QCoreApplication::translate("Lane", "%1 allocated")
                                               .arg(shareText(allocatedAt(input, rows[r], resource, seconds)));
    if (down > 0)
        result.text += QStringLiteral(" · ") +
                       QCoreApplication::translate("Lane", "%n machine(s) down", nullptr, static_cast<int>(down));
    return result;
}

std::optional<std::size_t> GanttMap::rowInView(const LaneInput& input) const {
    if (input.machines.isEmpty()) return std::nullopt;
    const std::vector<Row>& rows = known(*input.run).rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t m = rows[r].first; m < rows[r].last; ++m)
            if (input.machines.contains(QString::fromStdString(input.run->workload().machine(MachineId(m)).key)))
                return r;
    return std::nullopt;
}

} // namespace trainyard
