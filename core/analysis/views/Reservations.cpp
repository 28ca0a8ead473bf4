// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What has been promised to each job, slot by slot, into the future, and whether its tasks are to share a machine.
#include "analysis/SlotNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard {

namespace reservations_view {

struct Promised {
    int workers = 0, servers = 0;
    std::set<std::uint32_t> machines;
};
using Row = std::map<std::uint32_t, Promised>; ///< by slot

constexpr std::size_t mostRows = 60; ///< of the latest jobs

Series spansOf(const ViewRequest& request, const SlotNotes& notes, const std::map<JobId, Row>& rows) {
    Series series{.kind = Series::Kind::spans, .key = "promised", .label = {TRAINYARD_TEXT("promised"), {}}};
    std::uint32_t row = 0;
    for (const auto& [job, slots] : rows) {
        for (const auto& [slot, promised] : slots) {
            const bool together = promised.machines.size() == 1;
            series.spans.push_back({notes.begin(slot), notes.begin(slot + 1), row, roleOf(request, job), {}});
            series.refs.push_back({.job = job, .at = SimTime::seconds(notes.begin(slot))});
            series.labels.push_back(nameText(std::to_string(promised.workers)));
            series.notes.push_back(
                {together
                     ? TRAINYARD_TEXT("{0}, slot {1}: {2} {2:worker|workers} and {3} {3:server|servers} on one machine")
                     : TRAINYARD_TEXT(
                           "{0}, slot {1}: {2} {2:worker|workers} and {3} {3:server|servers} on {4} {4:machine|machines}"),
                 {request.run.jobName(job), std::to_string(slot), std::to_string(promised.workers),
                  std::to_string(promised.servers), std::to_string(promised.machines.size())}});
        }
        ++row;
    }
    return series;
}

Computation compute(const ViewRequest& request) {
    const SlotNotes notes(request.run);
    Text meaning{
        TRAINYARD_TEXT("The workers reserved for each job in each slot, at the cursor. What a job gets may "
                       "differ: one that ends early gives the rest back. The legend counts the slots in which a "
                       "job's workers and servers all share one machine."),
        {}};
    if (!notes.known()) return emptyChart(noSlotsText(), std::move(meaning));
    std::map<JobId, Row> rows;
    std::map<JobId, SimTime> madeAt;
    for (const Reservation& made : notes.reservations(request.at)) {
        Row& row = rows[made.job];
        if (auto& at = madeAt[made.job]; at != made.at) row.clear(), at = made.at; // promised anew
        Promised& promised = row[made.slot];
        (made.role == TaskRole::worker ? promised.workers : promised.servers) += made.tasks;
        promised.machines.insert(made.machine.value);
    }
    if (rows.empty()) return emptyChart({TRAINYARD_TEXT("Nothing has been reserved yet."), {}}, std::move(meaning));
    while (rows.size() > mostRows) rows.erase(rows.begin());
    Chart chart;
    Plot& plot = chart.plot();
    plot.y = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("job"), {}}, .key = "job"};
    std::uint32_t last = 0;
    std::size_t slots = 0, together = 0;
    for (const auto& [job, row] : rows) {
        plot.y.categories.push_back({nameText(request.run.jobName(job)), {.job = job}});
        if (!row.empty()) last = std::max(last, row.rbegin()->first);
        slots += row.size();
        for (const auto& [slot, promised] : row) together += promised.machines.size() == 1;
    }
    plot.x = timeAxis(notes.begin(last + 1));
    plot.series.push_back(spansOf(request, notes, rows));
    chart.legend = {legendItem({TRAINYARD_TEXT("slots on one machine"), {}}, count(together)),
                    legendItem({TRAINYARD_TEXT("slots on several"), {}}, count(slots - together))};
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace reservations_view

View reservationsView() {
    return {.id = "reservations",
            .group = slotsGroup(),
            .title = {TRAINYARD_TEXT("Reservations"), {}},
            .summary = {TRAINYARD_TEXT("What is reserved for each job, slot by slot."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return SlotNotes(run).known(); },
            .compute = reservations_view::compute};
}

} // namespace trainyard
