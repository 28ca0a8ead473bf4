// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The commands about bookmarks, as a menu: add and name the one at the cursor, remove it, go to the next or to
// any. A child of the main window, made once with its menus.
#include "session/Workspace.h"

class QAction;
class QMainWindow;
class QMenu;

namespace trainyard {

class ActionList;

class BookmarkMenu final : public QObject {
    Q_OBJECT
public:
    BookmarkMenu(Workspace& workspace, ActionList& actions, QMainWindow& window);
    void addTo(QMenu& menu);

private:
    void askForName();
    void fillList();
    void refresh();

    Workspace& m_workspace;
    QMainWindow& m_window;
    QAction *m_add, *m_remove, *m_next, *m_previous;
    QMenu* m_list = nullptr;
    QTimer m_soon;
};

} // namespace trainyard
