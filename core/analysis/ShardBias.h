// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What it means for a job's result that updates used some workers' gradients more often than others': where
// the workers' shares of the data are unlike, training leans towards those of the fast. For the charts of the
// window, which do not see learning/ and policy/, and for what `run` prints.
#include "learning/ShardRisk.h"
#include "record/EventLog.h"
#include "scenario/Scenario.h"

#include <mutex>

namespace trainyard {

class TrainingProblem;

/// Why the workers of a job may count differently, or why they do not.
enum class ShardWeights {
    alike,     ///< nothing to lean towards: not a trained job, one worker, or rows that are shuffled or shared
    evenedOut, ///< its synchronization makes up for workers that come seldom
    asCounted  ///< each counts as often as its gradients were used
};
/// Of a job with so many workers.
ShardWeights shardWeights(const Scenario& scenario, const Job& job, std::size_t workers);

/// By worker, from the first to the last that was ever placed: the gradients that updates were made of.
std::vector<std::size_t> gradientsUsed(const EventLog& log, JobId job);

/// Whether the counts differ by more than chance lets those of equal workers differ: Pearson's χ² lies more
/// than four standard deviations above its mean. Gradients that come in rounds vary less than the law that
/// this takes for granted.
bool differBeyondChance(std::span<const std::size_t> counts);

/// The excess risk of one job under any shares of its workers. Loads the data at the first question.
class ShardBias {
public:
    ShardBias(TrainedWork work, std::uint64_t seed, JobId job, ResourcePaths resources);

    /// `used`: by worker, the gradients that updates were made of. Nothing where it is not known (see
    /// shardRisk), no gradient was used, or the data cannot be loaded. Seconds at most: not on the window's
    /// thread. Thread-safe.
    std::optional<ShardRisk> of(std::span<const std::size_t> used, const std::stop_token& stop = {}) const;

private:
    std::shared_ptr<const TrainingProblem> problem() const;

    TrainedWork m_work;
    std::uint64_t m_seed;
    JobId m_job;
    ResourcePaths m_resources;
    mutable std::mutex m_mutex; ///< guards what follows
    mutable bool m_tried = false;
    mutable std::shared_ptr<const TrainingProblem> m_problem; ///< null where it could not be made
};

} // namespace trainyard
