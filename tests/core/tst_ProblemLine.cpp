// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Problems as both programs write them: place, kind, pointer, text.
#include "base/ProblemLine.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_ProblemLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void placeThenKind();
};

void tst_ProblemLine::placeThenKind() {
    Problem problem{.code = "wrong", .message = {"{0} is wrong", {"it"}}};
    QCOMPARE(problemLine(problem, "trainyard"), std::string("trainyard: it is wrong"));
    problem.severity = Severity::warning;
    QCOMPARE(problemLine(problem, "trainyard"), std::string("trainyard: warning: it is wrong"));
    problem.line = 3; // of no file
    problem.pointer = "/jobs/0";
    QCOMPARE(problemLine(problem, "trainyard"), std::string("trainyard: warning: /jobs/0: it is wrong"));
    problem.file = "a.json";
    QCOMPARE(problemLine(problem, "trainyard"), std::string("a.json:3: warning: /jobs/0: it is wrong"));
    problem.severity = Severity::note;
    QCOMPARE(problemLine(problem, "trainyard"), std::string("a.json:3: note: /jobs/0: it is wrong"));
}

TRAINYARD_TEST(tst_ProblemLine)
#include "tst_ProblemLine.moc"
