// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The operations of a graph job as a small table with its buttons: what is typed, added or taken out comes
// out as a new graph, operations together with what depends on them. Shows the whole graph as JSON; see
// OperationsModel.
#include "forms/FieldEditor.h"

class QTableView;
class QToolButton;

namespace trainyard {

class OperationsModel;

class OperationsEditor final : public FieldEditor {
    Q_OBJECT
public:
    explicit OperationsEditor(QWidget* parent = nullptr);

    bool isWide() const override { return true; }
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;
    QTableView& table() const { return *m_table; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void removeSelected();
    void refreshButtons();
    void fitHeight();

    OperationsModel* m_model;
    QTableView* m_table;
    QToolButton *m_add, *m_remove;
    std::string m_path; ///< of the graph
    bool m_several = false;
};

} // namespace trainyard
