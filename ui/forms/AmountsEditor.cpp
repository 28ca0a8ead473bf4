// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/AmountsEditor.h"

#include "model/ResourceLabel.h"
#include "theme/CoreText.h"

#include <QLabel>

#include <algorithm>

namespace trainyard {

namespace amounts_editor {

FieldInfo oneAmount(const FieldInfo& field, const std::string& resource) {
    return {.kind = FieldInfo::Kind::number,
            .path = field.path + "/" + pointerToken(resource),
            .key = resource,
            .label = resource,
            .help = field.help,
            .maximum = field.maximum,
            .fallback = "0"};
}

} // namespace amounts_editor

AmountsEditor::AmountsEditor(QWidget* parent) : FieldEditor(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(12, 0, 26, 0); // the numbers end where those of other rows do
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
}

void AmountsEditor::build(const FieldInfo& field) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_lines.clear();
    for (const std::string& resource : field.words) {
        const QString name = QString::fromStdString(resourceLabel(resource));
        auto* label = new QLabel(name);
        label->setProperty("muted", true);
        auto* amount = new ValueField;
        const int row = static_cast<int>(m_lines.size());
        label->setBuddy(amount);
        amount->setAccessibleName(tr("%1: %2").arg(coreText(field.label), name));
        amount->setAccessibleDescription(coreText(field.help));
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(amount, row, 1);
        const std::string path = amounts_editor::oneAmount(field, resource).path;
        connect(amount, &ValueField::committed, this,
                [this, path](const std::string& json) { Q_EMIT edited(path, json); });
        connect(amount, &ValueField::refused, this, &FieldEditor::refused);
        connect(amount, &ValueField::dragBegan, this, &FieldEditor::dragBegan);
        connect(amount, &ValueField::dragEnded, this, &FieldEditor::dragEnded);
        m_lines.push_back({resource, amount});
    }
    setFocusProxy(m_lines.empty() ? nullptr : m_lines.front().amount);
}

void AmountsEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    m_path = field.path;
    if (!std::equal(m_lines.begin(), m_lines.end(), field.words.begin(), field.words.end(),
                    [](const Line& line, const std::string& word) { return line.resource == word; }))
        build(field);
    for (const Line& line : m_lines) {
        FieldInfo one = amounts_editor::oneAmount(field, line.resource);
        std::vector<std::string> amounts;
        for (const std::string& json : values) amounts.push_back(amountOf(json, line.resource));
        one.present = !amounts.front().empty();
        for (std::string& amount : amounts)
            if (amount.empty()) amount = "0";
        line.amount->show(one, amounts);
    }
}

QWidget* AmountsEditor::control() const {
    return m_lines.empty() ? const_cast<AmountsEditor*>(this) : static_cast<QWidget*>(m_lines.front().amount);
}

QWidget* AmountsEditor::controlAt(const std::string& path) const {
    for (const Line& line : m_lines)
        if (path == m_path + "/" + pointerToken(line.resource)) return line.amount;
    return control();
}

void AmountsEditor::mark(const FieldProblem& problem) {
    // Only those to blame, where that is known.
    const bool known =
        std::any_of(m_lines.begin(), m_lines.end(), [](const Line& line) { return line.amount->isWrong(); });
    for (const Line& line : m_lines)
        markProblem(line.amount, !known || line.amount->isWrong() ? problem : FieldProblem());
}

} // namespace trainyard
