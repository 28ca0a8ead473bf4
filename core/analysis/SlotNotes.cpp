// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/SlotNotes.h"

#include <algorithm>

namespace trainyard {

SlotNotes::SlotNotes(const RunIndex& run) : m_run(run), m_notes(run.fold<PolicyNotes>()) {
    static const Registry all = Registry::builtin();
    const auto& scenario = run.source().scenario;
    const PolicyInfo* info = scenario ? policyOf(*scenario, all, PolicyFamily::scheduler, nullptr) : nullptr;
    if (!info) return;
    for (const SeriesInfo& series : info->series) m_names.push_back(series.name);
    const auto values = info->schema.complete(scenario->policies.scheduler.parameters);
    if (const auto it = values.find("slot_s"); it != values.end())
        if (const auto* seconds = std::get_if<double>(&it->second)) m_slotSeconds = *seconds;
}

std::optional<std::uint16_t> SlotNotes::numberOf(std::string_view name) const {
    const auto it = std::find(m_names.begin(), m_names.end(), name);
    if (it == m_names.end()) return std::nullopt;
    return static_cast<std::uint16_t>(it - m_names.begin());
}

std::span<const NotedValue> SlotNotes::series(std::string_view name, SimTime until, JobId job) const {
    const auto number = numberOf(name);
    if (!number) return {};
    const auto all = m_notes.of({PolicyFamily::scheduler, *number}, job);
    const auto end = std::upper_bound(all.begin(), all.end(), until,
                                      [](SimTime at, const NotedValue& value) { return at < value.at; });
    return all.first(static_cast<std::size_t>(end - all.begin()));
}

std::span<const Reservation> SlotNotes::reservations(SimTime until) const {
    const auto& all = m_notes.reservations();
    const auto end = std::upper_bound(all.begin(), all.end(), until,
                                      [](SimTime at, const Reservation& made) { return at < made.at; });
    return {all.data(), static_cast<std::size_t>(end - all.begin())};
}

Text slotsGroup() { return {TRAINYARD_TEXT("Slots"), {}}; }

Text noSlotsText() {
    return {TRAINYARD_TEXT("The scheduler does not plan in slots. Schedulers that do have the parameter slot_s."), {}};
}

} // namespace trainyard
