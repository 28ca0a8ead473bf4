// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Linear and integer programs against solutions worked by hand and against enumeration; what has no solution; offline optima of
// slotted jobs by two methods.
#include "planning/LpSolver.h"
#include "studies/pdors/SlotOptimum.h"
#include "support/TestMain.h"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <random>

using namespace trainyard;

class tst_LpSolver : public QObject {
    Q_OBJECT
private slots:
    void smallProgramsAsWorkedByHand();
    void integersAsEnumerated();
    void rowsCanBeMoved();
    void withoutSolution();
    void givesUpWithoutEndingTheProcess();
    void writesAFile();
    void offlineOptimumByTwoMethods();
};

namespace {

using Status = LpSolution::Status;

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// Greatest 3x + 2y with x + y ≤ 4, x + 3y ≤ 6, x ≤ 3: at (3, 1), 11.
LinearProgram byHand() {
    LinearProgram out{.maximize = true, .columns = {}, .rows = {}};
    const auto x = out.add({.cost = 3, .upper = 3}), y = out.add({.cost = 2});
    out.add({.terms = {{x, 1}, {y, 1}}, .upper = 4});
    out.add({.terms = {{x, 1}, {y, 3}}, .upper = 6});
    return out;
}

} // namespace

void tst_LpSolver::smallProgramsAsWorkedByHand() {
    LpSolver solver(byHand());
    const LpSolution solution = solver.solve();
    QVERIFY(solution.status == Status::optimal && near(solution.value, 11) && near(solution.x[0], 3) &&
            near(solution.x[1], 1));
}

// Least cost of covering with at most 4 of each of three things, in two rows; all 125 points are tried. The relaxation is no dearer.
void tst_LpSolver::integersAsEnumerated() {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> whole(1, 9);
    int fractional = 0, none = 0;
    for (int instance = 0; instance < 300; ++instance) {
        LinearProgram program;
        for (int c = 0; c < 3; ++c) program.add({.cost = whole(random) / 2.0, .upper = 4, .integer = true});
        for (int r = 0; r < 2; ++r) {
            LinearProgram::Row cover{.terms = {}, .lower = 4.0 * whole(random)},
                pack{.terms = {}, .upper = 6.0 * whole(random)};
            for (std::size_t c = 0; c < 3; ++c) {
                cover.terms.emplace_back(c, whole(random));
                pack.terms.emplace_back(c, whole(random) / 2.0);
            }
            program.add(std::move(cover));
            program.add(std::move(pack));
        }
        double least = INFINITY;
        for (int a = 0; a <= 4; ++a)
            for (int b = 0; b <= 4; ++b)
                for (int c = 0; c <= 4; ++c) {
                    const std::vector<double> x{double(a), double(b), double(c)};
                    if (program.violation(x) > 1e-12) continue;
                    least = std::min(least, a * program.columns[0].cost + b * program.columns[1].cost +
                                                c * program.columns[2].cost);
                }
        LpSolver solver(program);
        const LpSolution relaxed = solver.solve(), found = solver.solveInteger();
        if (std::isinf(least)) {
            QVERIFY(found.status == Status::infeasible);
            ++none;
            continue;
        }
        QVERIFY2(found.status == Status::optimal && near(found.value, least), qPrintable(QString::number(instance)));
        QVERIFY(relaxed.status == Status::optimal && relaxed.value <= least + 1e-9);
        QVERIFY(program.violation(found.x) <= 1e-9);
        fractional += relaxed.value < least - 1e-6;
    }
    QVERIFY(fractional > 50 && none > 5);
}

void tst_LpSolver::rowsCanBeMoved() {
    LpSolver solver(byHand());
    for (const double limit : {4.0, 2.0, 3.5, 1.0, 6.0}) { // as solved anew each time
        solver.setRow(0, -LinearProgram::infinity, limit);
        LinearProgram anew = byHand();
        anew.rows[0].upper = limit;
        LpSolver other(anew);
        QVERIFY(near(solver.solve().value, other.solve().value));
    }
}

void tst_LpSolver::withoutSolution() {
    LinearProgram program = byHand();
    program.rows[0].lower = program.rows[0].upper = 40;
    LpSolver impossible(program);
    QVERIFY(impossible.solve().status == Status::infeasible && impossible.solveInteger().status == Status::infeasible);
    LinearProgram open{.maximize = true, .columns = {{.cost = 1}}, .rows = {}};
    open.add({.terms = {{0, 1}}, .lower = 1});
    LpSolver endless(open);
    QVERIFY(endless.solve().status == Status::unbounded);
    QVERIFY(endless.solve().x.empty());
}

// GLPK ends the process where a column stands twice in a row; the solvers of the thread live on.
void tst_LpSolver::givesUpWithoutEndingTheProcess() {
    LpSolver sound(byHand());
    QVERIFY(near(sound.solve().value, 11));
    LinearProgram twice = byHand();
    twice.rows[0].terms.emplace_back(0, 2);
    LpSolver broken(twice);
    QVERIFY(broken.solve().status == Status::failed && broken.solveInteger().status == Status::failed);
    QVERIFY(near(sound.solve().value, 11));
}

void tst_LpSolver::writesAFile() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("p.lp"));
    QVERIFY(LpSolver(byHand()).write(path.toStdString()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("Maximize"));
    QVERIFY(!LpSolver(byHand()).write("/no/such/folder/p.lp"));
}

void tst_LpSolver::offlineOptimumByTwoMethods() {
    std::mt19937 random(3);
    const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    int earned = 0;
    for (int instance = 0; instance < 25; ++instance) {
        const SlotCluster cluster{3, 2, 1, {double(whole(3, 6)), double(whole(3, 6))}};
        std::vector<SlotJob> jobs(3);
        for (SlotJob& job : jobs) {
            job.arrival = whole(0, 2);
            job.samples = whole(2, 8);
            job.batch = whole(1, 4);
            job.workersPerServer = whole(1, 3);
            job.localRate = whole(2, 4) / 2.0;
            job.remoteRate = job.localRate * 0.625;
            job.workerDemand = {double(whole(1, 2))};
            job.serverDemand = {double(whole(0, 2))};
            job.utility = {double(whole(1, 50)), whole(0, 20) / 5.0, 2};
        }
        const double enumerated = offlineOptimumByEnumeration(cluster, jobs);
        const LpSolution solved = LpSolver(offlineProgram(cluster, jobs)).solveInteger({.seconds = 60});
        QVERIFY2(solved.status == Status::optimal && near(solved.value, enumerated),
                 qPrintable(QString::number(instance)));
        earned += enumerated > 0;
    }
    QVERIFY(earned > 15);
}

TRAINYARD_TEST(tst_LpSolver)
#include "tst_LpSolver.moc"
