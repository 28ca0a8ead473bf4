// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Training of an agent that scores after-states. First its net is distilled from rollouts: in states that a floor rule and the net itself come
// to, it learns how many more jobs of drawn futures are in time after one degree than after another. Then proximal policy optimization
// (Schulman et al., Proximal policy optimization algorithms, 2017) with generalized advantages improves it, over the exact mask of the
// options that are in time; its value net is fitted alone at first. Every iteration draws episodes of its own, so that the state between two
// is small and a training that goes on from it is the same. The result is the same for any number of threads.
#include "training/EpisodeGroup.h"
#include "training/StageTrainer.h"

#include <memory>

namespace trainyard {

class AgentTrainer final : public StageTrainer {
public:
    enum class Phase { distillation, value, policy, done };

    AgentTrainer(std::shared_ptr<const TrainingWorld> world, TrainingSettings settings, std::uint64_t seed);
    bool step(const Parallel& parallel, std::stop_token stop = {}) override;

    Phase phase() const;
    int iterations() const override;
    const TrainingState& state() const override { return m_state; }
    bool restore(TrainingState state) override;
    DegreeNet net() const override {
        return {.hidden = m_settings.hidden, .parameters = m_state.policy, .mayRefuse = m_settings.mayRefuse};
    }
    const TrainingWorld& world() const { return *m_world; }

private:
    Player player() const {
        return {m_settings, m_policy, m_state.policy, static_cast<std::uint64_t>(m_state.iteration)};
    }
    bool distil(const Parallel& parallel, const std::stop_token& stop);
    bool improve(const Parallel& parallel, const std::stop_token& stop);
    void fitLabels(const Decisions& decisions, const Parallel& parallel);
    void fitPolicy(const Decisions& decisions, const Parallel& parallel, double rate);
    void fitValue(const nets::Matrix<float>& states, std::span<const double> returns, const Parallel& parallel,
                  double rate);
    std::vector<std::uint32_t> shuffled(std::size_t count, std::uint32_t epoch, std::uint32_t of) const;

    std::shared_ptr<const TrainingWorld> m_world;
    TrainingSettings m_settings;
    std::uint64_t m_seed;
    TrainingState m_state;
    nets::Mlp<float> m_policy, m_value;
    std::vector<std::unique_ptr<EpisodeGroup>> m_groups; ///< each a share of the episodes, with a pricer of its own
};

} // namespace trainyard
