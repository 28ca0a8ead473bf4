// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a machine costs in each slot, as far as it has been promised away: prices of a primal-dual scheduler.
#include "analysis/SlotNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace prices_view {

/// Values by machine and slot: those noted last, and the lowest price where nothing has been promised.
struct PriceMap {
    std::uint32_t slots = 0;
    double low = 0, high = 0;
    std::vector<double> values; ///< machine by machine
};

std::optional<PriceMap> mapOf(const ViewRequest& request, const SlotNotes& notes) {
    const auto low = notes.series("lowest_price", request.at), high = notes.series("highest_price", request.at);
    const auto prices = notes.series("price", request.at);
    if (low.empty() || high.empty()) return std::nullopt;
    PriceMap map{.low = low.back().value, .high = high.back().value};
    for (const NotedValue& price : prices) map.slots = std::max(map.slots, price.second + 1);
    for (const NotedValue& weighed : notes.series("payoff", request.at))
        map.slots = std::max(map.slots, weighed.first + 1);
    map.slots = std::max(map.slots, 1u);
    map.values.assign(request.run.machines().size() * map.slots, map.low);
    for (const NotedValue& price : prices)
        map.values[std::size_t{price.first} * map.slots + price.second] = price.value;
    return map;
}

Computation compute(const ViewRequest& request) {
    const SlotNotes notes(request.run);
    Text meaning{
        TRAINYARD_TEXT("Price of one unit of a machine's most expensive resource in each slot, at the cursor. A "
                       "slot without reservations has the lowest price; each reservation raises it, and a fully "
                       "reserved slot has the highest."),
        {}};
    if (!notes.declares("price")) return emptyChart(noSlotsText(), std::move(meaning));
    const auto map = mapOf(request, notes);
    if (!map)
        return emptyChart({TRAINYARD_TEXT("No job has been considered yet. Press play."), {}}, std::move(meaning));
    const std::size_t machines = request.run.machines().size();
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(notes.begin(map->slots));
    plot.y = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("machine"), {}}, .key = "machine"};
    for (std::size_t m = 0; m < machines; ++m)
        plot.y.categories.push_back({nameText(request.run.machineName(MachineId(m))), {.machine = MachineId(m)}});
    Series series{.kind = Series::Kind::cells, .key = "price", .label = {TRAINYARD_TEXT("price"), {}}};
    series.cells.columns = map->slots;
    series.cells.rows = machines;
    series.cells.values = map->values;
    const double low = std::max(map->low, std::numeric_limits<double>::min());
    series.cells.scale = {ColourScale::Kind::perceptual,
                          low,
                          std::max(map->high, 2 * low),
                          true,
                          {TRAINYARD_TEXT("price of a unit"), {}}};
    for (std::size_t m = 0; m < machines; ++m)
        for (std::uint32_t slot = 0; slot < map->slots; ++slot) {
            series.refs.push_back({.machine = MachineId(m), .at = SimTime::seconds(notes.begin(slot))});
            series.notes.push_back({TRAINYARD_TEXT("{0}, slot {1}: {2} per unit"),
                                    {request.run.machineName(MachineId(m)), std::to_string(slot),
                                     quantityText(map->values[m * map->slots + slot])}});
        }
    plot.series.push_back(std::move(series));
    for (const auto& [label, value] : {std::pair(Text{TRAINYARD_TEXT("lowest, L"), {}}, map->low),
                                       {Text{TRAINYARD_TEXT("highest, U"), {}}, map->high}})
        chart.legend.push_back(
            {.label = label, .value = Quantity{value, ""}, .swatch = LegendItem::Swatch::cell, .scaled = value});
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace prices_view

View pricesView() {
    return {.id = "prices",
            .group = slotsGroup(),
            .title = {TRAINYARD_TEXT("Prices"), {}},
            .summary = {TRAINYARD_TEXT("The price of each machine in each slot, as reservations fill it."), {}},
            .scope = View::Scope::run,
            .concerns = [](const RunIndex& run, JobId) { return SlotNotes(run).declares("price"); },
            .compute = prices_view::compute};
}

} // namespace trainyard
