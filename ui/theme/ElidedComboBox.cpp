// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/ElidedComboBox.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace trainyard {

void ElidedComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (currentIndex() < 0) {
        option.currentText = placeholderText();
        option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
    }
    const int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room - 2);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void keepListShort(QComboBox& box) {
    box.setMaxVisibleItems(16);
    box.setProperty("long", true); // for the style sheet
}

} // namespace trainyard
