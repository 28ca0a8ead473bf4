// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/TextAreaEditor.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

TextAreaEditor::TextAreaEditor(Content content, QWidget* parent)
    : FieldEditor(parent), m_content(content), m_text(new QPlainTextEdit) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text);
    if (content == Content::json) {
        m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    }
    m_text->setTabChangesFocus(true);
    setFocusProxy(m_text);
    m_text->installEventFilter(this);
}

QWidget* TextAreaEditor::control() const { return m_text; }

void TextAreaEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const bool sameValue = values == m_values && field.path == m_field.path;
    m_field = field;
    m_values = values;
    const bool several = valuesDiffer(values);
    const QString text = several                       ? QString()
                         : m_content == Content::prose ? plainText(values.front())
                                                       : QString::fromStdString(values.front());
    m_text->setPlaceholderText(several ? severalText() : QString());
    if (sameValue && m_text->toPlainText() != m_shown) return; // being typed, or not understood
    m_shown = text;
    if (m_text->toPlainText() != text) m_text->setPlainText(text);
    fitHeight();
}

void TextAreaEditor::fitHeight() {
    const int folded = 3, most = m_content == Content::prose && !m_text->hasFocus() ? folded : 12;
    const auto needed = static_cast<int>(m_shown.count(QLatin1Char('\n')) + m_shown.size() / 34) + 1;
    m_text->setFixedHeight(std::clamp(needed, 2, most) * m_text->fontMetrics().lineSpacing() + 16);
}

void TextAreaEditor::commit() {
    const QString text = m_text->toPlainText();
    if (text == m_shown) {
        Q_EMIT refused({});
        return;
    }
    const TypedValue typed = typedValue(m_field, text);
    Q_EMIT refused(typed.problem);
    if (!typed.ok()) return;
    Q_EMIT edited(m_field.path, typed.json);
}

bool TextAreaEditor::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::FocusOut) commit();
    if (event->type() == QEvent::FocusOut || event->type() == QEvent::FocusIn)
        QMetaObject::invokeMethod(this, &TextAreaEditor::fitHeight, Qt::QueuedConnection); // it has the focus by then
    if (event->type() != QEvent::KeyPress) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape && m_text->toPlainText() != m_shown) {
        m_text->setPlainText(m_shown);
        Q_EMIT refused({});
        return true;
    }
    if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
        key->modifiers().testFlag(Qt::ControlModifier)) {
        commit();
        return true;
    }
    return false;
}

} // namespace trainyard
