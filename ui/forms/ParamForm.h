// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A form of declared parameters: a row per field, as in the forms of a scenario's parts. Shows values; what the
// user changes comes out of edited(). What is out of range is refused beneath its field, and the value before stays. Knows
// no document. Used by PolicyPanel, and by whatever else has a ParamSchema.
#include "base/ParamSchema.h"
#include "forms/FieldProblem.h"
#include "scenario/EntityFields.h"

#include <QWidget>

#include <map>

class QVBoxLayout;

namespace trainyard {

class FieldRow;

/// A declared parameter with a value, as the fields of a scenario are described.
FieldInfo fieldOf(const ParamField& parameter, const ParamValue& value);

class ParamForm final : public QWidget {
    Q_OBJECT
public:
    explicit ParamForm(QWidget* parent = nullptr);

    /// Builds the rows anew, or, for the same fields, keeps them (and the focus) and only shows the values.
    void show(const ParamSchema& schema, const ParamValues& values);
    /// Disables the fields that change nothing, by key, with the reason; enables all others.
    void setIdle(const std::map<std::string, QString>& idle);
    /// What is wrong or doubtful about fields, by key, beneath them; nothing about those that are not there.
    void showProblems(const FieldProblems& problems);
    FieldRow* row(const QString& key) const; ///< null if there is none
    /// What is typed into or picked from; null if there is no such field.
    QWidget* control(const QString& key) const;
    /// The slider of a numeric field with a range; null if it has none.
    QWidget* slider(const QString& key) const;
    /// Calls `f(key, value)` at each edit, for the panel that owns the form.
    template <class F>
    void onEdited(F f) {
        connect(this, &ParamForm::edited, this, std::move(f));
    }

Q_SIGNALS:
    void edited(const std::string& key, const trainyard::ParamValue& value);
    void dragBegan(); ///< everything edited from here …
    void dragEnded(); ///< … to here is one step

private:
    struct Row {
        ParamField field;
        FieldRow* row = nullptr;
    };
    FieldRow* makeRow(const FieldInfo& info);
    void clear();
    void edit(const std::string& key, const std::string& json);

    QVBoxLayout* m_column;
    std::vector<Row> m_rows;
};

} // namespace trainyard
