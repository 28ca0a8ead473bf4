// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Into how many parts each operation of a computation graph is split, or that the job is not taken. Asked once per graph
// job, when it arrives; placement stays the scheduler's.
#include "policy/Context.h"
#include "record/ClusterState.h"

#include <memory>
#include <optional>
#include <span>

namespace trainyard {

/// Step times by degree come from the graph look-ahead (planning/GraphLookahead.h) under the cluster's links.
class PartitionView {
public:
    virtual ~PartitionView() = default;
    virtual const ClusterState& state() const = 0;
    virtual JobId job() const = 0;
    /// Degrees the job's bounds and the free machines allow now, ascending; where not even the least fits now, those of the
    /// idle cluster. May be empty.
    virtual std::span<const int> degrees() const = 0;
    /// Expected completion time in seconds at a degree.
    virtual double completionSeconds(int degree) const = 0;
    virtual double deadlineSeconds() const = 0; ///< from now; negative if past
};

class Partitioner {
public:
    virtual ~Partitioner() = default;
    virtual std::unique_ptr<Partitioner> clone() const = 0;
    /// nullopt rejects the job.
    virtual std::optional<int> degree(const PolicyContext& context, const PartitionView& view) = 0;
};

} // namespace trainyard
