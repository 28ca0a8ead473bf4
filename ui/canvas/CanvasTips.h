// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the canvas says about the thing under the mouse: names and numbers with units, as rich text for a
// tooltip.
#include "canvas/CanvasContent.h"

namespace trainyard {

QString canvasTip(const CanvasContent& content, ClusterLayout::Hit hit);
/// "1.25 GB/s"
QString rateText(double bytesPerSecond);

} // namespace trainyard
