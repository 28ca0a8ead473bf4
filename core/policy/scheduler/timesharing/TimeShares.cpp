// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/timesharing/TimeShares.h"

#include "base/PartitionPoint.h"
#include "planning/LpSolver.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace time_shares {

constexpr double slack = 1e-7; // relative, by which a bound found by one program is loosened in the next

/// x[job, option] with the capacities, and one time for each job.
class Program {
public:
    explicit Program(const std::vector<SharingJob>& jobs) : m_jobs(jobs) {
        m_program.maximize = true;
        std::map<std::size_t, LinearProgram::Row> capacities;
        for (const SharingJob& job : jobs) {
            LinearProgram::Row time{{}, -LinearProgram::infinity, 1};
            m_first.push_back(m_program.columns.size());
            for (const SharingJob::Option& option : job.options) {
                const std::size_t x = m_program.add(LinearProgram::Column{.upper = 1});
                time.terms.push_back({x, 1});
                for (const auto& [capacity, use] : option.uses) {
                    auto& row = capacities[capacity];
                    row.upper = 1;
                    if (use > 0) row.terms.push_back({x, use * job.copies});
                }
            }
            if (job.options.size() > 1) m_program.add(std::move(time));
        }
        for (auto& [capacity, row] : capacities)
            if (!row.terms.empty()) m_program.add(std::move(row));
    }

    LinearProgram& program() { return m_program; }

    /// factor · Σ rate · x of a job.
    std::vector<std::pair<std::size_t, double>> rate(std::size_t job, double factor) const {
        std::vector<std::pair<std::size_t, double>> out;
        for (std::size_t o = 0; o < m_jobs[job].options.size(); ++o)
            out.push_back({m_first[job] + o, factor * m_jobs[job].options[o].rate});
        return out;
    }
    /// Maximizes the sum of factor · rate over all copies of all jobs.
    void maximizeRates(const std::vector<double>& factors) {
        for (std::size_t j = 0; j < m_jobs.size(); ++j)
            for (const auto& [x, coefficient] : rate(j, factors[j]))
                m_program.columns[x].cost = coefficient * m_jobs[j].copies;
    }
    TimeShares shares(const std::vector<double>& x) const {
        TimeShares out;
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            auto& job = out.emplace_back();
            for (std::size_t o = 0; o < m_jobs[j].options.size(); ++o) {
                const double value = x[m_first[j] + o];
                job.push_back(value < 1e-9 ? 0 : std::min(1.0, value));
            }
        }
        return out;
    }

private:
    const std::vector<SharingJob>& m_jobs;
    std::vector<std::size_t> m_first; ///< column of each job's first option
    LinearProgram m_program;
};

bool isOptimal(const LpSolution& solution) { return solution.status == LpSolution::Status::optimal; }

double worstWorth(const std::vector<SharingJob>& jobs, const std::vector<double>& worth, const TimeShares& shares) {
    double worst = LinearProgram::infinity;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (!jobs[j].options.empty()) worst = std::min(worst, worth[j] * rateWith(jobs[j], shares[j]));
    return worst;
}

double worstRatio(const std::vector<SharingJob>& jobs, const std::vector<FinishGoal>& goals, const TimeShares& shares) {
    double worst = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (!jobs[j].options.empty()) worst = std::max(worst, goals[j].ratio(rateWith(jobs[j], shares[j])));
    return worst;
}

/// Whether every ρ can be kept below a bound, asked again and again.
class RatioProgram {
public:
    RatioProgram(const std::vector<SharingJob>& jobs, const std::vector<FinishGoal>& goals)
        : m_jobs(jobs), m_goals(goals), m_columns(jobs), m_solver(make()) {}

    /// The shares that keep it, or none.
    TimeShares keeping(double ratio) {
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            if (m_jobs[j].options.empty()) continue;
            const double seconds = ratio * m_goals[j].isolated - m_goals[j].elapsed;
            const double needed = m_goals[j].remaining / seconds / m_jobs[j].bestRate();
            if (!(seconds > 0) || needed > 1 + slack) return {};
            m_solver.setRow(m_rows[j], std::min(1.0, needed) * (1 - slack), LinearProgram::infinity);
        }
        const LpSolution solution = m_solver.solve();
        return isOptimal(solution) ? m_columns.shares(solution.x) : TimeShares{};
    }

private:
    LinearProgram make() {
        std::vector<double> factors(m_jobs.size(), 1);
        m_rows.resize(m_jobs.size());
        for (std::size_t j = 0; j < m_jobs.size(); ++j) {
            if (m_jobs[j].options.empty()) continue;
            factors[j] = 1 / m_jobs[j].bestRate();
            m_rows[j] = m_columns.program().rows.size();
            m_columns.program().add(LinearProgram::Row{m_columns.rate(j, factors[j]), 0, LinearProgram::infinity});
        }
        m_columns.maximizeRates(factors);
        return m_columns.program();
    }

    const std::vector<SharingJob>& m_jobs;
    const std::vector<FinishGoal>& m_goals;
    Program m_columns;
    std::vector<std::size_t> m_rows; ///< that of each job's rate
    LpSolver m_solver;
};

} // namespace time_shares

