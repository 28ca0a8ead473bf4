// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/ActionReason.h"

#include <QAction>
#include <QWidget>

namespace trainyard {

namespace action_reason {
constexpr const char *helpProperty = "commandHelp", *whyProperty = "commandWhyNot";
}

void setActionHelp(QAction* action, const QString& help) {
    action->setProperty(action_reason::helpProperty, help);
    refreshActionTip(action);
}

QString actionHelp(const QAction* action) { return action->property(action_reason::helpProperty).toString(); }

void setActionAvailable(QAction* action, const QString& whyNot) {
    action->setEnabled(whyNot.isEmpty());
    action->setProperty(action_reason::whyProperty, whyNot);
    refreshActionTip(action);
}

void setControlAvailable(QWidget& control, const QString& whyNot, const QString& help) {
    control.setEnabled(whyNot.isEmpty());
    control.setToolTip(whyNot.isEmpty() ? help : whyNot);
}

QString actionWhyNot(const QAction* action) {
    return action->isEnabled() ? QString() : action->property(action_reason::whyProperty).toString();
}

QString actionPlainText(const QAction* action) {
    QString text = action->text();
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

void refreshActionTip(QAction* action) {
    const QString help = actionHelp(action), why = actionWhyNot(action);
    QString tip = QStringLiteral("<b>%1</b>").arg(actionPlainText(action).toHtmlEscaped());
    if (!action->shortcut().isEmpty())
        tip += QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped());
    for (const QString& line : {help, why})
        if (!line.isEmpty()) tip += QStringLiteral("<br>") + line.toHtmlEscaped();
    action->setToolTip(tip);
    action->setStatusTip(why.isEmpty() ? help : why);
    action->setWhatsThis(help);
}

} // namespace trainyard
