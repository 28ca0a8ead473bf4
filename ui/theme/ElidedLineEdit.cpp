// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/ElidedLineEdit.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyleOptionFrame>
#include <QToolTip>

namespace trainyard {

/// As QLineEdit has it: two pixels to the left and right of the text, a line of which is in the middle.
QRect ElidedLineEdit::textPlace() const {
    constexpr int beside = 2;
    QStyleOptionFrame option;
    initStyleOption(&option);
    const QRect inside =
        style()->subElementRect(QStyle::SE_LineEditContents, &option, this).marginsRemoved(textMargins());
    const int line = fontMetrics().height();
    return {inside.x() + beside, inside.y() + (inside.height() - line + 1) / 2, inside.width() - 2 * beside, line};
}

QString ElidedLineEdit::shownText() const {
    return fontMetrics().elidedText(text(), Qt::ElideRight, textPlace().width());
}

void ElidedLineEdit::paintEvent(QPaintEvent* event) {
    const QString shown = shownText();
    if (hasFocus() || shown == text()) {
        QLineEdit::paintEvent(event);
        return;
    }
    QPainter painter(this);
    QStyleOptionFrame option;
    initStyleOption(&option);
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(textPlace(), Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, shown);
}

bool ElidedLineEdit::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return QLineEdit::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

} // namespace trainyard
