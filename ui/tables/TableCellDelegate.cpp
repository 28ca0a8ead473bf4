// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/TableCellDelegate.h"

#include "tables/EntityTableModel.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QSortFilterProxyModel>

namespace trainyard {

QWidget* TableCellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(index.model());
    const QModelIndex at = sorted ? sorted->mapToSource(index) : index;
    const auto* model = qobject_cast<const EntityTableModel*>(at.model());
    const auto field = model ? model->fieldAt(at) : std::nullopt;
    if (!field) return nullptr;
    QStringList words;
    for (const std::string& word : field->words) words << QString::fromStdString(word);
    if (field->kind == FieldInfo::Kind::flag) words = {fieldText(*field, "true"), fieldText(*field, "false")};
    if (field->kind == FieldInfo::Kind::choice)
        for (const auto& option : ChoiceEditor::optionsOf(field->key, m_choices)) words << option.id;
    const bool closed = field->kind == FieldInfo::Kind::word || field->kind == FieldInfo::Kind::flag ||
                        field->kind == FieldInfo::Kind::choice;
    if (closed) {
        auto* combo = new QComboBox(parent);
        combo->addItems(words);
        return combo;
    }
    auto* line = new QLineEdit(parent);
    line->setFrame(false);
    line->setStyleSheet(QStringLiteral("QLineEdit { border-radius: 0; padding: 0 6px; }"));
    if (!words.isEmpty() && field->kind == FieldInfo::Kind::text) {
        auto* completer = new QCompleter(words, line);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        line->setCompleter(completer);
    }
    return line;
}

void TableCellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* combo = qobject_cast<QComboBox*>(editor)) combo->setCurrentIndex(combo->findText(text));
    if (auto* line = qobject_cast<QLineEdit*>(editor)) line->setText(text);
}

void TableCellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    if (const auto* combo = qobject_cast<QComboBox*>(editor)) model->setData(index, combo->currentText());
    if (const auto* line = qobject_cast<QLineEdit*>(editor)) model->setData(index, line->text());
}

} // namespace trainyard
