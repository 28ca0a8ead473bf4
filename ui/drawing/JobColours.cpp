// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/JobColours.h"

#include <QPainter>

namespace trainyard {

QPixmap jobSwatch(JobId job, bool hasOwn, int pixels) {
    const Theme theme = Theme::current();
    QPixmap swatch(pixels, pixels);
    swatch.fill(theme.job(job, hasOwn));
    if (!hasOwn || !theme.jobStriped(job)) return swatch;
    QPainter painter(&swatch);
    painter.setPen(QPen(theme.surface, pixels / 4.0));
    painter.drawLine(0, pixels, pixels, 0);
    return swatch;
}

} // namespace trainyard
