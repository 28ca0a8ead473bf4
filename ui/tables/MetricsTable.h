// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The metrics of the run with their meaning, for the whole run or a job, to be searched, copied as CSV, and
// dragged onto the timeline. Does nothing while it is hidden.
#include "session/Workspace.h"

#include <QWidget>

class QAction;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace trainyard {

class MetricsModel;

class MetricsTable final : public QWidget {
    Q_OBJECT
public:
    explicit MetricsTable(Workspace& workspace, QWidget* parent = nullptr);

    MetricsModel& model() { return *m_model; }
    QTableView& view() { return *m_view; }
    QComboBox& scope() { return *m_scope; }
    QPushButton& addButton() { return *m_add; }
    /// What is listed now, after the line of provenance.
    QString csv() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    class Filter;
    void makeView();
    void fillScope();
    void takeFilter();
    void refreshAdd();
    /// What of the chosen rows can be followed; `whyNone`: why nothing can.
    std::vector<HistorySubject> chosen(QString& whyNone) const;

    Workspace& m_workspace;
    MetricsModel* m_model;
    Filter* m_filter;
    QTableView* m_view;
    QComboBox* m_scope;
    QLineEdit* m_search;
    QPushButton* m_add;
    QAction* m_addAction; ///< the same in the context menu
    std::weak_ptr<const Workload> m_scopeOf;
};

} // namespace trainyard
