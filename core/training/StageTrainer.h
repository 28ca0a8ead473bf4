// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A stage of a training, one iteration at a time. The same for any number of threads, and if it is interrupted between two iterations.
#include "base/Parallel.h"
#include "learning/nets/Adam.h"
#include "planning/agents/DegreeNet.h"

#include <stop_token>

namespace trainyard {

/// Everything that goes on from an iteration to the next. A plain value, so that it can be saved.
struct TrainingState {
    int iteration = 0;         ///< done
    std::uint64_t steps = 0;   ///< arrivals that were learned from
    std::vector<float> policy; ///< the net that decides
    std::vector<float> value;  ///< of values; of Q-learning the net that targets are taken from
    nets::Adam<float> policyAdam, valueAdam;
    std::vector<std::uint8_t> actions; ///< of Q-learning: degrees in the episodes that are kept, oldest iteration first
    std::vector<float> priorities;     ///< likewise, of the arrivals that are learned from
    double reward = 0;                 ///< of the last iteration: share of its arrivals in time
    double loss = 0;                   ///< of the last iteration: of labels, or of values
    double entropy = 0;                ///< mean over decisions of the last iteration, nats
};

class StageTrainer {
public:
    virtual ~StageTrainer() = default;
    /// One iteration. Not when done; stopped: nothing has changed, and false is returned.
    virtual bool step(const Parallel& parallel, std::stop_token stop = {}) = 0;
    virtual int iterations() const = 0; ///< in all
    virtual const TrainingState& state() const = 0;
    /// As it was saved by one of the same settings. False: it is none, and nothing has changed.
    virtual bool restore(TrainingState state) = 0;
    virtual DegreeNet net() const = 0;
    bool done() const { return state().iteration >= iterations(); }
};

} // namespace trainyard
