// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What becomes of arrivals under a chooser of degrees: how many are served by each degree. Shows people how an agent differs from a rule.
#include "training/AgentEvaluation.h"

namespace trainyard {

struct DegreeShares {
    std::vector<int> degrees;   ///< ascending, all that the network offers
    std::vector<double> served; ///< by degree: share of the arrivals that were placed in time with it
    double blocked = 0;         ///< share of the arrivals that were not placed
    friend bool operator==(const DegreeShares&, const DegreeShares&) = default;
};

/// Over all arrivals of the seeds; as blockingOf() plays them, but that jobs which run at the end count as served. The same for any
/// number of threads.
DegreeShares degreeSharesOf(const DegreeRule& rule, const GraphPricer& pricer, const GraphWorkload& workload,
                            std::size_t arrivals, SeedRange seeds, const Parallel& parallel);
DegreeShares degreeSharesOf(const std::shared_ptr<const AfterStates>& states,
                            const std::shared_ptr<const DegreeNet>& net, const GraphPricer& pricer,
                            const GraphWorkload& workload, std::size_t arrivals, SeedRange seeds,
                            const Parallel& parallel);

} // namespace trainyard
