// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Rules that choose a degree among priced options, without memory: the baselines of PAC-ML and ones that look at the deadline. Each is a
// pure function; partitioners (core/policy/partitioner), rollouts and studies share them.
#include "base/Random.h"
#include "planning/graphs/LossSystem.h"

#include <optional>
#include <span>

namespace trainyard {

struct DegreeRule {
    enum class Kind {
        constant,      ///< always `degree`; 1: none, 2: min
        max,           ///< the largest that is allowed: SiP-ML's
        random,        ///< any that is allowed, equally likely
        acceptableJct, ///< the first allowed that is at least ⌈1/β⌉, else the last: in time if splitting cost nothing
        floor,         ///< the smallest in time that is at least `degree`, else the largest in time below
    };
    Kind kind = Kind::max;
    int degree = 1;
    friend bool operator==(const DegreeRule&, const DegreeRule&) = default;
};

/// Index in `options`; nullopt refuses the job. What is chosen need not be placeable, nor in time, but under `floor`: then the job is blocked.
/// Kind::random draws from `random`.
std::optional<std::size_t> chosenOption(const DegreeRule& rule, std::span<const GraphOption> options, double beta,
                                        RandomStream& random);

/// The same without pricing what the rule does not look at; nullopt: refused.
std::optional<GraphOption> chosenOption(const DegreeRule& rule, GraphPricer& pricer, const LossSystem& system,
                                        std::uint32_t graph, double beta, RandomStream& random);

} // namespace trainyard
