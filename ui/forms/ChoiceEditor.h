// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is picked from a registry (a model, a data set, an optimizer, a policy of the job's own), with the
// form of its parameters beneath. Which registry: by the field's key.
#include "forms/FieldEditor.h"
#include "policy/Registry.h"

class QComboBox;
class QLabel;

namespace trainyard {

class ParamForm;

struct FieldChoices {
    const Registry* registry = nullptr;
};

class ChoiceEditor final : public FieldEditor {
    Q_OBJECT
public:
    ChoiceEditor(const std::string& key, const FieldChoices& choices, QWidget* parent = nullptr);
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;
    QWidget* controlAt(const std::string& path) const override;
    bool isWide() const override { return true; }

    struct Option {
        QString id, label, summary;
        ParamSchema schema;
    };
    static std::vector<Option> optionsOf(const std::string& key, const FieldChoices& choices);

private:
    const Option* optionNow() const;

    std::vector<Option> m_options;
    QComboBox* m_picker;
    QLabel* m_summary;
    ParamForm* m_form;
    Choice m_choice;
    std::string m_path;
};

} // namespace trainyard
