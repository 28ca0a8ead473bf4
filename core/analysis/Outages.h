// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Looking up when a machine was down, of which there may be a million times.
#include "analysis/RunIndex.h"

#include <algorithm>
#include <span>

namespace trainyard {

/// The outages that end after `t`; they are in order and do not overlap.
inline std::span<const Outage> outagesEndingAfter(std::span<const Outage> outages, SimTime t) {
    const auto first = std::ranges::partition_point(outages, [t](const Outage& each) { return each.end <= t; });
    return {first, outages.end()};
}

inline bool isDownAt(const MachineHistory& machine, SimTime t) {
    const auto later = outagesEndingAfter(machine.outages, t);
    return !later.empty() && later.front().start <= t;
}

} // namespace trainyard
