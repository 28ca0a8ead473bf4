// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The document as tables, a tab per kind, with a filter and the buttons for rows. What was typed and refused
// is said beneath.
#include "session/Workspace.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace trainyard {

class EntityTable;

class TablesPanel final : public QWidget {
    Q_OBJECT
public:
    explicit TablesPanel(Workspace& workspace, QWidget* parent = nullptr);
    using QWidget::show;
    /// Brings its tab to the front; null if the kind has no table.
    EntityTable* show(EntityRef::Kind kind);
    EntityTable* table(EntityRef::Kind kind) const;
    EntityTable* current() const;
    QString message() const;

protected:
    bool event(QEvent* event) override;

private:
    QWidget* makeBar();
    void addTable(EntityRef::Kind kind, const QString& title);
    void refresh();

    Workspace& m_workspace;
    QTabBar* m_tabs;
    QStackedWidget* m_tables;
    QMenu* m_jobKinds;
    QLineEdit* m_filter;
    QCheckBox* m_all;
    QToolButton *m_add, *m_duplicate, *m_delete;
    QLabel* m_message;
};

} // namespace trainyard
