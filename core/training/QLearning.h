// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Training of an agent of PAC-ML's shape, as there: double Q-learning with returns over several arrivals and prioritised replay, over the
// degrees that are allowed by count; a job in time earns 1, one that is blocked or refused −1. Its warm start: at first half of the episodes
// are played by the floor rule that serves most of them, so that the replay knows good degrees. What is kept of an episode is which degrees
// were chosen: its arrivals are a function of the seed, so that a training goes on from a small checkpoint.
#include "scenario/agents/AgentPlan.h"
#include "training/Episodes.h"
#include "training/StageTrainer.h"
#include "training/SumTree.h"

#include <memory>

namespace trainyard {

/// Arrivals of one iteration: by episode, then by time.
struct ReplayedArrivals {
    nets::Matrix<float> observations;  ///< of each episode one more than arrivals that are learned from
    std::vector<std::uint32_t> graphs; ///< likewise
    std::vector<std::uint8_t> all;     ///< degrees chosen, those before what is learned from among them
    std::vector<std::uint8_t> actions; ///< degrees chosen at arrivals that are learned from
    std::vector<float> rewards;        ///< likewise
};

class QLearning final : public StageTrainer {
public:
    QLearning(std::shared_ptr<const TrainingWorld> world, QLearningSettings settings, std::uint64_t seed);
    ~QLearning() override;

    bool step(const Parallel& parallel, std::stop_token stop = {}) override;
    int iterations() const override { return m_settings.iterations; }
    const TrainingState& state() const override { return m_state; }
    bool restore(TrainingState state) override;
    DegreeNet net() const override { return {m_settings.hidden, m_state.policy, NetShape::graphNetwork}; }

private:
    using Net = nets::DuelingGraphNet<float>;
    using Embedded = std::vector<Net::GraphTape>;
    class Group;
    /// An arrival of the replay, and the state after which its target counts on.
    struct Sample {
        std::size_t item = 0; ///< in the priorities
        double weight = 1;
        const ReplayedArrivals* of = nullptr;
        std::size_t first = 0,
                    last = 0; ///< arrivals of its episode among all of the iteration: it, and one after the last reward
        std::size_t row = 0, rowAfter = 0; ///< of observations
    };
    Sample sampleOf(std::size_t item) const;
    /// Rewards from the arrival on, then `after`.
    double targetOf(const Sample& sample, double after) const;

    std::size_t episodes() const;
    std::size_t itemsOfIteration() const { return episodes() * static_cast<std::size_t>(m_settings.arrivals); }
    double exploration() const;
    Embedded embed(const std::vector<float>& parameters, const Parallel& parallel) const;
    /// Plays the iteration; `forced`: the degrees to choose, by episode and arrival, or none.
    ReplayedArrivals play(int iteration, std::span<const std::uint8_t> forced, const Parallel& parallel);
    std::size_t slotOf(int iteration) const { return static_cast<std::size_t>(iteration) % m_replay.size(); }
    std::vector<Sample> draw(std::uint32_t number) const;
    void update(std::uint32_t number, const Parallel& parallel);
    /// Of a part of a batch of `batch` samples: adds to the gradient, writes by how much each misses its target, returns the loss.
    double backpropagate(std::span<const Sample> samples, std::size_t batch, const Embedded& online,
                         std::span<double> off, std::span<float> gradient) const;
    void rememberReplay();

    std::shared_ptr<const TrainingWorld> m_world;
    QLearningSettings m_settings;
    std::uint64_t m_seed;
    TrainingState m_state;
    Net m_net;
    std::shared_ptr<const JobGraphs> m_graphs;
    std::vector<const nets::NetGraph<float>*> m_inputs;
    std::vector<std::unique_ptr<Group>> m_groups;
    std::vector<ReplayedArrivals> m_replay; ///< ring of iterations
    SumTree m_priorities;
    Embedded m_target; ///< graphs by the net of targets
};

} // namespace trainyard
