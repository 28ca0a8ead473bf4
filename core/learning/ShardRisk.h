// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far above the least loss training ends where some shards of the data count more than others, as they do
// where an update waits for the first few of workers some of which are always slow. Called by run/ShardBias.
#include "learning/Model.h"

#include <stop_token>

namespace trainyard {

/// F is the mean over the shards of their mean losses F_i, w* its minimiser; w_π is that of Σ π_i F_i.
struct ShardRisk {
    double excess = 0;   ///< F(w_π) − F(w*)
    double least = 0;    ///< F(w*)
    bool exact = false;  ///< by the normal equations; else by gradient descent
    bool settled = true; ///< false: the descent was cut short, the numbers are rough
};

using Shard = std::span<const std::uint32_t>; ///< rows, at least one

/// `shares`: π, by shard, up to a factor: at least 0, not all 0. `start`: parameters that the descent to w*
/// begins from; that to w_π goes on from w*. Where parameters are not determined, least squares takes those
/// of least length, which descent from 0 comes to as well. Nothing for streams, for models whose messages are
/// no gradients (k-means, mixtures), for data so large that it would take minutes, and when stopped. Seconds
/// at most. Thread-safe.
std::optional<ShardRisk> shardRisk(const Model& model, const DataSet& data, std::span<const Shard> shards,
                                   std::span<const double> shares, std::vector<double> start,
                                   const std::stop_token& stop = {});

} // namespace trainyard
