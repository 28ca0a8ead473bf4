// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/MessageBar.h"

#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace trainyard {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_row(new QHBoxLayout(this)), m_icon(new QLabel), m_text(new QLabel) {
    setProperty("card", true);
    m_row->setContentsMargins(12, 6, 6, 6);
    m_row->setSpacing(8);
    m_text->setWordWrap(true);
    m_row->addWidget(m_icon);
    m_row->addWidget(m_text, 1);
    auto* close = new QToolButton;
    close->setIcon(icon("close"));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    m_row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void MessageBar::say(const QString& text, const QList<Answer>& answers, Tone tone) {
    const Theme theme = Theme::current();
    m_icon->setPixmap(tone == Tone::problem ? icon("problem", theme.problem).pixmap(18, 18)
                                            : icon("warning", theme.accent).pixmap(18, 18));
    m_text->setText(text);
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (const Answer& answer : answers) {
        auto* button = new QPushButton(answer.text);
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard where it is, and with it Space
        m_row->insertWidget(m_row->count() - 1, button);
        m_buttons << button;
        connect(button, &QPushButton::clicked, this, [this, act = answer.act] {
            hide();
            act();
        });
    }
    show();
}

QString MessageBar::text() const { return isHidden() ? QString() : m_text->text(); }

} // namespace trainyard
