// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A view of the run as a lane of the timeline, on the shared axis and cursor: any whose horizontal axis is time. Added under Views.
#include "analysis/View.h"
#include "plots/LanePainter.h"
#include "session/Histories.h"

#include <memory>

namespace trainyard {

/// A view with its options as what Histories keeps: "prices?slot=2".
HistorySubject viewSubject(const View& view, const ParamValues& options);
/// Why a picture is no lane; empty if it can be one. `takesLong`: it is worked out beside the window.
QString whyNoLane(const Picture& picture, bool takesLong);

/// The painter of what was added to the timeline, be it a view or a history.
std::unique_ptr<LanePainter> makeAddedPainter(const HistorySubject& subject);

} // namespace trainyard
