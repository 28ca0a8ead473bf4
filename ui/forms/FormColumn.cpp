// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FormColumn.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace trainyard {

QVBoxLayout* makeFormColumn(QScrollArea& area, QMargins margins, int spacing) {
    area.setWidgetResizable(true);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.setFrameShape(QFrame::NoFrame);
    area.setFocusPolicy(Qt::NoFocus); // its controls have it
    auto* content = new QWidget;
    content->setProperty("panel", true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(margins);
    column->setSpacing(spacing);
    area.setWidget(content);
    return column;
}

} // namespace trainyard
