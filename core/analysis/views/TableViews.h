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

/// A table that is worked out beside the window's thread: `make(run, size, stop)` of the first `size` events of the log. The meaning is
/// added here.
template <class Make>
Computation tableLater(const ViewRequest& request, Text meaning, Make make) {
    if (request.run.position() == 0)
        return emptyChart({TRAINYARD_TEXT("Nothing has run yet. Press play."), {}}, std::move(meaning));
    return {emptyChart(computingText(), meaning),
            [run = request.run.source(), size = request.run.position(), meaning,
             make = std::move(make)](const std::stop_token& stop) -> Picture {
                Table table = make(run, size, stop);
                table.meaning = meaning;
                return table;
            }};
}

} // namespace trainyard
