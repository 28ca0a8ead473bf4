// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/ElidedLabel.h"

#include <QEvent>

#include <algorithm>

namespace trainyard {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), m_mode(mode) {
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setWholeText(const QString& text) {
    if (text == m_whole) return;
    m_whole = text;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

QSize ElidedLabel::sizeHint() const {
    ensurePolished();
    const QMargins around = contentsMargins();
    const int margin =
        around.left() + around.right() + QLabel::minimumSizeHint().width() - fontMetrics().horizontalAdvance(text());
    return {fontMetrics().horizontalAdvance(m_whole) + std::max(margin, 0) + 1, QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const { return {0, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) elide();
}

void ElidedLabel::elide() {
    const QString shown = fontMetrics().elidedText(m_whole, m_mode, contentsRect().width() - 1);
    if (shown == text()) return;
    setText(shown);
    setToolTip(shown == m_whole ? QString() : m_whole);
}

} // namespace trainyard