using namespace time_shares;

double SharingJob::Option::fitting() const {
    double most = 1e-9;
    for (const auto& [capacity, use] : uses) most = std::max(most, use);
    return 1 / most;
}

double SharingJob::bestRate() const {
    double best = 0;
    for (const Option& option : options) best = std::max(best, option.rate);
    return best;
}

double rateWith(const SharingJob& job, const std::vector<double>& shares) {
    double rate = 0;
    for (std::size_t o = 0; o < job.options.size(); ++o) rate += job.options[o].rate * shares[o];
    return rate;
}

TimeShares equalShares(const std::vector<SharingJob>& jobs) {
    double count = 0;
    for (const SharingJob& job : jobs)
        if (!job.options.empty()) count += job.copies;
    TimeShares out;
    for (const SharingJob& job : jobs) {
        double fitting = 0;
        for (const auto& option : job.options) fitting += option.fitting();
        auto& shares = out.emplace_back();
        for (const auto& option : job.options) shares.push_back(option.fitting() / std::max(count, fitting));
    }
    return out;
}

double rateOfAnNth(const SharingJob& job, double n) {
    std::vector<const SharingJob::Option*> fastest;
    for (const auto& option : job.options) fastest.push_back(&option);
    std::stable_sort(fastest.begin(), fastest.end(), [](auto a, auto b) { return a->rate > b->rate; });
    double rate = 0, left = 1;
    for (const auto* option : fastest) {
        const double share = std::min(left, option->fitting() / n);
        rate += share * option->rate;
        left -= share;
    }
    return rate;
}

double proportionalRate(const SharingJob& job) {
    double rate = 0, fitting = 0;
    for (const auto& option : job.options) {
        rate += option.rate * option.fitting();
        fitting += option.fitting();
    }
    return fitting > 0 ? rate / fitting : 0;
}

Sharing maxMinShares(const std::vector<SharingJob>& jobs, const std::vector<double>& worth) {
    Sharing out{.shares = equalShares(jobs)};
    const auto equal = [&] {
        out.worst = worstWorth(jobs, worth, out.shares);
        return out;
    };
    Program columns(jobs);
    double most = 0; // rows are relative to the greatest worth of any
    for (std::size_t j = 0; j < jobs.size(); ++j) most = std::max(most, worth[j] * jobs[j].bestRate());
    if (!(most > 0)) return equal();
    std::vector<double> factors;
    for (const double w : worth) factors.push_back(w / most);
    LinearProgram& program = columns.program();
    const std::size_t least = program.add(LinearProgram::Column{.cost = 1});
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (jobs[j].options.empty()) continue;
        LinearProgram::Row row{columns.rate(j, factors[j]), 0, LinearProgram::infinity};
        row.terms.push_back({least, -1});
        program.add(std::move(row));
    }
    const LpSolution fair = LpSolver(program).solve();
    if (!isOptimal(fair)) return equal();
    out = {true, columns.shares(fair.x), 0};
    program.columns[least].cost = 0;
    program.columns[least].lower = std::max(0.0, fair.x[least] * (1 - slack));
    columns.maximizeRates(factors);
    if (const LpSolution full = LpSolver(program).solve(); isOptimal(full)) out.shares = columns.shares(full.x);
    return equal();
}

Sharing leastWorstRatio(const std::vector<SharingJob>& jobs, const std::vector<FinishGoal>& goals, double precision) {
    Sharing out{.shares = equalShares(jobs)};
    out.worst = worstRatio(jobs, goals, out.shares);
    double low = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (!jobs[j].options.empty()) low = std::max(low, goals[j].ratio(jobs[j].bestRate()));
    if (!(low > 0) || !std::isfinite(out.worst)) return out;
    RatioProgram program(jobs, goals);
    const auto reaches = [&](double ratio) {
        TimeShares shares = program.keeping(ratio);
        if (shares.empty()) return false;
        out.solved = true;
        out.shares = std::move(shares);
        return true;
    };
    double high = std::max(low, out.worst); // equal shares reach it
    if (reaches(low)) {
        high = low;
    } else if (!reaches(high * (1 + precision))) {
        return out;
    }
    // Of the ratios in between, each 1 + precision times the one before it, the first that can be reached.
    const int steps = static_cast<int>(std::ceil(std::log(high / low) / std::log1p(precision)));
    (void)partitionPoint(1, std::max(1, steps),
                         [&](int step) { return !reaches(low * std::pow(1 + precision, step)); });
    out.worst = worstRatio(jobs, goals, out.shares);
    return out;
}

} // namespace trainyard
