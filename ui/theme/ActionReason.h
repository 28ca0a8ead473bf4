// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a command does and why it cannot be used now, kept with the action: its tooltip and status tip say it,
// and so does the window when the keys of a disabled command are pressed. Used by all who make actions.
#include <QString>

class QAction;
class QWidget;

namespace trainyard {

/// One line: what the command does.
void setActionHelp(QAction* action, const QString& help);
QString actionHelp(const QAction* action);
/// Enabled if `whyNot` is empty; else disabled, and it says why.
void setActionAvailable(QAction* action, const QString& whyNot);
QString actionWhyNot(const QAction* action);
/// The same of a control, whose tooltip is `help`, or `whyNot`.
void setControlAvailable(QWidget& control, const QString& whyNot, const QString& help);
/// Its text without mnemonic and dots.
QString actionPlainText(const QAction* action);
/// After a change of its text or keys.
void refreshActionTip(QAction* action);

} // namespace trainyard
