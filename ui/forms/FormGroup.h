// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The heading of fields that belong together: folds them away, and adds or removes a group that may be
// absent.
#include "forms/FieldProblem.h"
#include "scenario/EntityFields.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace trainyard {

class FormGroup final : public QWidget {
    Q_OBJECT
public:
    explicit FormGroup(const FieldInfo& field, QWidget* parent = nullptr);
    /// `presentInAll`: false if some of the entities have no such group.
    void show(const FieldInfo& field, bool presentInAll);
    void setProblem(const FieldProblem& problem);
    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    QToolButton* addButton() const { return m_add; }

Q_SIGNALS:
    void folded();
    /// JSON of the new group, or empty to take it out.
    void edited(const std::string& path, const std::string& json);

private:
    FieldInfo m_field;
    bool m_open = true;
    QToolButton *m_fold, *m_add;
    QLabel* m_note;
};

} // namespace trainyard
