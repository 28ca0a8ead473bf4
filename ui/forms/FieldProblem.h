// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is said beneath a field: why its value cannot be, or what is doubtful about it. The style sheet colours note and border by it.
#include "base/Problem.h"

#include <QString>

#include <map>
#include <string>

class QLabel;
class QWidget;

namespace trainyard {

struct FieldProblem {
    QString text; ///< empty: all is well
    bool isWarning = false;
    friend bool operator==(const FieldProblem&, const FieldProblem&) = default;
};

using FieldProblems = std::map<std::string, FieldProblem>; ///< by the field's key or path
/// The first of each field, but errors before warnings. Notes are not for fields.
void addProblem(FieldProblems& problems, const std::string& field, const Problem& problem);
/// Nothing about those that are not there.
FieldProblem problemOf(const FieldProblems& problems, const std::string& field);

/// Draws the border of a control.
void markProblem(QWidget* control, const FieldProblem& problem);
/// For showProblem(); hidden.
QLabel* makeProblemNote();
/// Shows the text, or hides the note.
void showProblem(QLabel* note, const FieldProblem& problem);

} // namespace trainyard
