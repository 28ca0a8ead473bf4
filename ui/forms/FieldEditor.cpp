// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FieldEditor.h"

#include "forms/AmountsEditor.h"
#include "forms/ChoiceEditor.h"
#include "forms/FieldSlider.h"
#include "forms/OperationsEditor.h"
#include "forms/TextAreaEditor.h"
#include "forms/ValueField.h"
#include "forms/WordEditor.h"

#include <algorithm>

namespace trainyard {

QString severalText() { return FieldEditor::tr("several"); }

bool valuesDiffer(const std::vector<std::string>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

void FieldEditor::mark(const FieldProblem& problem) { markProblem(control(), problem); }

FieldEditor* makeFieldEditor(const FieldInfo& field, const FieldChoices& choices) {
    using Kind = FieldInfo::Kind;
    switch (field.kind) {
    case Kind::flag: return new FlagEditor;
    case Kind::word: {
        std::size_t longest = 0;
        for (const std::string& word : field.words) longest = std::max(longest, word.size());
        return new WordEditor(longest, field.open);
    }
    case Kind::choice: return new ChoiceEditor(field.key, choices);
    case Kind::amounts: return new AmountsEditor;
    case Kind::list:
        if (field.type == "operations with dependencies") return new OperationsEditor;
        return new TextAreaEditor(TextAreaEditor::Content::json);
    case Kind::parameters: return new TextAreaEditor(TextAreaEditor::Content::json);
    case Kind::text:
        if (field.key == "notes" || field.key == "look_for") return new TextAreaEditor(TextAreaEditor::Content::prose);
        return new ValueEditor(field.key == "title", false);
    case Kind::integer:
    case Kind::number:
    case Kind::numbers:
    case Kind::texts:
    case Kind::pair:
    case Kind::bounds:
    case Kind::group: break;
    }
    return new ValueEditor(field.kind == Kind::numbers || field.kind == Kind::texts, FieldSlider::suits(field));
}

} // namespace trainyard
