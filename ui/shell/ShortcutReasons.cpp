// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ShortcutReasons.h"

#include "shell/ActionList.h"
#include "shell/Panels.h"
#include "theme/ActionReason.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabBar>
#include <QTreeView>

#include <algorithm>

namespace trainyard {

namespace shortcut_reasons {

constexpr int readingMilliseconds = 6000;

/// Of what was reached by Tab, before the window takes the key as that of a command: buttons and boxes of lists are pressed,
/// sliders and tabs moved, branches opened, lists gone through.
bool isOfTheFocus(const QKeyEvent& key) {
    if ((key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    const QWidget* focus = QApplication::focusWidget();
    const auto* list = qobject_cast<const QAbstractItemView*>(focus);
    const bool moves = qobject_cast<const QAbstractSlider*>(focus) || qobject_cast<const QTabBar*>(focus);
    switch (key.key()) {
    case Qt::Key_Space:
        return qobject_cast<const QAbstractButton*>(focus) ||
               (list && list->currentIndex().flags().testFlag(Qt::ItemIsUserCheckable));
    case Qt::Key_Left:
    case Qt::Key_Right: return moves || qobject_cast<const QTreeView*>(focus);
    case Qt::Key_Home:
    case Qt::Key_End: return moves || list;
    default: return false;
    }
}

/// Keys of the canvas mean something only while it has the focus.
bool isMeant(const QAction* action) {
    if (action->shortcutContext() != Qt::WidgetShortcut) return true;
    const auto holders = action->associatedObjects();
    return std::any_of(holders.begin(), holders.end(), [](const QObject* holder) {
        const auto* widget = qobject_cast<const QWidget*>(holder);
        return widget && widget->hasFocus();
    });
}

/// Fields claim the keys of undo and redo even where they have nothing to undo, and Ctrl+E, which with them is another End: these
/// are the window's.
class KeysOfFields final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo),
                   end = key->modifiers() == Qt::ControlModifier && key->matches(QKeySequence::MoveToEndOfLine);
        if (!undo && !end && !key->matches(QKeySequence::Redo)) return false;
        const auto* line = qobject_cast<QLineEdit*>(watched);
        if (qobject_cast<QAbstractSpinBox*>(watched)) line = watched->findChild<QLineEdit*>();
        const auto* text = qobject_cast<QPlainTextEdit*>(watched);
        if (!line && !text) return false;
        const bool has = end    ? false
                         : line ? (undo ? line->isUndoAvailable() : line->isRedoAvailable())
                         : undo ? text->document()->isUndoAvailable()
                                : text->document()->isRedoAvailable();
        if (has) return false;
        event->ignore();
        return true;
    }
};

} // namespace shortcut_reasons

ShortcutReasons::ShortcutReasons(QMainWindow& window, const ActionList& actions, const Panels& panels)
    : QObject(&window), m_window(window), m_actions(actions) {
    window.installEventFilter(this);
    for (QDockWidget* dock : panels.all()) dock->installEventFilter(this);
    qApp->installEventFilter(new shortcut_reasons::KeysOfFields(this));
}

bool ShortcutReasons::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && shortcut_reasons::isOfTheFocus(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && static_cast<QWidget*>(watched)->isWindow() &&
        explain(*static_cast<QKeyEvent*>(event)))
        return true;
    return QObject::eventFilter(watched, event);
}

bool ShortcutReasons::explain(const QKeyEvent& key) {
    const QKeySequence pressed(QKeyCombination(key.modifiers() & ~Qt::KeypadModifier, Qt::Key(key.key())));
    for (const QAction* action : m_actions.all()) {
        const QString why = actionWhyNot(action);
        if (why.isEmpty() || !action->shortcuts().contains(pressed) || !shortcut_reasons::isMeant(action)) continue;
        m_window.statusBar()->showMessage(tr("%1: %2").arg(actionPlainText(action), why),
                                          shortcut_reasons::readingMilliseconds);
        return true;
    }
    return false;
}

} // namespace trainyard
