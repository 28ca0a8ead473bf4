// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/WordEditor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
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

WordEditor::WordEditor(bool wide, QWidget* parent) : FieldEditor(parent), m_words(new QComboBox), m_wide(wide) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words);
    setFocusProxy(m_words);
    m_words->setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the form until it is wanted here
    m_words->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_words->setMinimumContentsLength(6);
    m_words->setPlaceholderText(severalText());
    connect(m_words, &QComboBox::activated, this, [this] { Q_EMIT edited(m_path, jsonText(m_words->currentText())); });
}

QWidget* WordEditor::control() const { return m_words; }

void WordEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const QSignalBlocker quiet(m_words);
    m_path = field.path;
    QStringList words, now;
    for (const std::string& word : field.words) words << QString::fromStdString(word);
    for (int i = 0; i < m_words->count(); ++i) now << m_words->itemText(i);
    if (words != now) {
        m_words->clear();
        m_words->addItems(words);
    }
    m_words->setCurrentIndex(valuesDiffer(values) ? -1 : static_cast<int>(words.indexOf(plainText(values.front()))));
}

} // namespace trainyard
