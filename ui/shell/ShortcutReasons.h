// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The keys of a command that cannot be used now are not silent: what nobody in the window took is looked up
// here, and the status line says why the command is not available. And Space, arrows, Home and End, which play and step,
// are those of the button, list, slider or tab bar that has the keyboard; undo and redo are those of a field only while it
// has something to undo. Made once by the main window.
#include <QObject>

class QKeyEvent;
class QMainWindow;

namespace trainyard {

class ActionList;
class Panels;

class ShortcutReasons final : public QObject {
    Q_OBJECT
public:
    ShortcutReasons(QMainWindow& window, const ActionList& actions, const Panels& panels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the window and of floating panels

private:
    bool explain(const QKeyEvent& key);

    QMainWindow& m_window;
    const ActionList& m_actions;
};

} // namespace trainyard
