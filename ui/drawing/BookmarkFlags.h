// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Bookmarks on a time widget: small flags over ruler and overview, and which one lies under the pointer.
#include "drawing/TimeScale.h"

#include <QPointF>
#include <QString>

class QPainter;

namespace trainyard {

class TimeAxis;
struct Theme;
struct TimeMark;

/// Flags at their times; `top` to `foot` is the pole, in pixels. What lies outside of the scale is left out.
void drawBookmarks(QPainter& painter, const Theme& theme, const TimeAxis& axis, const TimeScale& scale, double top,
                   double foot);
/// The bookmark whose flag is under the pointer; null if there is none.
const TimeMark* bookmarkAt(const TimeAxis& axis, const TimeScale& scale, QPointF pointer, double top);
/// Its name and its time, for a tooltip.
QString bookmarkTip(const TimeMark& mark);

} // namespace trainyard
