// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/ParamForm.h"

#include "forms/ChoiceEditor.h"
#include "forms/FieldRow.h"
#include "theme/ActionReason.h"

#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace param_form {

FieldInfo::Kind kindOf(ParamType type) {
    switch (type) {
    case ParamType::boolean: return FieldInfo::Kind::flag;
    case ParamType::integer: return FieldInfo::Kind::integer;
    case ParamType::real: return FieldInfo::Kind::number;
    case ParamType::choice:
    case ParamType::file: break;
    }
    return FieldInfo::Kind::word;
}

} // namespace param_form

FieldInfo fieldOf(const ParamField& parameter, const ParamValue& value) {
    FieldInfo info{.kind = param_form::kindOf(parameter.type),
                   .path = parameter.key,
                   .type = {},
                   .key = parameter.key,
                   .label = parameter.label,
                   .help = parameter.help,
                   .unit = parameter.unit,
                   .effect = parameter.effect,
                   .present = value != parameter.defaultValue,
                   .minimum = parameter.minimum,
                   .maximum = parameter.maximum,
                   .logarithmic = parameter.logarithmic,
                   .words = parameter.choices,
                   .open = parameter.open,
                   .value = jsonOf(value),
                   .fallback = jsonOf(parameter.defaultValue)};
    if (parameter.maximum > parameter.minimum)
        info.sliderEnd =
            parameter.usual > parameter.minimum ? std::min(parameter.usual, parameter.maximum) : parameter.maximum;
    return info;
}

ParamForm::ParamForm(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(10);
}

FieldRow* ParamForm::makeRow(const FieldInfo& info) {
    auto* row = new FieldRow(info, makeFieldEditor(info, {}));
    connect(row, &FieldRow::edited, this, &ParamForm::edit);
    connect(row, &FieldRow::dragBegan, this, &ParamForm::dragBegan);
    connect(row, &FieldRow::dragEnded, this, &ParamForm::dragEnded);
    m_column->addWidget(row);
    return row;
}

void ParamForm::clear() {
    for (const Row& each : m_rows) {
        const auto* slider = qobject_cast<QSlider*>(each.row->editor().below());
        if (slider && slider->isSliderDown()) Q_EMIT dragEnded();
        each.row->disconnect(this);
        each.row->hide();
        each.row->deleteLater(); // it may be the one that is talking
    }
    m_rows.clear();
}

void ParamForm::show(const ParamSchema& schema, const ParamValues& values) {
    const auto sameRow = [](const Row& row, const ParamField& f) {
        return row.field.key == f.key && row.field.type == f.type && row.field.label == f.label &&
               row.field.choices == f.choices && row.field.open == f.open &&
               (row.field.maximum > row.field.minimum) == (f.maximum > f.minimum);
    };
    const auto& fields = schema.fields();
    const bool anew = !std::equal(m_rows.begin(), m_rows.end(), fields.begin(), fields.end(), sameRow);
    std::string focused;
    for (const Row& each : m_rows)
        if (anew && each.row->isAncestorOf(window()->focusWidget())) focused = each.field.key;
    if (anew) clear();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto given = values.find(fields[i].key);
        const FieldInfo info = fieldOf(fields[i], given == values.end() ? fields[i].defaultValue : given->second);
        if (anew) m_rows.push_back({fields[i], makeRow(info)});
        m_rows[i].field = fields[i];
        m_rows[i].row->show(info, {info.value});
        if (!anew || fields[i].key != focused) continue;
        m_rows[i].row->setVisible(true); // the layout would do so later: what is hidden gets no focus
        m_rows[i].row->editor().control()->setFocus();
    }
}

void ParamForm::edit(const std::string& key, const std::string& json) {
    const auto it = std::ranges::find(m_rows, key, [](const Row& each) { return each.field.key; });
    if (it == m_rows.end()) return;
    const ParamValue value = json.empty() ? it->field.defaultValue : paramFrom(json, &it->field);
    const QString problem = rangeProblem(it->row->field(), jsonOf(value));
    if (problem.isEmpty())
        Q_EMIT edited(key, value);
    else
        it->row->refuse(problem);
}

void ParamForm::setIdle(const std::map<std::string, QString>& idle) {
    for (const Row& each : m_rows) {
        const auto why = idle.find(each.field.key);
        setControlAvailable(*each.row, why == idle.end() ? QString() : why->second, fieldHelp(each.row->field()));
    }
}

void ParamForm::showProblems(const FieldProblems& problems) {
    for (const Row& each : m_rows) each.row->setProblem(problemOf(problems, each.field.key));
}

FieldRow* ParamForm::row(const QString& key) const {
    const auto it = std::ranges::find(m_rows, key.toStdString(), [](const Row& each) { return each.field.key; });
    return it == m_rows.end() ? nullptr : it->row;
}

QWidget* ParamForm::control(const QString& key) const {
    const FieldRow* found = row(key);
    return found ? found->editor().control() : nullptr;
}

QWidget* ParamForm::slider(const QString& key) const {
    const FieldRow* found = row(key);
    return found ? found->editor().below() : nullptr;
}

} // namespace trainyard
