// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Linear and integer programs, solved by GLPK, which nothing else includes. A solver belongs to the thread that made it.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace trainyard {

/// Least (or greatest) cost·x with lower ≤ x ≤ upper and, by row, lower ≤ Σ coefficient·x ≤ upper.
struct LinearProgram {
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    struct Column {
        double cost = 0, lower = 0, upper = infinity;
        bool integer = false; ///< obeyed by solveInteger() alone
    };
    struct Row {
        std::vector<std::pair<std::size_t, double>> terms; ///< column and coefficient, each column once
        double lower = -infinity, upper = infinity;
    };
    bool maximize = false;
    std::vector<Column> columns;
    std::vector<Row> rows;

    /// Returns its index.
    std::size_t add(Column column);
    void add(Row row) { rows.push_back(std::move(row)); }
    /// By how much x breaks the bounds of columns and rows, each relative to the size of its terms.
    double violation(const std::vector<double>& x) const;
};

struct LpSolution {
    enum class Status {
        optimal,
        infeasible,
        unbounded,
        stopped, ///< out of time or nodes, or near enough: x, if any, is feasible, not known to be best
        failed,  ///< numerically: no answer, or one that breaks the constraints
    };
    Status status = Status::failed;
    double value = 0;
    /// No solution is better than this (integer programs; else as `value`).
    double bound = 0;
    std::vector<double> x; ///< by column; empty: none
};

class LpSolver {
public:
    explicit LpSolver(LinearProgram program);
    ~LpSolver();
    LpSolver(LpSolver&&) noexcept;
    LpSolver& operator=(LpSolver&&) noexcept;

    const LinearProgram& program() const { return m_program; }
    void setRow(std::size_t row, double lower, double upper);

    /// Without regard to `integer`; goes on from the basis of the last call.
    LpSolution solve();
    struct IntegerOptions {
        double seconds = LinearProgram::infinity;
        double gap = 0;         ///< relative, at which to stop
        std::int64_t nodes = 0; ///< of the search tree, after which to stop: the same on any machine; 0: any number
    };
    LpSolution solveInteger(const IntegerOptions& options);
    LpSolution solveInteger() { return solveInteger(IntegerOptions{}); }
    /// As a file in CPLEX LP format, for other solvers. false: it could not be written.
    bool write(const std::filesystem::path& path);

private:
    struct Problem;
    Problem& problem();

    LinearProgram m_program;
    std::unique_ptr<Problem> m_problem;
};

} // namespace trainyard
