// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a run is to stop at, in words. Shared by the dialog that asks for it and by those who tell how it ended.
#include "model/Workload.h"
#include "run/Breakpoint.h"

#include <QString>

namespace trainyard {

/// "job digits ends", "3 or more jobs wait", "04:00.000": to follow "Until". `workload` may be null.
QString breakpointText(const Breakpoint& until, const Workload* workload);
/// The sentence to tell the person when it is over. `at`: where time is held now.
QString untilOverText(const Breakpoint& until, bool reached, SimTime at, const Workload* workload);

} // namespace trainyard
