// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a scheduler that plans in slots has noted and promised, for the views of it: series by the names that it declares, and
// slots as times.
#include "analysis/PolicyNotes.h"
#include "analysis/View.h"

namespace trainyard {

class SlotNotes {
public:
    explicit SlotNotes(const RunIndex& run);

    /// Whether the run's scheduler says how long its slots are.
    bool known() const { return m_slotSeconds > 0; }
    /// When a slot begins, in seconds.
    double begin(double slot) const { return slot * m_slotSeconds; }
    double slotSeconds() const { return m_slotSeconds; }
    /// Of the scheduler, by the name of the series; none noted after `until`.
    std::span<const NotedValue> series(std::string_view name, SimTime until, JobId job = {}) const;
    bool declares(std::string_view name) const { return numberOf(name).has_value(); }
    /// Made until then, in order of time.
    std::span<const Reservation> reservations(SimTime until) const;

private:
    std::optional<std::uint16_t> numberOf(std::string_view name) const;

    const RunIndex& m_run;
    const PolicyNotes& m_notes;
    std::vector<std::string> m_names; ///< of the scheduler's series
    double m_slotSeconds = 0;
};

/// The heading that the views of slots stand under.
Text slotsGroup();
/// Why there is nothing to see: nobody plans in slots.
Text noSlotsText();

} // namespace trainyard
