// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/LinkLabel.h"

#include <QFocusEvent>

namespace trainyard {

LinkLabel::LinkLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::NoFocus);
}

void LinkLabel::setHtml(const QString& html) {
    if (html == text()) return;
    setText(html);
    const int tab = html.contains(QLatin1String("<a ")) ? Qt::TabFocus : Qt::NoFocus;
    setFocusPolicy(static_cast<Qt::FocusPolicy>((focusPolicy() & ~Qt::TabFocus) | tab));
}

/// A label that gets the keyboard marks none of its links by itself.
void LinkLabel::focusInEvent(QFocusEvent* event) {
    QLabel::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        QLabel::focusNextPrevChild(event->reason() == Qt::TabFocusReason);
}

} // namespace trainyard
