// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Episodes in which an agent is trained, played side by side, and the decisions in them that it learns from. Part of AgentTrainer.
#include "learning/nets/Mlp.h"
#include "planning/graphs/DegreeRollout.h"
#include "scenario/agents/AgentPlan.h"
#include "training/Episodes.h"

namespace trainyard {

/// Decisions with more than one option in time: rows of their after-states one after another.
struct Decisions {
    nets::Matrix<float> rows;
    std::vector<std::size_t> first; ///< row of each decision, and the end
    std::vector<double> targets;    ///< by row; of labels
    std::vector<std::uint32_t> chosen;
    std::vector<double> logarithms, advantages; ///< of the chosen one's probability; by decision
    std::vector<std::size_t> step;              ///< position among all arrivals

    std::size_t count() const { return first.size() - 1; }
    void clear(std::size_t columns) {
        *this = {};
        rows.columns = columns;
        first.push_back(0);
    }
    void append(const Decisions& other, std::size_t steps) {
        const std::size_t before = rows.rows;
        rows.numbers.insert(rows.numbers.end(), other.rows.numbers.begin(), other.rows.numbers.end());
        rows.rows += other.rows.rows;
        for (std::size_t i = 1; i < other.first.size(); ++i) first.push_back(before + other.first[i]);
        targets.insert(targets.end(), other.targets.begin(), other.targets.end());
        chosen.insert(chosen.end(), other.chosen.begin(), other.chosen.end());
        logarithms.insert(logarithms.end(), other.logarithms.begin(), other.logarithms.end());
        for (const std::size_t s : other.step) step.push_back(steps + s);
    }
};

/// Who plays: the present net of a training.
struct Player {
    const TrainingSettings& settings;
    const nets::Mlp<float>& net;
    const std::vector<float>& parameters;
    std::uint64_t iteration = 0;
};

/// Episodes that are played side by side, one arrival of each at a time, so that their nets are evaluated together.
class EpisodeGroup {
public:
    /// Numbers of a state before a decision, beyond those of one after: what can be done with the job that has arrived.
    static constexpr std::size_t arrivalNumbers = 2 * std::size(AfterStates::degrees) + 1;

    explicit EpisodeGroup(const TrainingWorld& world) : m_world(world), m_pricer(world.pricer()) {}

    void begin(std::uint64_t seed, std::uint32_t iteration, std::uint32_t firstEpisode, std::size_t episodes,
               std::size_t arrivals);

    /// Plays by a floor rule, or greedily by the net, with exploration; labels the last arrivals of each.
    void label(const Player& player, std::uint64_t seed, std::uint32_t firstEpisode);

    /// Plays by the net's distribution; records the last arrivals of each.
    void play(const Player& player);

    std::size_t episodes() const { return m_episodes.size(); }
    Decisions decisions;
    nets::Matrix<float> states; ///< by arrival and episode; one more arrival than rewards
    std::vector<float> rewards; ///< by arrival and episode
    std::size_t served = 0;
    double entropy = 0; ///< sum over recorded decisions

private:
    void price(bool mayRefuse);
    /// After-states of all decisions between several options; also to those that are learned from.
    void gather(Decisions* record);
    void evaluate(const Player& player);
    std::size_t draw(const Player& player, std::size_t e, bool recorded);
    void place(std::size_t e, std::optional<std::size_t> chosen);

public:
    static std::vector<double> probabilities(const TrainingSettings& settings, const float* scores, std::size_t count);

private:
    const TrainingWorld& m_world;
    GraphPricer m_pricer;
    std::vector<Episode> m_episodes;
    std::vector<RandomStream> m_random;
    std::vector<DegreeRule> m_rules;
    std::vector<std::vector<GraphOption>> m_options;
    /// By episode, numbers of the options in time, and then as many as there are options, for refusing where that is considered.
    std::vector<std::vector<std::size_t>> m_choices;
    std::vector<std::size_t> m_firstRow;
    nets::Matrix<float> m_rows;
    nets::Mlp<float>::Tape m_tape;
    std::vector<float> m_scores;
};

} // namespace trainyard
