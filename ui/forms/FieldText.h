// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The values of a scenario's fields as people read and type them, and back to the JSON that the document
// takes. One meaning for forms, tables and the clipboard.
#include "model/Job.h"
#include "scenario/EntityFields.h"

#include <QEvent>
#include <QString>

namespace trainyard {

/// What was typed, as JSON (empty: take the field out, or back to its default), or why it cannot be
/// understood.
struct TypedValue {
    std::string json;
    QString problem;
    bool ok() const { return problem.isEmpty(); }
};

/// "4", "2–8", "a, b", "on": one line. Empty for a value that is not there.
QString fieldText(const FieldInfo& field, const std::string& json);
inline QString fieldText(const FieldInfo& field) { return fieldText(field, field.value); }
/// Only the form is judged, not the range.
TypedValue typedValue(const FieldInfo& field, const QString& text);
/// Why a number lies out of the field's range; empty if it does not, or if the value is no number.
QString rangeProblem(const FieldInfo& field, const std::string& json);
/// Help, unit, range and default, as rich text for tooltips and What's This.
QString fieldHelp(const FieldInfo& field);

/// Space presses the button or box that has the focus, and the like: keys that mean something else to the
/// window are kept from its shortcuts. For event() of what holds a form; true if it was one of those.
bool claimFormKey(QEvent* event);

/// Text ↔ JSON string.
std::string jsonText(const QString& text);
QString plainText(const std::string& json);
/// {"cpu": 4} → the amount of one resource as JSON; empty if it is not named.
std::string amountOf(const std::string& json, const std::string& resource);
/// The JSON of a parameter's value, and back; a number takes the type of the field, if there is one.
std::string jsonOf(const ParamValue& value);
ParamValue paramFrom(const std::string& json, const ParamField* field);
/// A word of a fixed list as people read it: "as-many-as-fit" → "as many as fit".
QString wordText(const FieldInfo& field, const std::string& word);
/// "sgd" or {"id": …, "parameters": {…}} ↔ a choice. Parameters take the types of the schema, if there is
/// one.
Choice choiceFrom(const std::string& json, const ParamSchema* schema);
std::string jsonOf(const Choice& choice);

} // namespace trainyard
