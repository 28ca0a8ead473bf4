// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A view of the run as a lane of the timeline, on the shared axis and cursor: any whose horizontal axis is time, or knows where instants
// are. Another run is drawn beneath, dashed; more lines than a frame can hold are painted beside the window's thread.
#include "lanes/LanePainter.h"
#include "session/ViewSubject.h"

#include <memory>

namespace trainyard {

/// The picture of what Histories keeps; `request` without options, and with the selected job. Where there is no such view, option
/// or job it is empty and says so.
Computation pictureNow(const HistorySubject& subject, ViewRequest request);
/// Why a picture is no lane; empty if it can be one. `takesLong`: it is worked out beside the window.
QString whyNoLane(const Picture& picture, bool takesLong);

std::unique_ptr<LanePainter> makeChartLane(const HistorySubject& subject);

} // namespace trainyard
