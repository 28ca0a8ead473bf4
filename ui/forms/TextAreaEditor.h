// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Text of several lines: notes, which are folded to three lines while nobody writes them, and what has no form of its own,
// as JSON with the error beneath. Taken over when the focus leaves, or at Ctrl+Enter.
#include "forms/FieldEditor.h"

class QPlainTextEdit;

namespace trainyard {

class TextAreaEditor final : public FieldEditor {
    Q_OBJECT
public:
    enum class Content { prose, json };
    explicit TextAreaEditor(Content content, QWidget* parent = nullptr);
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;
    bool isWide() const override { return true; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void commit();
    void fitHeight();

    Content m_content;
    QPlainTextEdit* m_text;
    FieldInfo m_field;
    std::vector<std::string> m_values;
    QString m_shown;
};

} // namespace trainyard
