// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One iteration as bars: who answered when, the line of the k-th answer that the update waited for, and the
// work that was discarded when it had come.
#include "analysis/IterationBars.h"
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace iteration_view {

struct Options {
    bool byWorker = false;
};

const BoundSchema<Options>& options() {
    static const auto schema = bindSchema<Options>(flag(&Options::byWorker, "by_worker", "In order of workers",
                                                        "Rows by worker number instead of order of arrival."));
    return schema;
}

bool isLost(const TaskBar& bar) { return bar.fate == TaskBar::Fate::cancelled || bar.fate == TaskBar::Fate::dropped; }

double length(SimTime from, SimTime to) { return from != SimTime::never() && to > from ? (to - from).toSeconds() : 0; }

Text tell(const std::string& worker, const TaskBar& bar, int used) {
    const std::string compute = quantityText(length(bar.compute, std::min(bar.push, bar.end)), "s"),
                      push = quantityText(length(bar.push, bar.end), "s"),
                      all = quantityText(length(bar.start(), bar.end), "s");
    switch (bar.fate) {
    case TaskBar::Fate::used:
        return {TRAINYARD_TEXT("{0} · computing {1} · sending {2} · response {3} of the {4} used"),
                {worker, compute, push, std::to_string(bar.place), std::to_string(used)}};
    case TaskBar::Fate::dropped:
        return {TRAINYARD_TEXT("{0} · computing {1} · sending {2} · arrived too late: discarded"),
                {worker, compute, push}};
    case TaskBar::Fate::cancelled:
        return {TRAINYARD_TEXT("{0} · computing {1} · discarded after {2}"), {worker, compute, all}};
    case TaskBar::Fate::underWay: break;
    }
    return bar.arrived ? Text{TRAINYARD_TEXT("{0} · computing {1} · sending {2} · arrived, not used yet"),
                              {worker, compute, push}}
                       : Text{TRAINYARD_TEXT("{0} · computing {1} · continues"), {worker, compute}};
}

/// The spans of all rows, on one zero.
class Bars {
public:
    Bars(const ViewRequest& request, const IterationBars& iteration, std::vector<std::uint32_t> workers)
        : m_request(request), m_iteration(iteration), m_workers(std::move(workers)) {
        m_series.kind = Series::Kind::spans;
        m_series.key = "tasks";
        for (std::size_t r = 0; r < m_workers.size(); ++r) {
            if (m_rowOf.size() <= m_workers[r]) m_rowOf.resize(m_workers[r] + 1, 0);
            m_rowOf[m_workers[r]] = static_cast<std::uint32_t>(r);
        }
    }

    Series take() && {
        const SimTime end = m_iteration.to, needed = std::min(m_iteration.lastNeeded, end);
        std::vector<SimTime> idle(m_workers.size(), end),
            updating = idle; // since when a row waits: for others, for servers
        for (const TaskBar& bar : m_iteration.bars) {
            const Text note = tell(workerName(m_request.run, m_request.job, bar.worker), bar, m_iteration.used);
            add(bar, bar.pull, std::min({bar.compute, bar.push, bar.end}), Activity::transfer, note);
            add(bar, bar.compute, std::min(bar.push, bar.end), Activity::compute, note);
            add(bar, bar.push, bar.end, Activity::transfer, note);
            const std::uint32_t row = m_rowOf[bar.worker];
            idle[row] = bar.arrived || bar.fate == TaskBar::Fate::cancelled ? bar.end : end;
            updating[row] = bar.fate == TaskBar::Fate::underWay ? end : std::max(idle[row], needed);
        }
        for (std::size_t r = 0; r < m_workers.size(); ++r) {
            wait(m_workers[r], idle[r], updating[r], Activity::waiting, TRAINYARD_TEXT("{0} · waiting {1}"));
            wait(m_workers[r], updating[r], end, Activity::update, TRAINYARD_TEXT("{0} · waiting for the server {1}"));
        }
        return std::move(m_series);
    }

private:
    void add(const TaskBar& bar, SimTime from, SimTime to, Activity activity, const Text& note) {
        if (length(from, to) <= 0) return;
        push(bar.worker, from, to, Role::of(activity), isLost(bar) ? std::optional(Activity::discarded) : std::nullopt,
             note);
    }
    void wait(std::uint32_t worker, SimTime from, SimTime to, Activity activity, const char* text) {
        if (const double waits = length(from, to); waits > 0)
            push(worker, from, to, Role::of(activity), {},
                 {text, {workerName(m_request.run, m_request.job, worker), quantityText(waits, "s")}});
    }
    void push(std::uint32_t worker, SimTime from, SimTime to, Role role, std::optional<Activity> over, Text note) {
        const SimTime zero = m_iteration.from;
        m_series.spans.push_back({(from - zero).toSeconds(), (to - zero).toSeconds(), m_rowOf[worker], role, over});
        m_series.refs.push_back(workerRef(m_request.run, m_request.job, worker));
        m_series.notes.push_back(std::move(note));
    }

    const ViewRequest& m_request;
    const IterationBars& m_iteration;
    std::vector<std::uint32_t> m_workers, m_rowOf;
    Series m_series;
};

void addLines(Plot& plot, const IterationBars& iteration) {
    if (iteration.lastNeeded == SimTime::never()) return;
    const double at = (iteration.lastNeeded - iteration.from).toSeconds();
    if (iteration.to > iteration.lastNeeded)
        plot.lines.push_back(
            {.value = (iteration.to - iteration.from).toSeconds(), .role = Role::of(Activity::update)});
    plot.lines.push_back({.value = at,
                          .weight = 4.0 / 3,
                          .label = {TRAINYARD_TEXT("update {0}: response {1} of {2} after {3}"),
                                    {std::to_string(iteration.update + 1), std::to_string(iteration.used),
                                     std::to_string(iteration.byArrival.size()), quantityText(at, "s")}},
                          .strong = true});
}

std::vector<LegendItem> legendOf(const IterationBars& iteration) {
    std::size_t lost = 0, going = 0;
    for (const TaskBar& bar : iteration.bars) {
        lost += isLost(bar);
        going += bar.fate == TaskBar::Fate::underWay;
    }
    std::vector<LegendItem> items{
        legendBox({TRAINYARD_TEXT("compute"), {}}, {}, Role::of(Activity::compute)),
        legendBox({TRAINYARD_TEXT("transfer"), {}}, {}, Role::of(Activity::transfer)),
        legendBox({TRAINYARD_TEXT("waiting"), {}}, {}, Role::of(Activity::waiting)),
        legendBox({TRAINYARD_TEXT("server update"), {}}, {}, Role::of(Activity::update)),
        legendBox({TRAINYARD_TEXT("discarded"), {}}, count(lost), Role::of(Activity::discarded))};
    if (going > 0) items.push_back(legendItem({TRAINYARD_TEXT("in progress"), {}}, count(going)));
    std::optional<Quantity> k;
    if (iteration.used > 0) k = Quantity{static_cast<double>(iteration.used), "count"};
    items.push_back(legendLine({TRAINYARD_TEXT("k-th response"), {}}, k, {}));
    return items;
}

Text meaning() {
    return {TRAINYARD_TEXT("What every worker did for one update: reading and sending parameters, computing, waiting. "
                           "The line is the k-th response, which the update waited for; work discarded then is "
                           "cross-hatched."),
            {}};
}

Stops stopsOf(const ViewRequest& request, std::size_t shown) {
    const std::size_t size = updatesOf(request).size();
    Stops stops{.number = shown + 1, .count = size, .name = {TRAINYARD_TEXT("iteration"), {}}};
    if (size == 0) return stops;
    const auto at = [&](std::size_t update) { return timeOfUpdate(request.run, request.job, update); };
    stops.first = at(0);
    stops.last = at(size - 1);
    if (shown > 0) stops.previous = at(shown - 1);
    if (shown + 1 < size) stops.next = at(shown + 1);
    return stops;
}

Computation compute(const ViewRequest& request) {
    const UpdateLog& updates = updatesOf(request);
    if (!hasGradients(request.run, request.job) || (updates.size() > 0 && updates.gradients().empty()))
        return emptyChart(noGradientsText(request), meaning());
    const IterationBars iteration = iterationAt(request.run, request.job, request.at);
    const Options chosen = options().read(request.options);
    std::vector<std::uint32_t> workers = iteration.byArrival;
    if (chosen.byWorker) std::sort(workers.begin(), workers.end());
    Chart chart;
    Plot& plot = chart.plot();
    const double before = (iteration.earliest() - iteration.from).toSeconds();
    const double lasts = std::max((iteration.to - iteration.from).toSeconds(), 1e-9);
    plot.x = {.title = {TRAINYARD_TEXT("time since the previous update"), {}},
              .unit = "s",
              .key = "since_update_s",
              .from = before,
              .to = lasts + 0.02 * (lasts - before)};
    // Never onto the update before: that is the iteration before.
    plot.x.knots = {{1e-9, SimTime{iteration.from.ns + 1}},
                    {lasts, std::max(iteration.to, SimTime{iteration.from.ns + 1})}};
    plot.y = {.kind = Axis::Kind::categories,
              .title = chosen.byWorker ? Text{TRAINYARD_TEXT("workers"), {}}
                                       : Text{TRAINYARD_TEXT("workers, in order of arrival"), {}},
              .key = "worker"};
    for (const std::uint32_t w : workers)
        plot.y.categories.push_back(
            {nameText(workerName(request.run, request.job, w)), workerRef(request.run, request.job, w)});
    plot.series.push_back(Bars(request, iteration, std::move(workers)).take());
    addLines(plot, iteration);
    chart.legend = legendOf(iteration);
    chart.meaning = meaning();
    chart.stops = stopsOf(request, iteration.update);
    return chart;
}

} // namespace iteration_view

View iterationView() {
    return {.id = "iteration",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("One iteration"), {}},
            .summary = {TRAINYARD_TEXT("What each worker did for one update, and whom the update waited for."), {}},
            .options = iteration_view::options().schema,
            .concerns = hasGradients,
            .compute = iteration_view::compute};
}

} // namespace trainyard
