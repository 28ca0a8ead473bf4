// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Edits a cell of an EntityTableModel by what its field is: words and registered things from a list,
// references with completion, the rest as text.
#include "forms/ChoiceEditor.h"

#include <QStyledItemDelegate>

namespace trainyard {

class TableCellDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TableCellDelegate(FieldChoices choices, QObject* parent = nullptr)
        : QStyledItemDelegate(parent), m_choices(choices) {}
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    FieldChoices m_choices;
};

} // namespace trainyard
