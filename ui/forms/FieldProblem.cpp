// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FieldProblem.h"

#include "theme/CoreText.h"

#include <QLabel>
#include <QStyle>
#include <QVariant>

namespace trainyard {

void addProblem(FieldProblems& problems, const std::string& field, const Problem& problem) {
    if (problem.severity == Severity::note) return;
    FieldProblem found{coreText(problem.message), problem.severity == Severity::warning};
    if (!found.text.isEmpty()) found.text[0] = found.text[0].toUpper(); // a sentence of its own here
    const auto [there, isNew] = problems.try_emplace(field, found);
    if (!isNew && there->second.isWarning && !found.isWarning) there->second = found;
}

FieldProblem problemOf(const FieldProblems& problems, const std::string& field) {
    const auto it = problems.find(field);
    return it == problems.end() ? FieldProblem() : it->second;
}

void markProblem(QWidget* control, const FieldProblem& problem) {
    const QString mark = problem.text.isEmpty() ? QString()
                         : problem.isWarning    ? QStringLiteral("warning")
                                                : QStringLiteral("true");
    if (control->property("problem").toString() == mark) return;
    control->setProperty("problem", mark);
    control->style()->unpolish(control);
    control->style()->polish(control);
}

QLabel* makeProblemNote() {
    auto* note = new QLabel;
    note->setWordWrap(true);
    note->hide();
    return note;
}

void showProblem(QLabel* note, const FieldProblem& problem) {
    note->setText(problem.text);
    note->setVisible(!problem.text.isEmpty());
    markProblem(note, problem);
}

} // namespace trainyard
