// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/WordEditor.h"

#include "theme/ElidedComboBox.h"
#include "theme/ElidedLineEdit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>

namespace trainyard {

FlagEditor::FlagEditor(QWidget* parent) : FieldEditor(parent), m_box(new QCheckBox) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_box);
    row->addStretch(1);
    setFocusProxy(m_box);
    connect(m_box, &QCheckBox::clicked, this,
            [this] { Q_EMIT edited(m_path, m_box->checkState() == Qt::Unchecked ? "false" : "true"); });
}

QWidget* FlagEditor::control() const { return m_box; }

void FlagEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const QSignalBlocker quiet(m_box);
    m_path = field.path;
    const bool several = valuesDiffer(values);
    m_box->setTristate(several);
    m_box->setCheckState(several ? Qt::PartiallyChecked : values.front() == "true" ? Qt::Checked : Qt::Unchecked);
    m_box->setText(several ? severalText() : QString());
}

WordEditor::WordEditor(std::size_t longest, bool open, QWidget* parent)
    : FieldEditor(parent), m_words(new ElidedComboBox), m_longest(longest) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words);
    setFocusProxy(m_words);
    m_words->setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the form until it is wanted here
    m_words->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_words->setMinimumContentsLength(6);
    m_words->setPlaceholderText(severalText());
    connect(m_words, &QComboBox::activated, this,
            [this](int index) { Q_EMIT edited(m_path, jsonText(m_words->itemData(index).toString())); });
    if (!open) return;
    m_words->setLineEdit(new ElidedLineEdit);
    m_words->setInsertPolicy(QComboBox::NoInsert);
    connect(m_words->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        const QString text = m_words->currentText().trimmed();
        const int known = m_words->findText(text); // what is offered may be shown by another name
        Q_EMIT edited(m_path, jsonText(known < 0 ? text : m_words->itemData(known).toString()));
    });
}

QWidget* WordEditor::control() const { return m_words; }

/// Its words are whole beside a label of one word. What is typed may be longer than what is offered.
std::pair<int, int> WordEditor::shares() const {
    const bool open = m_words->isEditable();
    if (m_longest > (open ? 11 : 8)) return {2, 5};
    return open ? std::pair(2, 3) : std::pair(1, 1);
}

void WordEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const QSignalBlocker quiet(m_words);
    m_path = field.path;
    QStringList words, now;
    for (const std::string& word : field.words) words << QString::fromStdString(word);
    for (int i = 0; i < m_words->count(); ++i) now << m_words->itemData(i).toString();
    if (words != now) {
        m_words->clear();
        for (const std::string& word : field.words)
            m_words->addItem(wordText(field, word), QString::fromStdString(word));
    }
    const QString word = valuesDiffer(values) ? QString() : plainText(values.front());
    m_words->setCurrentIndex(static_cast<int>(words.indexOf(word)));
    if (!m_words->isEditable()) return;
    m_words->setEditText(word);
    m_words->lineEdit()->setCursorPosition(0); // its beginning is seen
}

} // namespace trainyard
