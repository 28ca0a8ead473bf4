// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One table of the document's parts, edited in place: sorted and filtered, copied and pasted as tab-separated
// text, with rows added, duplicated and deleted by keys. Its selected rows are the selection everywhere.
#include "session/Workspace.h"
#include "tables/EntityTableModel.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace trainyard {

class EntityTable final : public QTableView {
    Q_OBJECT
public:
    EntityTable(Workspace& workspace, EntityRef::Kind kind, QWidget* parent = nullptr);

    EntityTableModel& entities() const { return *m_model; }
    void setFilter(const QString& text);
    std::vector<EntityRef> selectedRows() const;

    void addRow();
    void addJobRow(JobKind kind);
    void duplicateRows();
    void deleteRows();
    /// The selected cells back to their defaults.
    void clearCells();
    void copy() const;
    /// From the current cell on, over more rows than there are too; one value fills all selected cells.
    void paste();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void takeSelection();
    void giveSelection();
    void reveal(const std::vector<EntityRef>& entities);
    void fitColumns();

    Workspace& m_workspace;
    EntityTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    bool m_busy = false;
};

} // namespace trainyard
