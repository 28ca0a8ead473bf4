// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LaneHeader.h"

#include <QFontMetrics>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace trainyard {

LaneHeader::LaneHeader(QWidget* parent) : QToolButton(parent) {
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setObjectName(QStringLiteral("laneHeader"));
    setStyleSheet(QStringLiteral("QToolButton { padding: 1px 3px; font-weight: 600; }"));
}

void LaneHeader::setTitle(const QString& title, int width, int most) {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold); // as its style sheet will say
    const QFontMetrics metrics(bold);
    QString rest = title;
    QStringList lines;
    while (lines.size() + 1 < most && metrics.horizontalAdvance(rest) > width) {
        qsizetype end = rest.size();
        while (end > 2 && metrics.horizontalAdvance(rest.left(end)) > width) end = rest.lastIndexOf(u' ', end - 1);
        if (end <= 2) break; // of the mark only
        lines << rest.left(end);
        rest = rest.mid(end + 1);
    }
    setText((lines << metrics.elidedText(rest, Qt::ElideRight, width)).join(u'\n'));
}

int LaneHeader::lines() const { return 1 + static_cast<int>(text().count(u'\n')); }

void LaneHeader::paintEvent(QPaintEvent*) {
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text.clear();
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
    painter.setPen(palette().buttonText().color());
    painter.drawText(rect().adjusted(7, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace trainyard
