// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Times and amounts as people read them in the window: 03:12.450, never 192450 ms. Shared by the clock,
// tables and tooltips.
#include "base/SimTime.h"

#include <QString>

namespace trainyard {

/// "03:12.450"; hours and days only when there are any: "1:03:12.450", "2d 01:03:12".
QString clockText(SimTime t);
/// "850 ms", "3.2 s", "4:05 min", "2 h 10 min": a length of time, with as many digits as it means.
QString timeSpanText(double seconds);
/// The same of what is left of something: no one knows it more closely than in whole seconds.
QString timeLeftText(double seconds);
/// "1,234,567": thousands separated, whole.
QString countText(double count);
/// "1.2 M", "85 k": a rate or a large count at a glance.
QString shortCountText(double count);

} // namespace trainyard
