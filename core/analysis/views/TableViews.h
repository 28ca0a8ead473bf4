// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What views that are tables share. Included by these only.
#include "analysis/views/ViewParts.h"

namespace trainyard {

/// The heading that they stand under.
inline Text tablesGroup() { return {TRAINYARD_TEXT("Tables"), {}}; }

/// Folds the events before `end`; false: it was asked to stop.
template <class Fold>
bool applyUntil(Fold& fold, const EventLog& log, std::size_t end, const std::stop_token& stop, std::size_t begin = 0) {
    constexpr std::size_t stretch = 1 << 14; // events between two questions whether to stop
    for (std::size_t i = begin; i < end; ++i) {
        if (i % stretch == 0 && stop.stop_requested()) return false;
        fold.apply(log[i]);
    }
    return true;
}

} // namespace trainyard
