// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/Reading.h"

#include <QEvent>

namespace trainyard {

Reading::Reading(QWidget* parent) : QLabel(parent) {}

void Reading::setReading(const QString& reading) {
    ensurePolished(); // style sheets make some larger
    const bool sameFont = font() == m_measured;
    if (sameFont && reading == text()) return;
    setText(reading);
    if (!sameFont) setMinimumSize(0, 0); // below which no hint goes
    const QSize needs = sizeHint();
    if (sameFont && needs.width() <= minimumWidth()) return;
    m_measured = font();
    setFixedSize(needs);
}

void Reading::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    const bool isOther = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
    if (!isOther) return;
    if (font() != m_measured) setMinimumSize(0, 0); // below which no hint goes
    if (text().isEmpty()) return;
    const QSize needs = sizeHint(); // a style sheet that comes after the font can change it once more
    if (font() == m_measured && needs.width() <= minimumWidth()) return;
    m_measured = font();
    setFixedSize(needs);
}

} // namespace trainyard
