// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The jobs as a table that can be sorted; the row of the selected job is the selection everywhere.
#include "session/Workspace.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace trainyard {

class JobsTable final : public QTableView {
    Q_OBJECT
public:
    explicit JobsTable(Workspace& workspace, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void takeSelection();
    void fitColumns();

    Workspace& m_workspace;
    QSortFilterProxyModel* m_sorted;
};

} // namespace trainyard
