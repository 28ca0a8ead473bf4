// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/LpSolver.h"

#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>

namespace trainyard {

namespace {

constexpr double feasible = 1e-6; ///< violation of an answer that is still one

/// Runs calls of GLPK, which ends the process when something is wrong within unless its hook leaves by a jump. `work` must own
/// nothing that a jump would leak. false: GLPK gave up; the problem that it was at must not be touched again, not even freed.
template <class Work>
bool guarded(const Work& work) {
    std::jmp_buf leave;
    if (setjmp(leave) != 0) { // NOLINT: the only way out of glp_error()
        glp_error_hook(nullptr, nullptr);
        return false;
    }
    glp_term_hook([](void*, const char*) { return 1; }, nullptr); // says nothing, not even what went wrong
    glp_error_hook([](void* to) { std::longjmp(*static_cast<std::jmp_buf*>(to), 1); }, &leave); // NOLINT
    work();
    glp_error_hook(nullptr, nullptr);
    return true;
}

int boundsType(double lower, double upper) {
    if (std::isinf(lower)) return std::isinf(upper) ? GLP_FR : GLP_UP;
    if (std::isinf(upper)) return GLP_LO;
    return lower == upper ? GLP_FX : GLP_DB;
}

} // namespace

struct LpSolver::Problem {
    glp_prob* glpk = nullptr;
    bool broken = false;
    bool usable() const { return glpk && !broken; }
    template <class Work>
    bool run(const Work& work) {
        broken = broken || !guarded(work);
        return !broken;
    }
    ~Problem() {
        if (usable()) glp_delete_prob(glpk);
    }
};

std::size_t LinearProgram::add(Column column) {
    columns.push_back(column);
    return columns.size() - 1;
}

double LinearProgram::violation(const std::vector<double>& x) const {
    double worst = 0;
    const auto note = [&worst](double value, double lower, double upper, double size) {
        worst = std::max({worst, (lower - value) / size, (value - upper) / size});
    };
    for (std::size_t c = 0; c < columns.size(); ++c)
        note(x[c], columns[c].lower, columns[c].upper, std::max(1.0, std::abs(x[c])));
    for (const Row& row : rows) {
        double sum = 0, size = 1;
        for (const auto& [column, coefficient] : row.terms) {
            sum += coefficient * x[column];
            size = std::max(size, std::abs(coefficient * x[column]));
        }
        note(sum, row.lower, row.upper, size);
    }
    return worst;
}

LpSolver::LpSolver(LinearProgram program) : m_program(std::move(program)) {}
LpSolver::~LpSolver() = default;
LpSolver::LpSolver(LpSolver&&) noexcept = default;
LpSolver& LpSolver::operator=(LpSolver&&) noexcept = default;

LpSolver::Problem& LpSolver::problem() {
    if (m_problem && m_problem->usable()) return *m_problem;
    m_problem = std::make_unique<Problem>();
    // In arrays from 1, as GLPK wants them.
    std::vector<int> rows{0}, columns{0};
    std::vector<double> values{0};
    for (std::size_t r = 0; r < m_program.rows.size(); ++r)
        for (const auto& [column, coefficient] : m_program.rows[r].terms) {
            if (coefficient == 0) continue;
            rows.push_back(static_cast<int>(r) + 1);
            columns.push_back(static_cast<int>(column) + 1);
            values.push_back(coefficient);
        }
    Problem& made = *m_problem;
    const LinearProgram& program = m_program;
    made.run([&] {
        made.glpk = glp_create_prob();
        glp_set_obj_dir(made.glpk, program.maximize ? GLP_MAX : GLP_MIN);
        if (!program.columns.empty()) glp_add_cols(made.glpk, static_cast<int>(program.columns.size()));
        if (!program.rows.empty()) glp_add_rows(made.glpk, static_cast<int>(program.rows.size()));
        for (std::size_t c = 0; c < program.columns.size(); ++c) {
            const auto& [cost, lower, upper, integer] = program.columns[c];
            glp_set_obj_coef(made.glpk, static_cast<int>(c) + 1, cost);
            glp_set_col_bnds(made.glpk, static_cast<int>(c) + 1, boundsType(lower, upper), lower, upper);
            if (integer) glp_set_col_kind(made.glpk, static_cast<int>(c) + 1, GLP_IV);
        }
        for (std::size_t r = 0; r < program.rows.size(); ++r)
            glp_set_row_bnds(made.glpk, static_cast<int>(r) + 1,
                             boundsType(program.rows[r].lower, program.rows[r].upper), program.rows[r].lower,
                             program.rows[r].upper);
        glp_load_matrix(made.glpk, static_cast<int>(rows.size()) - 1, rows.data(), columns.data(), values.data());
    });
    return made;
}

void LpSolver::setRow(std::size_t row, double lower, double upper) {
    m_program.rows[row].lower = lower;
    m_program.rows[row].upper = upper;
    if (!m_problem || !m_problem->usable()) return;
    Problem& made = *m_problem;
    made.run([&] { glp_set_row_bnds(made.glpk, static_cast<int>(row) + 1, boundsType(lower, upper), lower, upper); });
}

LpSolution LpSolver::solve() {
    LpSolution out;
    for (const bool afresh : {false, true}) { // a basis of before may be singular now
        Problem& made = problem();
        if (!made.usable()) return out;
        int code = GLP_EFAIL, status = GLP_UNDEF;
        const bool ran = made.run([&] {
            if (afresh) glp_std_basis(made.glpk);
            glp_smcp options;
            glp_init_smcp(&options);
            options.msg_lev = GLP_MSG_OFF;
            options.meth = afresh ? GLP_PRIMAL : GLP_DUALP;
            code = glp_simplex(made.glpk, &options);
            status = glp_get_status(made.glpk);
        });
        if (!ran || code != 0) continue;
        if (status == GLP_NOFEAS) out.status = LpSolution::Status::infeasible;
        if (status == GLP_UNBND) out.status = LpSolution::Status::unbounded;
        if (status == GLP_NOFEAS || status == GLP_UNBND) return out;
        if (status != GLP_OPT) continue;
        out.x.resize(m_program.columns.size());
        for (std::size_t c = 0; c < out.x.size(); ++c) out.x[c] = glp_get_col_prim(made.glpk, static_cast<int>(c) + 1);
        out.value = out.bound = glp_get_obj_val(made.glpk);
        if (m_program.violation(out.x) <= feasible) {
            out.status = LpSolution::Status::optimal;
            return out;
        }
        out = {};
    }
    return out;
}

LpSolution LpSolver::solveInteger(const IntegerOptions& options) {
    LpSolution out = solve();
    if (out.status != LpSolution::Status::optimal) return out;
    const double relaxed = out.value;
    out = {};
    Problem& made = problem();
    int code = GLP_EFAIL, status = GLP_UNDEF;
    std::int64_t nodesLeft = options.nodes;
    const bool ran = made.run([&] {
        glp_iocp control;
        glp_init_iocp(&control);
        control.msg_lev = GLP_MSG_OFF;
        control.mip_gap = options.gap;
        control.gmi_cuts = control.mir_cuts = control.cov_cuts = control.clq_cuts = GLP_ON;
        // Presolving is left out: with it other solvers have called infeasible what was not (brief of arXiv 2108.02917).
        if (options.seconds < 1e6) control.tm_lim = std::max(1, static_cast<int>(options.seconds * 1000));
        if (options.nodes > 0) {
            control.cb_info = &nodesLeft;
            control.cb_func = [](glp_tree* tree, void* left) {
                if (glp_ios_reason(tree) == GLP_ISELECT && (*static_cast<std::int64_t*>(left))-- <= 0)
                    glp_ios_terminate(tree);
            };
        }
        code = glp_intopt(made.glpk, &control);
        status = glp_mip_status(made.glpk);
    });
    if (!ran) return out;
    if (code == 0 && status == GLP_NOFEAS) {
        out.status = LpSolution::Status::infeasible;
        return out;
    }
    const bool stopped = code == GLP_ETMLIM || code == GLP_EMIPGAP || code == GLP_ESTOP || status == GLP_FEAS;
    out.bound = relaxed;
    if (status == GLP_OPT || status == GLP_FEAS) {
        out.x.resize(m_program.columns.size());
        for (std::size_t c = 0; c < out.x.size(); ++c) {
            out.x[c] = glp_mip_col_val(made.glpk, static_cast<int>(c) + 1);
            if (m_program.columns[c].integer) out.x[c] = std::round(out.x[c]);
        }
        out.value = 0;
        for (std::size_t c = 0; c < out.x.size(); ++c) out.value += m_program.columns[c].cost * out.x[c];
        // No proof is taken on trust: feasible as it stands, and not better than the relaxation.
        const double better = m_program.maximize ? out.value - relaxed : relaxed - out.value;
        if (m_program.violation(out.x) > feasible || better > feasible * std::max(1.0, std::abs(relaxed))) return {};
    }
    if (stopped)
        out.status = LpSolution::Status::stopped;
    else if (status == GLP_OPT) {
        out.status = LpSolution::Status::optimal;
        out.bound = out.value;
    }
    return out;
}

bool LpSolver::write(const std::filesystem::path& path) {
    int code = 1;
    Problem& made = problem();
    return made.usable() && made.run([&] { code = glp_write_lp(made.glpk, nullptr, path.c_str()); }) && code == 0;
}

} // namespace trainyard
