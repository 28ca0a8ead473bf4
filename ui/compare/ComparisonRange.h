// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an axis of a comparison's chart spans.
#include "analysis/Chart.h"
#include "charts/ChartAxes.h"

namespace trainyard {

/// The axis' own range, or one that holds all series that count, with some room.
AxisRange comparisonRange(const Plot& plot, bool horizontal);

} // namespace trainyard
