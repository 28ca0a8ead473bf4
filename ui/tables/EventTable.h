// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The event list: everything that happened, filtered by type, job, machine and selection. The row at the time
// cursor is marked; choosing a row sets the cursor. Does nothing while it is hidden.
#include "session/Workspace.h"
#include "tables/EventTableModel.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace trainyard {

class EventTable final : public QWidget {
    Q_OBJECT
public:
    explicit EventTable(Workspace& workspace, QWidget* parent = nullptr);

    EventTableModel& model() { return *m_model; }
    QTableView& view() { return *m_view; }
    QComboBox& types() { return *m_types; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeView();
    void fillNames();
    void takeFilter();
    void followCursor();
    void refreshCount();

    Workspace& m_workspace;
    EventTableModel* m_model;
    QTableView* m_view;
    QComboBox *m_types, *m_jobs, *m_machines;
    QCheckBox* m_selection;
    QLabel* m_count;
    std::weak_ptr<const Workload> m_namesOf;
    QTimer m_soon;
    bool m_following = false; ///< the row follows the cursor, not the other way round
};

} // namespace trainyard
