// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an update of a job takes where it follows from the laws of its workers' answers by quadrature: rounds
// that wait for the k-th of n workers, alike or not, or for one of every team; and streams of gradients that
// nobody waits for. Used by the synchronizations to say what they expect (Synchronization::updateTime).
#include "planning/IterationTimes.h"

#include <optional>

namespace trainyard {

/// A job as far as the times of its updates go.
struct JobTimes {
    std::vector<WorkerResponse> workers; ///< those that are there
    int batch = 1;                       ///< samples of a task at load 1
    double serverSeconds = 0;            ///< that the servers take for each update, one after another
};

/// One update in the long run; all per update.
struct UpdateTime {
    double seconds = 0;           ///< mean; infinite where there is none
    double variance = 0;          ///< s²: n updates vary by n times this, n large. Where the law has none, that of the
                                  ///< law cut off at what one in a thousand updates exceeds
    double samples = 0;           ///< used
    double pulls = 0, pushes = 0; ///< of all parameters by a worker, and of a gradient, to the end
};

/// What each worker does in a round.
struct RoundTask {
    double samples = 1; ///< of a task, all local steps and parts together
    int steps = 1;      ///< of these, each with a factor of its own
};

/// A round that ends with the k-th answer of those that began together; the others are cancelled. Nothing
/// where the law of an answer has no closed form: bursts, several steps with random factors, or random delays
/// and factors that are not sums of exponentials.
std::optional<UpdateTime> roundTime(const JobTimes& job, int k, const RoundTask& task);
/// A round that ends when of every team, workers [0, size), [size, 2·size) …, one has answered. As above.
std::optional<UpdateTime> teamRoundTime(const JobTimes& job, int size, const RoundTask& task);
/// Every worker goes on at once; every `gradients` of them are an update. Renewal theory: worker i brings
/// 1/μ_i gradients a second, with σ_i²/μ_i³ variance. Nothing where servers take time or machines have
/// bursts.
std::optional<UpdateTime> streamTime(const JobTimes& job, int gradients);

} // namespace trainyard
