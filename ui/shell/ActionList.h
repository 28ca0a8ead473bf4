// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every command of the window, registered once under a stable id: menus, tool bars, context menus and the
// page of shortcuts take it from here. Shortcuts can be changed and are remembered; a command that cannot be
// used now says why. Owned by the main window.
#include <QAction>
#include <QKeySequence>
#include <QObject>

#include <functional>

namespace trainyard {

class ActionList final : public QObject {
    Q_OBJECT
public:
    struct Spec {
        const char* id; ///< "edit.duplicate": never changes, settings are kept under it
        QString text;   ///< with its mnemonic: "&Duplicate"
        QKeySequence keys = {};
        QString help = {};     ///< one line: what it does
        const char* icon = ""; ///< of resources/icons
        bool checkable = false;
    };
    using QObject::QObject;

    QAction* add(const Spec& spec, const QObject* context, std::function<void()> slot);
    /// Registers an action that another part made (undo, play); its shortcut becomes editable too.
    QAction* adopt(const char* id, QAction* action, const QString& help = {});
    QAction* find(const QString& id) const;
    const QList<QAction*>& all() const { return m_actions; }

    static QString idOf(const QAction* action);
    static QString helpOf(const QAction* action);
    QKeySequence defaultKeys(const QAction* action) const;
    /// Another command that has these keys; null if none.
    QAction* holderOf(const QKeySequence& keys, const QAction* except) const;
    /// Sets and remembers; the default forgets.
    void setKeys(QAction* action, const QKeySequence& keys);

    /// Enabled if `whyNot` is empty; else the tooltip says why.
    static void setAvailable(QAction* action, const QString& whyNot);

Q_SIGNALS:
    void keysChanged();

private:
    QAction* enter(const char* id, QAction* action, const QString& help);
    QList<QAction*> m_actions;
    QHash<QString, QKeySequence> m_defaults;
};

} // namespace trainyard
