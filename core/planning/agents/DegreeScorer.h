// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// An agent that decides: what its net thinks of each degree of an arrival. Used by the partitioner, by studies and by training.
#include "planning/agents/DegreeNet.h"

#include <optional>

namespace trainyard {

/// An arrival whose degree is to be decided; the system is advanced to it.
struct DegreeQuestion {
    const LossSystem& system;
    double now = 0;
    std::uint32_t graph = 0; ///< number in the pricer that the scorer was made for
    double beta = 1;
    std::span<const GraphOption> options;
};

/// Not for several threads at once: it keeps its buffers.
class DegreeScorer {
public:
    virtual ~DegreeScorer() = default;
    virtual std::shared_ptr<DegreeScorer> clone() const = 0;
    /// By option: higher is better; NaN: it is not considered. Ours considers those in time, one of the paper's shape all that are allowed.
    virtual void score(const DegreeQuestion& question, std::vector<double>& out) = 0;
    /// Of refusing the job of the last question; NaN: it never refuses.
    virtual double refusal() const { return std::numeric_limits<double>::quiet_NaN(); }
    /// The one with the highest of these scores, of equal ones the first; nullopt: none is considered, or the job is refused.
    std::optional<std::size_t> best(std::span<const double> scores) const;
    /// The best of their scores.
    virtual std::optional<std::size_t> choose(const DegreeQuestion& question);

protected:
    std::vector<double> m_scores;
};

/// For arrivals of that workload at the pricer, which is asked for times on the empty cluster.
std::shared_ptr<DegreeScorer> makeScorer(std::shared_ptr<const AfterStates> states,
                                         std::shared_ptr<const DegreeNet> net, GraphPricer& pricer,
                                         const GraphWorkload& expected);

} // namespace trainyard
