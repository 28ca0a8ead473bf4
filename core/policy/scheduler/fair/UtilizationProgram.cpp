// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/fair/UtilizationProgram.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace utilization_program {

constexpr double slack = 1e-9; // of sums of shares

using Terms = std::vector<std::pair<std::size_t, double>>;

/// Columns of one job.
struct Columns {
    std::size_t workers = 0;
    std::optional<std::size_t> servers; ///< where they grow with the workers
};

class Program {
public:
    Program(const std::vector<UtilizationJob>& jobs, const std::vector<int>& fair, const UtilizationLimits& limits)
        : m_jobs(jobs) {
        m_program.maximize = true;
        for (const UtilizationJob& job : jobs) addJob(job);
        addCapacity();
        addFairness(fair, limits.unfairness);
        addChanges(limits.changes);
    }

    LinearProgram take() { return std::move(m_program); }
    std::size_t workersOf(std::size_t job) const { return m_columns[job].workers; }

private:
    void addJob(const UtilizationJob& job) {
        const auto sum = [](const std::vector<double>& shares) {
            double out = 0;
            for (const double s : shares) out += s;
            return out;
        };
        Columns columns;
        columns.workers = m_program.add({.cost = sum(job.worker),
                                         .lower = double(job.workers.minimum),
                                         .upper = double(job.workers.maximum),
                                         .integer = true});
        if (job.workersPerServer) { // 0 ≤ γ·servers − workers ≤ γ − 1
            const auto gamma = static_cast<double>(*job.workersPerServer);
            columns.servers = m_program.add({.cost = sum(job.server),
                                             .lower = double(job.serversFor(job.workers.minimum)),
                                             .upper = double(job.serversFor(job.workers.maximum)),
                                             .integer = true});
            m_program.add(LinearProgram::Row{{{*columns.servers, gamma}, {columns.workers, -1}}, 0, gamma - 1});
        }
        m_columns.push_back(columns);
    }

    /// The share of a resource, as a sum and a constant.
    std::pair<Terms, double> shareOf(std::size_t j, std::size_t resource, double factor = 1) const {
        const UtilizationJob& job = m_jobs[j];
        Terms terms{{m_columns[j].workers, factor * job.worker[resource]}};
        if (m_columns[j].servers) terms.push_back({*m_columns[j].servers, factor * job.server[resource]});
        return {terms, m_columns[j].servers ? 0 : factor * job.servers * job.server[resource]};
    }

    void addCapacity() {
        for (std::size_t r = 0; !m_jobs.empty() && r < m_jobs[0].worker.size(); ++r) {
            LinearProgram::Row row;
            row.upper = 1 + slack;
            for (std::size_t j = 0; j < m_jobs.size(); ++j) {
                const auto [terms, constant] = shareOf(j, r);
                row.terms.insert(row.terms.end(), terms.begin(), terms.end());
                row.upper -= constant;
            }
            m_program.add(std::move(row));
        }
    }

    /// The resource that is dominant at every count, if one is.
    static std::optional<std::size_t> alwaysDominant(const UtilizationJob& job) {
        for (std::size_t r = 0; r < job.worker.size(); ++r) {
            bool always = true;
            for (int n = job.workers.minimum; always && n <= job.workers.maximum; ++n)
                always = job.share(n, r) >= job.dominantShare(n) - slack;
            if (always) return r;
        }
        return std::nullopt;
    }

    /// share + constant + Σ more ≤ (or, with factor −1, ≥) a column's value.
    void addBound(std::size_t j, std::size_t resource, double factor, Terms more, double upper) {
        auto [terms, constant] = shareOf(j, resource, factor);
        terms.insert(terms.end(), more.begin(), more.end());
        m_program.add(LinearProgram::Row{std::move(terms), -LinearProgram::infinity, upper - constant});
    }

