// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Into how many parts each operation of a computation graph is split, or that the job is not taken. Asked once per graph
// job, when it arrives. One object serves all jobs that have the same choice. Where a job is placed is not its business: of a queued job that is
// the scheduler's, of one that is admitted at once it follows from the degree.
#include "planning/graphs/GraphArrivals.h"
#include "policy/Context.h"
#include "record/ClusterState.h"

#include <memory>
#include <optional>
#include <span>

namespace trainyard {

/// What rollouts play on: a copy of the system at the arrival, and what is expected to arrive.
struct LossOutlook {
    GraphPricer& pricer;
    const LossSystem& system;
    const GraphWorkload& expected; ///< graphs are numbered as in `pricer`
    std::uint32_t graph = 0;       ///< of the job, there
};

class PartitionView {
public:
    virtual ~PartitionView() = default;
    virtual const ClusterState& state() const = 0;
    virtual JobId job() const = 0;
    /// Degrees that the job's bounds allow, ascending, each with its block and completion time, priced once. Of a queued job: those for which
    /// machines are free now, or, where not even for the least, those of the idle cluster; all of them are allowed, and times are those of
    /// planning/GraphLookahead.h under the cluster's links. May be empty.
    virtual std::span<const GraphOption> options() const = 0;
    virtual double deadlineSeconds() const = 0;  ///< from now; negative if past
    virtual double deadlineFraction() const = 0; ///< β
    /// Nothing but of a job that is admitted at once: a degree that is not placeable or not in time blocks it.
    virtual std::optional<int> freeServers() const { return std::nullopt; }
    virtual BlockedReason reason() const { return BlockedReason::byChoice; } ///< if it is not served
    virtual std::optional<LossOutlook> outlook() const { return std::nullopt; }
};

class Partitioner {
public:
    virtual ~Partitioner() = default;
    virtual std::unique_ptr<Partitioner> clone() const = 0;
    /// The degree of one of the options; nullopt rejects the job.
    virtual std::optional<int> degree(const PolicyContext& context, const PartitionView& view) = 0;
};

} // namespace trainyard
