// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/BookmarkFlags.h"

#include "session/TimeAxis.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QPainter>
#include <QPolygonF>

#include <cmath>

namespace trainyard {

namespace bookmark_flags {
constexpr double flagWidth = 8, flagHeight = 7, reach = 2; // pixels, larger for a projector
}

void drawBookmarks(QPainter& painter, const Theme& theme, const TimeAxis& axis, const TimeScale& scale, double top,
                   double foot) {
    using namespace bookmark_flags;
    const double size = Theme::scale();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const TimeMark& mark : axis.bookmarks()) {
        const double x = std::floor(scale.x(mark.at.toSeconds())) + 0.5;
        if (x < scale.left - 1 || x > scale.right + 1) continue;
        painter.setPen(QPen(theme.accent, size));
        painter.drawLine(QPointF(x, top), QPointF(x, foot));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawPolygon(QPolygonF{QPointF(x, top), QPointF(x + flagWidth * size, top),
                                      QPointF(x + flagWidth * size * 0.65, top + flagHeight * size / 2),
                                      QPointF(x + flagWidth * size, top + flagHeight * size),
                                      QPointF(x, top + flagHeight * size)});
    }
    painter.restore();
}

QString bookmarkTip(const TimeMark& mark) {
    return QStringLiteral("<b>%1</b><br>%2").arg(mark.name.toHtmlEscaped(), clockText(mark.at));
}

const TimeMark* bookmarkAt(const TimeAxis& axis, const TimeScale& scale, QPointF pointer, double top) {
    using namespace bookmark_flags;
    const double size = Theme::scale();
    if (pointer.y() < top - reach || pointer.y() > top + flagHeight * size + reach) return nullptr;
    const TimeMark* found = nullptr; // the last one is painted on top
    for (const TimeMark& mark : axis.bookmarks()) {
        const double x = scale.x(mark.at.toSeconds());
        if (x >= scale.left - 1 && x <= scale.right + 1 && pointer.x() >= x - reach &&
            pointer.x() <= x + flagWidth * size + reach)
            found = &mark;
    }
    return found;
}

} // namespace trainyard
