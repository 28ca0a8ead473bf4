// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every command of the window with its shortcut, to be found, read and changed by pressing the new keys. A
// conflict is named and can be settled here. Not modal; changes are in effect at once.
#include <QDialog>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard {

class ActionList;

class ShortcutsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(ActionList& actions, QWidget* parent = nullptr);
    ~ShortcutsDialog() override;

    QTreeWidget& table() { return *m_table; }
    QKeySequenceEdit& keys() { return *m_keys; }
    QLineEdit& filter() { return *m_filter; }
    /// "Ctrl+S belongs to Save"; empty without a conflict.
    QString conflict() const;
    void select(const QString& id);

private:
    void fill();
    void showOnly(const QString& text);
    QAction* current() const;
    void takeCurrent();
    void tryKeys();
    void useAnyway();
    void reset();
    void resetAll();
    void refresh(QTreeWidgetItem* item);

    ActionList& m_actions;
    QLineEdit* m_filter;
    QTreeWidget* m_table;
    QKeySequenceEdit* m_keys;
    QLabel *m_chosen, *m_conflict;
    QPushButton *m_anyway, *m_none, *m_reset;
};

} // namespace trainyard
