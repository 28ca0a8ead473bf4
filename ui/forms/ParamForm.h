// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A form made from declared fields: per field a label, a control that fits its type, unit and range, and help
// that says what it is and what it changes. Shows values; what the user changes comes out of edited(). Knows
// no document. Used by PolicyPanel, and by whatever else has a ParamSchema.
#include "base/ParamSchema.h"
#include "forms/FieldProblem.h"

#include <QHash>
#include <QWidget>

#include <functional>
#include <map>

class QLabel;
class QVBoxLayout;

namespace trainyard {

class ParamForm final : public QWidget {
    Q_OBJECT
public:
    explicit ParamForm(QWidget* parent = nullptr);

    /// Builds the controls anew, or, for the same fields, keeps them (and the focus) and only shows the
    /// values.
    void show(const ParamSchema& schema, const ParamValues& values);
    /// Disables the fields that change nothing, by key, with the reason; enables all others.
    void setIdle(const std::map<std::string, QString>& idle);
    /// What is wrong or doubtful about fields, by key, beneath them; nothing about those that are not there.
    void showProblems(const FieldProblems& problems);
    /// What is shown about a field; empty: nothing.
    QString problem(const QString& key) const;
    /// The control of a field: QAbstractSpinBox, QComboBox or QCheckBox; null if there is none.
    QWidget* control(const QString& key) const;
    /// The slider of a numeric field with a range; null if it has none.
    QWidget* slider(const QString& key) const;
    static QString helpText(const ParamField& field);
    /// Calls `f(key, value)` at each edit, for the panel that owns the form.
    template <class F>
    void onEdited(F f) {
        connect(this, &ParamForm::edited, this, std::move(f));
    }

    /// Where a field's value lies on its slider, 0 … sliderSteps, and back; logarithmic where the field says
    /// so.
    static constexpr int sliderSteps = 1000;
    static int sliderPosition(const ParamField& field, double value);
    static double sliderValue(const ParamField& field, int position);

Q_SIGNALS:
    void edited(const std::string& key, const trainyard::ParamValue& value);
    /// A slider is held from here …
    void dragBegan();
    /// … to here: everything edited in between is one step.
    void dragEnded();

protected:
    void changeEvent(QEvent* event) override; ///< another scale

private:
    struct Row {
        ParamField field;
        QWidget* control = nullptr;
        QWidget* slider = nullptr;
        QLabel* note = nullptr;                     ///< what is wrong or doubtful
        std::function<void(const ParamValue&)> set; ///< shows a value without a signal
    };
    void clear();
    Row makeRow(const ParamField& field);
    void makeNumber(Row& row, QVBoxLayout* column);
    void makeChoice(Row& row, QVBoxLayout* column);
    void makeFlag(Row& row, QVBoxLayout* column);
    void addSlider(Row& row, QVBoxLayout* column, const std::function<void(double)>& setNumber);

    QVBoxLayout* m_rowsLayout;
    std::vector<Row> m_rows;
    QList<QWidget*> m_fields; ///< of numbers, all of one width
};

} // namespace trainyard
