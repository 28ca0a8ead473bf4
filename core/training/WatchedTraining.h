// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What people watch while an agent is trained, as a plain value: rewards, candidates on validation beside the best simple rules, and which
// degrees are chosen. Watching only reads the training, so that its result is the same with and without.
#include "training/AgentTraining.h"
#include "training/DegreeShares.h"

#include <chrono>

namespace trainyard {

/// A simple rule on the validation seeds, as candidates are measured there.
struct RuleOnValidation {
    DegreeRule rule;
    double blocking = 1;
    friend bool operator==(const RuleOnValidation&, const RuleOnValidation&) = default;
};

struct WatchedCandidate {
    std::uint64_t steps = 0; ///< of its stage
    double blocking = 1;
};

struct WatchedStage {
    std::size_t task = 0;
    GraphRules rules = GraphRules::corrected;
    std::string law;        ///< empty: distillation for all laws of the task
    std::string title;      ///< of the law
    bool distilled = false; ///< its first candidate is the distilled net; else it is untrained
    std::uint64_t from = 0,
                  all = 0; ///< arrivals learned from: in stages before this one, and in this one when it is done
    std::vector<TrainingPoint> rewards; ///< one an iteration
    std::vector<WatchedCandidate> candidates;
    std::optional<WatchedCandidate> best;
    std::optional<RuleOnValidation> constant, floor; ///< the best ones
    std::optional<DegreeShares> netShares,
        constantShares; ///< of the present net, or of the best candidate when the stage is done
};

struct WatchedTraining {
    AgentTraining::Progress progress;
    bool done = false;
    std::vector<WatchedStage> stages;
    std::size_t stage = 0;    ///< at hand; the last one when done
    SeedRange shareSeeds;     ///< validation seeds over which degrees are counted: the first of them
    std::size_t arrivals = 0; ///< of each seed
    SeedRange validation;
};

class TrainingWatch {
public:
    explicit TrainingWatch(const AgentTraining& training);

    /// After an iteration; takes no time.
    void update(const AgentTraining& training);
    /// Measures what is most wanted and missing: rules of one law, or degrees of one net. Seconds at most, less when stopped. False:
    /// nothing is missing, or only what was measured less than two seconds ago.
    bool measure(const AgentTraining& training, const Parallel& parallel, const std::stop_token& stop);
    const WatchedTraining& now() const { return m_now; }

private:
    const TrainingWorld& world(const AgentTraining& training, std::size_t task);
    GraphWorkload workload(const AgentTraining& training, const WatchedStage& stage, std::size_t load);
    std::optional<RuleOnValidation> best(const AgentTraining& training, const WatchedStage& stage,
                                         DegreeRule::Kind kind, const Parallel& parallel, const std::stop_token& stop);
    bool measureRules(const AgentTraining& training, std::size_t number, const Parallel& parallel,
                      const std::stop_token& stop);
    bool measureNet(const AgentTraining& training, std::size_t stage, const Parallel& parallel);

    WatchedTraining m_now;
    std::vector<bool> m_final;                                  ///< by stage: degrees of its best candidate are known
    std::vector<std::unique_ptr<const TrainingWorld>> m_worlds; ///< by task, made when they are needed
    std::chrono::steady_clock::time_point m_measured;           ///< degrees of the present net
};

} // namespace trainyard
