// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One field in a form: its label, which numbers can be dragged by, the editor, a way back to the default, and
// beneath it what is wrong.
#include "forms/FieldEditor.h"

class QLabel;
class QToolButton;

namespace trainyard {

class FieldRow final : public QWidget {
    Q_OBJECT
public:
    FieldRow(const FieldInfo& field, FieldEditor* editor, QWidget* parent = nullptr);

    void show(const FieldInfo& field, const std::vector<std::string>& values);
    /// What the document finds wrong with the field.
    void setProblem(const FieldProblem& problem);
    /// What was typed was refused; stays until the next edit.
    void refuse(const QString& why);
    void withdraw() { m_refused.clear(); } ///< what was refused; show() follows
    const FieldInfo& field() const { return m_field; }
    FieldEditor& editor() const { return *m_editor; }
    FieldProblem problem() const; ///< as shown
    bool isRefused() const { return !m_refused.isEmpty(); }

Q_SIGNALS:
    void edited(const std::string& path, const std::string& json);
    void dragBegan();
    void dragEnded();
    void refusalChanged(); ///< isRefused() has

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void refresh();
    bool canReset() const;

    FieldInfo m_field;
    FieldEditor* m_editor;
    QLabel *m_label, *m_note;
    QToolButton* m_reset;
    FieldProblem m_problem;
    QString m_refused, m_range;
    bool m_dragging = false, m_wasRefused = false;
    int m_lastX = 0;
};

} // namespace trainyard
