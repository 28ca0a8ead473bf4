// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The linear relaxation of the placement on several machines: fractions of workers and servers. Only two of its rows join the
// machines (so many workers, so many servers in all), so it is solved by Dantzig-Wolfe decomposition (Operations Research 8,
// 1960): for two multipliers every machine answers with a corner of its own polygon, and a basis of three answers is the
// solution. Machines of equal costs and equal room answer as one.
#include "planning/LpSolver.h"
#include "policy/scheduler/pdors/SlotSolver.h"

#include <array>

namespace trainyard {

struct RelaxedTasks {
    struct On {
        std::size_t machine = 0;
        double workers = 0, servers = 0;
    };
    std::vector<On> on; ///< ascending by machine, none empty; all but few are corners of their machine's polygon
    double cost = 0;
};

class SlotRelaxation {
public:
    /// For up to `most` workers.
    SlotRelaxation(const SlotOffer& offer, int most);

    enum class Status { optimal, infeasible, failed };
    struct Solution {
        Status status = Status::failed; ///< failed: not done after many exchanges
        RelaxedTasks tasks;
    };
    /// At least `workers` and `servers` in all. Answers of earlier calls are tried first.
    Solution solve(double workers, double servers);

private:
    struct Point {
        double workers = 0, servers = 0;
    };
    struct Group {
        double workerCost = 0, serverCost = 0;
        std::vector<std::size_t> machines;
        std::vector<Point> corners; ///< the first is (0, 0)
    };
    /// One corner of every group, and what they come to.
    struct Answer {
        double workers = 0, servers = 0, cost = 0;
        std::vector<std::uint16_t> corner; ///< by group
    };
    struct Basis;
    struct Multipliers {
        double worker = 0, server = 0, one = 0;
    };

    Answer best(const Multipliers& multipliers, bool priced) const;
    /// Exchanges until no answer is better. false: too many.
    bool optimize(Basis& basis, bool priced);
    RelaxedTasks tasksOf(const Basis& basis) const;
    void spreadGroup(const Group& group, std::span<const std::pair<std::size_t, double>> weights,
                     RelaxedTasks& out) const;

    std::vector<Group> m_groups;
    std::vector<Answer> m_answers; ///< the first is nothing at all
};

/// The same program with all its rows, for LpSolver: columns are the workers of each machine, then the servers. The last two rows
/// are those that ask for workers and servers.
LinearProgram relaxedProgram(const SlotOffer& offer, int workers);

} // namespace trainyard
