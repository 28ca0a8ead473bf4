// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The commands that draw a cluster, as actions: for the menus Edit, Insert, Arrange and View and for the
// context menus of the canvas. Each says why it cannot be used now. Owns what stands on the canvas; made once
// by the main window.
#include "canvas/CanvasEditor.h"

#include <QTimer>

#include <functional>

class QMenu;

namespace trainyard {

class ActionList;
class CanvasFurniture;
class CanvasTools;
class MessageBar;

class EditorActions final : public QObject {
    Q_OBJECT
public:
    EditorActions(Workspace& workspace, CanvasView& canvas, ActionList& actions, MessageBar& messages);
    ~EditorActions() override;

    void addToEditMenu(QMenu& menu) const;
    void addToInsertMenu(QMenu& menu) const;
    void addToArrangeMenu(QMenu& menu) const;
    void addToViewMenu(QMenu& menu) const;
    /// What can be done with what lies under a point; the caller owns it.
    QMenu* contextMenu(ClusterLayout::Hit hit, QPoint globalPosition);

    CanvasEditor& editor() { return *m_editor; }
    CanvasTools& tools() { return *m_tools; }
    CanvasFurniture& furniture() { return *m_furniture; }

Q_SIGNALS:
    void templateRequested();
    void inspectRequested();
    void contextMenuMade(QMenu* menu); ///< about to be shown; others may add lines

private:
    struct Entry {
        QAction* action;
        std::function<QString()> whyNot;
    };
    QAction* add(const char* id, const QString& text, const QKeySequence& keys, const QString& help,
                 std::function<void()> act, std::function<QString()> whyNot = {}, const char* icon = "");
    void addEditing();
    void addInserting();
    void insertJob(JobKind kind);
    void addArranging();
    void addViewing();
    void addTo(QMenu& menu, std::initializer_list<const char*> ids) const;
    void addSubmenu(QMenu& menu, const QString& title, std::initializer_list<const char*> ids) const;
    QAction* toggle(const char* id, const QString& text, const QString& help, const QString& setting,
                    std::function<void(bool)> apply);
    void refresh();
    std::vector<HistorySubject> historiesAt(ClusterLayout::Hit hit) const;

    Workspace& m_workspace;
    CanvasView& m_canvas;
    ActionList& m_actions;
    CanvasEditor* m_editor;
    CanvasTools* m_tools;
    CanvasFurniture* m_furniture;
    QList<Entry> m_entries;
    QTimer m_refreshSoon;
};

} // namespace trainyard
