// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/ChoiceEditor.h"

#include "analysis/TrainingChoices.h"
#include "forms/ParamForm.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

std::vector<ChoiceEditor::Option> ChoiceEditor::optionsOf(const std::string& key, const FieldChoices& choices) {
    std::vector<Option> options;
    const auto add = [&](const auto& info, const QString& more = {}) {
        options.push_back({QString::fromStdString(info.id), coreText(info.label),
                           more.isEmpty() ? coreText(info.summary) : coreText(info.summary) + QLatin1Char('\n') + more,
                           info.schema});
    };
    for (const TrainingChoice& entry : trainingChoices(key)) add(entry, coreText(entry.formula));
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        if (choices.registry && key == familyName(family)) {
            options.push_back({{}, tr("the scenario's"), {}, {}});
            for (const PolicyInfo* info : choices.registry->list(family)) add(*info);
        }
    return options;
}

ChoiceEditor::ChoiceEditor(const std::string& key, const FieldChoices& choices, QWidget* parent)
    : FieldEditor(parent), m_options(optionsOf(key, choices)), m_picker(new ElidedComboBox), m_summary(new QLabel),
      m_form(new ParamForm) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_picker);
    column->addWidget(m_summary);
    column->addWidget(m_form);
    m_form->setContentsMargins(12, 2, 0, 0);
    m_summary->setWordWrap(true);
    m_summary->setProperty("muted", true);
    m_picker->setFocusPolicy(Qt::StrongFocus);
    m_picker->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_picker->setMinimumContentsLength(10);
    m_picker->setMaxVisibleItems(20);
    for (const Option& option : m_options) {
        m_picker->addItem(option.label, option.id);
        m_picker->setItemData(m_picker->count() - 1, option.summary, Qt::ToolTipRole);
    }
    setFocusProxy(m_picker);
    connect(m_picker, &QComboBox::activated, this, [this](int index) {
        const std::string id = m_picker->itemData(index).toString().toStdString();
        if (id == m_choice.id) return;
        Q_EMIT edited(m_path, id.empty() ? std::string() : jsonOf({id, {}}));
    });
    connect(m_form, &ParamForm::edited, this, [this](const std::string& name, const ParamValue& value) {
        const Option* option = optionNow();
        const ParamField* field = option ? option->schema.find(name) : nullptr;
        Choice changed = m_choice;
        if (field && field->defaultValue == value)
            changed.parameters.erase(name); // files name only what differs
        else
            changed.parameters.insert_or_assign(name, value);
        Q_EMIT edited(m_path, jsonOf(changed));
    });
    connect(m_form, &ParamForm::dragBegan, this, &FieldEditor::dragBegan);
    connect(m_form, &ParamForm::dragEnded, this, &FieldEditor::dragEnded);
}

const ChoiceEditor::Option* ChoiceEditor::optionNow() const {
    const QString id = QString::fromStdString(m_choice.id);
    const auto it = std::find_if(m_options.begin(), m_options.end(), [&](const Option& o) { return o.id == id; });
    return it == m_options.end() ? nullptr : &*it;
}

QWidget* ChoiceEditor::control() const { return m_picker; }

QWidget* ChoiceEditor::controlAt(const std::string& path) const {
    const std::string prefix = m_path + "/parameters/";
    if (path.starts_with(prefix))
        if (QWidget* control = m_form->control(QString::fromStdString(path.substr(prefix.size())))) return control;
    return m_picker;
}

void ChoiceEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const QSignalBlocker quiet(m_picker);
    m_path = field.path;
    m_choice = choiceFrom(values.front(), nullptr);
    bool several = false;
    for (const std::string& json : values) several |= choiceFrom(json, nullptr).id != m_choice.id;
    const Option* option = several ? nullptr : optionNow();
    if (option) m_choice = choiceFrom(values.front(), &option->schema);
    m_picker->setCurrentIndex(option ? m_picker->findData(option->id) : -1);
    m_picker->setPlaceholderText(several ? severalText()
                                 : m_choice.id.empty()
                                     ? tr("choose one")
                                     : tr("“%1” is not known").arg(QString::fromStdString(m_choice.id)));
    m_summary->setText(option ? option->summary : QString());
    m_summary->setVisible(option && !option->summary.isEmpty());
    m_form->setVisible(option && !option->schema.fields().empty());
    if (option && option->schema.check(m_choice.parameters).empty())
        m_form->show(option->schema, option->schema.complete(m_choice.parameters));
    else if (option)
        m_form->show(option->schema, m_choice.parameters);
}

} // namespace trainyard