    /// z_i ≥ |s_i − s_i,fair|, Σ z_i ≤ limit.
    void addFairness(const std::vector<int>& fair, double limit) {
        LinearProgram::Row sum;
        sum.upper = limit + slack;
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            const double due = m_jobs[j].dominantShare(fair[j]);
            const std::size_t z = m_program.add(LinearProgram::Column{});
            sum.terms.push_back({z, 1});
            if (const auto dominant = alwaysDominant(m_jobs[j])) {
                addBound(j, *dominant, 1, {{z, -1}}, due);
                addBound(j, *dominant, -1, {{z, -1}}, -due);
            } else {
                addMaximum(j, z, due);
            }
        }
        m_program.add(std::move(sum));
    }

    /// Every resource's share is at most due + z; that of one of them, which a binary chooses, at least due − z.
    void addMaximum(std::size_t j, std::size_t z, double due) {
        LinearProgram::Row one{{}, 1, 1};
        for (std::size_t r = 0; r < m_jobs[j].worker.size(); ++r) {
            const std::size_t chosen = m_program.add({.upper = 1, .integer = true});
            one.terms.push_back({chosen, 1});
            addBound(j, r, 1, {{z, -1}}, due);
            addBound(j, r, -1, {{z, -1}, {chosen, due}}, 0); // share + z ≥ due where it is chosen
        }
        m_program.add(std::move(one));
    }

    void addChanges(int most) {
        LinearProgram::Row sum;
        sum.upper = most;
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            if (!m_jobs[j].before) continue;
            const double before = *m_jobs[j].before;
            const double up = std::max(0.0, m_jobs[j].workers.maximum - before);
            const double down = std::max(0.0, before - m_jobs[j].workers.minimum);
            const std::size_t changes = m_program.add({.upper = 1, .integer = true});
            m_program.add(
                LinearProgram::Row{{{m_columns[j].workers, 1}, {changes, -up}}, -LinearProgram::infinity, before});
            m_program.add(
                LinearProgram::Row{{{m_columns[j].workers, 1}, {changes, down}}, before, LinearProgram::infinity});
            sum.terms.push_back({changes, 1});
        }
        if (!sum.terms.empty()) m_program.add(std::move(sum));
    }

    const std::vector<UtilizationJob>& m_jobs;
    LinearProgram m_program;
    std::vector<Columns> m_columns;
};

} // namespace utilization_program

int UtilizationJob::serversFor(int count) const {
    if (!workersPerServer) return count > 0 ? servers : 0;
    return static_cast<int>((count + *workersPerServer - 1) / *workersPerServer);
}

double UtilizationJob::share(int count, std::size_t resource) const {
    return count * worker[resource] + serversFor(count) * server[resource];
}

double UtilizationJob::dominantShare(int count) const {
    double most = 0;
    for (std::size_t r = 0; r < worker.size(); ++r) most = std::max(most, share(count, r));
    return most;
}

double UtilizationJob::utilization(int count) const {
    double sum = 0;
    for (std::size_t r = 0; r < worker.size(); ++r) sum += share(count, r);
    return sum;
}

std::vector<int> dominantFairCounts(const std::vector<UtilizationJob>& jobs) {
    std::vector<int> counts;
    std::vector<double> used(jobs.empty() ? 0 : jobs[0].worker.size(), 0.0);
    for (const UtilizationJob& job : jobs) {
        counts.push_back(job.workers.minimum);
        for (std::size_t r = 0; r < used.size(); ++r) used[r] += job.share(counts.back(), r);
    }
    const auto fits = [&](std::size_t j) {
        for (std::size_t r = 0; r < used.size(); ++r)
            if (used[r] + jobs[j].share(counts[j] + 1, r) - jobs[j].share(counts[j], r) >
                1 + utilization_program::slack)
                return false;
        return true;
    };
    std::vector<bool> grows(jobs.size(), true);
    for (;;) {
        std::optional<std::size_t> least;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            grows[j] = grows[j] && counts[j] < jobs[j].workers.maximum;
            if (grows[j] && (!least || jobs[j].dominantShare(counts[j]) < jobs[*least].dominantShare(counts[*least])))
                least = j;
        }
        if (!least) return counts;
        grows[*least] = fits(*least);
        if (!grows[*least]) continue;
        for (std::size_t r = 0; r < used.size(); ++r)
            used[r] += jobs[*least].share(counts[*least] + 1, r) - jobs[*least].share(counts[*least], r);
        ++counts[*least];
    }
}

UtilizationPlan bestUtilization(const std::vector<UtilizationJob>& jobs, const std::vector<int>& fair,
                                const UtilizationLimits& limits, const LpSolver::IntegerOptions& options) {
    utilization_program::Program program(jobs, fair, limits);
    const LpSolution solution = LpSolver(program.take()).solveInteger(options);
    UtilizationPlan out{.status = solution.status};
    if (solution.x.empty()) return out;
    double constant = 0; // servers that do not grow
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const int count = static_cast<int>(std::lround(solution.x[program.workersOf(j)]));
        out.workers.push_back(count);
        out.utilization += jobs[j].utilization(count);
        out.unfairness += std::abs(jobs[j].dominantShare(count) - jobs[j].dominantShare(fair[j]));
        out.changed += jobs[j].before && *jobs[j].before != count;
        if (!jobs[j].workersPerServer)
            for (const double share : jobs[j].server) constant += jobs[j].servers * share;
    }
    out.bound = solution.bound + constant;
    return out;
}

} // namespace trainyard
